/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.h: where the ranks of a communicator run, as groups on three levels:
 * the ranks that share a cache, the leaders of a node's caches, and the leaders
 * of the nodes. It is the same on all ranks; hierarchical algorithms build on
 * it.
 */
#ifndef COLL_TOPOLOGY_H
#define COLL_TOPOLOGY_H

#include <stdbool.h>

enum level { LEVEL_CACHE, LEVEL_NODE, LEVEL_ALL, LEVELS };

struct topology {
	int size, nodes, caches;
	/* [size] of each rank; nodes are numbered by their lowest rank, caches
	 * by node and then by their lowest rank */
	int *node, *cache;
	int *members;	  /* [size] ranks by cache, ascending in each */
	int *first;	  /* [caches + 1] where each cache's members begin */
	int *first_cache; /* [nodes + 1] the first cache of each node */
	bool ordered;	  /* each group is a range of ranks */
};

/* Groups ranks by names of nodes and caches, which may be any numbers: ranks
 * with equal node[] share a node and, if cache[] is equal too, a cache. The
 * caller destroys the result. NULL: no memory. */
struct topology *topology_create(int size, const int *node, const int *cache);
/* Does nothing for NULL. */
void topology_destroy(struct topology *topo);

/* Tells whether there is a hierarchy: groups with several ranks on more than
 * one level. */
bool topology_is_deep(const struct topology *topo);
/* Tells whether any group of `level` has several members. */
bool topology_has(const struct topology *topo, enum level level);

/* A group as one of its members sees it, or none. */
struct group {
	int size;   /* 0: the rank is in no group of this level */
	int me;	    /* the rank's index in the group */
	int root;   /* the leader's index */
	int *ranks; /* [size] the members, in the caller's array */
};

/*
 * Returns the group of `level` to which the rank belongs, and lists its members
 * in ranks[], which has room for topo->size. A group is led by its lowest rank,
 * or by `root` if that is a member (-1: no root). Above the first level, groups
 * consist of leaders.
 */
struct group topology_group(const struct topology *topo, enum level level,
			    int rank, int root, int *ranks);

/* Returns all ranks of the rank's node as a group, which is led by the first of
 * its list. The list belongs to the topology. */
struct group topology_node(const struct topology *topo, int rank);
/* Returns the ranks that have the same place in their nodes as a group of the
 * rank, in ranks[], which has room for topo->nodes. No node may have fewer
 * places. */
struct group topology_column(const struct topology *topo, int rank, int *ranks);
/* The branches below the top level: the nodes or, of a single node, the caches.
 * Return their number, that of a rank's branch, and where the members of branch
 * k begin, in members[] (k may be their number: the end). */
int topology_branches(const struct topology *topo);
int topology_branch(const struct topology *topo, int rank);
int topology_begin(const struct topology *topo, int k);
/* Tells whether there are several nodes, all of them with as many ranks, and
 * several. */
bool topology_is_mesh(const struct topology *topo);
/* Return the number of ranks of node k, and of the smallest node. */
int topology_node_size(const struct topology *topo, int k);
int topology_smallest(const struct topology *topo);
#endif
