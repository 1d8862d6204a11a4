/* SPDX-License-Identifier: Apache-2.0 */
/* naive_world.h: the plans that naive.c judges, and in which order their steps
 * can happen (naive_order.c). */
#ifndef TESTS_COLL_NAIVE_WORLD_H
#define TESTS_COLL_NAIVE_WORLD_H

#include "coll/plan/plan.h"

enum { STEPS = 512, RANKS = 4, ROOM = 512, MIDDLE = 64 };

struct element {
	uint64_t a, b;
};

struct item {
	const struct step *s;
	int rank, first, partner;
};

struct world {
	enum collective collective;
	const struct shape *shapes;
	const struct plan *plans;
	int n, nitems;
	struct item item[STEPS];
	/* the part of each buffer's memory that the right plans use, and all of
	 * temporaries */
	size_t low[RANKS][BUFS], high[RANKS][BUFS];
	struct element (*memory)[BUFS][ROOM];
	bool combined[RANKS][ROOM]; /* the cell holds something */
};

/* ---- What steps use ----------------------------------------------------- */

struct use {
	int rank, buf;
	size_t at, count;
	bool write, add;
};

/* Returns where a buffer lies in memory; in place, SEND is a part of RECV's. */
int world_home(const struct world *w, int rank, int buf);
size_t world_where(const struct world *w, int rank, int buf, size_t at);
struct element *world_place(struct world *w, int rank, int buf, size_t at);
/* Returns where a load reads. */
struct ref world_posted(const struct world *w, int i);
int world_uses(struct world *w, int i, struct use out[3]);

/* ---- What can happen ---------------------------------------------------- */

/* Lets everything happen but what is held (a rank, or a step, which starts but
 * does not finish); of one rank alone unless `only` is negative. */
struct limits {
	int rank, step, only;
};

size_t world_signals(const struct world *w, const bool *done, int rank,
		     size_t counter);
/* Messages are buffered, which orders least. */
bool world_may_finish(const struct world *w, const bool *done, int i,
		      struct limits l);
bool world_races(struct world *w);
bool world_leaves_early(const struct world *w);
#endif
