/* SPDX-License-Identifier: Apache-2.0 */
/* intercomm.h divides the world into two groups in several ways, for
 * intercomm*.c. */
#ifndef TESTS_INTERCOMM_H
#define TESTS_INTERCOMM_H

#include "tests/system/api.h"

/*
 * The ways to divide the world. Ranks of side 2 belong to neither group. Each
 * way needs a least number of ranks.
 */
enum way {
	ONE_MANY, /* rank 0; all others */
	MANY_ONE, /* all but the last rank; the last rank */
	HALVES,	  /* the leader is the last of the second half */
	ODD_EVEN, /* even ranks; odd ranks in reverse order */
	WITHOUT,  /* rank 0 belongs to neither group */
	WAYS
};

/* A struct pair holds the caller's part of a division. */
struct pair {
	enum way way;
	int side;	      /* 0 or 1; 2: in neither group */
	int rank, own, other; /* rank in its own group; sizes of both groups */
	struct mrt_comm *local, *inter;
};

bool possible(enum way way);
/* Returns the world rank of rank r of a side. */
int member(enum way way, int side, int r);
/* Divides the world; the member inter is MRT_COMM_NULL for ranks in neither
 * group. */
struct pair make_pair(enum way way);
void free_pair(struct pair *p);

/* Returns the world rank of the rank r of the other group. */
static inline int opposite(const struct pair *p, int r)
{
	return member(p->way, 1 - p->side, r);
}

extern const struct api_case intercomm_life[];
#endif
