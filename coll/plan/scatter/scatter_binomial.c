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
#include "coll/plan/tree.h"

enum { RADIX = 2 };

/* The root sends the blocks of ranks first, first + 1, ... At most one subtree
 * continues with rank 0; its blocks are joined in a temporary. */
static void send_from_root(struct plan *plan, const struct shape *shape,
			   int first, int blocks)
{
	size_t m = shape->count, upper = (size_t)(shape->size - first) * m;
	struct part out = {ref(BUF_SEND, (size_t)first * m), (size_t)blocks * m,
			   0};
	uint32_t a = 0, b = 0;

	if (first + blocks > shape->size) {
		struct ref whole = ref(plan_tmp(plan, out.count), 0);

		a = plan_copy(plan, out.ref, whole, upper, 0);
		b = plan_copy(plan, ref(BUF_SEND, 0), ref(whole.buf, upper),
			      out.count - upper, 0);
		out.ref = whole;
	}
	plan_send(plan, first, out, a, b);
}

static void build_root(struct plan *plan, const struct shape *shape)
{
	int n = shape->size;

	for (int off = knomial_last(RADIX, n); off;
	     off = knomial_previous(RADIX, off))
		send_from_root(plan, shape, tree_rank(shape, off),
			       knomial_size(n, RADIX, off));
	plan_copy(plan, ref(BUF_SEND, (size_t)shape->root * shape->count),
		  ref(BUF_RECV, 0), shape->count, 0);
}

static void scatter_binomial_build(struct plan *plan, const struct shape *shape,
				   int rank)
{
	int n = shape->size, v = tree_number(shape, rank);
	int size = knomial_size(n, RADIX, v);
	size_t m = shape->count;
	struct part all = {ref(BUF_RECV, 0), (size_t)size * m, 0};
	uint32_t got;

	if (!v) {
		build_root(plan, shape);
		return;
	}
	if (size > 1)
		all.ref = ref(plan_tmp(plan, all.count), 0);
	got = plan_recv(plan, tree_rank(shape, knomial_parent(n, RADIX, v)),
			all, 0, 0);
	for (int off = knomial_last(RADIX, size); off;
	     off = knomial_previous(RADIX, off)) {
		int blocks = knomial_size(n, RADIX, v + off);
		struct part out = {ref(all.ref.buf, (size_t)off * m),
				   (size_t)blocks * m, 0};

		plan_send(plan, tree_rank(shape, v + off), out, got, 0);
	}
	if (size > 1)
		plan_copy(plan, all.ref, ref(BUF_RECV, 0), m, got);
}

const struct algorithm scatter_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) a + (n - 1) m b",
    .build = scatter_binomial_build,
    .cost = binomial_cost_blocks,
};
