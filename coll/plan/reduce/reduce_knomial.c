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
#include "coll/plan/bine.h"

enum { TREE_TAG, MOVE_TAG };

/* A rank's sum, as it grows from SEND by the results of its children. */
struct sum {
	const struct shape *shape; /* of the call */
	int rank, top;		   /* the tree's root */
	struct ref own, acc;	   /* where it is; where to add it up */
	uint8_t stage[2];	   /* get the children's results in turn */
	int turn;
	uint32_t reduced, before; /* the last two reductions */
};

/* A rank with children adds up in RECV where the result belongs, else in a
 * temporary. */
static struct sum sum_begin(struct plan *plan, const struct shape *shape,
			    int rank, int top, bool has_children)
{
	bool ends = rank == top && top == shape->root;
	struct sum sum = {.shape = shape,
			  .rank = rank,
			  .top = top,
			  .own = ref(BUF_SEND, 0),
			  .acc = ref(BUF_RECV, 0)};

	if (!has_children)
		return sum;
	if (!ends)
		sum.acc = ref(plan_tmp(plan, shape->count), 0);
	sum.stage[0] = plan_tmp(plan, shape->count);
	sum.stage[1] = plan_tmp(plan, shape->count);
	return sum;
}

/* Adds the result of a child, whose ranks are all below or all above those of
 * the sum, unless their order does not matter. */
static void sum_child(struct plan *plan, struct sum *sum, int child)
{
	struct ref stage = ref(sum->stage[sum->turn++ % 2], 0);
	size_t count = sum->shape->count;
	struct operands o = {sum->own, stage, sum->acc, count};
	uint32_t got;

	if (child < sum->rank)
		o = (struct operands){stage, sum->own, sum->acc, count};
	got = plan_recv(plan, child, (struct part){stage, count, TREE_TAG},
			sum->before, 0);
	sum->before = sum->reduced;
	sum->reduced = plan_reduce(plan, o, got, sum->reduced);
	sum->own = sum->acc;
}

/* Sends the sum to the parent, or -1, and from the tree's root to the root of
 * the call if that is another rank. */
static void sum_finish(struct plan *plan, const struct sum *sum, int parent)
{
	int root = sum->shape->root;
	struct part up = {sum->own, sum->shape->count, TREE_TAG};
	struct part move = {ref(BUF_RECV, 0), sum->shape->count, MOVE_TAG};
	uint32_t done = sum->reduced;

	if (parent >= 0)
		done = plan_send(plan, parent, up, done, 0);
	if (sum->top == root)
		return;
	if (sum->rank == root) {
		plan_recv(plan, sum->top, move, done, 0);
	} else if (sum->rank == sum->top) {
		move.ref = sum->own;
		plan_send(plan, root, move, done, 0);
	}
}

static void reduce_knomial_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct shape tree = *shape;
	int n = shape->size, v, size;
	size_t k = shape->arg;
	struct sum sum;

	if (plan_alone(plan, shape))
		return;
	if (!shape->commutative)
		tree.root = 0;
	v = tree_number(&tree, rank);
	size = knomial_size(n, k, v);
	sum = sum_begin(plan, shape, rank, tree.root, size > 1);
	for (int off = 1; off < size; off = knomial_next(k, off))
		sum_child(plan, &sum, tree_rank(&tree, v + off));
	sum_finish(plan, &sum,
		   v ? tree_rank(&tree, knomial_parent(n, k, v)) : -1);
}

/* moves: the result goes on from the root of the tree to that of the call. */
static void tree_cost(const struct shape *shape, size_t radix, bool moves,
		      struct cost *c)
{
	double m = shape_bytes(shape);

	c->rounds = knomial_rounds(shape->size, radix);
	c->together = c->rounds - knomial_depth(shape->size, radix);
	c->reduced = c->rounds * m;
	c->rounds += moves;
	c->bytes = c->rounds * m;
	c->sends = shape->size - 1 + moves;
	c->moved = c->sends * m;
	c->reach = REACH_RANGES;
}

static void reduce_knomial_cost(const struct shape *shape, struct cost *c)
{
	tree_cost(shape, shape->arg, !shape->commutative && shape->root, c);
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

/*
 * Bine: a binomial tree of which fewer messages leave a group of near ranks.
 * Each child has the ranks next to those that its parent has reduced before,
 * so an operation that is not commutative is reduced to the rank for which no
 * ranks follow the last one, and sent on.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 */
static void reduce_bine_build(struct plan *plan, const struct shape *shape,
			      int rank)
{
	struct shape tree = *shape;
	struct subtree t;
	struct sum sum;

	if (plan_alone(plan, shape))
		return;
	if (!shape->commutative)
		tree.root = bine_top(shape->size);
	t = bine_subtree(&tree, rank);
	sum = sum_begin(plan, shape, rank, tree.root, t.nchildren > 0);
	for (int i = t.nchildren - 1; i >= 0; i--)
		sum_child(plan, &sum, t.children[i].rank);
	sum_finish(plan, &sum, t.parent);
}

static void reduce_bine_cost(const struct shape *shape, struct cost *c)
{
	tree_cost(shape, 2,
		  !shape->commutative && shape->root != bine_top(shape->size),
		  c);
}

const struct algorithm reduce_bine = {
    .name = "bine",
    .formula = "ceil(log2 n) (a + m b + m c)",
    .build = reduce_bine_build,
    .cost = reduce_bine_cost,
};
