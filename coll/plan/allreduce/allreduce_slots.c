/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allreduce_slots.c: each child in a tree of counters (combining.h) writes its
 * vector into a slot of its own at the parent, and signals; the parent reduces
 * the slots in rank order. Nothing depends on which child comes first: every
 * run gives the same bits, for any operation on any type, commutative or not.
 *
 * Source: combining.h; the slots are the "scatter" half of the combining trees
 * of J. Mellor-Crummey, M. Scott, ACM TOCS 9 (1991): the rank that combines is
 * the only one that writes the result.
 * Cost: one write and one atomic up and down for each rank but 0; the parent
 * reduces (radix - 1) vectors on each level.
 */
#include "coll/plan/algorithms.h"
#include "coll/plan/combining.h"

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
