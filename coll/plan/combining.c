/* SPDX-License-Identifier: Apache-2.0 */
/*
 * combining.c: the algorithms on atomics, which are combining trees of
 * counters. A rank waits until its children have signalled its counter, signals
 * its parent's counter, and is released along the same way back. At most
 * `radix` ranks share a counter, so that few atomics hit one word, where they
 * are serialised.
 *
 * The tree is k-nomial: a rank's parent is the rank with its lowest nonzero
 * digit in base `radix` cleared, so that each subtree is a range of ranks. With
 * radix >= n the tree is flat: one counter for all.
 *
 * Source: P. Yew, N. Tzeng, D. Lawrie, "Distributing hot-spot addressing in
 * large-scale multiprocessors", IEEE Trans. Computers C-36 (1987); J.
 * Mellor-Crummey, M. Scott, ACM TOCS 9 (1991), section 3.
 */
#include "coll/plan/algorithm.h"
#include "coll/plan/algorithms.h"
#include "coll/plan/tree.h"

enum { COMBINING_RADIX = 8 };

struct combining {
	int rank, parent; /* parent: -1 at rank 0 */
	int radix, children;
	unsigned up, down; /* counters */
};

enum { LINE_WORDS = 8 };

static int radix_of(const struct shape *shape)
{
	if (shape->size < 2)
		return 2;
	return shape->arg < (size_t)shape->size ? (int)shape->arg : shape->size;
}

/* Returns how far the k-th child is from its parent. */
static long combining_distance(int radix, int k)
{
	long step = 1;

	for (; k >= radix - 1; k -= radix - 1)
		step *= radix;
	return (k + 1) * step;
}

static int count_children(int n, int radix, int v)
{
	int size = knomial_size(n, (size_t)radix, v), k = 0;

	while (combining_distance(radix, k) < size)
		k++;
	return k;
}

/* Returns the rank's place in the tree; takes two counters from the plan. */
static struct combining combining_make(struct plan *plan,
				       const struct shape *shape, int rank)
{
	int n = shape->size, radix = radix_of(shape);

	return (struct combining){
	    .rank = rank,
	    .parent = rank ? knomial_parent(n, (size_t)radix, rank) : -1,
	    .radix = radix,
	    .children = count_children(n, radix, rank),
	    .up = plan_cells(plan, CELL_COUNTER, 1),
	    .down = plan_cells(plan, CELL_COUNTER, 1)};
}

/* Returns the k-th child; children ascend. */
static int combining_child(const struct combining *t, int k)
{
	return t->rank + (int)combining_distance(t->radix, k);
}

/* Returns the index of the rank among its parent's children. The rank must not
 * be 0. */
static int combining_place(const struct combining *t)
{
	int k = 0;

	while (t->parent + combining_distance(t->radix, k) < t->rank)
		k++;
	return k;
}

/* ---- Signals ------------------------------------------------------------ */

static uint32_t combining_signal(struct plan *plan, int peer, unsigned counter,
				 uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_SIGNAL,
					    .peer = peer,
					    .dst = ref(BUF_CELLS, counter),
					    .count = 1,
					    .after = {after, 0}});
}

static uint32_t wait_signals(struct plan *plan, unsigned counter, int signals,
			     uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_WAIT_MEMORY,
					    .dst = ref(BUF_CELLS, counter),
					    .count = (size_t)signals,
					    .after = {after, 0}});
}

/* Waits until all children have signalled. Returns that step, or 0 without
 * children. */
static uint32_t combining_gather(struct plan *plan, const struct combining *t)
{
	return t->children ? wait_signals(plan, t->up, t->children, 0) : 0;
}

/* Signals the parent after `after` and waits for its release. Returns that
 * step; at rank 0 there is none, and it returns `after`. */
static uint32_t combining_report(struct plan *plan, const struct combining *t,
				 uint32_t after)
{
	if (t->parent < 0)
		return after;
	after = combining_signal(plan, t->parent, t->up, after);
	return wait_signals(plan, t->down, 1, after);
}

/* Releases the k-th child. */
static void combining_release(struct plan *plan, const struct combining *t,
			      int k, uint32_t after)
{
	combining_signal(plan, combining_child(t, k), t->down, after);
}

/* ---- Vectors ------------------------------------------------------------ */

/* Returns the words that a vector takes in the cells, rounded up to whole cache
 * lines. */
static size_t combining_words(const struct shape *shape)
{
	size_t bytes = shape->count * shape->type_size;
	size_t line = LINE_WORDS * sizeof(uint64_t);

	return (bytes + line - 1) / line * LINE_WORDS;
}

/* Sends the result down the tree: rank 0 has it in RECV after `after`; the
 * others get it into their cells at `buffer` after their release, copy it to
 * RECV and write it to their children. */
