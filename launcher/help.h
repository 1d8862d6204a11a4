/* SPDX-License-Identifier: Apache-2.0 */
/* help.h: what mrun prints about itself, on stdout. */
#ifndef LAUNCHER_HELP_H
#define LAUNCHER_HELP_H

void help_print(void);
void help_print_version(void);
/* Prints the table of MRT_* variables. */
void help_print_env(void);
#endif
