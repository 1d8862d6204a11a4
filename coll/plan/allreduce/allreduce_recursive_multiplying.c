/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_recursive_multiplying.c: recursive doubling with groups of up to k
 * ranks. The number of ranks is a product of factors up to k, and in round i
 * the ranks whose numbers differ only in digit i exchange their partial
 * results. All of them reduce by the same halves, so all end with the same
 * bits. Other numbers of ranks are folded to a lower one.
 *
 * Source: M. Ruefenacht, M. Bull, S. Booth, "Generalisation of recursive
 * doubling for AllReduce: Now with simulation", Parallel Computing 69 (2017).
 * Cost: log_k n rounds of k - 1 messages and reductions each; a fold adds two
 * rounds. For short vectors, where the latency is much longer than a message
 * occupies the sender.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/fold.h"

/* Returns the largest factor of n that is at most k; 1 if there is none. */
static int allreduce_recursive_multiplying_factor(int n, size_t k)
{
	int f = k < (size_t)n ? (int)k : n;

	while (n % f)
		f--;
	return f;
}

/* Tells whether n is a product of factors up to k. */
static bool allreduce_recursive_multiplying_smooth(int n, size_t k)
{
	while (n > 1 && allreduce_recursive_multiplying_factor(n, k) > 1)
		n /= allreduce_recursive_multiplying_factor(n, k);
	return n == 1;
}

/* Folds other numbers of ranks to f times a power of two, f at most k: to the
 * leading binary digits of n, so that at least half of the ranks stay. */
static struct fold fold_to_smooth(const struct shape *shape)
{
	int n = shape->size, digits = 0;

	if (!allreduce_recursive_multiplying_smooth(n, shape->arg))
		while ((size_t)(n >> digits) > shape->arg)
			digits++;
	n = n >> digits << digits;
	return (struct fold){.stay = n, .pairs = shape->size - n, .keep = -1};
}

/* One rank's view. Two receive buffers take turns, each for the vectors of a
 * whole group, so that those of the next round can arrive while this round's
 * are reduced. */
struct rounds {
	struct plan *plan;
	size_t count, k;
	struct fold fold;
	int me;
	uint8_t stage[2];
	struct ref own;		/* SEND at first, then RECV */
	uint32_t ready, before; /* reductions of the last two rounds */
};

/* The group in which this rank exchanges in a round. */
struct peers {
	int round, f, mine; /* this rank's index in it */
	int first, step;    /* its new numbers: first + d * step */
	uint32_t sent, got; /* the own vector's sends; the first receive */
};

static struct part part_of(const struct rounds *w, const struct peers *g,
			   struct ref ref)
{
	return (struct part){ref, w->count, (unsigned)(FOLDED_TAGS + g->round)};
}

static int allreduce_recursive_multiplying_member(const struct rounds *w,
						  const struct peers *g, int d)
{
	return fold_rank(&w->fold, g->first + d * g->step);
}

/* Returns where the vector of member d arrives. */
static struct ref allreduce_recursive_multiplying_place(const struct rounds *w,
							const struct peers *g,
							int d)
{
	int slot = d < g->mine ? d : d - 1;

	return ref(w->stage[g->round % 2], (size_t)slot * w->count);
}

/* Returns the k-th member to send to or, for -k, to receive from. If f is a
 * power of two it is the member at xor distance k, else the k-th after this
 * one, so that no two ranks send to the same one at a time. */
static int allreduce_recursive_multiplying_nth(const struct peers *g, int k)
{
	return g->f & (g->f - 1) ? (g->mine + k + g->f) % g->f
				 : g->mine ^ (k < 0 ? -k : k);
}

static void allreduce_recursive_multiplying_post(const struct rounds *w,
						 struct peers *g)
{
	struct part own = part_of(w, g, w->own);
	uint32_t got;

	g->sent = 0;
	for (int k = 1; k < g->f; k++)
		g->sent = plan_join(
		    w->plan, g->sent,
		    plan_send(
			w->plan,
			allreduce_recursive_multiplying_member(
			    w, g, allreduce_recursive_multiplying_nth(g, k)),
			own, w->ready, 0));
	for (int k = 1; k < g->f; k++) {
		int d = allreduce_recursive_multiplying_nth(g, -k);

		got = plan_recv(
		    w->plan, allreduce_recursive_multiplying_member(w, g, d),
		    part_of(w, g,
			    allreduce_recursive_multiplying_place(w, g, d)),
		    w->before, 0);
		if (k == 1)
			g->got = got;
	}
}

/* A vector, and the step after which it is complete. */
struct sum {
	struct ref ref;
	uint32_t done;
};

