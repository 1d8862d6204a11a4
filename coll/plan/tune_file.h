/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_file.h: choices and model parameters from the file that MRT_TUNE_FILE
 * names. mrt-tune writes such files; mrt-tune(1) describes the format.
 */
#ifndef COLL_TUNE_FILE_H
#define COLL_TUNE_FILE_H

#include "coll/plan/select.h"

/* Reads the file and forgets what was read before; an empty path means no file.
 * Parameters go into `models`. On MRT_ERR_ENV (logged with file, line and
 * field) or MRT_ERR_NO_MEM no choices are kept. */
int tune_read(const char *path);

/* Finds the first row for these ranks and bytes whose algorithm fits. Returns
 * false if there is none or it says "default". */
bool tune_find(enum collective collective, const struct shape *shape,
	       size_t bytes, struct choice *choice);

/* Returns the size classes (select.h), a bit each, for which no row names an
 * algorithm. */
uint64_t tune_free_sizes(enum collective collective, int ranks);

/* Tells whether the test is true for the choice of any row of the
 * collective. */
typedef bool tune_test(enum collective collective, const struct choice *choice);
bool tune_any(enum collective collective, tune_test *test);

/* Returns a checksum of the file's text, or 0 without a file. */
uint64_t tune_checksum(void);

/* Adds a string to an FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo), which begins
 * with sum 0. */
uint64_t checksum_add(uint64_t sum, const char *text);
#endif
