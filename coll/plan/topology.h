/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.h: where the ranks of a communicator are, as groups of ranks on
 * three levels: those that share a cache, the leaders of a node's caches, the
 * leaders of the nodes. The same on all ranks. What hierarchical algorithms
 * build on.
 */
#ifndef COLL_TOPOLOGY_H
#define COLL_TOPOLOGY_H

#include <stdbool.h>

enum level { LEVEL_CACHE, LEVEL_NODE, LEVEL_ALL, LEVELS };

struct topology {
	int size, nodes, caches;
	/* [size] of each rank; nodes are numbered by their lowest rank, caches
	 * by node and then by theirs */
	int *node, *cache;
	int *members;	  /* [size] ranks by cache, ascending in each */
	int *first;	  /* [caches + 1] where each cache's begin */
	int *first_cache; /* [nodes + 1] of each node */
	bool ordered;	  /* each group is a range of ranks */
};

/*
 * From names of nodes and caches, any numbers: ranks with equal node[] share a
 * node, and if cache[] is equal too, a cache. NULL: no memory.
 */
struct topology *topology_create(int size, const int *node, const int *cache);
/* NULL is fine. */
void topology_destroy(struct topology *topo);

/* Does it say anything: are there both groups of ranks and several groups? */
bool topology_is_deep(const struct topology *topo);
/* Are there groups, of `level`, with several members? */
bool topology_has(const struct topology *topo, enum level level);

/* A group, seen from one of its members; or none. */
struct group {
	int size;   /* 0: the rank is in no group of this level */
	int me;	    /* the rank's place in it */
	int root;   /* the leader's place */
	int *ranks; /* [size] ascending by group, as the caller gave them */
};

/*
 * The group of `level` that the rank belongs to, into ranks[size of topo].
 * The leader of a group is its lowest rank, or `root` in those that have it
 * (-1: in none). On levels above the first a group is made of leaders.
 */
struct group topology_group(const struct topology *topo, enum level level,
			    int rank, int root, int *ranks);
#endif
