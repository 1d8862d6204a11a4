/* SPDX-License-Identifier: Apache-2.0 */
/*
 * allgather_hierarchical.c: the leaders of caches and nodes gather the blocks,
 * the nodes' leaders exchange them, and all blocks are broadcast down. The
 * ranks of each node must be a range, so that a leader's blocks are one range.
 *
 * Source: see hierarchy.h.
 * Cost: the sum over the levels. Between nodes each block is sent once to every
 * other node, not to every other rank.
 */
#include "coll/plan/hierarchy.h"
#include "coll/plan/select.h"

static bool fits(const struct shape *shape)
{
	return shape->topo && topology_is_deep(shape->topo) &&
	       shape->topo->ordered;
}

/* Returns what the leader of the rank's group below `level` has collected. */
static struct block range(const struct shape *shape, enum level level, int rank)
{
	const struct topology *t = shape->topo;
	int cache = t->cache[rank], node = t->node[rank];
	int first = rank, end = rank + 1;

	if (level == LEVEL_NODE) {
		first = t->first[cache];
		end = t->first[cache + 1];
	} else if (level == LEVEL_ALL) {
		first = t->first[t->first_cache[node]];
		end = t->first[t->first_cache[node + 1]];
	}
	return (struct block){(size_t)first * shape->count,
			      (size_t)(end - first) * shape->count};
}

static void collect(struct hierarchy *h, enum level level,
		    enum collective collective, unsigned number)
{
	struct group g = hierarchy_group(h, level);
	struct block own = range(h->shape, level, h->rank);
	struct shape shape = {.size = g.size,
			      .root = g.root,
			      .count = own.count,
			      .type_size = h->shape->type_size,
			      .commutative = true,
			      .in_place = true};
	struct block *blocks = NULL;

	if (g.size)
		blocks =
		    plan_scratch(h->plan, (size_t)g.size * sizeof(*blocks));
	if (!blocks)
		return;
	for (int i = 0; i < g.size; i++)
		blocks[i] = range(h->shape, level, g.ranks[i]);
	shape.recv = blocks;
	h->own = ref(BUF_RECV, own.at);
	hierarchy_embed(h, &g, collective, shape, number);
	h->left = collective == COLL_GATHERV && g.me != g.root;
}

static void build(struct plan *plan, const struct shape *shape, int rank)
{
	struct hierarchy h =
	    hierarchy_make(plan, COLL_ALLGATHER, shape, rank, -1);
	struct block own = range(shape, LEVEL_CACHE, rank);

	h.after = plan_copy(plan, h.own, ref(BUF_RECV, own.at), own.count, 0);
	for (enum level level = 0; level < hierarchy_top(&h); level++)
		collect(&h, level, COLL_GATHERV, UP + level);
	collect(&h, hierarchy_top(&h), COLL_ALLGATHERV, OVER);
	h.own = h.acc;
	hierarchy_down(&h, (size_t)shape->size * shape->count);
}

/* Assumes groups of equal size; used for the choice. */
static void cost(const struct shape *shape, struct cost *c)
{
	const struct topology *t = shape->topo;
	enum level top = topology_has(t, LEVEL_ALL) ? LEVEL_ALL : LEVEL_NODE;
	const int groups[LEVELS] = {t->size, t->caches, t->nodes};

	for (enum level level = 0; level <= top; level++) {
		struct shape s = *shape;
		size_t all = shape->count * (size_t)shape->size;

		s.count = all / (size_t)groups[level];
		hierarchy_cost_level(
		    &s, level, level == top ? COLL_ALLGATHER : COLL_GATHER, c);
		s.count = all;
		if (level < top)
			hierarchy_cost_level(&s, level, COLL_BCAST, c);
	}
}

const struct algorithm allgather_hierarchical = {
    .name = "hierarchical",
    .arg = "algorithm",
    .arg_is_algorithm = true,
    .by_node = true,
    .formula = "the sum of its levels",
    .fits = fits,
    .build = build,
    .cost = cost,
};
