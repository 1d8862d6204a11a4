/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_watch.h: what this rank holds of the system, read at the end of each
 * round, and whether it stays the same.
 */
#ifndef TESTS_SOAK_WATCH_H
#define TESTS_SOAK_WATCH_H

#include <stdbool.h>
#include <stdio.h>

enum watch_row {
	WATCH_RSS,
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

/* Of all ranks the largest; growth: in the rounds that were played again. */
struct watch_result {
	long first, last, max, growth, allowed;
};

/* A file of this rank's for a line of readings each round, of columns that its
 * first line names; NULL, after a message: none. */
FILE *watch_trace(const char *prefix);
/* On every rank, when all that a round has made is gone. `to` may be NULL. */
void watch_read(FILE *to);
/* The last reading of a row on this rank; -1: it cannot be read here. */
long watch_last(enum watch_row row);
const char *watch_name(enum watch_row row);
/*
 * Collective over the world, each row judged on each rank from reading `again`
 * on, where rounds were played again: rank 0 gets what the worst one has.
 * False, on all: something has grown.
 */
bool watch_judge(size_t again, struct watch_result results[WATCH_ROWS]);
#endif
