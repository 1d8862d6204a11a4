/* SPDX-License-Identifier: Apache-2.0 */
/* symmetry.c: finds out whether the plans of all ranks are those of the first
 * ones, moved. */
#include "tools/sim/symmetry.h"

#include "tools/sim/sim_machine.h"
#include "mrt.h"

enum {
	ALL_STEPS = 1 << 21, /* up to that many, all plans are compared */
	SPREAD = 16
};

/* Returns the ranks after which nodes, caches and groups repeat; 0 if they do
 * not. */
static int period_of(const struct sim_machine *m)
{
	const struct sim_job *j = m->job;
	long period = j->ppn;

	if ((j->cyclic && j->ppn > 1) || j->node_ranks || j->places ||
	    j->topology.dimensions)
		return 0;
	for (int k = 0; k < j->topology.tiers; k++)
		if (j->topology.tier[k].nodes < j->nodes)
			period = j->topology.tier[k].nodes * j->ppn;
	return m->ranks % period == 0 ? (int)period : 0;
}

/* ---- Comparing two plans ---- */

int symmetry_plan(const struct rotation *rotation,
		  const struct algorithm *algorithm, const struct shape *shape,
		  int rank, struct plan *plan)
{
	int rc =
	    plan_rebuild(algorithm, shape, rotate_back(rotation, rank), plan);

	for (uint32_t i = 0; !rc && rotation->low && i < plan->nsteps; i++)
		if (step_has_peer(plan->steps[i].kind))
			plan->steps[i].peer =
			    rotate(rotation, plan->steps[i].peer);
	return rc;
}

struct comparison {
	const struct algorithm *algorithm;
	const struct shape *shape;
	const struct sim_machine *m;
	struct symmetry symmetry; /* the hypothesis */
	int rank;		  /* whose plan is `first` */
	struct plan first, other;
	bool same;
	int rc;
};

/* Returns whether the step is a copy that costs nothing. Places of other steps
 * do not matter. */
static bool in_place(const struct step *s)
{
	return s->kind == STEP_COPY && s->src.buf == s->dst.buf &&
	       s->src.at == s->dst.at;
}

/* Returns whether the ranks are as far apart after the move: it may change the
 * distance if it is an exclusive or. */
static bool same_distance(const struct comparison *c, int peer, int by)
{
	const struct symmetry *s = &c->symmetry;
	const struct sim_machine *m = c->m;

	return !s->xor || machine_spread(m, c->rank, peer) ==
			      machine_spread(m, symmetry_move(s, c->rank, by),
					     symmetry_move(s, peer, by));
}

static bool same_step(const struct comparison *c, const struct step *a,
		      const struct step *b, int by)
{
	return a->kind == b->kind && a->count == b->count &&
	       a->after[0] == b->after[0] && a->after[1] == b->after[1] &&
	       (step_has_peer(a->kind)
		    ? a->tag == b->tag &&
			  symmetry_move(&c->symmetry, a->peer, by) == b->peer &&
			  same_distance(c, a->peer, by)
		    : in_place(a) == in_place(b));
}

/* A plan without the copies at its end that follow each other, and the number
 * of elements that these copy. */
struct body {
	uint32_t nsteps;
	size_t copied;
};

/* Returns the body of a plan. Where several ranks are on a node it is the whole
 * plan, since the memory that a copy uses is not free for the others. */
static struct body body_of(const struct comparison *c, const struct plan *plan)
{
	struct body body = {.nsteps = plan->nsteps};

	while (c->m->job->ppn == 1 && body.nsteps) {
		const struct step *last = &plan->steps[body.nsteps - 1];

		if (last->kind != STEP_COPY || in_place(last) ||
		    last->after[0] != body.nsteps - 1 || last->after[1])
			break;
		body.copied += last->count;
		body.nsteps--;
	}
	return body;
}

/* Compares the plan of `rank` with `first` moved by `by`. A vector may be
 * copied in other parts at the end, as by the last step of Bruck's algorithm,
 * which takes as long. */
static void symmetry_compare(struct comparison *c, int rank, int by)
{
	struct body a, b;

	c->rc = symmetry_plan(&c->symmetry.rotation, c->algorithm, c->shape,
			      rank, &c->other);
	if (c->rc)
		return;
	a = body_of(c, &c->first);
	b = body_of(c, &c->other);
	c->same = a.nsteps == b.nsteps && a.copied == b.copied;
	for (uint32_t i = 0; i < a.nsteps && c->same; i++)
		c->same =
		    same_step(c, &c->first.steps[i], &c->other.steps[i], by);
}

