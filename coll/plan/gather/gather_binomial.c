/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather_binomial.c: blocks go up a binomial tree; a rank collects the blocks
 * of its subtree, which are consecutive when counted from the root, and sends
 * them as one message.
 *
 * Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19 (2005), section 4.1; the tree
 * as in bcast_binomial.c.
 * Cost: ceil(log2 n) latency + (n - 1) blocks / bandwidth, but blocks move up
 * to log2 n times: for short blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/bine.h"

/* The root receives the blocks of a child's ranks at their places. At most one
 * subtree continues with rank 0; it goes through a temporary. */
static void gather_binomial_place(struct plan *plan, const struct shape *shape,
				  const struct subtree_child *child)
{
	size_t m = shape->count, first = (size_t)child->first;
	size_t upper = ((size_t)shape->size - first) * m;
	struct part in = {ref(BUF_RECV, first * m), (size_t)child->size * m, 0};
	uint32_t got;

	if (in.count <= upper) {
		plan_recv(plan, child->rank, in, 0, 0);
		return;
	}
	in.ref = ref(plan_tmp(plan, in.count), 0);
	got = plan_recv(plan, child->rank, in, 0, 0);
	plan_copy(plan, in.ref, ref(BUF_RECV, first * m), upper, got);
	plan_copy(plan, ref(in.ref.buf, upper), ref(BUF_RECV, 0),
		  in.count - upper, got);
}

static void build_root(struct plan *plan, const struct shape *shape,
		       const struct subtree *t)
{
	plan_copy(plan, ref(BUF_SEND, 0),
		  ref(BUF_RECV, (size_t)shape->root * shape->count),
		  shape->count, 0);
	for (int i = t->nchildren - 1; i >= 0; i--)
		gather_binomial_place(plan, shape, &t->children[i]);
}

static void gather_up(struct plan *plan, const struct shape *shape, int rank,
		      const struct subtree *t)
{
	size_t m = shape->count;
	struct part all = {ref(BUF_SEND, 0), (size_t)t->size * m, 0};
	uint32_t have = 0;

	if (t->parent < 0) {
		build_root(plan, shape, t);
		return;
	}
	if (t->nchildren) {
		all.ref = ref(plan_tmp(plan, all.count), 0);
		have = plan_copy(plan, ref(BUF_SEND, 0),
				 subtree_block(shape, t, all.ref, rank), m, 0);
	}
	for (int i = t->nchildren - 1; i >= 0; i--) {
		const struct subtree_child *c = &t->children[i];
		struct part in = {subtree_block(shape, t, all.ref, c->first),
				  (size_t)c->size * m, 0};

		have =
		    plan_join(plan, have, plan_recv(plan, c->rank, in, 0, 0));
	}
	plan_send(plan, t->parent, all, have, 0);
}

static void gather_binomial_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	struct subtree t = tree_subtree(shape, rank);

	gather_up(plan, shape, rank, &t);
}

const struct algorithm gather_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) a + (n - 1) m b",
    .build = gather_binomial_build,
    .cost = binomial_cost_blocks,
};

/*
 * Bine: blocks go up a Bine tree, of which fewer messages leave a group of near
 * ranks.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 */
static void gather_bine_build(struct plan *plan, const struct shape *shape,
			      int rank)
{
	struct subtree t = bine_subtree(shape, rank);

	gather_up(plan, shape, rank, &t);
}

const struct algorithm gather_bine = {
    .name = "bine",
    .formula = "ceil(log2 n) a + (n - 1) m b",
    .build = gather_bine_build,
    .cost = binomial_cost_blocks,
};
