/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_knomial.c: vectors are reduced up a k-nomial tree. An operation that
 * is not commutative is reduced to rank 0, which keeps rank order, and sent on.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4; radix 2: R. Thakur, R.
 * Rabenseifner, W. Gropp, IJHPCA 19 (2005), section 4.4.
 * Cost: log_k n levels, in each of which a rank receives and reduces up to k -
 * 1 vectors in a row; good where messages can arrive at the same time.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

enum { TREE_TAG, MOVE_TAG };

/* Reduces SEND and the children's results, which arrive in two buffers in turn,
 * into acc. Returns the last step. */
static uint32_t reduce_knomial_collect(struct plan *plan,
				       const struct shape *tree, int v,
				       struct ref acc)
{
	struct operands o = {ref(BUF_SEND, 0), ref(0, 0), acc, tree->count};
	uint8_t stage[2] = {plan_tmp(plan, tree->count),
			    plan_tmp(plan, tree->count)};
	int size = knomial_size(tree->size, tree->arg, v), k = 0;
	uint32_t reduced = 0, before = 0, got;

	for (int off = 1; off < size; off = knomial_next(tree->arg, off)) {
		o.right = ref(stage[k++ % 2], 0);
		got = plan_recv(plan, tree_rank(tree, v + off),
				(struct part){o.right, o.count, TREE_TAG},
				before, 0);
		before = reduced;
		reduced = plan_reduce(plan, o, got, reduced);
		o.left = acc;
	}
	return reduced;
}

/* Reduces to the root of `tree`, which leaves the result in RECV if `ends`,
 * else in the temporary *result. Returns the last step. */
static uint32_t reduce_up(struct plan *plan, const struct shape *tree, int rank,
			  bool ends, struct ref *result)
{
	int n = tree->size, v = tree_number(tree, rank);
	struct part send = {ref(BUF_SEND, 0), tree->count, TREE_TAG};
	uint32_t done = 0;

	if (knomial_size(n, tree->arg, v) > 1) {
		send.ref = !v && ends ? ref(BUF_RECV, 0)
				      : ref(plan_tmp(plan, tree->count), 0);
		done = reduce_knomial_collect(plan, tree, v, send.ref);
	}
	if (v)
		done = plan_send(
		    plan, tree_rank(tree, knomial_parent(n, tree->arg, v)),
		    send, done, 0);
	*result = send.ref;
	return done;
}

static void reduce_knomial_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct shape tree = *shape;
	struct part move = {ref(BUF_RECV, 0), shape->count, MOVE_TAG};
	struct ref result;
	uint32_t done;

	if (plan_alone(plan, shape))
		return;
	if (!shape->commutative)
		tree.root = 0;
	done = reduce_up(plan, &tree, rank, tree.root == shape->root, &result);
	if (tree.root == shape->root)
		return;
	if (rank == shape->root) {
		plan_recv(plan, tree.root, move, done, 0);
	} else if (rank == tree.root) {
		move.ref = result;
		plan_send(plan, shape->root, move, done, 0);
	}
}

static void reduce_knomial_cost(const struct shape *shape, struct cost *c)
{
	double m = shape_bytes(shape);
	bool moves = !shape->commutative && shape->root;

	c->rounds = knomial_rounds(shape->size, shape->arg);
	c->together = c->rounds - knomial_depth(shape->size, shape->arg);
	c->reduced = c->rounds * m;
	c->rounds += moves;
	c->bytes = c->rounds * m;
	c->sends = shape->size - 1 + moves;
	c->moved = c->sends * m;
	c->reach = REACH_RANGES;
}

const struct algorithm reduce_knomial = {
    .name = "knomial",
    ALGORITHM_ARG("radix", 4, 2),
    .formula = "(k - 1) ceil(log_k n) (a + m b + m c)",
    .build = reduce_knomial_build,
    .cost = reduce_knomial_cost,
};

static void reduce_binomial_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	struct shape s = tree_binomial(shape);

	reduce_knomial_build(plan, &s, rank);
}

static void reduce_binomial_cost(const struct shape *shape, struct cost *c)
{
	struct shape s = tree_binomial(shape);

	reduce_knomial_cost(&s, c);
}

const struct algorithm reduce_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) (a + m b + m c)",
    .build = reduce_binomial_build,
    .cost = reduce_binomial_cost,
};
