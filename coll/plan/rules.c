/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c: the table of what each collective means (rules.h). */
#include "coll/plan/rules.h"

/* clang-format off */
/* The kinds of buffers; only the root has one that begins with R_. */
#define NONE    {HOLDS_NOTHING, BY_COUNT, false}
#define ONE     {HOLDS_ONE, BY_COUNT, false}
#define EACH    {HOLDS_EACH, BY_COUNT, false}
#define COUNTS  {HOLDS_EACH, BY_COUNTS, false}
#define LISTS   {HOLDS_EACH, BY_DISPLACEMENTS, false}
#define R_ONE   {HOLDS_ONE, BY_COUNT, true}
#define R_EACH  {HOLDS_EACH, BY_COUNT, true}
#define R_LISTS {HOLDS_EACH, BY_DISPLACEMENTS, true}

enum {
	ROOTED = 1,
	OP = 2,
	GROUP = 4,	    /* not on an intercommunicator */
	LATER = 8 | GROUP,  /* rank 0 gets no result */
	LOCAL = 16 | GROUP, /* among neighbours */
};

#define ROW(name, sends, gets, place, known, flags) \
	[COLL_##name] = {.send = sends, .recv = gets, \
		.in_place = IN_PLACE_##place, .lengths = LENGTHS_##known, \
		.rooted = ((flags) & ROOTED) != 0, \
		.reduces = ((flags) & OP) != 0, \
		.intercommunicator = ((flags) & GROUP) == 0, \
		.skips_first = ((flags) & LATER) == LATER, \
		.neighbors = ((flags) & LOCAL) == LOCAL},

const struct rule rules[COLLECTIVES] = {
	/*                       sendbuf  recvbuf  place  lengths */
	ROW(BARRIER,              NONE,    NONE,    NEVER, NONE,   0)
	ROW(BCAST,                NONE,    ONE,     NEVER, EQUAL,  ROOTED)
	ROW(REDUCE,               ONE,     R_ONE,   ROOT,  EQUAL,  ROOTED | OP)
	ROW(ALLREDUCE,            ONE,     ONE,     ALL,   EQUAL,  OP)
	ROW(GATHER,               ONE,     R_EACH,  ROOT,  EQUAL,  ROOTED)
	ROW(GATHERV,              ONE,     R_LISTS, ROOT,  OWN,    ROOTED)
	ROW(SCATTER,              R_EACH,  ONE,     ROOT,  EQUAL,  ROOTED)
	ROW(SCATTERV,             R_LISTS, ONE,     ROOT,  OWN,    ROOTED)
	ROW(ALLGATHER,            ONE,     EACH,    ALL,   EQUAL,  0)
	ROW(ALLGATHERV,           ONE,     LISTS,   ALL,   SHARED, 0)
	ROW(ALLTOALL,             EACH,    EACH,    ALL,   EQUAL,  0)
	ROW(ALLTOALLV,            LISTS,   LISTS,   ALL,   OWN,    0)
	ROW(REDUCE_SCATTER_BLOCK, EACH,    ONE,     ALL,   EQUAL,  OP)
	ROW(REDUCE_SCATTER,       COUNTS,  ONE,     ANY,   SHARED, OP)
	ROW(SCAN,                 ONE,     ONE,     ANY,   EQUAL,  OP | GROUP)
	ROW(EXSCAN,               ONE,     ONE,     ANY,   EQUAL,  OP | LATER)
	ROW(NEIGHBOR_ALLGATHER,   ONE,     LISTS,   NEVER, OWN,    LOCAL)
	ROW(NEIGHBOR_ALLTOALL,    LISTS,   LISTS,   NEVER, OWN,    LOCAL)
};
/* clang-format on */
