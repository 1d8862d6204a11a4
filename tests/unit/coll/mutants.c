/* SPDX-License-Identifier: Apache-2.0 */
/* mutants.c: the prover must see when a plan is broken. */
#include <string.h>

#include "coll/algorithm.h"
#include "tests/tap.h"
#include "tests/unit/coll/cases.h"

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

/* A barrier whose later rounds do not wait for the earlier ones. */
static void forget_rounds(struct plan *plan)
{
	for (uint32_t i = 0; i < plan->nsteps; i++)
		plan->steps[i].after[0] = plan->steps[i].after[1] = 0;
}

static void expect_broken(enum collective collective, const char *name,
			  void (*how)(struct plan *plan), const char *why)
{
	const struct coll_table *t = &coll_tables[collective];
	struct shape shapes[4];
	struct check_case c = {collective, &broken, shapes};
	const char *bad;

	for (int r = 0; r < 4; r++)
		shapes[r] = (struct shape){
		    .size = 4,
		    .count = collective == COLL_BARRIER ? 0 : 10,
		    .type_size = 8};
	for (size_t i = 0; i < t->nrows; i++)
		if (!strcmp(t->rows[i]->name, name))
			victim = t->rows[i];
	damage = how;
	victim_rank = 1;
	bad = check_plans(&c, NULL);
	ok(bad && strstr(bad, why), "seen: %s (%s)", why,
	   bad ? bad : "it is not");
}

int main(void)
{
	expect_broken(COLL_ALLREDUCE, "recursive_doubling", drop_last,
		      "gets in RECV");
	expect_broken(COLL_ALLREDUCE, "recursive_doubling", forget_order,
		      "races");
	expect_broken(COLL_ALLREDUCE, "recursive_doubling", swap_operands,
		      "combines");
	expect_broken(COLL_ALLREDUCE, "rabenseifner", shorten, "expected");
	expect_broken(COLL_BCAST, "binomial", overrun, "of buffer");
	expect_broken(COLL_BARRIER, "dissemination", forget_rounds,
		      "leaves before");
	expect_broken(COLL_BARRIER, "dissemination", drop_last,
		      "does not receive");
	expect_broken(COLL_BARRIER, "tree", send_first, "deadlock");
	return tap_done();
}
