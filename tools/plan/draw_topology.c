/* SPDX-License-Identifier: Apache-2.0 */
/* draw_topology.c: places ranks on nodes as the command line says. */
#include "tools/plan/draw.h"

#include <stdlib.h>

/* Parses "4" (number of nodes) or "3,3,2" (their sizes) into sizes[n]. Returns
 * the number of nodes; 0 if they do not hold exactly n ranks. */
static int parse_sizes(const char *text, int n, int *sizes)
{
	long sum = 0, value;
	int nodes = 0;
	char *end;

	for (;; text = end + 1) {
		value = strtol(text, &end, 10);
		if (end == text || value < 1 || value > n || nodes == n)
			return 0;
		sizes[nodes++] = (int)value;
		sum += value;
		if (*end != ',')
			break;
	}
	if (*end)
		return 0;
	if (nodes > 1)
		return sum == n ? nodes : 0;
	nodes = sizes[0];
	for (int i = 0; i < nodes; i++)
		sizes[i] = (int)plan_block((size_t)n, nodes, i).count;
	return nodes;
}

/*
 * Fills one node after the other, or deals ranks to the nodes in turn while
 * these have room. The ranks of a node are cut into `caches` consecutive
 * groups.
 */
struct placement {
	int *sizes, *node, *cache, *used;
	int nodes, caches;
	bool cyclic;
};

static void draw_topology_place(struct placement *p, int n)
{
	for (int r = 0, i = 0; r < n; r++) {
		while (p->used[i] == p->sizes[i])
			i = (i + 1) % p->nodes;
		p->node[r] = i;
		p->cache[r] =
		    (int)((long)p->used[i]++ * p->caches / p->sizes[i]);
		i = (i + p->cyclic) % p->nodes;
	}
}

struct topology *draw_topology(int n, const char *nodes, bool cyclic,
			       int caches)
{
	int *room = calloc(4 * (size_t)n, sizeof(*room));
	struct placement p = {.caches = caches, .cyclic = cyclic, .nodes = 1};
	struct topology *topo = NULL;

	if (!room)
		return NULL;
	p.sizes = room;
	p.node = room + n;
	p.cache = room + 2 * n;
	p.used = room + 3 * n;
	*p.sizes = n;
	if (nodes)
		p.nodes = parse_sizes(nodes, n, p.sizes);
	if (p.nodes) {
		draw_topology_place(&p, n);
		topo = topology_of_lists(n, p.node, p.cache);
	}
	free(room);
	return topo;
}
