/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_id.h: the search for an id for a new communicator that is free on all of
 * its ranks. The ranks reduce their bitmaps of ids by OR, a few words per
 * round, and all take the same free id. The caller does the reduction:
 *
 * 	id_search_begin(&s, ..);
 * 	do
 * 		rc = OR of s.words[s.n] over all ranks;
 * 	while (!rc && !id_search_next(&s, &rc));
 * 	id_search_end(&s, rc);
 *
 * Several searches may be under way in a process, by several threads or
 * nonblocking, and other processes may see them in another order. No search
 * holds anything while it waits for ranks that may not have come yet: an id is
 * taken when all ranks have offered theirs. If it is gone by then on a rank,
 * which a second round tells, all try another one.
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
	size_t n;		 /* words of this round */
	/* A word that one rank tells the others, which pass 0. At the end all
	 * have it. */
	uint32_t told;
	int id; /* found and taken; -1: not yet */

	/* private */
	size_t at, most; /* words of the map: the next one, and per round */
	uint32_t key;
	unsigned attempt;
	int failed;
	bool crowded, confirming;
};

struct id_plan {
	bool blocking; /* the caller waits for each round */
	size_t most;   /* s.n is at most this: ID_FEW to ID_MANY */
	uint32_t key;  /* tells searches apart; the same on all ranks */
	int failed;    /* 0 or MRT_ERR_*, which becomes an error of all ranks */
	uint32_t told;
};

void id_search_begin(struct id_search *s, const struct id_plan *plan);
/* Continues after a round. Returns true when the search is over, with its
 * result in *rc. */
bool id_search_next(struct id_search *s, int *rc);
/* Ends a search, with an error or with an id that belongs to the caller from
 * now on. */
void id_search_end(struct id_search *s, int rc);

void id_give_back(int id);
#endif
