/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefix.h: one rank's part in a scan or exscan: its window, the result over
 * some consecutive ranks that end with this one, grows downwards by the windows
 * of others until it reaches rank 0. Operands keep the order of ranks.
 */
#ifndef COLL_PREFIX_H
#define COLL_PREFIX_H

#include "coll/plan.h"

struct prefix {
	const struct shape *shape;
	bool exclusive;		/* RECV gets the window without the own part */
	struct ref window;	/* SEND at first */
	uint8_t sum;		/* room for it where RECV is not */
	uint8_t stage[2];	/* in turn for what comes */
	uint32_t free_after[2]; /* when they may be used again */
	int taken;
	uint32_t ready;	 /* the step that made the window */
	uint32_t last;	 /* after which it may change: that, or its send */
	uint32_t result; /* the step that made RECV */
};

struct prefix prefix_begin(struct plan *plan, const struct shape *shape,
			   int rank, bool exclusive);

/* Sends the window. At most once between two prefix_take. */
void prefix_send(struct plan *plan, struct prefix *p, int peer, unsigned tag);

/* Receives the window that ends where ours begins, and puts it in front. more:
 * ours will be sent again. */
void prefix_take(struct plan *plan, struct prefix *p, int peer, unsigned tag,
		 bool more);

/* ---- Who sends to whom: the same for scan and exscan -------------------- */

/* Source, cost: scan_recursive_doubling.c, scan_binomial.c. */
void prefix_doubling(struct plan *plan, const struct shape *shape, int rank,
		     bool exclusive);
void prefix_binomial(struct plan *plan, const struct shape *shape, int rank,
		     bool exclusive);
/* All but what is reduced. */
struct cost;
void prefix_doubling_cost(const struct shape *shape, struct cost *c);
void prefix_binomial_cost(const struct shape *shape, struct cost *c);
#endif
