/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_id.h: finding an id for a new communicator that is free on all of its
 * ranks. They reduce their maps of ids by OR, a few words a round, and take a
 * free one, the same on all. How they reduce is the caller's business:
 *
 *	id_search_begin(&s, ..);
 *	do
 *		rc = OR of s.words[s.n] over all ranks;
 *	while (!rc && !id_search_next(&s, &rc));
 *	id_search_end(&s, rc);
 *
 * Several searches may be under way in a process, of several threads or
 * nonblocking ones, which other processes see in another order. None of them
 * holds anything while it waits for ranks that may not have come yet: an id is
 * taken when all have offered theirs, and if it is gone by then on one of them,
 * which they tell each other in a second round, all try another.
 */
#ifndef COLL_COMM_ID_H
#define COLL_COMM_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ID_FEW = 6, /* words of the first round, which fit a line (direct.h) */
	ID_MANY = 64
};

struct id_search {
	uint64_t words[ID_MANY]; /* the last is for flags */
	size_t n;		 /* of this round */
	/* What one rank tells the others; the rest has 0. At the end on all. */
	uint32_t told;
	int id; /* found and taken; -1: not yet */

	/* private */
	size_t at, most; /* words of the map */
	uint32_t key;
	unsigned attempt;
	int failed;
	bool crowded, confirming;
};

struct id_plan {
	bool blocking; /* the caller waits for each round */
	size_t most;   /* s.n is at most this: ID_FEW to ID_MANY */
	uint32_t key;  /* tells searches apart; the same on all ranks */
	int failed;    /* 0, or a MRT_ERR_*, which becomes one of all ranks */
	uint32_t told;
};

void id_search_begin(struct id_search *s, const struct id_plan *plan);
/* After a round. True: it is over, with *rc. */
bool id_search_next(struct id_search *s, int *rc);
/* With an error, or an id that is the caller's from now on. */
void id_search_end(struct id_search *s, int rc);

void id_give_back(int id);
#endif
