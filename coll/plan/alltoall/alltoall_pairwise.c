/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alltoall_pairwise.c: in each round the ranks form pairs, which exchange their
 * blocks: rank r meets r xor k if n is a power of two, else k - r modulo n, and
 * pauses if that is itself. Since both blocks of an exchange are with the same
 * peer, in place one block copied aside is enough. Blocks of any length.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.2.
 * Cost: n - 1 rounds (n if n is not a power of two) of latency + bytes of a
 * block / bandwidth; one message in and out of a rank at a time: for long
 * blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/exchange.h"

static bool power_of_two(int n)
{
	return !(n & (n - 1));
}

static void alltoall_pairwise_build(struct plan *plan,
				    const struct shape *shape, int rank)
{
	int n = shape->size;
	struct ref aside = {0};
	uint32_t sent = 0, got = 0;

	if (shape->in_place)
		aside = ref(plan_tmp(plan, blocks_longest(shape)), 0);
	exchange_own(plan, shape, rank);
	for (int k = 0; k < n; k++) {
		int peer = power_of_two(n) ? rank ^ k : (k - rank + n) % n;
		struct part out = exchange_out(shape, peer);
		uint32_t start;

		if (peer == rank)
			continue;
		start = plan_join(plan, sent, got);
		if (shape->in_place) {
			start =
			    plan_copy(plan, out.ref, aside, out.count, start);
			out.ref = aside;
		}
		sent = plan_send(plan, peer, out, start, 0);
		got = exchange_recv(plan, shape, peer, start);
	}
}

static void alltoall_pairwise_cost(const struct shape *shape, struct cost *c)
{
	double n = shape->size;

	c->rounds = power_of_two(shape->size) ? n - 1 : n;
	c->bytes = c->rounds * shape_bytes(shape);
	c->sends = n * (n - 1);
	c->moved = n * (n - 1) * shape_bytes(shape);
}

const struct algorithm alltoall_pairwise = {
    .name = "pairwise",
    .formula = "(n - 1) (a + m b)",
    .build = alltoall_pairwise_build,
    .cost = alltoall_pairwise_cost,
};
