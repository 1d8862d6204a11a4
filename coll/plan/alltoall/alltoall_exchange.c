/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alltoall_exchange.c: alltoalls, and alltoallvs, whose blocks go straight to
 * their ranks.
 *
 * In place, the blocks to send lie where the blocks to receive go. In an
 * alltoallv a rank knows only the lengths of its own blocks, so it sends empty
 * ones, too: ranks that disagree about a length then get an error instead of
 * waiting for ever.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/blocks.h"
#include "coll/plan/plan.h"

static struct part exchange_part(uint8_t buf, struct block b)
{
	return (struct part){ref(buf, b.at), b.count, 0};
}

/* Returns the block for rank i where it lies in SEND, as a message. */
static struct part exchange_out(const struct shape *shape, int i)
{
	return exchange_part(BUF_SEND, shape->in_place ? shape_recv(shape, i)
						       : shape_send(shape, i));
}

/* Returns the place in RECV of the block that rank i sends. */
static struct part block_from(const struct shape *shape, int i)
{
	return exchange_part(BUF_RECV, shape_recv(shape, i));
}

/* Receives the block of rank `from`. */
static uint32_t exchange_recv(struct plan *plan, const struct shape *shape,
			      int from, uint32_t after)
{
	return plan_recv(plan, from, block_from(shape, from), after, 0);
}

/* Copies the rank's block for itself. */
static void exchange_own(struct plan *plan, const struct shape *shape, int rank)
{
	struct part out = exchange_out(shape, rank);

	if (!shape->in_place)
		plan_copy(plan, out.ref, block_from(shape, rank).ref, out.count,
			  0);
}

/*
 * Linear: every rank sends to every other one, all at once, and begins with its
 * neighbour. In place, it first copies what it sends. Blocks of any length.
 *
 * Source: the definition.
 * Cost: one latency, and n - 1 blocks into and out of each rank; n (n - 1)
 * messages at once: for few ranks or short blocks.
 */
static void alltoall_linear_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	int n = shape->size;
	struct ref aside = {0};
	uint32_t ready = 0;

	/* in the order in which blocks are sent */
	if (shape->in_place)
		aside = blocks_save(plan, shape, rank + 1, &ready);
	exchange_own(plan, shape, rank);
	for (int k = 1; k < n; k++) {
		struct part out = exchange_out(shape, (rank + k) % n);

		if (shape->in_place) {
			out.ref = aside;
			aside.at += out.count;
		}
		exchange_recv(plan, shape, (rank - k + n) % n, ready);
		plan_send(plan, (rank + k) % n, out, ready, 0);
	}
}

static void alltoall_linear_cost(const struct shape *shape, struct cost *c)
{
	cost_all_pairs(shape->size, shape_bytes(shape), c);
	c->together = shape->size > 1 ? shape->size - 2 : 0;
	c->peers = shape->size - 1;
}

const struct algorithm alltoall_linear = {
    .name = "linear",
    .formula = "a + (n - 1) m b",
    .build = alltoall_linear_build,
    .cost = alltoall_linear_cost,
};

/*
 * Pairwise: in each round the ranks form pairs, which exchange their blocks:
 * rank r meets r xor k if n is a power of two, else k - r modulo n, and pauses
 * if that is itself. Since both blocks of an exchange are with the same peer,
 * in place one block copied aside is enough. Blocks of any length.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.2.
 * Cost: n - 1 rounds (n if n is not a power of two) of latency + bytes of a
 * block / bandwidth; one message in and out of a rank at a time: for long
 * blocks.
 */
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
	c->peers = shape->size - 1;
}

const struct algorithm alltoall_pairwise = {
    .name = "pairwise",
    .formula = "(n - 1) (a + m b)",
    .build = alltoall_pairwise_build,
    .cost = alltoall_pairwise_cost,
};
