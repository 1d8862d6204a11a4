/* SPDX-License-Identifier: Apache-2.0 */
/* cmdline.h: builds the command line of an engine word by word. Main thread
 * only. */
#ifndef LAUNCHER_CMDLINE_H
#define LAUNCHER_CMDLINE_H

#include <stdbool.h>
#include <stdio.h>

struct cmdline {
	char **v; /* [n], then NULL */
	int n;
	bool failed; /* out of memory, or a bad line: v is incomplete */
};

void cmdline_add(struct cmdline *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends all words of a NULL-terminated list. */
void cmdline_add_all(struct cmdline *a, char *const *list);
/* Appends the words of a line as a shell would, with quotes, \\ and # but
 * without variables, and ":" before them if there are words already. */
void cmdline_add_line(struct cmdline *a, const char *line);
/* Prints the words quoted so that a shell reads them back unchanged. */
void cmdline_print(const struct cmdline *a, FILE *to);
void cmdline_fini(struct cmdline *a);
#endif
