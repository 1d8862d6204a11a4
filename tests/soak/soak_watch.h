/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_watch.h reads at the end of each round what this rank holds of the
 * system, and checks whether it stays constant.
 */
#ifndef TESTS_SOAK_WATCH_H
#define TESTS_SOAK_WATCH_H

#include <stdbool.h>
#include <stdio.h>

enum watch_row {
	WATCH_ANONYMOUS,
	WATCH_PSS,
	WATCH_HEAP,
	WATCH_SHARED,
	WATCH_MAPS,
	WATCH_FDS,
	WATCH_THREADS,
	WATCH_QPS,
	WATCH_MRS,
	WATCH_ROWS
};

/* The values are the largest of all ranks; growth is that during the repeated
 * rounds. */
struct watch_result {
	long first, last, max, growth, allowed;
};

/* Opens a file of this rank for a line of readings per round, whose first line
 * names the columns; returns NULL after a message if that fails. */
FILE *watch_trace(const char *prefix);
/* Must be called on every rank when all that a round has made is gone. `to`
 * may be NULL. */
void watch_read(FILE *to);
/* Returns the last reading of a row on this rank, -1 if it cannot be read
 * here. */
long watch_last(enum watch_row row);
const char *watch_name(enum watch_row row);
/*
 * Collective over the world. Each row is checked on each rank from reading
 * `again` on, where rounds were repeated; rank 0 gets the result of the worst
 * rank. Returns false on all ranks if something has grown.
 */
bool watch_judge(size_t again, struct watch_result results[WATCH_ROWS]);
#endif
