/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy.c: embeds the plans of the levels one after the other. */
#include "coll/plan/hierarchy.h"

#include "coll/plan/model.h"
#include "coll/plan/select.h"

static enum level top_of(const struct topology *topo)
{
	return topology_has(topo, LEVEL_ALL) ? LEVEL_ALL : LEVEL_NODE;
}

/* Returns the algorithm that a hierarchy's argument names, or NULL. */
static const struct algorithm *hierarchy_named(enum collective collective,
					       size_t arg)
{
	return arg ? coll_tables[collective].rows[arg - 1] : NULL;
}

struct hierarchy hierarchy_make(struct plan *plan, enum collective collective,
				const struct shape *shape, int rank, int root)
{
	return (struct hierarchy){
	    .plan = plan,
	    .shape = shape,
	    .rank = rank,
	    .leaders = 1,
	    .root = root,
	    .inner = hierarchy_named(collective, shape->arg),
	    .own = ref(BUF_SEND, 0),
	    .acc = ref(BUF_RECV, 0),
	    .ranks =
		plan_scratch(plan, (size_t)shape->topo->caches * sizeof(int))};
}

static bool same_place(const struct hierarchy *h)
{
	if (h->own.buf == BUF_SEND && h->acc.buf == BUF_RECV)
		return h->shape->in_place;
	return h->own.buf == h->acc.buf && h->own.at == h->acc.at;
}

struct shape hierarchy_shape(const struct shape *shape, int size, int root)
{
	return (struct shape){.size = size,
			      .root = root,
			      .count = shape->count,
			      .type_size = shape->type_size,
			      .commutative = shape->commutative,
			      .no_cells = shape->no_cells,
			      .board = shape->board / BOARD_PARTS,
			      .combine = shape->combine};
}

static bool hierarchy_offers(enum collective collective,
			     const struct algorithm *algorithm)
{
	const struct coll_table *t = &coll_tables[collective];

	for (size_t i = 0; i < t->nrows; i++)
		if (t->rows[i] == algorithm)
			return true;
	return false;
}

/* Returns `wanted`, unless it is NULL or does not serve this collective and
 * shape, else the default choice. leaders: those of each node that do the same
 * between nodes; 0: the call is inside a node. */
static struct choice hierarchy_choose(enum collective collective,
				      const struct shape *shape, int leaders,
				      const struct algorithm *wanted)
{
	const struct machine machine = {
	    .medium = leaders ? MEDIUM_NET : MEDIUM_SM, .sharing = leaders};
	struct shape messages = *shape;

	if (leaders)
		messages.board = 0;
	if (wanted && hierarchy_offers(collective, wanted) &&
	    select_fits(wanted, &messages))
		return select_argument(wanted, collective, &messages, &machine);
	/* ranks outside the group would not know of cells that a tuning file
	 * asks for, and would not take their turn on them */
	messages.no_cells = true;
	return select_default(collective, &messages, &machine);
}

struct group hierarchy_group(const struct hierarchy *h, enum level level)
{
	struct group g = {0};

	if (h->ranks && !h->left)
		g = topology_group(h->shape->topo, level, h->rank, h->root,
				   h->ranks);
	if (g.size < 2)
		g = (struct group){0};
	return g;
}

enum level hierarchy_top(const struct hierarchy *h)
{
	return top_of(h->shape->topo);
}

size_t hierarchy_board(const struct hierarchy *h, size_t bytes)
{
	if (!h->segment.n)
		return bytes;
	if (h->segment.n > EMBED_SEGMENTS)
		return 0;
	return h->turns ? bytes : bytes / (size_t)h->segment.n;
}

/* Begins the board of a segment. The first ones are the longest. */
static void begin_board(struct hierarchy *h, bool down)
{
	int turn = h->segment.me % BOARD_TURNS;

	if (h->segment.me < BOARD_TURNS)
		h->boards[down][turn] = h->plan->board;
	plan_board_from(h->plan, h->boards[down][turn]);
}

