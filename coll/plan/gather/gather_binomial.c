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
#include "coll/plan/tree.h"

enum { RADIX = 2 };

/* The root receives the blocks of ranks first, first + 1, ... at their places.
 * At most one subtree continues with rank 0; it goes through a temporary. */
static void gather_binomial_place(struct plan *plan, const struct shape *shape,
				  int first, int blocks)
{
	size_t m = shape->count, upper = (size_t)(shape->size - first) * m;
	struct part in = {ref(BUF_RECV, (size_t)first * m), (size_t)blocks * m,
			  0};
	uint32_t got;

	if (first + blocks <= shape->size) {
		plan_recv(plan, first, in, 0, 0);
		return;
	}
	in.ref = ref(plan_tmp(plan, in.count), 0);
	got = plan_recv(plan, first, in, 0, 0);
	plan_copy(plan, in.ref, ref(BUF_RECV, (size_t)first * m), upper, got);
	plan_copy(plan, ref(in.ref.buf, upper), ref(BUF_RECV, 0),
		  in.count - upper, got);
}

static void build_root(struct plan *plan, const struct shape *shape)
{
	int n = shape->size;

	plan_copy(plan, ref(BUF_SEND, 0),
		  ref(BUF_RECV, (size_t)shape->root * shape->count),
		  shape->count, 0);
	for (int off = 1; off < n; off = knomial_next(RADIX, off))
		gather_binomial_place(plan, shape, tree_rank(shape, off),
				      knomial_size(n, RADIX, off));
}

static void gather_binomial_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	int n = shape->size, v = tree_number(shape, rank);
	int size = knomial_size(n, RADIX, v);
	size_t m = shape->count;
	struct part all = {ref(BUF_SEND, 0), (size_t)size * m, 0};
	uint32_t have = 0;

	if (!v) {
		build_root(plan, shape);
		return;
	}
	if (size > 1) {
		all.ref = ref(plan_tmp(plan, all.count), 0);
		have = plan_copy(plan, ref(BUF_SEND, 0), all.ref, m, 0);
	}
	for (int off = 1; off < size; off = knomial_next(RADIX, off)) {
		int blocks = knomial_size(n, RADIX, v + off);
		struct part in = {ref(all.ref.buf, (size_t)off * m),
				  (size_t)blocks * m, 0};

		have = plan_join(
		    plan, have,
		    plan_recv(plan, tree_rank(shape, v + off), in, 0, 0));
	}
	plan_send(plan, tree_rank(shape, knomial_parent(n, RADIX, v)), all,
		  have, 0);
}

const struct algorithm gather_binomial = {
    .name = "binomial",
    .formula = "ceil(log2 n) a + (n - 1) m b",
    .build = gather_binomial_build,
    .cost = binomial_cost_blocks,
};
