/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_recursive_doubling.c: in round k a rank exchanges its partial
 * result with the rank whose number differs in bit k. Both reduce in the same
 * order, so all end with the same bits. Numbers of ranks that are no power of
 * two are folded first.
 *
 * Source: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005), section 4.5.
 * Cost: log2 n (latency + bytes / bandwidth + bytes of reduction); a fold adds
 * two rounds. The least latency for short vectors.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/bine.h"
#include "coll/plan/fold.h"

/* Two receive buffers take turns, so that the message of round k + 1 can arrive
 * while round k is reduced. */
struct rounds {
	struct fold fold;
	bool bine;
	int me, levels; /* this rank's new number; log2 of fold.stay */
	int side;	/* bit k: of the two ranks that meet at level k, the
			   one with the right operand */
	uint8_t stage[2];
	struct ref own;		/* SEND at first, then RECV */
	uint32_t ready, before; /* reductions of the last two rounds */
};

/* Returns the level of a round. */
static int allreduce_recursive_doubling_level(const struct rounds *w, int round)
{
	return w->bine ? w->levels - 1 - round : round;
}

static int allreduce_recursive_doubling_partner(const struct rounds *w, int k)
{
	return fold_rank(&w->fold, w->bine
				       ? bine_partner(w->fold.stay, w->me, k)
				       : w->me ^ (1 << k));
}

static void allreduce_recursive_doubling_exchange(struct plan *plan,
						  const struct shape *shape,
						  struct rounds *w, int round)
{
	int k = allreduce_recursive_doubling_level(w, round);
	int peer = allreduce_recursive_doubling_partner(w, k);
	unsigned tag = FOLDED_TAGS + (unsigned)round;
	struct ref stage = ref(w->stage[round % 2], 0);
	struct part out = {w->own, shape->count, tag};
	struct part in = {stage, shape->count, tag};
	struct operands o = {w->own, stage, ref(BUF_RECV, 0), shape->count};
	uint32_t sent, got;

	if (w->side & (1 << k)) {
		o.left = stage;
		o.right = w->own;
	}
	sent = plan_send(plan, peer, out, w->ready, 0);
	got = plan_recv(plan, peer, in, w->before, 0);
	w->before = w->ready;
	w->ready = plan_reduce(plan, o, got, sent);
	w->own = o.dst;
}

static void allreduce_by_rounds(struct plan *plan, const struct shape *shape,
				int rank, bool bine)
{
	struct rounds w = {.fold = fold_make(shape->size, -1),
			   .bine = bine,
			   .own = ref(BUF_SEND, 0)};
	struct part send = {ref(BUF_SEND, 0), shape->count, FOLD_TAG};
	struct part all = {ref(BUF_RECV, 0), shape->count, UNFOLD_TAG};
	uint32_t sent;

	w.me = fold_number(&w.fold, rank);
	if (plan_alone(plan, shape))
		return;
	if (w.me < 0) {
		sent = plan_send(plan, rank ^ 1, send, 0, 0);
		plan_recv(plan, rank ^ 1, all, sent, 0);
		return;
	}
	w.levels = log2_ceil(w.fold.stay);
	w.side = bine ? bine_label(w.fold.stay, w.me) : w.me;
	w.stage[0] = plan_tmp(plan, shape->count);
	w.stage[1] = plan_tmp(plan, shape->count);
	/* round 0 receives into stage 0 at once, so the fold uses the other */
	w.ready = fold_in(plan, shape, rank, &w.fold,
			  (struct operands){.left = ref(w.stage[1], 0),
					    .right = w.own,
					    .dst = all.ref});
	if (w.ready)
		w.own = all.ref;
	for (int i = 0; i < w.levels; i++)
		allreduce_recursive_doubling_exchange(plan, shape, &w, i);
	if (fold_extra(&w.fold, rank) >= 0)
		plan_send(plan, rank ^ 1, all, w.ready, 0);
}

static void allreduce_recursive_doubling_build(struct plan *plan,
					       const struct shape *shape,
					       int rank)
{
	allreduce_by_rounds(plan, shape, rank, false);
}

static void allreduce_recursive_doubling_cost(const struct shape *shape,
					      struct cost *c)
{
	struct fold fold = fold_make(shape->size, -1);
	double levels = log2_ceil(fold.stay), folds = fold.pairs > 0;

	c->rounds = levels + 2 * folds;
	c->bytes = c->rounds * shape_bytes(shape);
	c->reduced = (levels + folds) * shape_bytes(shape);
	c->sends = fold.stay * levels + 2.0 * fold.pairs;
	c->moved = c->sends * shape_bytes(shape);
	c->reach = REACH_EQUAL;
}

const struct algorithm allreduce_recursive_doubling = {
    .name = "recursive_doubling",
    .formula = "log2 n (a + m b + m c)",
    .build = allreduce_recursive_doubling_build,
    .cost = allreduce_recursive_doubling_cost,
};

/*
 * Bine: the partners are those of a Bine butterfly, of which fewer are in other
 * groups of near ranks. Its last step comes first: then the ranks with the same
 * partial result have got it in the same order, so all end with the same bits.
 * A partial result is not one of neighbouring ranks: commutative operations.
 *
 * Source: D. De Sensi et al., "Bine trees: enhancing collective operations by
 * optimizing communication locality", SC 2025 (arXiv 2508.17311).
 */
static void allreduce_bine_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	allreduce_by_rounds(plan, shape, rank, true);
}

const struct algorithm allreduce_bine = {
    .name = "bine",
    .formula = "log2 n (a + m b + m c)",
    .fits = fits_commutative,
    .build = allreduce_bine_build,
    .cost = allreduce_recursive_doubling_cost,
};
