/* SPDX-License-Identifier: Apache-2.0 */
/* counters.h: named counters of one rank, collected at the end from the layers
 * that count. The table travels between ranks. */
#ifndef BASE_COUNTERS_H
#define BASE_COUNTERS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { COUNTERS_MAX = 160 };

struct counter {
	char group[7]; /* counting layer: "p2p", "sm" */
	uint8_t level; /* 1 if the value rises and falls */
	char name[40]; /* "eager messages" */
	uint64_t value;
};

struct counters {
	uint64_t n;
	struct counter row[COUNTERS_MAX];
};

/* Adds a row. Without room for it the row is dropped. */
static inline void counters_add(struct counters *t, const char *group,
				const char *name, uint64_t value)
{
	struct counter *row = &t->row[t->n];

	if (t->n == COUNTERS_MAX)
		return;
	t->n++;
	*row = (struct counter){.value = value};
	snprintf(row->group, sizeof(row->group), "%s", group);
	snprintf(row->name, sizeof(row->name), "%s", name);
}

/* Adds a row whose value may fall again. */
static inline void counters_add_level(struct counters *t, const char *group,
				      const char *name, uint64_t value)
{
	uint64_t k = t->n;

	counters_add(t, group, name, value);
	if (t->n > k)
		t->row[k].level = 1;
}

/* Returns the bytes of the table up to its last row. */
static inline size_t counters_bytes(const struct counters *t)
{
	return offsetof(struct counters, row) + t->n * sizeof(t->row[0]);
}
#endif
