/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_scatter_ring.c: the block of a rank starts at the next one in the
 * order of the network and goes around the ring; each rank adds its own part to
 * what passes. Blocks of any length.
 *
 * Source: P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce algorithms for
 * clusters of workstations", JPDC 69 (2009), the first half.
 * Cost: (n - 1) (latency + bytes of a block / bandwidth + bytes of reduction),
 * all between neighbours; any n. A block is summed from there on: for
 * commutative operations, long blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/topology.h"

/* In place the result is copied to RECV, which is SEND, after all else. */
static void ring(struct plan *plan, const struct shape *shape, int rank)
{
	const struct ring ring = topology_ring(shape->topo, shape->size, rank);
	int right = ring_rank(&ring, 1), left = ring_rank(&ring, -1);
	size_t longest = blocks_longest(shape);
	uint8_t stage[2] = {plan_tmp(plan, longest), plan_tmp(plan, longest)};
	struct part out = blocks_one(shape, BUF_SEND, left, 0);
	uint32_t sent = 0, added = 0, before;

	for (int k = 0; k < shape->size - 1; k++) {
		int b = ring_rank(&ring, -2 - k);
		bool direct = b == rank && !shape->in_place;
		struct part own = blocks_one(shape, BUF_SEND, b, (unsigned)k);
		struct ref st = ref(stage[k % 2], 0);
		struct ref dst = direct ? ref(BUF_RECV, 0) : st;

		before = sent;
		sent = plan_send(plan, right, out, added, 0);
		added = plan_recv_reduce(
		    plan, left, own.tag,
		    (struct operands){st, own.ref, dst, own.count}, false,
		    before);
		out = (struct part){dst, own.count, (unsigned)k + 1};
	}
	if (shape->in_place)
		plan_copy(plan, out.ref, ref(BUF_RECV, 0), out.count,
			  plan_join(plan, sent, added));
}

static void reduce_scatter_ring_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	struct part own = blocks_one(shape, BUF_SEND, rank, 0);

	if (shape->size == 1)
		plan_copy(plan, own.ref, ref(BUF_RECV, 0), own.count, 0);
	else
		ring(plan, shape, rank);
}

static void reduce_scatter_ring_cost(const struct shape *shape, struct cost *c)
{
	cost_all_pairs(shape->size, blocks_mean(shape), c);
	c->reduced = c->bytes;
	c->reach = REACH_NEXT;
}

const struct algorithm reduce_scatter_ring = {
    .name = "ring",
    .formula = "(n - 1) (a + m b + m c)",
    .fits = fits_commutative,
    .build = reduce_scatter_ring_build,
    .cost = reduce_scatter_ring_cost,
};