static void combining_spread(struct plan *plan, const struct shape *shape,
			     const struct combining *t, unsigned buffer,
			     uint32_t after)
{
	struct ref result = ref(BUF_RECV, 0);

	if (t->parent >= 0)
		after = plan_copy(plan, ref(BUF_CELLS, buffer), result,
				  shape->count, after);
	/* the farthest child first: it has the most to release */
	for (int k = t->children - 1; k >= 0; k--) {
		uint32_t written =
		    plan_add(plan, (struct step){.kind = STEP_WRITE,
						 .peer = combining_child(t, k),
						 .src = result,
						 .dst = ref(BUF_CELLS, buffer),
						 .count = shape->count,
						 .after = {after, 0}});

		combining_release(plan, t, k, written);
	}
}

/* A value for `fits`: tells whether the cells suffice. */
static bool combining_fits(const struct shape *shape)
{
	return shape->count <= CELLS_ACCUMULATORS &&
	       shape->type_size <= sizeof(uint64_t) &&
	       combining_words(shape) <= CELLS_BUFFER;
}

/* Builds an allreduce in which the NIC, or another rank's CPU, combines the
 * children's contributions in one word of the parent for each element. kind is
 * STEP_FETCH_ADD or STEP_COMPARE_SWAP. */
static void combining_allreduce(struct plan *plan, const struct shape *shape,
				int rank, enum step_kind kind)
{
	struct combining t = combining_make(plan, shape, rank);
	size_t n = shape->count;
	unsigned cells = plan_cells(plan, CELL_ACCUMULATOR, (unsigned)n);
	unsigned buffer =
	    plan_cells(plan, CELL_BUFFER, (unsigned)combining_words(shape));
	struct ref own = ref(BUF_SEND, 0), all = ref(BUF_RECV, 0);
	uint32_t ready = combining_gather(plan, &t);

	if (t.children) {
		struct ref theirs = ref(plan_tmp(plan, n), 0);

		ready =
		    plan_add(plan, (struct step){.kind = STEP_TAKE,
						 .src = ref(BUF_CELLS, cells),
						 .dst = theirs,
						 .count = n,
						 .after = {ready, 0}});
		ready = plan_reduce(
		    plan, (struct operands){own, theirs, all, n}, ready, 0);
		own = all;
	}
	if (t.parent >= 0)
		ready =
		    plan_add(plan, (struct step){.kind = (uint8_t)kind,
						 .peer = t.parent,
						 .src = own,
						 .dst = ref(BUF_CELLS, cells),
						 .count = n,
						 .after = {ready, 0}});
	plan_alone(plan, shape);
	ready = combining_report(plan, &t, ready);
	combining_spread(plan, shape, &t, buffer, ready);
}

/* ---- Cost --------------------------------------------------------------- */

/* Return the largest number of children of a rank, and the depth of the
 * tree. */
static int combining_children(const struct shape *shape)
{
	return count_children(shape->size, radix_of(shape), 0);
}

static int combining_depth(const struct shape *shape)
{
	int radix = radix_of(shape), depth = 0;

	for (long reach = 1; reach < shape->size; reach *= radix)
		depth++;
	return depth;
}

/* The cost of combining_allreduce. */
static void combining_cost(const struct shape *shape, struct cost *c)
{
	double depth = combining_depth(shape);
	double children = combining_children(shape);

	/* rank 0's children signal and add one after the other, and each level
	 * has a release */
	c->rounds = depth;
	c->bytes = depth * shape_bytes(shape);
	c->reduced = c->bytes;
	c->atomics = children * (1 + (double)shape->count) + depth;
}

/*
 * Barrier: signals go up when all children have arrived, releases come down the
 * same way. A counter is never reset: a rank waits until it has grown by the
 * number of its children.
 *
 * Cost: 2 (n - 1) atomics; those of rank 0's children (at most radix - 1 on
 * each level) come one after the other, and each level has a release. There are
 * no messages, so no rank needs another's CPU.
 */
static void barrier_atomic_build(struct plan *plan, const struct shape *shape,
				 int rank)
{
	struct combining t = combining_make(plan, shape, rank);
	uint32_t ready = combining_report(plan, &t, combining_gather(plan, &t));

	/* the farthest child first: it has the most to release */
	for (int k = t.children - 1; k >= 0; k--)
		combining_release(plan, &t, k, ready);
}

static void barrier_atomic_cost(const struct shape *shape, struct cost *c)
{
	c->atomics = combining_children(shape) + combining_depth(shape);
}

const struct algorithm barrier_atomic = {
    .name = "atomic",
    ALGORITHM_ARG("radix", COMBINING_RADIX, 2),
    .cells = true,
    .formula = "k ceil(log_k n) a",
    .build = barrier_atomic_build,
    .cost = barrier_atomic_cost,
};

/*
 * Sums of integers. Each rank adds its elements to words of its parent; the
 * parent takes the sum when all children have signalled. Rank 0 gets the result
 * and writes it back down. Addition modulo 2^64 serves every shorter integer,
 * too.
 *
 * Source: A. Gottlieb et al., "The NYU Ultracomputer", IEEE Trans. Computers
 * C-32 (1983), for fetch-and-add.
 * Cost: count + 2 atomics and one write for each rank but 0. The parent's CPU
 * only waits for its children.
 */
static bool allreduce_fetch_add_fits(const struct shape *shape)
{
	return shape->combine == COMBINE_ADD && combining_fits(shape);
}

