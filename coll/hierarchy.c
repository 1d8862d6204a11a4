/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.c: embeds the plans of the levels one after the other. */
#include "coll/hierarchy.h"

#include "coll/select.h"

/* Numbers of the embedded plans: up on each level, over, down on each. */
enum { UP = 0, OVER = LEVELS, DOWN = LEVELS + 1 };

static enum level top_of(const struct topology *topo)
{
	return topology_has(topo, LEVEL_ALL) ? LEVEL_ALL : LEVEL_NODE;
}

struct climb climb_make(struct plan *plan, const struct shape *shape, int rank,
			int root)
{
	return (struct climb){.plan = plan,
			      .shape = shape,
			      .rank = rank,
			      .root = root,
			      .own = ref(BUF_SEND, 0),
			      .acc = ref(BUF_RECV, 0),
			      .ranks = plan_ranks(plan, shape->size)};
}

static bool same_place(const struct climb *c)
{
	if (c->own.buf == BUF_SEND && c->acc.buf == BUF_RECV)
		return c->shape->in_place;
	return c->own.buf == c->acc.buf && c->own.at == c->acc.at;
}

static struct shape shape_of(const struct shape *shape, int size, int root)
{
	return (struct shape){.size = size,
			      .root = root,
			      .count = shape->count,
			      .type_size = shape->type_size,
			      .commutative = shape->commutative};
}

static struct choice choose(enum collective collective,
			    const struct shape *shape, size_t arg)
{
	const struct algorithm *named =
	    arg ? coll_tables[collective].rows[arg - 1] : NULL;

	if (named && select_fits(named, shape))
		return (struct choice){named, 0};
	return select_default(collective, shape);
}

/* Returns the group, of size 0 if the rank had no part in it. */
static struct group embed(struct climb *c, enum level level,
			  enum collective collective, unsigned number)
{
	struct group g = {0};
	struct embed e = {.send = c->own, .recv = c->acc, .number = number};
	struct choice choice;

	if (!c->ranks)
		return g;
	g = topology_group(c->shape->topo, level, c->rank, c->root, c->ranks);
	if (g.size < 2)
		return (struct group){0};
	e.shape = shape_of(c->shape, g.size, g.root);
	choice = choose(collective, &e.shape,
			number == OVER ? c->shape->arg : 0);
	e.algorithm = choice.algorithm;
	e.shape.arg = choice.arg;
	e.shape.in_place = same_place(c);
	e.rank = g.me;
	e.members = g.ranks;
	e.after = c->after;
	c->after = plan_embed(c->plan, e);
	return g;
}

void climb_up(struct climb *c)
{
	enum level top = top_of(c->shape->topo);

	for (enum level level = 0; level < top && !c->left; level++) {
		struct group g = embed(c, level, COLL_REDUCE, UP + level);

		if (g.size && g.me == g.root)
			c->own = c->acc;
		c->left = g.size && g.me != g.root;
	}
}

void climb_over(struct climb *c, enum collective collective)
{
	if (!c->left)
		embed(c, top_of(c->shape->topo), collective, OVER);
}

void climb_down(struct climb *c)
{
	for (int level = (int)top_of(c->shape->topo) - 1; level >= 0; level--)
		embed(c, (enum level)level, COLL_BCAST, DOWN + (unsigned)level);
}

bool fits_hierarchy(const struct shape *shape)
{
	return shape->topo && topology_is_deep(shape->topo) &&
	       (shape->commutative || shape->topo->ordered);
}

/* ---- Cost --------------------------------------------------------------- */

struct group_cost {
	enum collective collective;
	size_t arg;
	struct cost longest, sum;
};

static double most(double a, double b)
{
	return a > b ? a : b;
}

static void add_group(const struct shape *shape, int size,
		      struct group_cost *g)
{
	struct shape s = shape_of(shape, size, 0);
	struct cost c = {0};
	struct choice choice;

	if (size < 2)
		return;
	choice = choose(g->collective, &s, g->arg);
	s.arg = choice.arg ? choice.arg : choice.algorithm->arg_default;
	choice.algorithm->cost(&s, &c);
	g->longest.rounds = most(g->longest.rounds, c.rounds);
	g->longest.bytes = most(g->longest.bytes, c.bytes);
	g->longest.reduced = most(g->longest.reduced, c.reduced);
	g->sum.sends += c.sends;
	g->sum.moved += c.moved;
}

static void add_level(const struct shape *shape, enum level level,
		      enum collective collective, struct cost *cost)
{
	const struct topology *t = shape->topo;
	bool top = level == top_of(t);
	struct group_cost g = {.collective = collective,
			       .arg = top ? shape->arg : 0};

	if (level == LEVEL_ALL)
		add_group(shape, t->nodes, &g);
	for (int k = 0; level == LEVEL_NODE && k < t->nodes; k++)
		add_group(shape, t->first_cache[k + 1] - t->first_cache[k], &g);
	for (int k = 0; level == LEVEL_CACHE && k < t->caches; k++)
		add_group(shape, t->first[k + 1] - t->first[k], &g);
	cost->rounds += g.longest.rounds;
	cost->bytes += g.longest.bytes;
	cost->reduced += g.longest.reduced;
	cost->sends += g.sum.sends;
	cost->moved += g.sum.moved;
	if (level != LEVEL_ALL) {
		cost->near_rounds += g.longest.rounds;
		cost->near_bytes += g.longest.bytes;
	}
}

void climb_cost(const struct shape *shape, enum collective collective, bool up,
		bool down, struct cost *cost)
{
	enum level top = top_of(shape->topo);

	for (enum level level = 0; level < top; level++) {
		if (up)
			add_level(shape, level, COLL_REDUCE, cost);
		if (down)
			add_level(shape, level, COLL_BCAST, cost);
	}
	add_level(shape, top, collective, cost);
}
