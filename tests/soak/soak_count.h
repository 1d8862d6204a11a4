/* SPDX-License-Identifier: Apache-2.0 */
/* soak_count.h counts operations by kind, and reports them. */
#ifndef TESTS_SOAK_COUNT_H
#define TESTS_SOAK_COUNT_H

#include <stdint.h>

#include "tests/soak/soak_watch.h"

/* Returns the operations and bytes of this rank so far. */
uint64_t count_operations(void);
uint64_t count_bytes(void);

struct soak_end {
	int rounds;
	double seconds;
	int good;
	const struct watch_result *watched; /* [WATCH_ROWS] */
};

/* Collective over the world: rank 0 prints the table on stdout, and writes the
 * JSON if a file is named. */
void count_report(const struct soak_end *end, const char *json);
#endif
