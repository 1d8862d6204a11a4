/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce_rabenseifner.c: reduce-scatter by recursive halving, then a gather of
 * the blocks to the root back along the same pairs. Numbers of ranks that are
 * no power of two are folded first, such that the root stays.
 *
 * Source: R. Rabenseifner, "Optimization of collective reduction operations",
 * ICCS 2004, LNCS 3036; Thakur et al., IJHPCA 19 (2005), section 4.4.
 * Cost: 2 log2 n latency + 2 (n - 1) / n bytes / bandwidth; a fold adds latency
 * + bytes / bandwidth.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/halving.h"

static struct part reduce_rabenseifner_part(const struct halving *h,
					    struct block b, int k)
{
	return (struct part){ref(h->acc.buf, b.at), b.count,
			     (unsigned)(GATHER_TAG + k)};
}

/* At level k the ranks whose bit k is the root's collect from their
 * partners. */
static void reduce_rabenseifner_gather(struct plan *plan,
				       const struct halving *h, int root)
{
	uint32_t ready = h->ready, got;

	for (int k = h->levels - 1; k >= 0; k--) {
		int peer = halving_partner(h, k);

		if ((h->me ^ root) & (1 << k)) {
			plan_send(
			    plan, peer,
			    reduce_rabenseifner_part(h, h->range[k + 1], k),
			    ready, 0);
			return;
		}
		got = plan_recv(
		    plan, peer,
		    reduce_rabenseifner_part(h, halving_rest(h, k), k),
		    h->sent[k], 0);
		ready = plan_join(plan, ready, got);
	}
}

static void reduce_rabenseifner_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	int root = shape->root;
	struct halving h = {.fold = fold_make(shape->size, root)};
	struct part send = {ref(BUF_SEND, 0), shape->count, FOLD_TAG};

	if (plan_alone(plan, shape))
		return;
	if (fold_number(&h.fold, rank) < 0) {
		plan_send(plan, rank ^ 1, send, 0, 0);
		return;
	}
	h.acc = rank == root ? ref(BUF_RECV, 0)
			     : ref(plan_tmp(plan, shape->count), 0);
	halving_reduce_scatter(plan, shape, rank, &h);
	reduce_rabenseifner_gather(plan, &h, fold_number(&h.fold, root));
}

static void reduce_rabenseifner_cost(const struct shape *shape, struct cost *c)
{
	struct fold fold = fold_make(shape->size, -1);
	double p = fold.stay, levels = log2_ceil(fold.stay);
	double m = shape_bytes(shape), folds = fold.pairs > 0;

	c->rounds = 2 * levels + folds;
	c->bytes = (2 * (p - 1) / p + folds) * m;
	c->reduced = ((p - 1) / p + folds) * m;
	c->sends = fold.pairs + p * levels + p - 1;
	c->moved = (fold.pairs + p - 1 + levels / 2) * m;
	c->reach = REACH_SHORTER;
}

const struct algorithm reduce_rabenseifner = {
    .name = "rabenseifner",
    .formula = "2 log2 n a + 2 m b (n - 1) / n + m c (n - 1) / n",
    .build = reduce_rabenseifner_build,
    .cost = reduce_rabenseifner_cost,
};