static void allreduce_fetch_add_build(struct plan *plan,
				      const struct shape *shape, int rank)
{
	combining_allreduce(plan, shape, rank, STEP_FETCH_ADD);
}

const struct algorithm allreduce_fetch_add = {
    .name = "fetch_add",
    ALGORITHM_ARG("radix", COMBINING_RADIX, 2),
    .cells = true,
    .formula = "ceil(log_k n) (k (1 + count) a + m b + m c)",
    .fits = allreduce_fetch_add_fits,
    .build = allreduce_fetch_add_build,
    .cost = combining_cost,
};

/*
 * Like fetch_add, for every predefined operation on elements of up to 8 bytes.
 * A rank guesses what is in its parent's word, at first that it is empty, and
 * replaces it with the combined value by compare-and-swap; if the guess was
 * wrong it tries again with the value found. Every failure means that another
 * rank has succeeded.
 *
 * Sums of floating-point numbers depend on the order of arrival, so that
 * another run may give other last bits. In one run all ranks have the same
 * bits, since the result is computed once and passed down.
 *
 * Source: M. Herlihy, "Wait-free synchronization", ACM TOPLAS 13 (1991), for
 * what compare-and-swap can do.
 * Cost: as fetch_add if children come at different times; if they come at once,
 * up to radix / 2 times the atomics.
 */
static bool allreduce_compare_swap_fits(const struct shape *shape)
{
	return shape->combine != COMBINE_NONE && combining_fits(shape);
}

static void allreduce_compare_swap_build(struct plan *plan,
					 const struct shape *shape, int rank)
{
	combining_allreduce(plan, shape, rank, STEP_COMPARE_SWAP);
}

const struct algorithm allreduce_compare_swap = {
    .name = "compare_swap",
    ALGORITHM_ARG("radix", COMBINING_RADIX, 2),
    .cells = true,
    .formula = "ceil(log_k n) (k (1 + count) a + m b + m c)",
    .fits = allreduce_compare_swap_fits,
    .build = allreduce_compare_swap_build,
    .cost = combining_cost,
};

/*
 * Each child writes its vector into a slot of its own at the parent, and
 * signals; the parent reduces the slots in rank order. Nothing depends on which
 * child comes first: every run gives the same bits, for any operation on any
 * type, commutative or not.
 *
 * Source: the slots are the "scatter" half of the combining trees of J.
 * Mellor-Crummey, M. Scott, ACM TOCS 9 (1991): the rank that combines is the
 * only one that writes the result.
 * Cost: one write and one atomic up and down for each rank but 0; the parent
 * reduces (radix - 1) vectors on each level.
 */

/* Needs cells for the children's slots and for the result that the parent
 * writes. */
static bool allreduce_slots_fits(const struct shape *shape)
{
	size_t slots = (size_t)combining_children(shape) + 1;

	return shape->count <= CELLS_BUFFER * sizeof(uint64_t) &&
	       shape->type_size <= CELLS_BUFFER * sizeof(uint64_t) &&
	       combining_words(shape) * slots <= CELLS_BUFFER;
}

static void allreduce_slots_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	struct combining t = combining_make(plan, shape, rank);
	unsigned words = (unsigned)combining_words(shape);
	unsigned result = plan_cells(plan, CELL_BUFFER, words);
	unsigned slots = plan_cells(
	    plan, CELL_BUFFER, words * (unsigned)combining_children(shape));
	struct operands o = {.left = ref(BUF_SEND, 0),
			     .dst = ref(BUF_RECV, 0),
			     .count = shape->count};
	uint32_t ready = combining_gather(plan, &t);

	for (int k = 0; k < t.children; k++) {
		o.right = ref(BUF_CELLS, slots + (unsigned)k * words);
		ready = plan_reduce(plan, o, ready, 0);
		o.left = o.dst;
	}
	plan_alone(plan, shape);
	if (t.parent >= 0) {
		unsigned k = (unsigned)combining_place(&t);

		ready = plan_add(
		    plan,
		    (struct step){.kind = STEP_WRITE,
				  .peer = t.parent,
				  .src = o.left,
				  .dst = ref(BUF_CELLS, slots + k * words),
				  .count = o.count,
				  .after = {ready, 0}});
	}
	ready = combining_report(plan, &t, ready);
	combining_spread(plan, shape, &t, result, ready);
}

static void allreduce_slots_cost(const struct shape *shape, struct cost *c)
{
	double depth = combining_depth(shape);
	double children = combining_children(shape);

	c->rounds = 2 * depth;
	c->bytes = c->rounds * shape_bytes(shape);
	c->reduced = children * shape_bytes(shape);
	c->atomics = children + depth;
}

const struct algorithm allreduce_slots = {
    .name = "slots",
    ALGORITHM_ARG("radix", COMBINING_RADIX, 2),
    .cells = true,
    .formula = "ceil(log_k n) (k a + 2 m b + k m c)",
    .fits = allreduce_slots_fits,
    .build = allreduce_slots_build,
    .cost = allreduce_slots_cost,
};
