/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_recursive_multiplying.c: recursive doubling with groups of up to k
 * ranks: the number of ranks is a product of factors up to k, and in round i
 * the ranks whose numbers differ in digit i alone exchange their partial
 * results. All reduce in the same order, so all end with the same bits. Other
 * numbers of ranks are folded to the next lower one.
 *
 * Source: M. Ruefenacht, M. Bull, S. Booth, "Generalisation of recursive
 * doubling for AllReduce: Now with simulation", Parallel Computing 69 (2017).
 * Cost: log_k n rounds of k - 1 messages and reductions each; a fold adds two
 * rounds. For short vectors, where the latency is much longer than a message
 * keeps the sender.
 */
#include "coll/algorithms.h"
#include "coll/fold.h"

/* The largest factor of n that is at most k; 1 if there is none. */
static int factor(int n, size_t k)
{
	int f = k < (size_t)n ? (int)k : n;

	while (n % f)
		f--;
	return f;
}

/* Is n a product of factors up to k? */
static bool smooth(int n, size_t k)
{
	while (n > 1 && factor(n, k) > 1)
		n /= factor(n, k);
	return n == 1;
}

/* Powers of two are smooth, so at least half of the ranks stay. */
static struct fold fold_to_smooth(const struct shape *shape)
{
	struct fold fold = {.stay = shape->size, .keep = -1};

	while (!smooth(fold.stay, shape->arg))
		fold.stay--;
	fold.pairs = shape->size - fold.stay;
	return fold;
}

/* One rank's view. Rounds use two stages in turn, each with room for the
 * vectors of a whole group, so that those of the next round can arrive while
 * this one's are reduced. */
struct rounds {
	struct fold fold;
	int me;
	uint8_t stage[2];
	struct ref own;		/* SEND at first, then RECV */
	uint32_t ready, before; /* reductions of the last two rounds */
};

/* Those that exchange in a round. */
struct peers {
	int round, f, mine; /* number of this rank in it */
	int first, step;    /* its ranks: first + d * step, as numbered anew */
};

static int member(const struct rounds *w, const struct peers *g, int d)
{
	return fold_rank(&w->fold, g->first + d * g->step);
}

static uint32_t send_own(struct plan *plan, const struct shape *shape,
			 const struct rounds *w, const struct peers *g)
{
	struct part own = {w->own, shape->count,
			   (unsigned)(FOLDED_TAGS + g->round)};
	uint32_t sent = 0;

	/* each begins with the one after itself: no two to the same */
	for (int k = 1; k < g->f; k++) {
		int peer = member(w, g, (g->mine + k) % g->f);

		sent = plan_join(plan, sent,
				 plan_send(plan, peer, own, w->ready, 0));
	}
	return sent;
}

/* The vector of the d-th rank; *got: when it is there. */
static struct ref operand(struct plan *plan, const struct shape *shape,
			  const struct rounds *w, const struct peers *g, int d,
			  uint32_t *got)
{
	int slot = d < g->mine ? d : d - 1;
	struct part in = {.count = shape->count,
			  .tag = (unsigned)(FOLDED_TAGS + g->round)};

	*got = 0;
	if (d == g->mine)
		return w->own;
	in.ref = ref(w->stage[g->round % 2], (size_t)slot * in.count);
	*got = plan_recv(plan, member(w, g, d), in, w->before, 0);
	return in.ref;
}

/* Own is read until it has been sent and reduced: up to then the result is
 * kept where the first vector came. */
static void exchange(struct plan *plan, const struct shape *shape,
		     struct rounds *w, const struct peers *g)
{
	struct operands o = {.count = shape->count};
	uint32_t done = send_own(plan, shape, w, g), got;

	o.left = o.dst = operand(plan, shape, w, g, 0, &got);
	done = plan_join(plan, done, got);
	for (int d = 1; d < g->f; d++) {
		o.right = operand(plan, shape, w, g, d, &got);
		if (d >= g->mine)
			o.dst = ref(BUF_RECV, 0);
		done = plan_reduce(plan, o, got, done);
		o.left = o.dst;
	}
	w->before = w->ready;
	w->ready = done;
	w->own = o.dst;
}

static void all_rounds(struct plan *plan, const struct shape *shape,
		       struct rounds *w)
{
	struct peers g = {.step = 1};

	for (; g.step < w->fold.stay; g.step *= g.f, g.round++) {
		g.f = factor(w->fold.stay / g.step, shape->arg);
		g.mine = w->me / g.step % g.f;
		g.first = w->me - g.mine * g.step;
		exchange(plan, shape, w, &g);
	}
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	struct rounds w = {.fold = fold_to_smooth(shape),
			   .own = ref(BUF_SEND, 0)};
	struct part send = {ref(BUF_SEND, 0), shape->count, FOLD_TAG};
	struct part all = {ref(BUF_RECV, 0), shape->count, UNFOLD_TAG};
	size_t most;
	uint32_t sent;

	w.me = fold_number(&w.fold, rank);
	if (shape->size == 1) {
		plan_copy(plan, send.ref, all.ref, shape->count, 0);
		return;
	}
	if (w.me < 0) {
		sent = plan_send(plan, rank ^ 1, send, 0, 0);
		plan_recv(plan, rank ^ 1, all, sent, 0);
		return;
	}
	/* the first factor is the largest */
	most = (size_t)factor(w.fold.stay, shape->arg) - 1;
	w.stage[0] = plan_tmp(plan, most * shape->count);
	w.stage[1] = plan_tmp(plan, most * shape->count);
	/* round 0 receives into stage 0 at once: the fold uses the other */
	w.ready = fold_in(plan, shape, rank, &w.fold,
			  (struct operands){.left = ref(w.stage[1], 0),
					    .right = w.own,
					    .dst = all.ref});
	if (w.ready)
		w.own = all.ref;
	all_rounds(plan, shape, &w);
	if (fold_ward(&w.fold, rank) >= 0)
		plan_send(plan, rank ^ 1, all, w.ready, 0);
}

static void cost(const struct shape *shape, struct cost *c)
{
	struct fold fold = fold_to_smooth(shape);
	double m = shape_bytes(shape), folds = fold.pairs > 0, messages = 0;
	int f;

	for (int left = fold.stay; left > 1; left /= f) {
		f = factor(left, shape->arg);
		messages += f - 1;
		c->together += f - 2;
	}
	c->rounds = messages + 2 * folds;
	c->bytes = c->rounds * m;
	c->reduced = (messages + folds) * m;
	c->sends = fold.stay * messages + 2.0 * fold.pairs;
	c->moved = c->sends * m;
}

const struct algorithm allreduce_recursive_multiplying = {
    .name = "recursive_multiplying",
    .arg = "radix",
    .arg_default = 4,
    .arg_min = 2,
    .formula = "(k - 1) log_k n (a + m b + m c)",
    .build = build,
    .cost = cost,
};
