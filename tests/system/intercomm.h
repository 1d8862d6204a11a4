/* SPDX-License-Identifier: Apache-2.0 */
/* intercomm.h: two groups of the world in several ways, for intercomm*.c. */
#ifndef TESTS_INTERCOMM_H
#define TESTS_INTERCOMM_H

#include "tests/system/api.h"

/*
 * Ways to divide the world; those of side 2 are in neither group. A way needs
 * so many ranks.
 */
enum way {
	ONE_MANY, /* rank 0, and the others */
	MANY_ONE, /* all but the last, and that one */
	HALVES,	  /* with the leader at the end of the second */
	ODD_EVEN, /* the odd ranks backwards */
	WITHOUT,  /* rank 0 in neither */
	WAYS
};

/* The caller's part of a division. */
struct pair {
	enum way way;
	int side;	      /* 0, 1; 2: in neither */
	int rank, own, other; /* in the group; sizes of both groups */
	struct mrt_comm *local, *inter;
};

bool possible(enum way way);
/* World rank of rank r of a side. */
int member(enum way way, int side, int r);
/* inter is MRT_COMM_NULL for those in neither. */
struct pair make_pair(enum way way);
void free_pair(struct pair *p);

/* The world rank of rank r of the other group. */
static inline int opposite(const struct pair *p, int r)
{
	return member(p->way, 1 - p->side, r);
}

extern const struct api_case intercomm_coll[], intercomm_life[];
#endif
