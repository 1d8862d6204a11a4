/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c: sorts the ranks into groups. */
#include "coll/plan/topology.h"

#include <stdlib.h>

/* ---- Making one --------------------------------------------------------- */

/* `struct run` describes a range of ranks with one place. */
struct run {
	struct topology_place at;
	int rank, n; /* the lowest, and how many */
};

struct runs {
	struct run *of; /* [n] in an array with room for `room` */
	int n, room;
};

static int three_way(int a, int b)
{
	return (a > b) - (a < b);
}

static int by_node(const void *a, const void *b)
{
	const struct run *x = a, *y = b;
	int d = three_way(x->at.node, y->at.node);

	return d ? d : three_way(x->rank, y->rank);
}

static int by_cache(const void *a, const void *b)
{
	const struct run *x = a, *y = b;
	int d = three_way(x->at.node, y->at.node);

	if (!d)
		d = three_way(x->at.cache, y->at.cache);
	return d ? d : three_way(x->rank, y->rank);
}

/* runs_add adds the next rank. It returns false if there is no memory. */
static bool runs_add(struct runs *r, struct topology_place at, int rank)
{
	struct run *last = r->n ? r->of + r->n - 1 : NULL, *more;

	if (last && last->at.node == at.node && last->at.cache == at.cache) {
		last->n++;
		return true;
	}
	if (r->n == r->room) {
		r->room += r->room / 2 + 64;
		more = realloc(r->of, (size_t)r->room * sizeof(*r->of));
		if (!more)
			return false;
		r->of = more;
	}
	r->of[r->n++] = (struct run){at, rank, 1};
	return true;
}

/* runs_rename names those that have one node or, if `cache`, one node and cache
 * after the lowest rank there. They follow each other. */
static void runs_rename(struct runs *r, bool cache)
{
	for (int i = 0, k; i < r->n; i = k) {
		struct run old = r->of[i];

		for (k = i; k < r->n && r->of[k].at.node == old.at.node &&
			    (!cache || r->of[k].at.cache == old.at.cache);
		     k++)
			*(cache ? &r->of[k].at.cache : &r->of[k].at.node) =
			    old.rank;
	}
}

/* Names groups after their lowest ranks, so that they sort like ranks. The
 * result is sorted by node, cache and rank. */
static void runs_sort(struct runs *r)
{
	size_t n = (size_t)r->n;

	qsort(r->of, n, sizeof(*r->of), by_node);
	runs_rename(r, false);
	qsort(r->of, n, sizeof(*r->of), by_cache);
	runs_rename(r, true);
	qsort(r->of, n, sizeof(*r->of), by_cache);
}

/* runs_new_node tells whether run i is the first of its node. */
static bool runs_new_node(const struct runs *r, int i)
{
	return !i || r->of[i].at.node != r->of[i - 1].at.node;
}

/* topology_count counts the groups, and numbers them where there is room for
 * that. */
static void topology_count(struct topology *t, const struct runs *r)
{
	int at = 0;

	t->nodes = t->caches = 0;
	t->ordered = true;
	for (int i = 0; i < r->n; at += r->of[i++].n) {
		const struct run *p = &r->of[i], *q = p - 1;
		bool new_node = runs_new_node(r, i);

		if (new_node && t->first_cache)
			t->first_cache[t->nodes] = t->caches;
		t->nodes += new_node;
		if (new_node || p->at.cache != q->at.cache) {
			if (t->first)
				t->first[t->caches] = at;
			t->caches++;
		}
		t->ordered &= p->rank == at;
	}
}

static void topology_list(struct topology *t, const struct runs *r)
{
	for (int i = 0, at = 0; i < r->n; i++)
		for (int k = 0; k < r->of[i].n; k++, at++) {
			t->members[at] = r->of[i].rank + k;
			t->position[t->members[at]] = at;
		}
}

