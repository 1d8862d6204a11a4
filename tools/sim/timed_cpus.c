/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed_cpus.c: CPUs shared by several ranks of a node, which behave as in
 * libmrt: a rank that finds nothing to do yields after a single poll. So the
 * CPU goes round its ranks until one finds something; this rank does all it
 * has, and the CPU goes on from there. A step from one rank to the next takes a
 * turn.
 *
 * The rank at place p of its node has CPU p % cpus, as mrun binds it. CPUs are
 * not in step: each begins a fraction of a turn later than the one before. A
 * rank that has finished leaves the round; the last one has the CPU to itself.
 *
 * Visits in vain are not simulated: the CPU's last rank, and when it left that,
 * determine which rank gets it next.
 */
#include <stdlib.h>

#include "tools/sim/timed.h"

struct cpu {
	int owner;     /* rank at work; -1: the CPU goes round */
	int ranks;     /* number of ranks that share it */
	int left;      /* of these, the ones that have not finished */
	int last;      /* index of the one that had it last */
	int next;      /* rank that gets it unless another is sooner; -1 */
	int64_t since; /* since when it goes round, or the owner has it */
	int64_t at;    /* when `next` gets it */
};

static int on_node(const struct timed *e)
{
	return e->m->job->cpus;
}

/* Returns the CPU's k-th rank. */
static struct rank_state *rank_on(struct timed *e, const struct cpu *c, int k)
{
	int number = (int)(c - e->cpus), node = number / on_node(e);
	int place = number % on_node(e) + k * on_node(e);

	return rank_of(e, machine_rank(e->m, node, place));
}

/* Returns the CPU of a rank; NULL if no other rank shares it. */
static struct cpu *shared_cpu(const struct timed *e, int rank)
{
	struct cpu *c = e->cpus;

	if (!c)
		return NULL;
	c += machine_node(e->m, rank) * on_node(e) +
	     machine_place(e->m, rank) % on_node(e);
	return c->ranks > 1 ? c : NULL;
}

/* number: index in its node. */
static void init_cpu(struct timed *e, struct cpu *c, int number)
{
	int64_t late = e->m->turn * number / on_node(e);

	*c = (struct cpu){.owner = -1, .next = -1};
	c->ranks = (e->m->job->ppn - number - 1) / on_node(e) + 1;
	for (int k = 0; k < c->ranks; k++)
		c->left += rank_on(e, c, k)->left > 0;
	c->last = c->ranks - 1;
	c->since = late - e->m->turn; /* about to visit the first rank */
}

bool cpus_init(struct timed *e)
{
	int nodes = e->period / e->m->job->ppn, n = nodes * on_node(e);

	if (!machine_shares_cpus(e->m))
		return true;
	e->cpus = calloc((size_t)n, sizeof(*e->cpus));
	for (int k = 0; e->cpus && k < n; k++)
		init_cpu(e, &e->cpus[k], k % on_node(e));
	return e->cpus;
}

static uint32_t first_item(const struct rank_state *r)
{
	return r->ready.first != NIL ? r->ready.first : r->come.first;
}

/* Returns when a CPU that goes round reaches a rank that has something to do:
 * at its visits-th step, or a whole number of rounds later. */
static int64_t timed_cpus_reach(const struct timed *e, const struct cpu *c,
				const struct rank_state *r, int visits)
{
	int64_t round = c->left > 1 ? c->left * e->m->turn : 0;
	int64_t at = c->since + visits * e->m->turn;
	int64_t late = e->items[first_item(r)].at.t - at;

	if (late <= 0)
		return at;
	return at + (round ? (late + round - 1) / round * round : late);
}

/* Finds the rank that gets the CPU next. A rank found before may have become
 * wrong. */
static void find_next(struct timed *e, struct cpu *c)
{
	bool found = false;
	int visits = 0;

	for (int k = 1; k <= c->ranks; k++) {
		const struct rank_state *r =
		    rank_on(e, c, (c->last + k) % c->ranks);
		int64_t at;

		if (!r->left)
			continue;
		visits += c->left > 1 || k < c->ranks;
		if (first_item(r) == NIL)
			continue;
		at = timed_cpus_reach(e, c, r, visits);
		if (c->next >= 0 && at >= c->at)
			continue;
		found = true;
		c->next = r->rank;
		c->at = at;
		if (at == c->since + visits * e->m->turn)
			break; /* the others are reached later */
	}
	if (found)
		event_add_visit(e, c->next, c->at);
}

bool cpus_may_work(struct timed *e, const struct rank_state *r)
{
	struct cpu *c = shared_cpu(e, r->rank);

	if (!c || c->owner == r->rank)
		return true;
	if (c->owner < 0 && first_item(r) != NIL)
		find_next(e, c);
	return false;
}

void cpus_visit(struct timed *e, int rank, int64_t time)
{
	struct cpu *c = shared_cpu(e, rank);

	if (c->owner >= 0 || c->next != rank || c->at != time)
		return;
	c->owner = rank;
	c->since = time;
	c->next = -1;
}

void cpus_begin(const struct timed *e, struct rank_state *r)
{
	const struct cpu *c = shared_cpu(e, r->rank);

	if (c)
		moment_queue(&r->cpu, c->since);
}

void cpus_leave(struct timed *e, const struct rank_state *r)
{
	struct cpu *c = shared_cpu(e, r->rank);

	if (!c)
		return;
	c->owner = -1;
	c->left -= !r->left;
	c->last = machine_place(e->m, r->rank) / on_node(e);
	c->since = r->cpu.t;
	find_next(e, c);
}
