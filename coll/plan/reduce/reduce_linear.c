/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_linear.c: all ranks send to the root, which reduces in rank order; the
 * vectors arrive in two buffers in turn.
 *
 * Source: J. Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10 (2007), section 4 (flat tree).
 * Cost: n - 1 messages and reductions, all at the root: for few ranks, or
 * many that share cores.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

static uint32_t reduce_linear_take(struct plan *plan, int from, struct ref to,
				   size_t count, uint32_t after)
{
	return plan_recv(plan, from, (struct part){to, count, 0}, after, 0);
}

/* Reduces into a temporary until the root's own vector, which may lie in RECV,
 * has been read. */
static void reduce_linear_collect(struct plan *plan, const struct shape *shape)
{
	struct operands o = {
	    ref(BUF_SEND, 0), {0}, ref(BUF_RECV, 0), shape->count};
	struct ref stage[2] = {ref(plan_tmp(plan, o.count), 0),
			       ref(plan_tmp(plan, o.count), 0)};
	uint32_t got, reduced = 0, before = 0;
	int k = 0;

	if (shape->root) {
		o.left = o.dst = ref(plan_tmp(plan, o.count), 0);
		reduced = reduce_linear_take(plan, 0, o.left, o.count, 0);
	}
	for (int r = 1; r < shape->size; r++) {
		if (r == shape->root) {
			o.right = ref(BUF_SEND, 0);
			o.dst = ref(BUF_RECV, 0);
			got = 0;
		} else {
			o.right = stage[k++ % 2];
			got = reduce_linear_take(plan, r, o.right, o.count,
						 before);
		}
		before = reduced;
		reduced = plan_reduce(plan, o, got, reduced);
		o.left = o.dst;
	}
}

static void reduce_linear_build(struct plan *plan, const struct shape *shape,
				int rank)
{
	struct part own = {ref(BUF_SEND, 0), shape->count, 0};

	if (plan_alone(plan, shape))
		return;
	if (rank == shape->root)
		reduce_linear_collect(plan, shape);
	else
		plan_send(plan, shape->root, own, 0, 0);
}

static void reduce_linear_cost(const struct shape *shape, struct cost *c)
{
	tree_cost_flat(shape, c);
	c->reduced = c->bytes;
}

const struct algorithm reduce_linear = {
    .name = "linear",
    .formula = "(n - 1) (a + m b + m c)",
    .build = reduce_linear_build,
    .cost = reduce_linear_cost,
};