/* topology_fill returns false if there is no memory. */
static bool topology_fill(struct topology *t, const struct runs *r)
{
	size_t caches, nodes, size = (size_t)t->size;

	topology_count(t, r);
	caches = (size_t)t->caches + 1;
	nodes = (size_t)t->nodes + 1;
	t->first = malloc((caches + nodes + (t->ordered ? 0 : 2 * size)) *
			  sizeof(*t->first));
	if (!t->first)
		return false;
	t->first_cache = t->first + caches;
	topology_count(t, r);
	t->first[t->caches] = t->size;
	t->first_cache[t->nodes] = t->caches;
	if (t->ordered)
		return true;
	t->members = t->first_cache + nodes;
	t->position = t->members + size;
	topology_list(t, r);
	return true;
}

/* `struct spot` is a node's place in the network. */
struct spot {
	uint64_t switches;
	int node;
};

static int by_switches(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	if (x->switches != y->switches)
		return x->switches < y->switches ? -1 : 1;
	return three_way(x->node, y->node);
}

/* runs_switches returns the number of switches if the nodes have their order,
 * else 0. */
static int runs_switches(const struct runs *r)
{
	uint64_t last = 0;
	int n = 0;

	for (int i = 0; i < r->n; i++) {
		uint64_t own = r->of[i].at.switches;

		if (!runs_new_node(r, i))
			continue;
		if (own < last)
			return 0;
		n += !n || own != last;
		last = own;
	}
	return n;
}

static void spots_sort(struct spot *spots, const struct runs *r)
{
	size_t n = 0;

	for (int i = 0; i < r->n; i++)
		if (runs_new_node(r, i)) {
			spots[n] = (struct spot){r->of[i].at.switches, (int)n};
			n++;
		}
	qsort(spots, n, sizeof(*spots), by_switches);
}

/* topology_list_order lists the nodes as sorted, and their ranks, and counts
 * the switches. */
static void topology_list_order(struct topology *t, const struct spot *spots)
{
	int n = 0;

	t->order = t->node_order + t->nodes;
	for (int i = 0; i < t->nodes; i++) {
		int k = t->node_order[i] = spots[i].node;

		t->switches += !i || spots[i].switches != spots[i - 1].switches;
		for (int at = t->first[t->first_cache[k]];
		     at < t->first[t->first_cache[k + 1]]; at++)
			t->order[n++] = topology_member(t, at);
	}
}

/* topology_sort sets the orders of nodes and ranks. It returns false if there
 * is no memory. */
static bool topology_sort(struct topology *t, const struct runs *r)
{
	size_t nodes = (size_t)t->nodes, both = nodes + (size_t)t->size;
	struct spot *spots;
	bool good;

	t->order = t->members;
	t->switches = runs_switches(r);
	if (t->switches)
		return true;
	spots = malloc(nodes * sizeof(*spots));
	t->node_order = malloc(both * sizeof(*t->node_order));
	good = spots && t->node_order;
	if (good) {
		spots_sort(spots, r);
		topology_list_order(t, spots);
	}
	free(spots);
	return good;
}

struct topology *
topology_create(int size,
		struct topology_place (*place_of)(int rank, const void *arg),
		const void *arg)
{
	struct topology *t = calloc(1, sizeof(*t));
	struct runs runs = {0};
	bool good = t;

	for (int r = 0; r < size && good; r++)
		good = runs_add(&runs, place_of(r, arg), r);
	if (good) {
		runs_sort(&runs);
		t->size = size;
		good = topology_fill(t, &runs) && topology_sort(t, &runs);
	}
	free(runs.of);
	if (good)
		return t;
	topology_destroy(t);
	return NULL;
}

struct lists {
	const int *node, *cache;
};

static struct topology_place place_in_lists(int rank, const void *arg)
{
	const struct lists *l = arg;

	return (struct topology_place){l->node[rank], l->cache[rank], 0};
}

struct topology *topology_of_lists(int size, const int *node, const int *cache)
{
	const struct lists lists = {node, cache};

	return topology_create(size, place_in_lists, &lists);
}

