/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_tree.c: signals are gathered up a binomial tree to rank 0, and
 * releases go down the same tree.
 *
 * Source: the classic combining tree; J. Mellor-Crummey, M. Scott, ACM TOCS 9
 * (1991), section 3, with messages instead of flags.
 * Cost: 2 ceil(log2 n) rounds, 2 (n - 1) messages: the fewest messages, which
 * counts where ranks share cores.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

enum { UP, DOWN };

static void barrier_tree_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	int n = shape->size, low = 1;
	uint32_t heard = 0, up, released = 0;
	struct part gather = {.tag = UP}, release = {.tag = DOWN};

	for (; low < n && !(rank & low); low *= 2) {
		if (rank + low < n)
			heard = plan_join(
			    plan, heard,
			    plan_recv(plan, rank + low, gather, 0, 0));
	}
	if (rank) {
		up = plan_send(plan, rank - low, gather, heard, 0);
		released = plan_recv(plan, rank - low, release, up, 0);
	} else {
		released = heard;
	}
	for (low /= 2; low; low /= 2) {
		if (rank + low < n)
			plan_send(plan, rank + low, release, released, 0);
	}
}

static void barrier_tree_cost(const struct shape *shape, struct cost *c)
{
	c->rounds = 2 * log2_ceil(shape->size);
	c->together = c->rounds - 2 * knomial_depth(shape->size, 2);
	c->sends = 2.0 * (shape->size - 1);
}

const struct algorithm barrier_tree = {
    .name = "tree",
    .formula = "2 ceil(log2 n) a",
    .build = barrier_tree_build,
    .cost = barrier_tree_cost,
};
