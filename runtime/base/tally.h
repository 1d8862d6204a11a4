/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally.h: named counters of one rank, as those who count hand them out at the
 * end: the names live where the counters do. Travels between ranks.
 */
#ifndef BASE_TALLY_H
#define BASE_TALLY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TALLY_ROWS = 160 };

struct tally_row {
	char group[8]; /* who counts: "p2p", "sm" */
	char name[40]; /* "eager messages" */
	uint64_t value;
};

struct tally {
	uint64_t n;
	struct tally_row row[TALLY_ROWS];
};

/* A row that there is no room for is left out. */
static inline void tally_add(struct tally *t, const char *group,
			     const char *name, uint64_t value)
{
	struct tally_row *row = &t->row[t->n];

	if (t->n == TALLY_ROWS)
		return;
	t->n++;
	*row = (struct tally_row){.value = value};
	snprintf(row->group, sizeof(row->group), "%s", group);
	snprintf(row->name, sizeof(row->name), "%s", name);
}

/* Bytes of those rows that there are. */
static inline size_t tally_bytes(const struct tally *t)
{
	return offsetof(struct tally, row) + t->n * sizeof(t->row[0]);
}
#endif
