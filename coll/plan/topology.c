/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c: sorts the ranks into groups. */
#include "coll/plan/topology.h"

#include <stdlib.h>

/* ---- Making one --------------------------------------------------------- */

struct named {
	int node, cache, rank;
};

static int three_way(int a, int b)
{
	return (a > b) - (a < b);
}

static int by_node(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int d = three_way(x->node, y->node);

	return d ? d : three_way(x->rank, y->rank);
}

static int by_cache(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int d = three_way(x->node, y->node);

	if (!d)
		d = three_way(x->cache, y->cache);
	return d ? d : three_way(x->rank, y->rank);
}

/* Renames each run of ranks with one node or, if `cache`, with one node and
 * cache after its lowest rank. */
static void rename_runs(struct named *places, int size, bool cache)
{
	for (int i = 0, k; i < size; i = k) {
		struct named old = places[i];

		for (k = i; k < size && places[k].node == old.node &&
			    (!cache || places[k].cache == old.cache);
		     k++)
			*(cache ? &places[k].cache : &places[k].node) =
			    old.rank;
	}
}

/* Names groups after their lowest ranks, so that they sort like ranks. The
 * result is sorted by node, cache and rank. */
static void sort_places(struct named *places, int size)
{
	qsort(places, (size_t)size, sizeof(*places), by_node);
	rename_runs(places, size, false);
	qsort(places, (size_t)size, sizeof(*places), by_cache);
	rename_runs(places, size, true);
	qsort(places, (size_t)size, sizeof(*places), by_cache);
}

static void topology_fill(struct topology *t, const struct named *places)
{
	t->ordered = true;
	for (int i = 0; i < t->size; i++) {
		const struct named *p = &places[i], *q = p - 1;
		bool new_node = i == 0 || p->node != q->node;

		if (new_node || p->cache != q->cache) {
			if (new_node)
				t->first_cache[t->nodes++] = t->caches;
			t->first[t->caches++] = i;
		}
		t->node[p->rank] = t->nodes - 1;
		t->cache[p->rank] = t->caches - 1;
		t->members[i] = p->rank;
		t->ordered &= p->rank == i;
	}
	t->first[t->caches] = t->size;
	t->first_cache[t->nodes] = t->caches;
}

struct topology *topology_create(int size, const int *node, const int *cache)
{
	size_t n = (size_t)size;
	struct named *places = malloc(n * sizeof(*places));
	struct topology *t = calloc(1, sizeof(*t));
	int *ints = calloc(5 * n + 2, sizeof(*ints));

	if (!places || !t || !ints) {
		free(places);
		free(ints);
		free(t);
		return NULL;
	}
	for (int r = 0; r < size; r++)
		places[r] = (struct named){node[r], cache[r], r};
	sort_places(places, size);
	t->size = size;
	t->node = ints;
	t->cache = ints + n;
	t->members = ints + 2 * n;
	t->first = ints + 3 * n;
	t->first_cache = ints + 4 * n + 1;
	topology_fill(t, places);
	free(places);
	return t;
}

void topology_destroy(struct topology *topo)
{
	if (topo)
		free(topo->node);
	free(topo);
}

/* ---- Groups ------------------------------------------------------------- */

bool topology_has(const struct topology *topo, enum level level)
{
	switch (level) {
	case LEVEL_CACHE:
		return topo->caches < topo->size;
	case LEVEL_NODE:
		return topo->nodes < topo->caches;
	default:
		return topo->nodes > 1;
	}
}

bool topology_is_deep(const struct topology *topo)
{
	return topology_has(topo, LEVEL_CACHE) +
		   topology_has(topo, LEVEL_NODE) +
		   topology_has(topo, LEVEL_ALL) >
	       1;
}

static int cache_leader(const struct topology *t, int cache, int root)
{
	if (root >= 0 && t->cache[root] == cache)
		return root;
	return t->members[t->first[cache]];
}

static int node_leader(const struct topology *t, int node, int root)
{
	if (root >= 0 && t->node[root] == node)
		return root;
	return cache_leader(t, t->first_cache[node], -1);
}

struct group topology_group(const struct topology *topo, enum level level,
			    int rank, int root, int *ranks)
{
	struct group g = {.ranks = ranks};
	int node = topo->node[rank], cache = topo->cache[rank], lead = -1;

	switch (level) {
	case LEVEL_CACHE:
		for (int i = topo->first[cache]; i < topo->first[cache + 1];
		     i++)
			ranks[g.size++] = topo->members[i];
		lead = cache_leader(topo, cache, root);
		break;
	case LEVEL_NODE:
		for (int c = topo->first_cache[node];
		     c < topo->first_cache[node + 1]; c++)
			ranks[g.size++] = cache_leader(topo, c, root);
		lead = node_leader(topo, node, root);
		break;
	default:
		for (int k = 0; k < topo->nodes; k++)
			ranks[g.size++] = node_leader(topo, k, root);
		lead = root >= 0 ? root : ranks[0];
		break;
	}
	g.me = -1;
	for (int i = 0; i < g.size; i++) {
		if (ranks[i] == rank)
			g.me = i;
		if (ranks[i] == lead)
			g.root = i;
	}
	if (g.me < 0)
		g.size = 0;
	return g;
}

struct group topology_node(const struct topology *topo, int rank)
{
	int node = topo->node[rank];
	struct group g = {.size = topology_node_size(topo, node),
			  .ranks = topo->members +
				   topo->first[topo->first_cache[node]]};

	while (g.ranks[g.me] != rank)
		g.me++;
	return g;
}

int topology_branches(const struct topology *topo)
{
	return topo->nodes > 1 ? topo->nodes : topo->caches;
}

int topology_branch(const struct topology *topo, int rank)
{
	return topo->nodes > 1 ? topo->node[rank] : topo->cache[rank];
}

int topology_begin(const struct topology *topo, int k)
{
	return topo->first[topo->nodes > 1 ? topo->first_cache[k] : k];
}

int topology_node_size(const struct topology *topo, int k)
{
	return topo->first[topo->first_cache[k + 1]] -
	       topo->first[topo->first_cache[k]];
}

int topology_smallest(const struct topology *topo)
{
	int least = topo->size;

	for (int k = 0; k < topo->nodes; k++)
		if (topology_node_size(topo, k) < least)
			least = topology_node_size(topo, k);
	return least;
}

struct group topology_column(const struct topology *topo, int rank, int *ranks)
{
	int place = topology_node(topo, rank).me;

	for (int k = 0; k < topo->nodes; k++)
		ranks[k] =
		    topo->members[topo->first[topo->first_cache[k]] + place];
	return (struct group){
	    .size = topo->nodes, .me = topo->node[rank], .ranks = ranks};
}

bool topology_is_mesh(const struct topology *topo)
{
	int places;

	if (topo->nodes == 1 || !topology_is_deep(topo))
		return false;
	places = topology_smallest(topo);
	return places > 1 && places * topo->nodes == topo->size;
}