void topology_destroy(struct topology *topo)
{
	if (!topo)
		return;
	free(topo->node_order);
	free(topo->first);
	free(topo);
}

/* ---- Places ------------------------------------------------------------- */

/* group_at returns the last of n groups that begins at `at` or before. */
static int group_at(const int *first, int n, int at)
{
	int low = 0, high = n - 1;

	while (low < high) {
		int middle = (low + high + 1) / 2;

		if (first[middle] <= at)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static int position_of(const struct topology *topo, int rank)
{
	return topo->position ? topo->position[rank] : rank;
}

int topology_cache_of(const struct topology *topo, int rank)
{
	return group_at(topo->first, topo->caches, position_of(topo, rank));
}

int topology_node_of(const struct topology *topo, int rank)
{
	return group_at(topo->first_cache, topo->nodes,
			topology_cache_of(topo, rank));
}

struct ring topology_ring(const struct topology *topo, int size, int rank)
{
	const int *order = topo ? topo->order : NULL;
	struct ring ring = {order, size, order ? 0 : rank};

	while (ring_rank(&ring, 0) != rank)
		ring.me++;
	return ring;
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

struct group topology_members(const struct topology *topo, int begin, int end,
			      int me)
{
	return (struct group){.size = end - begin,
			      .me = me,
			      .ranks =
				  topo->members ? topo->members + begin : NULL,
			      .first = begin};
}

/* first_of returns the lowest rank of a cache. */
static int first_of(const struct topology *t, int cache)
{
	return topology_member(t, t->first[cache]);
}

struct group topology_group(const struct topology *topo, enum level level,
			    int rank, int root, int *ranks)
{
	int cache = topology_cache_of(topo, rank);
	int node = topology_node_of(topo, rank), begin = topo->first[cache];
	int root_cache = root < 0 ? -1 : topology_cache_of(topo, root);
	int root_node = root < 0 ? -1 : topology_node_of(topo, root);
	struct group g = {.ranks = ranks, .me = node};

	switch (level) {
	case LEVEL_CACHE:
		g = topology_members(topo, begin, topo->first[cache + 1],
				     position_of(topo, rank) - begin);
		if (root_cache == cache)
			g.root = position_of(topo, root) - begin;
		return g;
	case LEVEL_NODE:
		begin = topo->first_cache[node];
		for (int c = begin; c < topo->first_cache[node + 1]; c++)
			ranks[g.size++] = first_of(topo, c);
		g.me = cache - begin;
		if (root_node == node)
			ranks[g.root = root_cache - begin] = root;
		break;
	default:
		for (; g.size < topo->nodes; g.size++)
			ranks[g.size] =
			    first_of(topo, topo->first_cache[g.size]);
		if (root >= 0)
			ranks[g.root = root_node] = root;
		break;
	}
	if (ranks[g.me] != rank)
		g.size = 0;
	return g;
}

struct group topology_node(const struct topology *topo, int rank)
{
	int node = topology_node_of(topo, rank);
	int begin = topo->first[topo->first_cache[node]];

	return topology_members(topo, begin,
				topo->first[topo->first_cache[node + 1]],
				position_of(topo, rank) - begin);
}

int topology_branches(const struct topology *topo)
{
	return topo->nodes > 1 ? topo->nodes : topo->caches;
}

int topology_branch(const struct topology *topo, int rank)
{
	return topo->nodes > 1 ? topology_node_of(topo, rank)
			       : topology_cache_of(topo, rank);
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
		ranks[k] = topology_member(
		    topo, topo->first[topo->first_cache[k]] + place);
	return (struct group){.size = topo->nodes,
			      .me = topology_node_of(topo, rank),
			      .ranks = ranks};
}

bool topology_is_mesh(const struct topology *topo)
{
	int places;

	if (topo->nodes == 1 || !topology_is_deep(topo))
		return false;
	places = topology_smallest(topo);
	return places > 1 && places * topo->nodes == topo->size;
}
