/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_order_grow.c: partitions a graph for the nodes and caches of the machine
 * by greedy growing: each place in turn takes the node of the graph with the
 * greatest weight of edges to those already placed.
 */
#include <stdlib.h>

#include "mpi/mpi_order.h"

enum { GROWN_MAX = 1 << 13 }; /* the time is quadratic */

struct growth {
	const struct mrt_place *places;
	const int *sorted; /* [nnodes] ranks by place */
	const struct mpi_edges *edges;
	/* [nnodes] weight of the edges to nodes placed in this cache, in this
	 * node, anywhere; -1 in `cache`: placed */
	long long *cache, *node, *any;
};

static int order_grow_better(const struct growth *g, int a, int b)
{
	if (g->node[a] != g->node[b])
		return g->node[a] > g->node[b];
	if (g->cache[a] != g->cache[b])
		return g->cache[a] > g->cache[b];
	return g->any[a] > g->any[b];
}

static int order_grow_pick(const struct growth *g)
{
	int best = -1;

	for (int i = 0; i < g->edges->nnodes; i++)
		if (g->cache[i] >= 0 &&
		    (best < 0 || order_grow_better(g, i, best)))
			best = i;
	return best;
}

static void order_grow_take(struct growth *g, int i)
{
	const struct mpi_edges *e = g->edges;

	g->cache[i] = -1;
	for (int k = e->first[i]; k < e->first[i + 1]; k++) {
		int j = e->to[k];

		if (g->cache[j] < 0)
			continue;
		g->cache[j] += e->weights[k];
		g->node[j] += e->weights[k];
		g->any[j] += e->weights[k];
	}
}

/* Begins a new cache, or a new node. */
static void order_grow_forget(struct growth *g, int new_node)
{
	for (int i = 0; i < g->edges->nnodes; i++) {
		if (g->cache[i] > 0)
			g->cache[i] = 0;
		if (new_node)
			g->node[i] = 0;
	}
}

static void grow(struct growth *g, int *order)
{
	for (int q = 0; q < g->edges->nnodes; q++) {
		const struct mrt_place *p = &g->places[g->sorted[q]];
		const struct mrt_place *before =
		    q ? &g->places[g->sorted[q - 1]] : p;
		int i;

		if (p->node != before->node || p->cache != before->cache)
			order_grow_forget(g, p->node != before->node);
		i = order_grow_pick(g);
		order_grow_take(g, i);
		order[i] = g->sorted[q];
	}
}

int mpi_order_grown(const struct mrt_place *places, const int *sorted,
		    const struct mpi_edges *edges, int *order)
{
	size_t n = (size_t)edges->nnodes;
	long long *room;
	struct growth g = {places, sorted, edges, NULL, NULL, NULL};

	if (n > GROWN_MAX)
		return 0;
	room = calloc(3 * n, sizeof(*room));
	if (!room)
		return 0;
	g.cache = room;
	g.node = room + n;
	g.any = room + 2 * n;
	grow(&g, order);
	free(room);
	return 1;
}