void hierarchy_embed(struct hierarchy *h, const struct group *g,
		     enum collective collective, struct shape shape,
		     unsigned number)
{
	struct embed e = {.rank = g->me,
			  .members = g->ranks,
			  .first = g->first,
			  .send = h->own,
			  .recv = h->acc,
			  .number = number,
			  .segment = h->segment,
			  .after = h->after};
	bool over = number == OVER;
	bool between_nodes = over && hierarchy_top(h) == LEVEL_ALL;
	struct choice choice;

	shape.board = hierarchy_board(h, shape.board);
	choice =
	    hierarchy_choose(collective, &shape, between_nodes ? h->leaders : 0,
			     over ? h->inner : h->inside);

	if (h->turns && !over)
		begin_board(h, number >= DOWN);
	/* the segments of a level follow one another */
	if (h->segment.n)
		plan_tmp_from(h->plan, 1 + TMPS_OF_LEVEL * ((number >= OVER) +
							    (number >= DOWN)));
	e.shape = shape;
	if (between_nodes)
		e.shape.order =
		    shape_order(collective, &shape, h->shape->topo->node_order);
	e.shape.in_place |= same_place(h);
	e.shape.arg = choice.arg;
	e.algorithm = choice.algorithm;
	h->after = plan_embed(h->plan, e);
}

void hierarchy_up(struct hierarchy *h)
{
	for (enum level level = 0; level < hierarchy_top(h); level++) {
		struct group g = hierarchy_group(h, level);

		if (!g.size)
			continue;
		hierarchy_embed(h, &g, COLL_REDUCE,
				hierarchy_shape(h->shape, g.size, g.root),
				UP + level);
		if (g.me == g.root)
			h->own = h->acc;
		h->left = g.me != g.root;
	}
}

void hierarchy_over(struct hierarchy *h, enum collective collective)
{
	struct group g = hierarchy_group(h, hierarchy_top(h));

	if (h->inner && h->inner->cells && !h->shape->no_cells)
		plan_cells_of_others(
		    h->plan); /* the leaders take cells if it fits */
	if (g.size)
		hierarchy_embed(h, &g, collective,
				hierarchy_shape(h->shape, g.size, g.root),
				OVER);
}

void hierarchy_down(struct hierarchy *h, size_t count)
{
	h->left = false;
	for (int level = (int)hierarchy_top(h) - 1; level >= 0; level--) {
		struct group g = hierarchy_group(h, (enum level)level);
		struct shape shape = hierarchy_shape(h->shape, g.size, g.root);

		shape.count = count;
		if (g.size)
			hierarchy_embed(h, &g, COLL_BCAST, shape,
					DOWN + (unsigned)level);
	}
}

bool fits_hierarchy(const struct shape *shape)
{
	return shape->topo && topology_is_deep(shape->topo) &&
	       (shape->commutative || shape->topo->ordered);
}

/* ---- Cost --------------------------------------------------------------- */

/* The cost of the groups of a level. Most of them are equally large, and what
 * the last one costs is kept for the next. */
struct group_cost {
	enum collective collective;
	const struct algorithm *inner;
	int leaders; /* see choose */
	int size;    /* of the last group */
	struct cost last, longest, sum;
};

/* Returns the cost of a plan without hierarchy as that of one inside a node. */
static struct cost cost_within(struct cost c)
{
	c.fetched = model_fetched(&c);
	c.intra_rounds = c.rounds;
	c.intra_together = c.together;
	c.intra_sent = c.sent;
	c.intra_bytes = c.bytes;
	c.intra_sends = c.sends;
	c.intra_moved = c.moved;
	c.peers = 0;
	return c;
}

static double hierarchy_most(double a, double b)
{
	return a > b ? a : b;
}

void cost_add_chain(const struct cost *c, double times, struct cost *cost)
{
	cost->rounds += times * c->rounds;
	cost->together += times * c->together;
	cost->sent += times * c->sent;
	cost->bytes += times * c->bytes;
	cost->reduced += times * c->reduced;
	cost->packed += times * c->packed;
	cost->intra_rounds += times * c->intra_rounds;
	cost->intra_together += times * c->intra_together;
	cost->intra_sent += times * c->intra_sent;
	cost->intra_bytes += times * c->intra_bytes;
	cost->fetched += times * c->fetched;
	cost->peers = hierarchy_most(cost->peers, c->peers);
}

