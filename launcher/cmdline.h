/* SPDX-License-Identifier: Apache-2.0 */
/* cmdline.h: a command line that grows. Main thread only. */
#ifndef LAUNCHER_CMDLINE_H
#define LAUNCHER_CMDLINE_H

#include <stdbool.h>
#include <stdio.h>

struct cmdline {
	char **v; /* [n], then NULL */
	int n;
	bool failed; /* out of memory: v is not complete */
};

void cmdline_add(struct cmdline *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* All of a NULL-terminated list. */
void cmdline_add_all(struct cmdline *a, char *const *list);
/* Prints it so that a shell reads the same words back. */
void cmdline_print(const struct cmdline *a, FILE *to);
void cmdline_fini(struct cmdline *a);
#endif
