/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.c: compares groups of random places with a plain search: each rank
 * is in one group of the first level, leaders are in one of each level above; a
 * root leads its groups; the order goes from switch to switch.
 */
#include "coll/plan/topology.h"

#include <stdlib.h>

#include "tests/tap.h"

enum { MOST = 24 };

static unsigned seed = 7;

static int draw(int below)
{
	seed = seed * 1664525u + 1013904223u;
	return (int)((seed >> 8) % (unsigned)below);
}

struct world {
	int size, root, node[MOST], cache[MOST];
	int switches[MOST]; /* of each node */
	struct topology *topo;
};

static bool same(const struct world *w, enum level level, int a, int b)
{
	return level == LEVEL_ALL ||
	       (w->node[a] == w->node[b] &&
		(level == LEVEL_NODE || w->cache[a] == w->cache[b]));
}

/* Tells whether the rank leads its group on all levels below this one. */
static bool takes_part(const struct world *w, enum level level, int rank)
{
	if (level == LEVEL_CACHE || rank == w->root)
		return true;
	for (int r = 0; r < w->size; r++)
		if (same(w, level - 1, rank, r) && (r < rank || r == w->root))
			return false;
	return true;
}

static bool right_group(const struct world *w, enum level level, int rank)
{
	int ranks[MOST + 1], members = 0, room = w->topo->caches;
	struct group g;

	ranks[room] = -7;
	g = topology_group(w->topo, level, rank, w->root, ranks);
	if (ranks[room] != -7)
		return false;

	if (!takes_part(w, level, rank))
		return g.size == 0;
	for (int r = 0; r < w->size; r++) {
		bool in = false, should = same(w, level, rank, r) &&
					  takes_part(w, level, r);

		for (int i = 0; i < g.size; i++)
			in |= group_rank(&g, i) == r;
		if (in != should)
			return false;
		members += in;
	}
	return members == g.size && group_rank(&g, g.me) == rank &&
	       takes_part(w, level + 1, group_rank(&g, g.root));
}

/* Tells whether the numbers of nodes and caches tell the places of two ranks
 * apart, and ascend with the lowest ranks. */
static bool right_numbers(const struct world *w, int a, int b)
{
	int node_a = topology_node_of(w->topo, a);
	int node_b = topology_node_of(w->topo, b);
	int cache_a = topology_cache_of(w->topo, a);
	int cache_b = topology_cache_of(w->topo, b);

	if (node_a < 0 || node_a >= w->topo->nodes || cache_a < 0 ||
	    cache_a >= w->topo->caches)
		return false;
	if (takes_part(w, LEVEL_ALL, a) && takes_part(w, LEVEL_ALL, b) &&
	    w->root < 0 && (a < b) != (node_a < node_b) && a != b)
		return false;
	return (node_a == node_b) == same(w, LEVEL_NODE, a, b) &&
	       (cache_a == cache_b) == same(w, LEVEL_CACHE, a, b);
}

static bool right_node(const struct world *w, int rank)
{
	struct group g = topology_node(w->topo, rank);
	int node = topology_node_of(w->topo, rank);

	for (int i = 0; i < g.size; i++)
		if (topology_node_of(w->topo, group_rank(&g, i)) != node)
			return false;
	return g.size == topology_node_size(w->topo, node) &&
	       group_rank(&g, g.me) == rank;
}

static bool ordered(const struct world *w)
{
	int runs = 0, groups = 0;

	for (int r = 0; r < w->size; r++) {
		bool new = true, new_node = true, node_goes_on;

		for (int q = 0; q < r; q++) {
			new &= !same(w, LEVEL_CACHE, q, r);
			new_node &= w->node[q] != w->node[r];
		}
		node_goes_on = r && w->node[r - 1] == w->node[r];
		groups += new + new_node;
		runs += !r || !same(w, LEVEL_CACHE, r - 1, r);
		runs += !node_goes_on;
	}
	return runs == groups;
}

/* Tells whether rank a comes before rank b: by switches, else by the numbers of
 * their nodes and caches, else by their own. */
static bool comes_before(const struct world *w, int a, int b)
{
	int d = w->switches[w->node[a]] - w->switches[w->node[b]];

	if (!d)
		d = topology_node_of(w->topo, a) - topology_node_of(w->topo, b);
	if (!d)
		d = topology_cache_of(w->topo, a) -
		    topology_cache_of(w->topo, b);
	return d ? d < 0 : a < b;
}

static bool right_order(const struct world *w)
{
	const int *order = w->topo->order, *nodes = w->topo->node_order;
	bool good = true, same = true;

	for (int k = 1; k < w->size; k++)
		good &= order ? comes_before(w, order[k - 1], order[k])
			      : comes_before(w, k - 1, k);
	for (int k = 0; k < w->size && order; k++)
		same &= order[k] == k;
	for (int k = 0, n = -1; k < w->size && nodes; k++) {
		int node = topology_node_of(w->topo, order[k]);

		n += n < 0 || nodes[n] != node;
		good &= nodes[n] == node;
	}
	return good && (!order || !same);
}

static bool right_ring(const struct world *w, int rank)
{
	struct ring ring = topology_ring(w->topo, w->size, rank);
	int next = rank;

	for (int k = 0; k < w->size; k++) {
		ring = topology_ring(w->topo, w->size, next);
		next = ring_rank(&ring, 1);
		ring = topology_ring(w->topo, w->size, next);
		if (ring_rank(&ring, -k - 1) != rank)
			return false;
	}
	return next == rank;
}

static struct topology_place place_of(int rank, const void *arg)
{
	const struct world *w = arg;

	return (struct topology_place){w->node[rank], w->cache[rank],
				       (uint64_t)w->switches[w->node[rank]]};
}

static bool try_world(struct world *w)
{
	bool good = w->topo && w->topo->ordered == ordered(w) && right_order(w);

	for (int r = 0; r < w->size && good; r++) {
		for (enum level level = 0; level < LEVELS; level++)
			good &= right_group(w, level, r);
		for (int q = 0; q < w->size; q++)
			good &= right_numbers(w, r, q);
		good &= right_node(w, r) && right_ring(w, r);
	}
	return good;
}

int main(void)
{
	struct topology *flat;
	bool good = true;
	int zero[4] = {0}, own[4] = {3, 2, 1, 0};

	for (int k = 0; k < 20000 && good; k++) {
		struct world w = {.size = 1 + draw(MOST)};
		int nodes = 1 + draw(5), caches = 1 + draw(4);
		bool sorted = draw(2);

		w.root = draw(w.size + 1) - 1;
		for (int r = 0; r < w.size; r++) {
			w.node[r] = sorted ? r * nodes / w.size : draw(nodes);
			w.cache[r] =
			    sorted ? r * caches * nodes / w.size : draw(caches);
		}
		for (int i = 0; i < nodes; i++)
			w.switches[i] = draw(3);
		w.topo = topology_create(w.size, place_of, &w);
		good = try_world(&w);
		topology_destroy(w.topo);
	}
	ok(good, "groups of random places");
	flat = topology_of_lists(4, zero, zero);
	ok(!topology_is_deep(flat), "one cache has no levels");
	topology_destroy(flat);
	flat = topology_of_lists(4, own, zero);
	ok(!topology_is_deep(flat) && topology_has(flat, LEVEL_ALL),
	   "nor has a rank per node");
	topology_destroy(flat);
	flat = topology_of_lists(4, zero, own);
	ok(!topology_is_deep(flat) && topology_has(flat, LEVEL_NODE),
	   "nor a rank per cache");
	topology_destroy(flat);
	topology_destroy(NULL);
	return tap_done();
}
