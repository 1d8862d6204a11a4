/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_ring.c: blocks go around a ring in the order of the network: a rank
 * passes to its right what came from its left, and begins with its own block.
 * Blocks of any length.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.1.
 * Cost: (n - 1) (latency + bytes of a block / bandwidth), all between
 * neighbours: for long blocks, and where neighbouring ranks are close to each
 * other.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/topology.h"

static void allgather_ring_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	const struct ring ring = topology_ring(shape->topo, shape->size, rank);
	int right = ring_rank(&ring, 1), left = ring_rank(&ring, -1);
	struct part own = blocks_one(shape, BUF_RECV, rank, 0);
	uint32_t got = 0;

	blocks_own(plan, shape, rank, own.ref);
	own.ref = ref(BUF_SEND, 0);
	for (int k = 0; k < shape->size - 1; k++) {
		int out = ring_rank(&ring, -k), in = ring_rank(&ring, -k - 1);
		unsigned tag = (unsigned)k;

		plan_send(plan, right,
			  k ? blocks_one(shape, BUF_RECV, out, tag) : own, got,
			  0);
		got = plan_recv(plan, left,
				blocks_one(shape, BUF_RECV, in, tag), 0, 0);
	}
}

static void allgather_ring_cost(const struct shape *shape, struct cost *c)
{
	cost_all_pairs(shape->size, blocks_mean(shape), c);
	c->reach = REACH_NEXT;
}

const struct algorithm allgather_ring = {
    .name = "ring",
    .formula = "(n - 1) (a + m b)",
    .build = allgather_ring_build,
    .cost = allgather_ring_cost,
};
