/* SPDX-License-Identifier: Apache-2.0 */
/* say.h: messages of mrun itself, one line each, prefixed with "mrun: ". Main
 * thread only. */
#ifndef LAUNCHER_SAY_H
#define LAUNCHER_SAY_H

#include <stdbool.h>
#include <stddef.h>

enum { SAY_QUIET = -1, SAY_NORMAL = 0, SAY_VERBOSE = 1 };

/* Sets how much is said; SAY_NORMAL is the default. */
void say_set_level(int level);

/*
 * Sets a function that gets whole lines instead of stderr. While the output of
 * ranks is forwarded, messages must queue behind it, or they would tear its
 * lines. NULL: write to stderr.
 */
void say_set_writer(void (*writer)(void *arg, const char *line, size_t len),
		    void *arg);

/* Prints an error of the user or of the system, with --quiet too. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Like say_error; returns exit_code. */
int say_fail(int exit_code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints how a rank or the job ended. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns whether say() prints: not with --quiet. */
bool say_is_heard(void);
/* Prints progress, with --verbose only. */
void say_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
