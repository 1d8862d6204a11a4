/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plans.c: every algorithm of the tables, 1 to 33 ranks, every root, counts
 * below and above the number of ranks, both kinds of operation; and proof that
 * the model notices when a plan is broken.
 */
#include "tests/unit/coll/model.h"

#include <string.h>

#include "tests/tap.h"

enum { RANKS = 33 };

static const char *try_shape(struct model_case *c)
{
	for (c->seed = 1; c->seed <= 2; c->seed++) {
		const char *bad = model_run(c);

		if (bad)
			return bad;
	}
	return NULL;
}

static const char *try_counts(struct model_case *c)
{
	size_t n = (size_t)c->shape.size;
	size_t counts[] = {0, 1, n - 1, n, n + 1, 3 * n + 2, 117};
	bool counted = c->collective != COLL_BARRIER;

	for (size_t i = 0; i < (counted ? 7 : 1); i++) {
		const char *bad;

		c->shape.count = counts[i];
		if (!select_fits(c->algorithm, &c->shape))
			continue;
		bad = try_shape(c);
		if (bad)
			return bad;
	}
	return NULL;
}

static bool rooted(enum collective c)
{
	return c == COLL_BCAST || c == COLL_REDUCE;
}

static const char *try_size(struct model_case *c)
{
	int n = c->shape.size, roots = rooted(c->collective) ? n : 1;
	/* every root of small groups, a sample of large ones */
	int step = n <= 12 ? 1 : 5;

	for (c->shape.root = 0; c->shape.root < roots; c->shape.root += step) {
		for (int commutes = 0; commutes < 2; commutes++) {
			const char *bad;

			c->shape.commutative = commutes;
			bad = try_counts(c);
			if (bad)
				return bad;
		}
	}
	return NULL;
}

static const char *try_algorithm(enum collective collective,
				 const struct algorithm *algorithm,
				 size_t type_size, int ranks)
{
	struct model_case c = {.collective = collective,
			       .algorithm = algorithm};
	const char *bad = NULL;

	/* large elements, so that chains have several segments */
	c.shape.type_size = type_size;
	for (int n = 1; n <= ranks && !bad; n++) {
		c.shape.size = n;
		bad = try_size(&c);
	}
	return bad;
}

static void test_table(enum collective collective)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++) {
		const char *bad = try_algorithm(collective, t->rows[i], 8,
						RANKS);

		ok(!bad, "%s/%s, 1 to %d ranks%s%s", t->name, t->rows[i]->name,
		   RANKS, bad ? ": " : "", bad ? bad : "");
		bad = try_algorithm(collective, t->rows[i], 8192, 9);
		ok(!bad, "%s/%s, segments%s%s", t->name, t->rows[i]->name,
		   bad ? ": " : "", bad ? bad : "");
	}
}

/* ---- Broken on purpose -------------------------------------------------- */

static const struct algorithm *victim;
static int victim_rank;
static void (*damage)(struct plan *plan);

static void build_broken(struct plan *plan, const struct shape *shape,
			 int rank)
{
	victim->build(plan, shape, rank);
	if (rank == victim_rank)
		damage(plan);
}

static const struct algorithm broken = {.name = "broken", .build = build_broken};

static struct step *find(struct plan *plan, enum step_kind kind)
{
	for (uint32_t i = plan->nsteps; i-- > 0;)
		if (plan->steps[i].kind == kind)
			return &plan->steps[i];
	return NULL;
}

static void drop_last(struct plan *plan)
{
	plan->nsteps--;
}

static void forget_order(struct plan *plan)
{
	struct step *s = find(plan, STEP_REDUCE);

	s->after[0] = s->after[1] = 0;
}

static void swap_operands(struct plan *plan)
{
	struct step *s = find(plan, STEP_REDUCE);

	s->flip = !s->flip;
}

static void shorten(struct plan *plan)
{
	find(plan, STEP_SEND)->count--;
}

static void overrun(struct plan *plan)
{
	find(plan, STEP_RECV)->dst.at++;
}

static void send_first(struct plan *plan)
{
	/* the send waits for the answer: all ranks alike would wait */
	struct step s = plan->steps[1];

	plan->steps[1] = plan->steps[0];
	plan->steps[0] = s;
	plan->steps[1].after[0] = 1;
	plan->steps[0].after[0] = 0;
}

static void expect_broken(enum collective collective, const char *name,
			  void (*how)(struct plan *plan), const char *why)
{
	const struct coll_table *t = &coll_tables[collective];
	struct model_case c = {.collective = collective,
			       .algorithm = &broken,
			       .shape = {.size = 4,
					 .count = 10,
					 .type_size = 8},
			       .seed = 1};
	const char *bad;

	for (size_t i = 0; i < t->nrows; i++)
		if (!strcmp(t->rows[i]->name, name))
			victim = t->rows[i];
	if (collective == COLL_BARRIER)
		c.shape.count = 0;
	damage = how;
	victim_rank = 1;
	bad = model_run(&c);
	ok(bad && strstr(bad, why), "the model sees: %s (%s)", why,
	   bad ? bad : "it does not");
}

/* A barrier whose later rounds do not wait for the earlier ones. */
static void forget_rounds(struct plan *plan)
{
	for (uint32_t i = 0; i < plan->nsteps; i++)
		plan->steps[i].after[0] = plan->steps[i].after[1] = 0;
}

static void test_model(void)
{
	expect_broken(COLL_ALLREDUCE, "recursive_doubling", drop_last,
		      "element");
	expect_broken(COLL_ALLREDUCE, "recursive_doubling", forget_order,
		      "race");
	expect_broken(COLL_ALLREDUCE, "recursive_doubling", swap_operands,
		      "element");
	expect_broken(COLL_ALLREDUCE, "rabenseifner", shorten, "expected");
	expect_broken(COLL_BCAST, "binomial", overrun, "out of buffer");
	expect_broken(COLL_BARRIER, "dissemination", forget_rounds,
		      "leaves early");
	expect_broken(COLL_BARRIER, "dissemination", drop_last, "deadlock");
	expect_broken(COLL_BARRIER, "tree", send_first, "deadlock");
}

int main(void)
{
	for (int c = 0; c < COLLECTIVES; c++)
		test_table(c);
	test_model();
	return tap_done();
}
