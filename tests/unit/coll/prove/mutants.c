/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutants.c: changes every step of many plans in every small way (mutate.c),
 * one at a time. The prover must complain of each change, or naive.c must find
 * that it does no harm (an order too many, a sum the other way round).
 */
#include <string.h>

#include "coll/plan/algorithm.h"
#include "tests/tap.h"
#include "tests/unit/coll/prove/cases.h"
#include "tests/unit/coll/prove/mutate.h"
#include "tests/unit/coll/prove/naive.h"
#include "tests/unit/coll/prove/subjects.h"

enum { RANKS = 4, MUTATIONS = 32 };
/* Calls that are tried of each algorithm, and of those that depend on places:
 * the further ones have two nodes, each a range of ranks. At TEST_LEVEL=quick
 * every fifth. */
enum { CALLS = 12, CALLS_BY_NODE = 16 };

/* The change under way: algorithm `mutant` is the victim with it. */
static struct {
	const struct algorithm *victim;
	const struct mutation *mutation;
	int rank;
	uint32_t step;
	bool applied;
} change;

static void build_mutant(struct plan *plan, const struct shape *shape, int rank)
{
	struct shape s = *shape;

	if (!s.arg)
		s.arg = change.victim->arg_default;
	change.victim->build(plan, &s, rank);
	if (rank == change.rank && change.mutation)
		change.applied =
		    change.mutation->apply(plan, change.step, shape->size);
}

/* The mutant counts as one that looks at places, since its victim may. */
static const struct algorithm mutant = {
    .name = "mutant", .by_node = true, .build = build_mutant};

static struct {
	unsigned tried, seen;
} by_kind[MUTATIONS];

static void build_all(const struct shape *shapes, struct plan *plans)
{
	for (int r = 0; r < shapes[0].size; r++)
		if (plan_build(&mutant, &shapes[r], r, &plans[r]))
			exit(1);
}

static void free_all(int n, struct plan *plans)
{
	for (int r = 0; r < n; r++)
		plan_fini(&plans[r]);
}

static bool harmless(const struct prove_case *c, const struct plan *right)
{
	int n = c->shapes[0].size;
	struct plan plans[RANKS];
	bool same;

	build_all(c->shapes, plans);
	same = naive_same(c->collective, c->shapes, plans, right);
	free_all(n, plans);
	return same;
}

/* Tries one change. Returns false if the prover did not see that it does
 * harm. */
static bool try_change(const struct prove_case *c, const struct plan *right)
{
	size_t kind = (size_t)(change.mutation - mutations);
	const char *bad;

	change.applied = false;
	bad = prove_plans(c, NULL);
	if (!change.applied)
		return true;
	by_kind[kind].tried++;
	by_kind[kind].seen += bad != NULL;
	if (bad || harmless(c, right))
		return true;
	printf("# not seen: %s, %s, rank %d step %u\n", change.victim->name,
	       change.mutation->name, change.rank, change.step + 1);
	return false;
}

static bool try_case(const struct prove_case *c)
{
	struct plan right[RANKS];
	int n = c->shapes[0].size;
	bool good = true;

	change.mutation = NULL;
	build_all(c->shapes, right);
	good = !prove_plans(c, NULL) && harmless(c, right);
	for (size_t m = 0; m < nmutations && good; m++)
		for (int r = 0; r < n && good; r++)
			for (uint32_t i = 0; i < right[r].nsteps; i++) {
				change.mutation = &mutations[m];
				change.rank = r;
				change.step = i;
				good &= try_change(c, right);
			}
	free_all(n, right);
	return good;
}

static void test_subject(enum collective collective,
			 const struct algorithm *algorithm)
{
	struct deal d = {.collective = collective, .algorithm = algorithm};
	unsigned calls = algorithm->by_node ? CALLS_BY_NODE : CALLS, fits = 0;
	unsigned step = tap_quick() ? 5 : 1;
	bool good = true;

	change.victim = algorithm;
	for (unsigned k = 0; k < calls && good; k += step) {
		struct prove_case c = {collective, &mutant, NULL};
		bool counts = k % 4 && collective != COLL_BARRIER;
		struct table *t;

		d.shape = (struct shape){
		    .size = k < CALLS ? 2 + (int)k % 3 : 3 + (int)k % 2,
		    .root = deal_rooted(collective) && k % 2,
		    .count = counts ? 3 + k % 4 : 0,
		    .type_size = 8,
		    .arg = algorithm->arg_min,
		    .board = algorithm->board || k & 2 ? 1 << 16 : 0,
		    .commutative = k % 2,
		    .combine = k % 4 == 1   ? COMBINE_ADD
			       : k % 4 == 3 ? COMBINE_SWAP
					    : 0};
		d.seed = k;
		d.in_place = k & 4;
		d.irregular = k & 1;
		d.placed = k & 8;
		d.nodes = k < CALLS ? 0 : 2;
		t = deal_make(&d);
		c.shapes = deal_shapes(t);
		if (select_fits(algorithm, c.shapes)) {
			good = try_case(&c);
			fits++;
		}
		deal_free(t);
	}
	ok(good && fits, "mutants of %s/%s", coll_tables[collective].name,
	   algorithm->name);
}

static void report(void)
{
	unsigned tried = 0, seen = 0;

	for (size_t m = 0; m < nmutations; m++) {
		tried += by_kind[m].tried;
		seen += by_kind[m].seen;
		printf("# %-24s %5u mutants, %5u seen, %4u do no harm\n",
		       mutations[m].name, by_kind[m].tried, by_kind[m].seen,
		       by_kind[m].tried - by_kind[m].seen);
	}
	printf("# %u mutants, %u seen, %u do no harm\n", tried, seen,
	       tried - seen);
}

int main(void)
{
	for (size_t i = 0; i < nsubjects; i++)
		test_subject(subjects[i].collective, &subjects[i].algorithm);
	for (int c = 0; c < COLLECTIVES; c++)
		for (size_t i = 0; i < coll_tables[c].nrows; i++)
			test_subject(c, coll_tables[c].rows[i]);
	report();
	return tap_done();
}