void cost_add_sums(const struct cost *c, double times, struct cost *cost)
{
	cost->sends += times * c->sends;
	cost->moved += times * c->moved;
	cost->intra_sends += times * c->intra_sends;
	cost->intra_moved += times * c->intra_moved;
}

struct cost hierarchy_cost_of(enum collective collective,
			      const struct shape *shape, int leaders,
			      const struct algorithm *wanted)
{
	struct choice choice =
	    hierarchy_choose(collective, shape, leaders, wanted);
	struct shape s = *shape;
	struct cost c = {0};

	s.arg = choice.arg ? choice.arg : choice.algorithm->arg_default;
	choice.algorithm->cost(&s, &c);
	return leaders ? c : cost_within(c);
}

static struct cost cost_of(const struct shape *shape, int size,
			   const struct group_cost *g)
{
	struct shape s = hierarchy_shape(shape, size, 0);

	return hierarchy_cost_of(g->collective, &s, g->leaders, g->inner);
}

static void add_group(const struct shape *shape, int size, struct group_cost *g)
{
	const struct cost *c = &g->last;
	struct cost *longest = &g->longest;

	if (size < 2)
		return;
	if (size != g->size)
		g->last = cost_of(shape, size, g);
	g->size = size;
	longest->rounds = hierarchy_most(longest->rounds, c->rounds);
	longest->together = hierarchy_most(longest->together, c->together);
	longest->sent = hierarchy_most(longest->sent, c->sent);
	longest->bytes = hierarchy_most(longest->bytes, c->bytes);
	longest->fetched = hierarchy_most(longest->fetched, c->fetched);
	longest->reduced = hierarchy_most(longest->reduced, c->reduced);
	longest->packed = hierarchy_most(longest->packed, c->packed);
	longest->peers = hierarchy_most(longest->peers, c->peers);
	cost_add_sums(c, 1, &g->sum);
}

static void add_level(struct group_cost *g, struct cost *cost)
{
	double fetched = g->longest.fetched;

	if (g->leaders)
		cost->reach = g->last.reach;
	else
		g->longest = cost_within(g->longest);
	g->longest.fetched = fetched;
	cost_add_chain(&g->longest, 1, cost);
	cost_add_sums(&g->sum, 1, cost);
}

void hierarchy_cost_level(const struct shape *shape, enum level level,
			  enum collective collective, struct cost *cost)
{
	const struct topology *t = shape->topo;
	bool top = level == top_of(t);
	struct group_cost g = {
	    .collective = collective,
	    .leaders = level == LEVEL_ALL,
	    .inner = top ? hierarchy_named(collective, shape->arg) : NULL};

	if (level == LEVEL_ALL)
		add_group(shape, t->nodes, &g);
	for (int k = 0; level == LEVEL_NODE && k < t->nodes; k++)
		add_group(shape, t->first_cache[k + 1] - t->first_cache[k], &g);
	for (int k = 0; level == LEVEL_CACHE && k < t->caches; k++)
		add_group(shape, t->first[k + 1] - t->first[k], &g);
	add_level(&g, cost);
}

void hierarchy_cost_branches(const struct shape *shape, int from,
			     enum collective collective,
			     const struct algorithm *wanted, struct cost *cost)
{
	const struct topology *t = shape->topo;
	struct group_cost g = {.collective = collective, .inner = wanted};

	for (int k = from; k < topology_branches(t); k++)
		add_group(shape,
			  topology_begin(t, k + 1) - topology_begin(t, k), &g);
	add_level(&g, cost);
}

void hierarchy_cost(const struct shape *shape, enum collective collective,
		    bool up, bool down, struct cost *cost)
{
	enum level top = top_of(shape->topo);

	for (enum level level = 0; level < top; level++) {
		if (up)
			hierarchy_cost_level(shape, level, COLL_REDUCE, cost);
		if (down)
			hierarchy_cost_level(shape, level, COLL_BCAST, cost);
	}
	hierarchy_cost_level(shape, top, collective, cost);
}

void hierarchy_cost_inside(enum collective collective,
			   const struct shape *shape, int n, struct cost *cost)
{
	struct cost c = hierarchy_cost_of(collective, shape, 0, NULL);

	cost_add_chain(&c, 1, cost);
	cost_add_sums(&c, n, cost);
}
