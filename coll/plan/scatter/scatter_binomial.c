/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scatter_binomial.c: blocks go down a binomial tree; a rank receives the
 * blocks of its subtree, which are consecutive when counted from the root, as
 * one message, and passes on those of its children, the farthest and largest
 * first.
 *
 * Source: R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19 (2005), section 4.3 (the
 * scatter of the long bcast).
 * Cost: ceil(log2 n) latency + (n - 1) blocks / bandwidth, but blocks move up
 * to log2 n times: for short blocks.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/bine.h"

/* The root sends the blocks of a child's ranks. At most one subtree continues
 * with rank 0; its blocks are joined in a temporary. */
static void send_from_root(struct plan *plan, const struct shape *shape,
			   const struct subtree_child *child)
{
	size_t m = shape->count, first = (size_t)child->first;
	size_t upper = ((size_t)shape->size - first) * m;
	struct part out = {ref(BUF_SEND, first * m), (size_t)child->size * m,
			   0};
	uint32_t a = 0, b = 0;

	if (out.count > upper) {
		struct ref whole = ref(plan_tmp(plan, out.count), 0);

		a = plan_copy(plan, out.ref, whole, upper, 0);
		b = plan_copy(plan, ref(BUF_SEND, 0), ref(whole.buf, upper),
			      out.count - upper, 0);
		out.ref = whole;
	}
	plan_send(plan, child->rank, out, a, b);
}

static void build_root(struct plan *plan, const struct shape *shape,
		       const struct subtree *t)
{
	for (int i = 0; i < t->nchildren; i++)
		send_from_root(plan, shape, &t->children[i]);
	plan_copy(plan, ref(BUF_SEND, (size_t)shape->root * shape->count),
		  ref(BUF_RECV, 0), shape->count, 0);
}

static void scatter_down(struct plan *plan, const struct shape *shape, int rank,
			 const struct subtree *t)
{
	size_t m = shape->count;
	struct part all = {ref(BUF_RECV, 0), (size_t)t->size * m, 0};
	uint32_t got;

	if (t->parent < 0) {
		build_root(plan, shape, t);
		return;
	}
	if (t->nchildren)
		all.ref = ref(plan_tmp(plan, all.count), 0);
	got = plan_recv(plan, t->parent, all, 0, 0);
	for (int i = 0; i < t->nchildren; i++) {
		const struct subtree_child *c = &t->children[i];
		struct part out = {subtree_block(shape, t, all.ref, c->first),
				   (size_t)c->size * m, 0};

		plan_send(plan, c->rank, out, got, 0);
	}
	if (t->nchildren)
		plan_copy(plan, subtree_block(shape, t, all.ref, rank),
			  ref(BUF_RECV, 0), m, got);
}

static void scatter_binomial_build(struct plan *plan, const struct shape *shape,
				   int rank)
{
	struct subtree t = tree_subtree(shape, rank);

	scatter_down(plan, shape, rank, &t);
}

const struct algorithm scatter_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) a + (n - 1) m b",
    .build = scatter_binomial_build,
    .cost = binomial_cost_blocks,
};

/*
 * Bine: blocks go down a Bine tree, of which fewer messages leave a group of
 * near ranks.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 */
static void scatter_bine_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	struct subtree t = bine_subtree(shape, rank);

	scatter_down(plan, shape, rank, &t);
}

const struct algorithm scatter_bine = {
    .name = "bine",
    .formula = "ceil(log2 n) a + (n - 1) m b",
    .build = scatter_bine_build,
    .cost = binomial_cost_blocks,
};
