/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_neighbor_exchange.c: a rank exchanges with its left and its right
 * neighbour in turn: first one block, then always the two blocks that it
 * received last. An even number of ranks, blocks of any length.
 *
 * Source: J. Chen, L. Zhang, Y. Zhang, W. Yuan, "Performance evaluation of
 * allgather algorithms on terascale Linux cluster with Fast Ethernet", HPC Asia
 * 2005.
 * Cost: n / 2 latency + (n - 1) blocks / bandwidth: half the rounds of the
 * ring, in both directions with the same peer.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"

/* Returns the pair of ranks whose blocks arrive in round k; in round 0 the own
 * pair. */
static int pair_of_round(int n, int rank, int k)
{
	int pairs = n / 2, away = (k + 1) / 2;
	bool up = (rank + k) % 2 == 0;

	return (rank / 2 + (up ? away : pairs - away)) % pairs;
}

static void allgather_neighbor_exchange_build(struct plan *plan,
					      const struct shape *shape,
					      int rank)
{
	int n = shape->size;
	struct ref all = blocks_vector(plan, shape);
	struct part own = blocks_part(shape, all, rank, 1, 0);
	uint32_t have = blocks_own(plan, shape, rank, own.ref), sent, got;

	sent = plan_send(plan, rank ^ 1, own, have, 0);
	got = plan_recv(plan, rank ^ 1, blocks_part(shape, all, rank ^ 1, 1, 0),
			0, 0);
	for (int k = 1; k < n / 2; k++) {
		int peer = ((rank + k) % 2 ? rank - 1 + n : rank + 1) % n;
		int out = 2 * pair_of_round(n, rank, k - 1);
		int in = 2 * pair_of_round(n, rank, k);
		unsigned tag = (unsigned)k;

		/* the previous send waited for what came earlier */
		sent =
		    plan_send(plan, peer, blocks_part(shape, all, out, 2, tag),
			      got, sent);
		got = plan_recv(plan, peer, blocks_part(shape, all, in, 2, tag),
				0, 0);
	}
	blocks_spread(plan, shape, all, 0, plan_join(plan, got, sent));
}

static bool fits_even(const struct shape *shape)
{
	return shape->size % 2 == 0;
}

static void allgather_neighbor_exchange_cost(const struct shape *shape,
					     struct cost *c)
{
	double n = shape->size;

	c->rounds = n / 2;
	c->bytes = (n - 1) * blocks_mean(shape);
	c->sends = n * n / 2;
	c->moved = n * c->bytes;
}

const struct algorithm allgather_neighbor_exchange = {
    .name = "neighbor_exchange",
    .formula = "n / 2 a + (n - 1) m b",
    .fits = fits_even,
    .build = allgather_neighbor_exchange_build,
    .cost = allgather_neighbor_exchange_cost,
};
