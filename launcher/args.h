/* SPDX-License-Identifier: Apache-2.0 */
/* args.h: a command line that grows. Main thread only. */
#ifndef LAUNCHER_ARGS_H
#define LAUNCHER_ARGS_H

#include <stdbool.h>
#include <stdio.h>

struct args {
	char **v; /* [n], then NULL */
	int n;
	bool failed; /* out of memory: v is not complete */
};

void args_add(struct args *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* All of a NULL-terminated list. */
void args_add_all(struct args *a, char *const *list);
/* Prints it so that a shell reads the same words back. */
void args_print(const struct args *a, FILE *to);
void args_fini(struct args *a);
#endif
