/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_ring.c: n blocks go around a ring twice: first each rank adds its
 * own part to what passes, then the finished blocks are handed to all.
 *
 * Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", JPDC 69 (2009).
 * Cost: 2 (n - 1) latency + 2 (n - 1) / n bytes / bandwidth, any n. Block b
 * is summed from rank b on around the ring: for commutative operations.
 */
#include "coll/algorithms.h"

/* One rank's view; tag: of the step being added. */
struct ring {
	int n, rank, right, left;
	size_t count;
	unsigned tag;
};

static struct part part(const struct ring *w, int block, uint8_t buf)
{
	struct block b = plan_block(w->count, w->n, block);

	return (struct part){ref(buf, b.at), b.count, w->tag};
}

/* Receives block `b` into stage and adds our own part. */
static uint32_t add(struct plan *plan, const struct ring *w, int b,
		    struct ref stage, uint32_t after)
{
	struct part p = part(w, b, BUF_SEND);

	return plan_add(plan, (struct step){.kind = STEP_RECV_REDUCE,
					    .peer = w->left,
					    .tag = (uint16_t)p.tag,
					    .src = stage,
					    .with = p.ref,
					    .dst = ref(BUF_RECV, p.ref.at),
					    .count = p.count,
					    .after = {after, 0}});
}

/* Afterwards block rank + 1 is whole. Returns the step that made it so; the
 * send of step k is the plan's step first + 2 k. */
static uint32_t reduce_scatter(struct plan *plan, struct ring *w)
{
	size_t longest = plan_block(w->count, w->n, 0).count;
	uint8_t stage[2] = {plan_tmp(plan, longest), plan_tmp(plan, longest)};
	uint32_t added = 0, before = 0, sum;

	for (int k = 0; k < w->n - 1; k++) {
		int out = (w->rank - k + w->n) % w->n;
		int in = (out - 1 + w->n) % w->n;

		w->tag = (unsigned)k % PLAN_TAGS;
		plan_send(plan, w->right,
			  part(w, out, k ? BUF_RECV : BUF_SEND), added, 0);
		sum = add(plan, w, in, ref(stage[k % 2], 0), before);
		before = added;
		added = sum;
	}
	return added;
}

static void allgather(struct plan *plan, struct ring *w, uint32_t first,
		      uint32_t got)
{
	for (int k = 0; k < w->n - 1; k++) {
		int out = (w->rank + 1 - k + w->n) % w->n;
		int in = (out - 1 + w->n) % w->n;

		w->tag = (unsigned)(w->n - 1 + k) % PLAN_TAGS;
		plan_send(plan, w->right, part(w, out, BUF_RECV), got, 0);
		/* block `in` was sent from this place in the first round, as
		 * its step k: that must be over */
		got = plan_recv(plan, w->left, part(w, in, BUF_RECV),
				first + 2 * (uint32_t)k, 0);
	}
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	int n = shape->size;
	struct ring w = {.n = n,
			 .rank = rank,
			 .right = (rank + 1) % n,
			 .left = (rank - 1 + n) % n,
			 .count = shape->count};

	uint32_t first = plan_next(plan);

	if (n == 1)
		plan_copy(plan, ref(BUF_SEND, 0), ref(BUF_RECV, 0),
			  shape->count, 0);
	else
		allgather(plan, &w, first, reduce_scatter(plan, &w));
}

static void cost(const struct shape *shape, struct cost *c)
{
	double n = shape->size, m = shape_bytes(shape);

	c->rounds = 2 * (n - 1);
	c->bytes = 2 * m * (n - 1) / n;
	c->reduced = m * (n - 1) / n;
	c->sends = 2 * n * (n - 1);
	c->moved = 2 * (n - 1) * m;
}

const struct algorithm allreduce_ring = {
    .name = "ring",
    .formula = "2 (n - 1) a + 2 m b (n - 1) / n + m c (n - 1) / n",
    .fits = fits_commutative,
    .build = build,
    .cost = cost,
};
