/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_segmented_ring.c: n blocks go around a ring twice: first each rank
 * adds its own part to what passes, then the finished blocks are handed to all.
 * Each block goes in segments, so that one is reduced while the next arrives.
 *
 * Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", JPDC 69 (2009); segments as in Open MPI's
 * ring_segmented.
 * Cost: 2 (n - 1) s consecutive messages for s segments of a block, 2 (n - 1) /
 * n bytes / bandwidth, any n: for very long vectors. Block b is summed from
 * rank b on around the ring: for commutative operations.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

/* One rank's view. */
struct ring {
	const struct plan *plan;
	uint32_t first; /* number of the first step */
	int n, rank, right, left, segments;
	size_t count;
	struct ref stage[2];
};

static int segments_of(const struct shape *shape)
{
	size_t longest = plan_block(shape->count, shape->size, 0).count;

	return plan_segments(shape, longest, shape->arg);
}

/* Each of the 2 (n - 1) rounds has a send and a receive of each segment, in
 * this order; these functions return their step numbers, 0 before round 0. */
static uint32_t allreduce_segmented_ring_sent(const struct ring *w, int round,
					      int segment)
{
	uint32_t pair = (uint32_t)(round * w->segments + segment);

	return round < 0 || w->plan->no_mem ? 0 : w->first + 2 * pair;
}

static uint32_t allreduce_segmented_ring_came(const struct ring *w, int round,
					      int segment)
{
	uint32_t s = allreduce_segmented_ring_sent(w, round, segment);

	return s ? s + 1 : 0;
}

/* Returns the segment that goes out in a round, or the one that comes in, which
 * goes out in the next. */
static struct part allreduce_segmented_ring_part(const struct ring *w,
						 int round, int segment,
						 bool comes)
{
	int block = (w->rank - round - comes + 2 * w->n) % w->n;
	struct block b = plan_block(w->count, w->n, block);
	struct block s = plan_block(b.count, w->segments, segment);

	return (struct part){
	    ref(round || comes ? BUF_RECV : BUF_SEND, b.at + s.at), s.count,
	    (unsigned)(round * w->segments + segment)};
}

/* Receives a segment and adds our own part. */
static void allreduce_segmented_ring_add(struct plan *plan,
					 const struct ring *w, int round,
					 int segment)
{
	struct part in = allreduce_segmented_ring_part(w, round, segment, true);
	size_t longest = plan_block(w->count, w->n, 0).count;
	struct ref stage = w->stage[round % 2];

	stage.at = plan_block(longest, w->segments, segment).at;
	plan_recv_reduce(plan, w->left, in.tag,
			 (struct operands){stage, ref(BUF_SEND, in.ref.at),
					   in.ref, in.count},
			 false,
			 allreduce_segmented_ring_came(w, round - 2, segment));
}

static void allreduce_segmented_ring_pass(struct plan *plan,
					  const struct ring *w, int round,
					  int segment)
{
	plan_send(plan, w->right,
		  allreduce_segmented_ring_part(w, round, segment, false),
		  allreduce_segmented_ring_came(w, round - 1, segment), 0);
	if (round < w->n - 1)
		allreduce_segmented_ring_add(plan, w, round, segment);
	else
		/* what this overwrites was sent n - 1 rounds ago */
		plan_recv(
		    plan, w->left,
		    allreduce_segmented_ring_part(w, round, segment, true),
		    allreduce_segmented_ring_sent(w, round - (w->n - 1),
						  segment),
		    0);
}

static void allreduce_segmented_ring_build(struct plan *plan,
					   const struct shape *shape, int rank)
{
	int n = shape->size;
	size_t longest = plan_block(shape->count, n, 0).count;
	struct ring w = {.plan = plan,
			 .first = plan_next(plan),
			 .n = n,
			 .rank = rank,
			 .right = (rank + 1) % n,
			 .left = (rank - 1 + n) % n,
			 .segments = segments_of(shape),
			 .count = shape->count};

	if (plan_alone(plan, shape))
		return;
	for (int k = 0; k < 2; k++)
		w.stage[k] = ref(plan_tmp(plan, longest), 0);
	for (int round = 0; round < 2 * (n - 1); round++)
		for (int s = 0; s < w.segments; s++)
			allreduce_segmented_ring_pass(plan, &w, round, s);
}

static void allreduce_segmented_ring_cost(const struct shape *shape,
					  struct cost *c)
{
	double n = shape->size, m = shape_bytes(shape);
	double s = segments_of(shape);

	c->rounds = 2 * (n - 1) * s;
	c->together = c->rounds - 2 * (n - 1);
	c->bytes = 2 * m * (n - 1) / n;
	c->reduced = m * (n - 1) / n / s;
	c->sends = n * c->rounds;
	c->moved = 2 * (n - 1) * m;
	c->reach = REACH_NEXT;
}

const struct algorithm allreduce_segmented_ring = {
    .name = "segmented_ring",
    ALGORITHM_ARG("segment", SEGMENT_BYTES, 1),
    .formula = "2 (n - 1) m / (n k) (a + k b) + (n - 1) k c",
    .fits = fits_commutative,
    .build = allreduce_segmented_ring_build,
    .cost = allreduce_segmented_ring_cost,
};
