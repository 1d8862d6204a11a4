/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_recursive_doubling.c: an allreduce of nothing: in round k a rank and
 * the rank whose number differs in bit k signal each other.
 *
 * Source: the pairwise exchange of MPI libraries' barriers; as an allreduce,
 * see allreduce_recursive_doubling.c.
 * Cost: log2 n rounds, n log2 n messages; two rounds more if n is no power of
 * two. Unlike in dissemination a rank hears from the ranks that it signals:
 * half as many connections.
 */
#include "coll/plan/algorithms.h"

static void barrier_recursive_doubling_build(struct plan *plan,
					     const struct shape *shape,
					     int rank)
{
	allreduce_recursive_doubling.build(plan, shape, rank);
}

static void barrier_recursive_doubling_cost(const struct shape *shape,
					    struct cost *c)
{
	allreduce_recursive_doubling.cost(shape, c);
	c->reach = REACH_EQUAL;
}

const struct algorithm barrier_recursive_doubling = {
    .name = "recursive_doubling",
    .formula = "log2 n a",
    .build = barrier_recursive_doubling_build,
    .cost = barrier_recursive_doubling_cost,
};
