/* SPDX-License-Identifier: Apache-2.0 */
/*
 * say.h: what mrun itself has to say, one line at a time, "mrun: " in front.
 * Main thread only.
 */
#ifndef LAUNCHER_SAY_H
#define LAUNCHER_SAY_H

#include <stddef.h>

enum { SAY_QUIET = -1, SAY_NORMAL = 0, SAY_VERBOSE = 1 };

/* How much is said; SAY_NORMAL at first. */
void say_set_level(int level);

/*
 * Where whole lines go instead of straight to stderr: once the output of the
 * ranks is forwarded, messages have to queue behind it, or they would tear a
 * line. NULL: straight to stderr.
 */
void say_set_writer(void (*writer)(void *arg, const char *line, size_t len),
		    void *arg);

/* An error of the user or of the system: said even when quiet. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* How a rank or the job ended. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What is going on. */
void say_verbose(const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
