/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repeats.h: lines of the runtime, "libmrt[rank/size host pid] text", that many
 * ranks print. The first is shown; those of other ranks with the same text are
 * held back and counted, and the count is told in a line of its own.
 */
#ifndef LAUNCHER_REPEATS_H
#define LAUNCHER_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	REPEATS_ROWS = 16, /* texts that are remembered */
	REPEATS_TEXT = 1024,
	REPEATS_QUIET_MS = 200 /* without more of them, until they are told */
};

struct repeats_row {
	char text[REPEATS_TEXT];
	size_t len;
	unsigned char *said; /* [nranks] whether a rank has said it */
	int held;	     /* ranks whose lines the next count tells */
};

struct repeats {
	struct repeats_row rows[REPEATS_ROWS]; /* a ring */
	int nranks, oldest, held;
	uint64_t held_ns; /* when the last line was held back */
	long *ranks;	  /* [nranks] room for the list of a count */
	void *arg;
	/* Gets the lines that tell counts. */
	void (*put)(void *arg, const char *line, size_t len);
};

/* Returns 0, or -1 without memory. */
int repeats_init(struct repeats *r, int nranks,
		 void (*put)(void *arg, const char *line, size_t len),
		 void *arg);
void repeats_fini(struct repeats *r);

/* Returns whether a line, with its newline, is held back. If not, and it is one
 * of the runtime, what was held back of this rank has been told before it. */
bool repeats_hold(struct repeats *r, int rank, const char *line, size_t len);

/* Tells all counts. */
void repeats_tell(struct repeats *r);

/* Returns how long the loop may sleep until repeats_tell_quiet is due; -1: for
 * ever. */
int repeats_timeout_ms(const struct repeats *r);
/* Tells all counts if no line was held back for REPEATS_QUIET_MS. */
void repeats_tell_quiet(struct repeats *r);
#endif