/* Compares one of the first ranks with those that it is to stand for. */
static void compare_moved(struct comparison *c, int rank)
{
	int plans = c->symmetry.plans, n = c->symmetry.ranks / plans;
	int root = c->shape->root / plans;

	c->rank = rank;
	c->rc = symmetry_plan(&c->symmetry.rotation, c->algorithm, c->shape,
			      rank, &c->first);
	if (!c->rc && (double)c->first.nsteps * c->symmetry.ranks < ALL_STEPS) {
		for (int k = 1; k < n && c->same && !c->rc; k++)
			symmetry_compare(c, rank + k * plans, k * plans);
		return;
	}
	for (int k = 1; k < n && c->same && !c->rc; k *= 2)
		symmetry_compare(c, rank + k * plans, k * plans);
	for (int k = 0; k < SPREAD + 2 && c->same && !c->rc; k++) {
		int by = k == SPREAD ? n - 1
			 : k == SPREAD + 1
			     ? root
			     : (int)((long)n * (2 * k + 1) / (2 * SPREAD + 1));

		symmetry_compare(c, rank + by * plans, by * plans);
	}
}

/* ---- Choosing the symmetry ---- */

/* Sets *found if the hypothesis holds. */
static int symmetry_try(const struct sim_machine *m,
			const struct symmetry *symmetry,
			const struct algorithm *algorithm,
			const struct shape *shape, bool *found)
{
	struct sim_machine rotated = *m;
	struct comparison c = {.algorithm = algorithm,
			       .shape = shape,
			       .m = &rotated,
			       .symmetry = *symmetry,
			       .same = true};

	rotated.rotation = symmetry->rotation;
	for (int rank = 0; rank < symmetry->plans && c.same && !c.rc; rank++)
		compare_moved(&c, rank);
	plan_fini(&c.first);
	plan_fini(&c.other);
	*found = c.same && !c.rc;
	return c.rc;
}

static bool power_of_two(int n)
{
	return (n & (n - 1)) == 0;
}

/*
 * Returns hypothesis k: one plan for all ranks, by addition or by exclusive or;
 * then one plan for each rank of a period, if these are neither one rank nor
 * all; then for each rank of two periods, since in an exchange of neighbours
 * every other rank does the same.
 */
static bool symmetry_supposed(const struct sim_machine *m, int k,
			      struct symmetry *s)
{
	int n = m->ranks, period = period_of(m) * (k < 4 ? 1 : 2);

	*s = (struct symmetry){.ranks = n,
			       .period = period,
			       .plans = k < 2 ? 1 : period,
			       .xor = k % 2};
	return (k < 2 || (period > 1 && period < n && n % period == 0)) &&
	       (!s->xor || (power_of_two(n) && power_of_two(period)));
}
enum { SUPPOSED = 6 };

/*
 * Sets a hypothesis of rotated nodes, of which 2^high are simulated: long
 * blocks are halved among the ranks of a node and their near nodes, and only
 * what is left of them, among the far ones, is uneven. Returns false if there
 * is none.
 */
static bool supposed_rotated(const struct sim_machine *m, int high,
			     struct symmetry *s)
{
	int n = m->ranks, ppn = m->job->ppn, bits = 0;

	while (1 << bits < m->job->nodes)
		bits++;
	*s = (struct symmetry){.ranks = n,
			       .period = ppn << high,
			       .plans = ppn << high,
			       .xor = true,
			       .rotation = {ppn, bits, bits - high}};
	return high < bits && power_of_two(n) && period_of(m) == ppn &&
	       !machine_shares_cpus(m);
}
enum { HIGH_MAX = 8 };

int symmetry_find(const struct sim_machine *m,
		  const struct algorithm *algorithm, const struct shape *shape,
		  struct symmetry *symmetry, bool *found)
{
	struct symmetry s;
	int rc = MRT_SUCCESS;

	*found = false;
	if (shape->size < 2 || algorithm->cells || m->job->noise > 0 ||
	    m->job->hashes || !period_of(m))
		return MRT_SUCCESS;
	for (int k = 0; k < SUPPOSED && !*found && !rc; k++)
		if (symmetry_supposed(m, k, &s))
			rc = symmetry_try(m, &s, algorithm, shape, found);
	for (int high = 1; high <= HIGH_MAX && !*found && !rc; high++)
		if (supposed_rotated(m, high, &s))
			rc = symmetry_try(m, &s, algorithm, shape, found);
	if (*found)
		*symmetry = s;
	return rc;
}
