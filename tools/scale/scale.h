/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale.h: the parts of mrt-scale: a subcommand each, which takes its own
 * arguments (argv[0] is its name) and returns an exit code.
 */
#ifndef SCALE_SCALE_H
#define SCALE_SCALE_H

#include <stddef.h>

int scale_run(int argc, char **argv);
/* One job of scale_run: what each rank does. */
int scale_worker(int argc, char **argv);
int scale_fit(int argc, char **argv);
int scale_simulate(int argc, char **argv);
int scale_compare(int argc, char **argv);
int scale_plot(int argc, char **argv);

/* "mrt-scale: ..." to stderr; returns `code`, an exit code. */
int scale_error(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* n zeroed elements; the end with APP_RESOURCE if there is no memory. */
void *scale_alloc(size_t n, size_t size);
/* The same for more of what was allocated; what is new is not zeroed. */
void *scale_grow(void *p, size_t n, size_t size);

#endif
