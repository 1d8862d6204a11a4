/* SPDX-License-Identifier: Apache-2.0 */
/* leaders.c: embeds the plans inside nodes and between the leaders. */
#include "coll/plan/leaders.h"

#include <string.h>

#include "coll/plan/algorithms.h"
#include "coll/plan/model.h"
#include "coll/plan/select.h"

const size_t leaders_tries[] = {4, 16, 0};
const size_t leaders_segment_tries[] = {512 << 10, 8 << 20, 0};

int leaders_count(const struct shape *shape)
{
	int least = topology_smallest(shape->topo);

	return shape->arg && shape->arg < (size_t)least ? (int)shape->arg
							: least;
}

bool leaders_fit(const struct shape *shape)
{
	return shape->topo && shape->topo->nodes > 1 &&
	       topology_is_deep(shape->topo) &&
	       topology_smallest(shape->topo) > 1 &&
	       (shape->commutative || shape->topo->ordered);
}

/* Returns the algorithm of a call inside a node: for a segment, which takes the
 * CPU from the levels of others, boards or else the fewest messages; if not all
 * ranks lead, one by which a rank that leads nothing passes on what it has;
 * NULL: any. */
static const struct algorithm *leaders_within(enum collective collective,
					      const struct shape *s,
					      int leaders, bool segment)
{
	bool reduces = collective == COLL_REDUCE_SCATTER;
	const struct algorithm *board =
	    reduces ? &reduce_scatter_board : &allgather_board;

	if (segment && select_fits(board, s))
		return board;
	if (leaders == s->size && !(segment && (s->size & (s->size - 1)) == 0))
		return NULL;
	return reduces ? &reduce_scatter_recursive_halving
		       : &allgather_recursive_doubling;
}

/* Returns the algorithm between nodes for a share of a segment: none with
 * segments of its own, which take more tags and overlap already; NULL: the
 * default choice. */
static const struct algorithm *leaders_whole(enum collective collective,
					     const struct shape *shape,
					     int leaders)
{
	const struct machine machine = {.medium = MEDIUM_NET,
					.sharing = leaders};
	struct choice c = select_default(collective, shape, &machine);

	if (!c.algorithm->arg || strcmp(c.algorithm->arg, "segment") != 0)
		return NULL;
	return collective == COLL_REDUCE ? &reduce_rabenseifner
					 : &allreduce_ring;
}

/* ---- Plans -------------------------------------------------------------- */

/* Returns the place in a node of `size` ranks of the one that leads a share. */
static int place_of(const struct leaders *l, int share, int size)
{
	return (int)((long)share * size / l->n);
}

/* Cuts a vector into the shares. */
static void leaders_cut(struct leaders *l, size_t count)
{
	size_t at = 0;

	for (int i = 0, k = 0; i < l->node.size; i++) {
		bool leads = k < l->n && place_of(l, k, l->node.size) == i;

		l->shares[i] = (struct block){at, 0};
		if (leads)
			l->shares[i] = plan_block(count, l->n, k);
		if (leads && i == l->node.me)
			l->mine = k;
		k += leads;
		at = l->shares[i].at + l->shares[i].count;
	}
	l->share = l->shares[l->node.me];
}

bool leaders_make(struct leaders *l, struct plan *plan,
		  enum collective collective, const struct shape *shape,
		  int rank)
{

	*l = (struct leaders){.n = leaders_count(shape), .mine = -1};
	l->shape = *shape;
	l->shape.arg = 0; /* not an algorithm */
	l->h = hierarchy_make(plan, collective, &l->shape, rank, -1);
	l->h.leaders = l->n;
	l->node = topology_node(shape->topo, rank);
	l->shares =
	    plan_scratch(plan, (size_t)l->node.size * sizeof(*l->shares));
	if (!l->shares || !l->h.ranks)
		return false;
	leaders_cut(l, shape->count);
	return true;
}

