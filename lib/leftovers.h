/* SPDX-License-Identifier: Apache-2.0 */
/* leftovers.h: reports what a program leaves behind when it ends
 * (MRT_CHECK). */
#ifndef LIB_LEFTOVERS_H
#define LIB_LEFTOVERS_H

/* Prints a warning for each kind of requests that are not completed or freed,
 * and for each kind of objects that are not freed. */
void leftovers_report(void);
/* Prints a warning, with MRT_CHECK, if there are messages that nobody has
 * received. To be called when all messages have arrived and the communicators
 * that were freed are gone. Returns 0. */
int leftovers_report_strays(void);
#endif
