/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.c: embeds the plans of the levels one after the other. */
#include "coll/plan/hierarchy.h"

#include "coll/plan/model.h"
#include "coll/plan/select.h"

static enum level top_of(const struct topology *topo)
{
	return topology_has(topo, LEVEL_ALL) ? LEVEL_ALL : LEVEL_NODE;
}

/* The algorithm that a hierarchy's argument names; NULL: none. */
static const struct algorithm *named(enum collective collective, size_t arg)
{
	return arg ? coll_tables[collective].rows[arg - 1] : NULL;
}

struct climb climb_make(struct plan *plan, enum collective collective,
			const struct shape *shape, int rank, int root)
{
	return (struct climb){
	    .plan = plan,
	    .shape = shape,
	    .rank = rank,
	    .root = root,
	    .inner = named(collective, shape->arg),
	    .own = ref(BUF_SEND, 0),
	    .acc = ref(BUF_RECV, 0),
	    .ranks = plan_room(plan, (size_t)shape->size * sizeof(int))};
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
			      .commutative = shape->commutative,
			      .no_cells = shape->no_cells,
			      .combine = shape->combine};
}

static bool offers(enum collective collective,
		   const struct algorithm *algorithm)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++)
		if (t->rows[i] == algorithm)
			return true;
	return false;
}

/* `wanted` (or NULL) if it serves this collective and shape. far: between
 * nodes. */
static struct choice choose(enum collective collective,
			    const struct shape *shape, bool far,
			    const struct algorithm *wanted)
{
	const struct machine machine = {far ? MEDIUM_NET : MEDIUM_SM, 0};
	struct shape messages = *shape;

	if (wanted && offers(collective, wanted) && select_fits(wanted, shape))
		return (struct choice){wanted, 0};
	/* ranks outside the group would not know of cells that a file wants,
	 * and take no turn on them */
	messages.no_cells = true;
	return select_default(collective, &messages, &machine);
}

struct group climb_group(const struct climb *c, enum level level)
{
	struct group g = {0};

	if (c->ranks && !c->left)
		g = topology_group(c->shape->topo, level, c->rank, c->root,
				   c->ranks);
	if (g.size < 2)
		g = (struct group){0};
	return g;
}

enum level climb_top(const struct climb *c)
{
	return top_of(c->shape->topo);
}

void climb_embed(struct climb *c, const struct group *g,
		 enum collective collective, struct shape shape,
		 unsigned number)
{
	struct embed e = {.rank = g->me,
			  .members = g->ranks,
			  .send = c->own,
			  .recv = c->acc,
			  .number = number,
			  .after = c->after};
	bool over = number == OVER;
	struct choice choice =
	    choose(collective, &shape, over && climb_top(c) == LEVEL_ALL,
		   over ? c->inner : NULL);

	e.shape = shape;
	e.shape.in_place |= same_place(c);
	e.shape.arg = choice.arg;
	e.algorithm = choice.algorithm;
	c->after = plan_embed(c->plan, e);
}

void climb_up(struct climb *c)
{
	for (enum level level = 0; level < climb_top(c); level++) {
		struct group g = climb_group(c, level);

		if (!g.size)
			continue;
		climb_embed(c, &g, COLL_REDUCE,
			    shape_of(c->shape, g.size, g.root), UP + level);
		if (g.me == g.root)
			c->own = c->acc;
		c->left = g.me != g.root;
	}
}

void climb_over(struct climb *c, enum collective collective)
{
	struct group g = climb_group(c, climb_top(c));

	if (c->inner && c->inner->cells && !c->shape->no_cells)
		plan_cells_of_others(c->plan); /* the leaders, if it fits */
	if (g.size)
		climb_embed(c, &g, collective,
			    shape_of(c->shape, g.size, g.root), OVER);
}

void climb_down(struct climb *c, size_t count)
{
	c->left = false;
	for (int level = (int)climb_top(c) - 1; level >= 0; level--) {
		struct group g = climb_group(c, (enum level)level);
		struct shape shape = shape_of(c->shape, g.size, g.root);

		shape.count = count;
		if (g.size)
			climb_embed(c, &g, COLL_BCAST, shape,
				    DOWN + (unsigned)level);
	}
}

bool fits_hierarchy(const struct shape *shape)
{
	return shape->topo && topology_is_deep(shape->topo) &&
	       (shape->commutative || shape->topo->ordered);
}

/* ---- Cost --------------------------------------------------------------- */

struct group_cost {
	enum collective collective;
	const struct algorithm *inner;
	bool far;
	struct cost longest, sum;
};

static double most(double a, double b)
{
	return a > b ? a : b;
}

static void add_group(const struct shape *shape, int size, struct group_cost *g)
{
	struct shape s = shape_of(shape, size, 0);
	struct cost c = {0};
	struct choice choice;

	if (size < 2)
		return;
	choice = choose(g->collective, &s, g->far, g->inner);
	s.arg = choice.arg ? choice.arg : choice.algorithm->arg_default;
	choice.algorithm->cost(&s, &c);
	g->longest.rounds = most(g->longest.rounds, c.rounds);
	g->longest.together = most(g->longest.together, c.together);
	g->longest.bytes = most(g->longest.bytes, c.bytes);
	g->longest.reduced = most(g->longest.reduced, c.reduced);
	g->sum.sends += c.sends;
	g->sum.moved += c.moved;
}

void climb_cost_level(const struct shape *shape, enum level level,
		      enum collective collective, struct cost *cost)
{
	const struct topology *t = shape->topo;
	bool top = level == top_of(t);
	struct group_cost g = {.collective = collective,
			       .far = level == LEVEL_ALL,
			       .inner =
				   top ? named(collective, shape->arg) : NULL};

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
	} else {
		cost->together += g.longest.together;
	}
}

void climb_cost(const struct shape *shape, enum collective collective, bool up,
		bool down, struct cost *cost)
{
	enum level top = top_of(shape->topo);

	for (enum level level = 0; level < top; level++) {
		if (up)
			climb_cost_level(shape, level, COLL_REDUCE, cost);
		if (down)
			climb_cost_level(shape, level, COLL_BCAST, cost);
	}
	climb_cost_level(shape, top, collective, cost);
}
