/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.c: ranges of ranks as ranges of blocks. */
#include "coll/plan/ranges.h"

/* Nodes up to which each has tags enough for its plan. */
enum { NODES = 128 };

bool ranges_fit(const struct shape *shape)
{
	return shape->topo && topology_is_deep(shape->topo) &&
	       shape->topo->ordered;
}

bool ranges_fit_mesh(const struct shape *shape)
{
	return shape->topo && topology_is_mesh(shape->topo) &&
	       shape->topo->ordered && shape->topo->nodes <= NODES;
}

bool ranges_make(struct ranges *r, struct plan *plan,
		 enum collective collective, const struct shape *shape,
		 int rank)
{
	size_t n = (size_t)shape->size;

	*r =
	    (struct ranges){.whole = *shape,
			    .alike = !shape->recv,
			    .at = plan_scratch(plan, (n + 1) * sizeof(size_t))};
	r->h = hierarchy_make(plan, collective, &r->whole, rank, -1);
	if (!r->at || !r->h.ranks)
		return false;
	r->at[0] = 0;
	for (int i = 0; i < shape->size; i++)
		r->at[i + 1] = r->at[i] + shape_own(shape, i);
	r->whole.count = r->at[n];
	r->whole.recv = NULL;
	return true;
}

struct block ranges_below(const struct ranges *r, enum level level, int rank)
{
	const struct topology *t = r->whole.topo;
	int cache = topology_cache_of(t, rank);
	int node = topology_node_of(t, rank);
	int first = rank, end = rank + 1;

	if (level == LEVEL_NODE) {
		first = t->first[cache];
		end = t->first[cache + 1];
	} else if (level == LEVEL_ALL) {
		first = t->first[t->first_cache[node]];
		end = t->first[t->first_cache[node + 1]];
	}
	return (struct block){r->at[first], r->at[end] - r->at[first]};
}

struct ref ranges_from(const struct ranges *r, struct ref vector,
		       const struct group *g)
{
	return ref(vector.buf, vector.at + r->at[group_rank(g, 0)]);
}

struct block *ranges_list(const struct ranges *r, const struct group *g,
			  enum level level)
{
	struct block *blocks =
	    plan_scratch(r->h.plan, (size_t)g->size * sizeof(*blocks));

	for (int i = 0; i < g->size && blocks; i++) {
		blocks[i] = ranges_below(r, level, group_rank(g, i));
		blocks[i].at -= r->at[group_rank(g, 0)];
	}
	return blocks;
}

struct shape ranges_shape(const struct ranges *r, const struct group *g,
			  enum level level)
{
	struct shape s = hierarchy_shape(&r->whole, g->size, g->root);

	s.count = ranges_below(r, level, r->h.rank).count;
	if (level != LEVEL_CACHE || !r->alike)
		s.recv = s.send = ranges_list(r, g, level);
	return s;
}

void ranges_cost(const struct shape *shape, enum collective whole,
		 enum collective each, enum collective each_v,
		 enum collective top, struct cost *cost)
{
	const struct topology *t = shape->topo;
	enum level highest =
	    topology_has(t, LEVEL_ALL) ? LEVEL_ALL : LEVEL_NODE;
	const int members[LEVELS] = {t->size, t->caches, t->nodes};
	struct shape s = *shape;
	size_t all = shape->count * (size_t)shape->size;

	for (enum level level = 0; level < highest; level++) {
		s.count = all / (size_t)members[level];
		hierarchy_cost_level(
		    &s, level, level == LEVEL_CACHE ? each : each_v, cost);
		s.count = all;
		hierarchy_cost_level(&s, level, whole, cost);
	}
	s.count = all / (size_t)members[highest];
	hierarchy_cost_level(&s, highest, top, cost);
}
