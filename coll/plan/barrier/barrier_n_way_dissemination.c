/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_n_way_dissemination.c: dissemination with w signals at once: in round
 * k every rank signals the ranks j (w + 1)^k above, j = 1 .. w, and hears from
 * those as far below, so that in each round a rank hears from w + 1 times as
 * many.
 *
 * Source: T. Hoefler, T. Mehlan, F. Mietke, W. Rehm, "Fast barrier
 * synchronization for InfiniBand", IPDPS workshops 2006.
 * Cost: ceil(log_(w+1) n) latencies, with up to w messages out of each rank in
 * each; good where the latency is much longer than a message occupies the
 * sender.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

/* More ways than ranks are of no use, and w + 1 must not overflow. */
static int barrier_n_way_dissemination_ways(const struct shape *shape)
{
	size_t n = (size_t)shape->size;

	return (int)(shape->arg < n ? shape->arg : n);
}

static void barrier_n_way_dissemination_build(struct plan *plan,
					      const struct shape *shape,
					      int rank)
{
	long n = shape->size, w = barrier_n_way_dissemination_ways(shape);
	struct part signal = {.tag = 0};
	uint32_t before, heard = 0;

	for (long d = 1; d < n; d *= w + 1, signal.tag++) {
		before = heard;
		for (long j = d; j <= w * d && j < n; j += d) {
			plan_send(plan, (int)((rank + j) % n), signal, before,
				  0);
			heard =
			    plan_join(plan, heard,
				      plan_recv(plan, (int)((rank - j + n) % n),
						signal, 0, 0));
		}
	}
}

/* The distances are those of the children of the root of a k-nomial tree. */
static void barrier_n_way_dissemination_cost(const struct shape *shape,
					     struct cost *c)
{
	long radix = barrier_n_way_dissemination_ways(shape) + 1;

	c->rounds = knomial_rounds(shape->size, (size_t)radix);
	c->together = c->rounds;
	for (long d = 1; d < shape->size; d *= radix)
		c->together--;
	c->sends = c->rounds * shape->size;
}

const struct algorithm barrier_n_way_dissemination = {
    .name = "n_way_dissemination",
    ALGORITHM_ARG("ways", 3, 1),
    .formula = "k ceil(log_(k+1) n) a",
    .build = barrier_n_way_dissemination_build,
    .cost = barrier_n_way_dissemination_cost,
};
