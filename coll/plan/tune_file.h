/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_file.h: choices and model parameters from the file that MRT_TUNE_FILE
 * names, as mrt-tune writes it; mrt-tune(1) describes the format.
 */
#ifndef COLL_TUNE_FILE_H
#define COLL_TUNE_FILE_H

#include "coll/plan/select.h"

/*
 * Reads it, in place of what was read before; an empty path: no file.
 * MRT_ERR_ENV (logged, with file, line and field) or MRT_ERR_NO_MEM leave
 * none. Parameters go into `models`.
 */
int tune_read(const char *path);

/*
 * The first row for these ranks and bytes whose algorithm fits. False: there
 * is none, or it says "default".
 */
bool tune_find(enum collective collective, const struct shape *shape,
	       size_t bytes, struct choice *choice);

/* The classes of sizes (select.h) in which no row names an algorithm. */
uint64_t tune_free_sizes(enum collective collective, int ranks);

/* Does the test say true of the choice of any row of the collective? */
typedef bool tune_test(enum collective collective, const struct choice *choice);
bool tune_any(enum collective collective, tune_test *test);

/* Of the text; 0: no file. */
uint64_t tune_checksum(void);

/* FNV-1a: G. Fowler, L. Noll, K.-P. Vo; begin with sum 0. */
uint64_t checksum_add(uint64_t sum, const char *text);
#endif
