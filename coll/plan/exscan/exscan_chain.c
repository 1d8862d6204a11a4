/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exscan_chain.c: segments travel in a chain from rank 0 through all ranks;
 * each rank keeps what arrives and passes it on with its own part.
 *
 * Source: P. Sanders, J. L. Träff, "Parallel prefix (scan) algorithms for
 * MPI", EuroPVM/MPI 2006 (linear pipeline).
 * Cost: (n - 2 + s) (latency + bytes / s (/ bandwidth + of reduction)) for s
 * segments; the vector moves n - 1 times: for long vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

/* Two buffers take turns, so that a segment can arrive while the one before is
 * passed on. */
struct chain {
	int n, rank;
	bool in_place;
	uint8_t stage[2], sum[2];
	uint32_t kept[2], sent[2]; /* steps after which they are free */
};

/* Passes on a segment at any rank but the first. RECV may be SEND, so it must
 * not be written before the own part has been added. */
static void exscan_chain_pass(struct plan *plan, struct chain *w, int s,
			      struct block b)
{
	int turn = s % 2;
	struct ref own = ref(BUF_SEND, b.at), recv = ref(BUF_RECV, b.at);
	struct part in = {w->in_place ? ref(w->stage[turn], 0) : recv, b.count,
			  (unsigned)s};
	struct part out = {ref(w->sum[turn], 0), b.count, (unsigned)s};
	uint32_t done = plan_recv(plan, w->rank - 1, in, w->kept[turn], 0);

	if (w->rank + 1 < w->n) {
		done = plan_reduce(
		    plan, (struct operands){in.ref, own, out.ref, b.count},
		    done, w->sent[turn]);
		w->sent[turn] = plan_send(plan, w->rank + 1, out, done, 0);
	}
	if (w->in_place)
		w->kept[turn] = plan_copy(plan, in.ref, recv, b.count, done);
}

static void exscan_chain_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	int segments = plan_segments(shape, shape->count, shape->arg);
	size_t longest = plan_block(shape->count, segments, 0).count;
	struct chain w = {
	    .n = shape->size, .rank = rank, .in_place = shape->in_place};

	for (int i = 0; i < 2 && rank; i++) {
		w.stage[i] = plan_tmp(plan, w.in_place ? longest : 0);
		w.sum[i] = plan_tmp(plan, rank + 1 < w.n ? longest : 0);
	}
	for (int s = 0; s < segments; s++) {
		struct block b = plan_block(shape->count, segments, s);
		struct part own = {ref(BUF_SEND, b.at), b.count, (unsigned)s};

		if (rank)
			exscan_chain_pass(plan, &w, s, b);
		else if (w.n > 1)
			plan_send(plan, 1, own, 0, 0);
	}
}

static void exscan_chain_cost(const struct shape *shape, struct cost *c)
{
	tree_cost_chain(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm exscan_chain = {
    .name = "chain",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "(n - 2 + m / k) (a + k b + k c)",
    .build = exscan_chain_build,
    .cost = exscan_chain_cost,
};
