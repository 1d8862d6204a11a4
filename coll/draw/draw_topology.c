/* SPDX-License-Identifier: Apache-2.0 */
/* draw_topology.c: ranks on nodes, from the words of the command line. */
#include "coll/draw/draw.h"

#include <stdlib.h>

enum { NODES_MAX = 4096 };

/* "4" for so many nodes, "3,3,2" for their sizes. Returns how many, 0 if that
 * does not make n ranks. */
static int parse_sizes(const char *text, int n, int sizes[NODES_MAX])
{
	long sum = 0, value;
	int nodes = 0;
	char *end;

	for (;; text = end + 1) {
		value = strtol(text, &end, 10);
		if (end == text || value < 1 || value > n ||
		    nodes == NODES_MAX)
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
	for (int i = 0; i < nodes && nodes <= NODES_MAX; i++)
		sizes[i] = (int)plan_block((size_t)n, nodes, i).count;
	return nodes <= NODES_MAX ? nodes : 0;
}

/* One node after the other, or in turn while there is room. `caches` parts of
 * the ranks of each node, in their order, share a cache. */
static void place(struct topology *topo, int n, const int *sizes, bool cyclic)
{
	int *node = (int *)(uintptr_t)topo->node, i = 0;
	int used[NODES_MAX] = {0};

	for (int r = 0; r < n; r++) {
		while (used[i] == sizes[i])
			i = (i + 1) % topo->nodes;
		node[r] = i;
		used[i]++;
		if (cyclic)
			i = (i + 1) % topo->nodes;
	}
}

/* Numbers the cache groups by their lowest rank. */
static bool divide(struct topology *topo, int n, const int *sizes, int caches)
{
	int *cache = (int *)(uintptr_t)topo->cache;
	int *number = calloc((size_t)topo->nodes * (size_t)caches, sizeof(int));
	int used[NODES_MAX] = {0};

	if (!number)
		return false;
	for (int r = 0; r < n; r++) {
		int i = topo->node[r];
		/* the group whose block of the node's ranks holds this one */
		int k = (int)((long)used[i]++ * caches / sizes[i]);
		int *of = &number[i * caches + k];

		if (!*of)
			*of = ++topo->caches;
		cache[r] = *of - 1;
	}
	free(number);
	return true;
}

bool draw_topology(struct topology *topo, int n, const char *nodes,
		   bool cyclic, int caches)
{
	int sizes[NODES_MAX] = {n};

	*topo = (struct topology){.nodes = 1};
	if (nodes)
		topo->nodes = parse_sizes(nodes, n, sizes);
	if (!topo->nodes)
		return false;
	topo->node = calloc((size_t)n, sizeof(int));
	topo->cache = calloc((size_t)n, sizeof(int));
	if (!topo->node || !topo->cache)
		return false;
	place(topo, n, sizes, cyclic);
	return divide(topo, n, sizes, caches);
}
