/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_pairwise.c: in round k a rank sends its part of the block of
 * the rank k above straight to that rank, and receives the part of its own
 * block that the rank k below has. Blocks of any length, any operation: parts
 * arrive in falling rank order, first those from below, then those from above,
 * so each goes in front of what has been collected from its side.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.6; two sums
 * keep the order.
 * Cost: (n - 1) (latency + bytes of a block / bandwidth + bytes of reduction);
 * for long blocks of operations that do not commute.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"

/* Two receive buffers take turns, so that a part can arrive while the one
 * before is added. */
struct rounds {
	int n, rank;
	size_t count;
	uint8_t stage[2];
	struct ref sum[2];	/* of ranks up to this one; of those above */
	uint8_t acc[2];		/* where the sums are built */
	uint32_t added, before; /* reductions of the last two rounds */
};

/* Receives what rank `from` has. Returns the receive. */
static uint32_t reduce_scatter_pairwise_add(struct plan *plan, struct rounds *w,
					    int k, int from)
{
	int above = from > w->rank;
	struct part in = {ref(w->stage[k % 2], 0), w->count, 0};
	struct operands o = {in.ref, w->sum[above], ref(w->acc[above], 0),
			     w->count};
	bool first = from == w->n - 1;
	uint32_t got;

	if (first)
		in.ref = o.dst;
	got = plan_recv(plan, from, in, w->before, 0);
	w->before = w->added;
	w->added = first ? plan_join(plan, got, w->added)
			 : plan_reduce(plan, o, got, w->added);
	w->sum[above] = o.dst;
	return got;
}

/* Joins the sums in RECV; in place, where that is SEND, after all else. */
static void reduce_scatter_pairwise_finish(struct plan *plan,
					   const struct rounds *w,
					   bool in_place, uint32_t sent)
{
	struct ref recv = ref(BUF_RECV, 0), sum = w->sum[0];
	struct operands o = {sum, w->sum[1], recv, w->count};
	uint32_t done = plan_join(plan, w->added, sent);

	if (in_place)
		o.dst = ref(w->acc[0], 0);
	if (w->rank < w->n - 1) {
		done = plan_reduce(plan, o, done, 0);
		sum = o.dst;
	}
	if (sum.buf != BUF_RECV)
		plan_copy(plan, sum, recv, w->count, done);
}

static void reduce_scatter_pairwise_build(struct plan *plan,
					  const struct shape *shape, int rank)
{
	int n = shape->size;
	struct part own = blocks_one(shape, BUF_SEND, rank, 0);
	struct rounds w = {
	    .n = n, .rank = rank, .count = own.count, .sum = {own.ref, {0}}};
	uint32_t sent = 0, got = 0;

	for (int i = 0; i < 2 && n > 1; i++) {
		w.stage[i] = plan_tmp(plan, own.count);
		w.acc[i] = plan_tmp(plan, own.count);
	}
	for (int k = 1; k < n; k++) {
		int to = (rank + k) % n, from = (rank - k + n) % n;

		sent = plan_send(plan, to, blocks_one(shape, BUF_SEND, to, 0),
				 sent, got);
		got = reduce_scatter_pairwise_add(plan, &w, k, from);
	}
	reduce_scatter_pairwise_finish(plan, &w, shape->in_place, sent);
}

static void reduce_scatter_pairwise_cost(const struct shape *shape,
					 struct cost *c)
{
	cost_all_pairs(shape->size, blocks_mean(shape), c);
	c->reduced = c->bytes;
	c->peers = shape->size - 1;
}

const struct algorithm reduce_scatter_pairwise = {
    .name = "pairwise",
    .formula = "(n - 1) (a + m b + m c)",
    .build = reduce_scatter_pairwise_build,
    .cost = reduce_scatter_pairwise_cost,
};