int leaders_segments(const struct shape *shape)
{
	const struct topology *t = shape->topo;
	int n = plan_segments(shape, shape->count, shape->arg), most = t->nodes;

	for (int k = 0; k < t->nodes; k++)
		if (topology_node_size(t, k) > most)
			most = topology_node_size(t, k);
	/* a plan of `most` ranks takes up to 2 (most - 1) tags: a ring */
	most = EMBED_TAGS / 2 / most;
	most = most < 1 ? 1 : most > LEADERS_SEGMENTS ? LEADERS_SEGMENTS : most;
	return n < most ? n : most;
}

struct shape leaders_all(const struct shape *shape)
{
	struct shape s = *shape;

	s.arg = LEADERS_ALL;
	return s;
}

struct block leaders_segment(struct leaders *l, int i, int n)
{
	struct block b = plan_block(l->shape.count, n, i);

	l->h.segment = (struct embed_segment){i, n};
	l->h.turns = true;
	l->at = b.at;
	leaders_cut(l, b.count);
	return b;
}

static struct shape leaders_inside(const struct leaders *l)
{
	struct shape s = hierarchy_shape(l->h.shape, l->node.size, 0);

	s.count = 0;
	s.recv = l->shares;
	return s;
}

static void embed_within(struct leaders *l, enum collective collective,
			 struct shape s, unsigned number)
{
	struct shape part = s;

	part.board = hierarchy_board(&l->h, s.board);
	l->h.inside = leaders_within(collective, &part, l->n, l->h.segment.n);
	hierarchy_embed(&l->h, &l->node, collective, s, number);
}

void leaders_reduce_scatter(struct leaders *l)
{
	embed_within(l, COLL_REDUCE_SCATTER, leaders_inside(l), UP);
}

void leaders_allgather(struct leaders *l)
{
	struct shape s = leaders_inside(l);

	s.in_place = true;
	l->h.own = ref(l->h.acc.buf, l->h.acc.at + l->share.at);
	embed_within(l, COLL_ALLGATHERV, s, DOWN);
}

/* Returns the shape of a gather or scatter of the shares, whose root is the
 * call's. Only it knows the shares of others. */
static struct shape at_root(const struct leaders *l)
{
	struct shape s = leaders_inside(l);

	while (group_rank(&l->node, s.root) != l->h.shape->root)
		s.root++;
	s.recv = NULL;
	s.count = l->share.count;
	s.in_place = s.root == l->node.me;
	return s;
}

void leaders_gather(struct leaders *l)
{
	struct shape s = at_root(l);

	if (s.in_place)
		s.recv = l->shares;
	l->h.own = l->h.acc;
	l->h.acc = ref(BUF_RECV, l->at);
	hierarchy_embed(&l->h, &l->node, COLL_GATHERV, s, DOWN);
}

void leaders_scatter(struct leaders *l)
{
	struct shape s = at_root(l);

	if (s.in_place)
		s.send = l->shares;
	l->h.acc = ref(BUF_RECV, l->share.at);
	hierarchy_embed(&l->h, &l->node, COLL_SCATTERV, s, UP);
}

void leaders_over(struct leaders *l, enum collective collective)
{
	const struct topology *t = l->h.shape->topo;
	struct group g = {.size = t->nodes,
			  .me = topology_node_of(t, l->h.rank),
			  .ranks = l->h.ranks};
	struct shape s = hierarchy_shape(l->h.shape, t->nodes,
					 topology_node_of(t, l->h.shape->root));

	if (l->mine < 0)
		return;
	for (int k = 0; k < t->nodes; k++)
		l->h.ranks[k] = topology_member(
		    t, t->first[t->first_cache[k]] +
			   place_of(l, l->mine, topology_node_size(t, k)));
	s.count = l->share.count;
	if (l->h.segment.n)
		l->h.inner = leaders_whole(collective, &s, l->n);
	hierarchy_embed(&l->h, &g, collective, s, OVER);
}

