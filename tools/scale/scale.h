/* SPDX-License-Identifier: Apache-2.0 */
/* scale.h: the subcommands of mrt-scale. Each takes its own arguments (argv[0]
 * is its name) and returns an exit code. */
#ifndef TOOLS_SCALE_SCALE_H
#define TOOLS_SCALE_SCALE_H

#include <stddef.h>

int scale_run(int argc, char **argv);
/* Runs one rank of a job that scale_run has started. */
int scale_worker(int argc, char **argv);
int scale_fit(int argc, char **argv);
int scale_simulate(int argc, char **argv);
int scale_compare(int argc, char **argv);
int scale_plot(int argc, char **argv);

/* Prints "mrt-scale: ..." on stderr, and returns exit code `code`. */
int scale_error(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns n zeroed elements; exits with APP_RESOURCE if memory is exhausted. */
void *scale_alloc(size_t n, size_t size);
/* Like scale_alloc, for resizing an allocation; the new part is not zeroed. */
void *scale_grow(void *p, size_t n, size_t size);

#endif
