/* SPDX-License-Identifier: Apache-2.0 */
/* combining.c: combining trees of counters, and allreduces on them. */
#include "coll/plan/combining.h"

#include "coll/plan/tree.h"

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

struct combining combining_make(struct plan *plan, const struct shape *shape,
				int rank)
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

int combining_place(const struct combining *t)
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

uint32_t combining_gather(struct plan *plan, const struct combining *t)
{
	return t->children ? wait_signals(plan, t->up, t->children, 0) : 0;
}

uint32_t combining_report(struct plan *plan, const struct combining *t,
			  uint32_t after)
{
	if (t->parent < 0)
		return after;
	after = combining_signal(plan, t->parent, t->up, after);
	return wait_signals(plan, t->down, 1, after);
}

void combining_release(struct plan *plan, const struct combining *t, int k,
		       uint32_t after)
{
	combining_signal(plan, combining_child(t, k), t->down, after);
}

/* ---- Vectors ------------------------------------------------------------ */

size_t combining_words(const struct shape *shape)
{
	size_t bytes = shape->count * shape->type_size;
	size_t line = LINE_WORDS * sizeof(uint64_t);

	return (bytes + line - 1) / line * LINE_WORDS;
}

void combining_spread(struct plan *plan, const struct shape *shape,
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

bool combining_fits(const struct shape *shape)
{
	return shape->count <= CELLS_ACCUMULATORS &&
	       shape->type_size <= sizeof(uint64_t) &&
	       combining_words(shape) <= CELLS_BUFFER;
}

void combining_allreduce(struct plan *plan, const struct shape *shape, int rank,
			 enum step_kind kind)
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

int combining_children(const struct shape *shape)
{
	return count_children(shape->size, radix_of(shape), 0);
}

int combining_depth(const struct shape *shape)
{
	int radix = radix_of(shape), depth = 0;

	for (long reach = 1; reach < shape->size; reach *= radix)
		depth++;
	return depth;
}

void combining_cost(const struct shape *shape, struct cost *c)
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