/* ---- Cost --------------------------------------------------------------- */

/* Returns the cost inside a node of n ranks. */
static struct cost cost_in_node(const struct shape *shape,
				enum collective collective, bool segment, int n)
{
	int lead = leaders_count(shape);
	struct shape s = hierarchy_shape(shape, n, 0);
	double m = shape_bytes(shape), more;
	struct cost c;

	s.count = shape->count / (size_t)n;
	c = hierarchy_cost_of(collective, &s, 0,
			      leaders_within(collective, &s, lead, segment));
	/* a share is not halved any more, where blocks of all ranks are */
	more = (log2_ceil(n) - log2_ceil(lead)) * m / lead - m / lead + m / n;
	c.bytes += more;
	c.intra_bytes += more;
	c.reduced += collective == COLL_REDUCE_SCATTER ? more : 0;
	return c;
}

void leaders_cost_inside(const struct shape *shape, enum collective collective,
			 bool segment, struct cost *cost)
{
	const struct topology *t = shape->topo;
	int size = 0, largest = 0;
	struct cost c = {0}, longest = {0};

	for (int k = 0; k < t->nodes; k++) {
		int n = topology_node_size(t, k);

		if (n != size)
			c = cost_in_node(shape, collective, segment, n);
		if (n > largest)
			longest = c;
		largest = n > largest ? n : largest;
		size = n;
		cost_add_sums(&c, 1, cost);
	}
	cost_add_chain(&longest, 1, cost);
}

void leaders_cost_root(const struct shape *shape, enum collective collective,
		       struct cost *cost)
{
	const struct topology *t = shape->topo;
	int n = topology_node_size(t, topology_node_of(t, shape->root));
	struct shape s = hierarchy_shape(shape, n, 0);

	s.count = shape->count / (size_t)n;
	hierarchy_cost_inside(collective, &s, 1, cost);
}

/* Returns the cost for one share. */
static struct cost cost_of_share(const struct shape *s,
				 enum collective collective, int n,
				 bool segment)
{
	return hierarchy_cost_of(
	    collective, s, n, segment ? leaders_whole(collective, s, n) : NULL);
}

void leaders_cost_over(const struct shape *shape, enum collective collective,
		       bool segment, struct cost *cost)
{
	int n = leaders_count(shape), longer = (int)(shape->count % (size_t)n);
	struct shape s = hierarchy_shape(shape, shape->topo->nodes, 0);
	struct cost c, shorter;

	s.count = shape->count / (size_t)n;
	c = shorter = cost_of_share(&s, collective, n, segment);
	s.count++;
	if (longer)
		c = cost_of_share(&s, collective, n, segment);
	cost_add_chain(&c, 1, cost);
	cost_add_sums(&c, longer, cost);
	cost_add_sums(&shorter, n - longer, cost);
	cost->leaders = n;
	cost->reach = c.reach;
}

double leaders_overlap(int n, bool longest)
{
	return longest ? n : 1 + (n - 1) / 8.0;
}

void leaders_cost_segments(const struct shape *shape, leaders_levels *levels,
			   struct cost *cost)
{
	int n = leaders_segments(shape);
	size_t longer = shape->count % (size_t)n;
	struct shape s = leaders_all(shape);
	struct cost shorter[LEADERS_LEVELS] = {{0}}, c[LEADERS_LEVELS] = {{0}};
	bool between;

	s.count = shape->count / (size_t)n;
	levels(&s, shorter);
	s.count += longer > 0;
	levels(&s, c);
	between = model_chain(&c[1]) > model_chain(&c[0]) + model_chain(&c[2]);
	for (int k = 0; k < LEADERS_LEVELS; k++) {
		cost_add_chain(&c[k], leaders_overlap(n, (k == 1) == between),
			       cost);
		cost_add_sums(&c[k], (double)longer, cost);
		cost_add_sums(&shorter[k], n - (double)longer, cost);
		cost->leaders += c[k].leaders;
	}
}
