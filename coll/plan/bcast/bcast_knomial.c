/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bcast_knomial.c: the vector goes down a k-nomial tree: in each level a rank
 * that has it serves k - 1 new ones; binomial is that of radix 2. The farthest
 * child is served first because it has the deepest subtree.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4; J. Bruck et al., IEEE
 * TPDS 8 (1997) for the radix as a choice; radix 2: R. Thakur, R. Rabenseifner,
 * W. Gropp, IJHPCA 19 (2005), section 4.3.
 * Cost: log_k n levels of k - 1 messages that leave one rank in a row; good
 * where a sender need not wait for a message before it sends the next.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static void bcast_knomial_build(struct plan *plan, const struct shape *shape,
				int rank)
{
	int n = shape->size, v = tree_number(shape, rank);
	size_t k = shape->arg;
	struct part all = {ref(BUF_RECV, 0), shape->count, 0};
	uint32_t got = 0;

	if (v)
		got = plan_recv(plan, tree_rank(shape, knomial_parent(n, k, v)),
				all, 0, 0);
	for (int off = knomial_last(k, knomial_size(n, k, v)); off;
	     off = knomial_previous(k, off))
		plan_send(plan, tree_rank(shape, v + off), all, got, 0);
}

static void bcast_knomial_cost(const struct shape *shape, struct cost *c)
{
	c->rounds = knomial_rounds(shape->size, shape->arg);
	c->together = c->rounds - knomial_depth(shape->size, shape->arg);
	c->bytes = c->rounds * shape_bytes(shape);
	c->sends = shape->size - 1;
	c->moved = c->sends * shape_bytes(shape);
	c->reach = REACH_RANGES;
}

const struct algorithm bcast_knomial = {
    .name = "knomial",
    ALGORITHM_ARG("radix", 4, 2),
    .formula = "(k - 1) ceil(log_k n) (a + m b)",
    .build = bcast_knomial_build,
    .cost = bcast_knomial_cost,
};

static void bcast_binomial_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct shape s = tree_binomial(shape);

	bcast_knomial_build(plan, &s, rank);
}

static void bcast_binomial_cost(const struct shape *shape, struct cost *c)
{
	struct shape s = tree_binomial(shape);

	bcast_knomial_cost(&s, c);
}

const struct algorithm bcast_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) (a + m b)",
    .build = bcast_binomial_build,
    .cost = bcast_binomial_cost,
};
