/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_rabenseifner.c: reduce-scatter by recursive halving, then allgather
 * by recursive doubling back along the same pairs. Numbers of ranks that are no
 * power of two are folded first.
 *
 * Source: R. Rabenseifner, "Optimization of collective reduction operations",
 * ICCS 2004, LNCS 3036; Thakur et al., IJHPCA 19 (2005), section 4.5.
 * Cost: 2 log2 n latency + 2 (n - 1) / n bytes / bandwidth; a fold adds 2
 * (latency + bytes / bandwidth).
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/halving.h"

static struct part allreduce_rabenseifner_part(struct block b, int tag)
{
	return (struct part){ref(BUF_RECV, b.at), b.count, (unsigned)tag};
}

/* Returns the step after which RECV is complete and may be read. */
static uint32_t allreduce_rabenseifner_allgather(struct plan *plan,
						 const struct halving *h)
{
	uint32_t got = h->ready, sent = 0;

	for (int k = h->levels - 1; k >= 0; k--) {
		int peer = halving_partner(h, k);

		/* the previous send waited for all that came earlier; what is
		 * received here was sent away at this level before */
		sent = plan_send(plan, peer,
				 allreduce_rabenseifner_part(h->range[k + 1],
							     GATHER_TAG + k),
				 got, sent);
		got = plan_recv(plan, peer,
				allreduce_rabenseifner_part(halving_rest(h, k),
							    GATHER_TAG + k),
				h->sent[k], 0);
	}
	return plan_join(plan, got, sent);
}

static void allreduce_rabenseifner_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	struct halving h = {.fold = fold_make(shape->size, -1),
			    .acc = ref(BUF_RECV, 0)};
	struct part send = {ref(BUF_SEND, 0), shape->count, FOLD_TAG};
	struct part all = {ref(BUF_RECV, 0), shape->count, UNFOLD_TAG};
	uint32_t done;

	if (plan_alone(plan, shape))
		return;
	if (fold_number(&h.fold, rank) < 0) {
		done = plan_send(plan, rank ^ 1, send, 0, 0);
		plan_recv(plan, rank ^ 1, all, done, 0);
		return;
	}
	halving_reduce_scatter(plan, shape, rank, &h);
	done = allreduce_rabenseifner_allgather(plan, &h);
	if (fold_extra(&h.fold, rank) >= 0)
		plan_send(plan, rank ^ 1, all, done, 0);
}

static void allreduce_rabenseifner_cost(const struct shape *shape,
					struct cost *c)
{
	struct fold fold = fold_make(shape->size, -1);
	double p = fold.stay, levels = log2_ceil(fold.stay);
	double m = shape_bytes(shape), folds = fold.pairs > 0;

	c->rounds = 2 * (levels + folds);
	c->bytes = 2 * ((p - 1) / p + folds) * m;
	c->reduced = ((p - 1) / p + folds) * m;
	c->sends = 2 * (fold.pairs + p * levels);
	c->moved = 2 * (fold.pairs + p - 1) * m;
	c->reach = REACH_SHORTER;
}

const struct algorithm allreduce_rabenseifner = {
    .name = "rabenseifner",
    .formula = "2 log2 n a + 2 m b (n - 1) / n + m c (n - 1) / n",
    .build = allreduce_rabenseifner_build,
    .cost = allreduce_rabenseifner_cost,
};