static struct sum
allreduce_recursive_multiplying_operand(const struct rounds *w,
					const struct peers *g, int d)
{
	bool power = !(g->f & (g->f - 1));
	int k = power ? g->mine ^ d : (g->mine - d + g->f) % g->f;

	if (!k)
		return (struct sum){w->own, w->ready};
	return (struct sum){allreduce_recursive_multiplying_place(w, g, d),
			    g->got + (uint32_t)k - 1};
}

/* Reduces n members of the group, from `first` on, by halves; this rank's half
 * comes first. The own vector is read until it has been sent, so all sums but
 * the last are built in receive buffers. */
static struct sum add_up(const struct rounds *w, const struct peers *g,
			 int first, int n)
{
	struct operands o = {.count = w->count};
	struct sum half[2], *near, *far;
	int low = 1, side;

	if (n == 1)
		return allreduce_recursive_multiplying_operand(w, g, first);
	while (2 * low < n)
		low *= 2;
	side = g->mine & low ? 1 : 0;
	for (int k = 0; k < 2; k++, side ^= 1)
		half[side] =
		    add_up(w, g, first + side * low, side ? n - low : low);
	near = &half[side];
	far = &half[!side];
	o.left = half[0].ref;
	o.right = half[1].ref;
	o.dst = g->mine == first ? o.right : o.left;
	if (n == g->f) {
		o.dst = ref(BUF_RECV, 0);
		near->done = plan_join(w->plan, g->sent, near->done);
	}
	return (struct sum){o.dst,
			    plan_reduce(w->plan, o, near->done, far->done)};
}

static void all_rounds(struct rounds *w)
{
	struct peers g = {.step = 1};
	struct sum sum;

	for (; g.step < w->fold.stay; g.step *= g.f, g.round++) {
		g.f = allreduce_recursive_multiplying_factor(
		    w->fold.stay / g.step, w->k);
		g.mine = w->me / g.step % g.f;
		g.first = w->me - g.mine * g.step;
		allreduce_recursive_multiplying_post(w, &g);
		sum = add_up(w, &g, 0, g.f);
		w->before = w->ready;
		w->ready = sum.done;
		w->own = sum.ref;
	}
}

static void allreduce_recursive_multiplying_build(struct plan *plan,
						  const struct shape *shape,
						  int rank)
{
	struct rounds w = {.plan = plan,
			   .count = shape->count,
			   .k = shape->arg,
			   .fold = fold_to_smooth(shape),
			   .own = ref(BUF_SEND, 0)};
	struct part send = {ref(BUF_SEND, 0), shape->count, FOLD_TAG};
	struct part all = {ref(BUF_RECV, 0), shape->count, UNFOLD_TAG};
	size_t most;
	uint32_t sent;

	w.me = fold_number(&w.fold, rank);
	if (plan_alone(plan, shape))
		return;
	if (w.me < 0) {
		sent = plan_send(plan, rank ^ 1, send, 0, 0);
		plan_recv(plan, rank ^ 1, all, sent, 0);
		return;
	}
	/* the first factor is the largest */
	most = (size_t)allreduce_recursive_multiplying_factor(w.fold.stay,
							      shape->arg) -
	       1;
	w.stage[0] = plan_tmp(plan, most * shape->count);
	w.stage[1] = plan_tmp(plan, most * shape->count);
	/* round 0 receives into stage 0 at once, so the fold uses the other */
	w.ready = fold_in(plan, shape, rank, &w.fold,
			  (struct operands){.left = ref(w.stage[1], 0),
					    .right = w.own,
					    .dst = all.ref});
	if (w.ready)
		w.own = all.ref;
	all_rounds(&w);
	if (fold_extra(&w.fold, rank) >= 0)
		plan_send(plan, rank ^ 1, all, w.ready, 0);
}

static void allreduce_recursive_multiplying_cost(const struct shape *shape,
						 struct cost *c)
{
	struct fold fold = fold_to_smooth(shape);
	double m = shape_bytes(shape), folds = fold.pairs > 0, messages = 0;
	int f;

	for (int left = fold.stay; left > 1; left /= f) {
		f = allreduce_recursive_multiplying_factor(left, shape->arg);
		messages += f - 1;
		c->together += f - 2;
	}
	c->rounds = messages + 2 * folds;
	c->bytes = c->rounds * m;
	c->reduced = (messages + folds) * m;
	c->sends = fold.stay * messages + 2.0 * fold.pairs;
	c->moved = c->sends * m;
	c->reach = REACH_EQUAL;
}

static const size_t allreduce_recursive_multiplying_tries[] = {5, 6, 8, 0};

const struct algorithm allreduce_recursive_multiplying = {
    .name = "recursive_multiplying",
    ALGORITHM_ARG("radix", 4, 2),
    .arg_tries = allreduce_recursive_multiplying_tries,
    .formula = "(k - 1) log_k n (a + m b + m c)",
    .build = allreduce_recursive_multiplying_build,
    .cost = allreduce_recursive_multiplying_cost,
};
