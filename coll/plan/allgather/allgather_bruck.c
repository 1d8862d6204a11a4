/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_bruck.c: in round k a rank sends all it has, up to 2^k blocks, to
 * the rank 2^k below and receives the following blocks from the rank 2^k above.
 * It collects them in a temporary, its own block first, and copies them to
 * their places at the end. Blocks of any length.
 *
 * Source: J. Bruck et al., "Efficient algorithms for all-to-all communications
 * in multiport message-passing systems", IEEE TPDS 8 (1997), section 4.
 * Cost: ceil(log2 n) latency + (n - 1) blocks / bandwidth + a copy of the
 * result. It has the fewest rounds for any n; for short blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"

static void allgather_bruck_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	int n = shape->size;
	struct ref all = ref(plan_tmp(plan, blocks_count(shape, 0, n)), 0);
	uint32_t got = blocks_own(plan, shape, rank, all), sent = 0;
	unsigned round = 0;

	for (int d = 1; d < n; d *= 2, round++) {
		int m = d < n - d ? d : n - d;
		struct part out = {all, blocks_count(shape, rank, m), round};
		struct part in = {all, blocks_count(shape, rank + d, m), round};

		in.ref.at += blocks_count(shape, rank, d);
		/* the previous send waited for what came earlier */
		sent = plan_send(plan, (rank - d + n) % n, out, got, sent);
		got = plan_recv(plan, (rank + d) % n, in, 0, 0);
	}
	blocks_spread(plan, shape, all, rank, plan_join(plan, got, sent));
}

static void allgather_bruck_cost(const struct shape *shape, struct cost *c)
{
	double n = shape->size;

	c->rounds = log2_ceil(shape->size);
	c->bytes = (n - 1) * blocks_mean(shape);
	c->sends = n * c->rounds;
	c->moved = n * c->bytes;
}

const struct algorithm allgather_bruck = {
    .name = "bruck",
    .formula = "ceil(log2 n) a + (n - 1) m b",
    .build = allgather_bruck_build,
    .cost = allgather_bruck_cost,
};
