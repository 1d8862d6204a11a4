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
#include <stddef.h>
#include <stdint.h>

enum level { LEVEL_CACHE, LEVEL_NODE, LEVEL_ALL, LEVELS };

struct topology {
	/* nodes are numbered by their lowest rank, caches by node and then by
	 * their lowest rank */
	int size, nodes, caches;
	/* Ranks are listed by cache, ascending in each. */
	int *first;	  /* [caches + 1] where each cache's ranks begin */
	int *first_cache; /* [nodes + 1] the first cache of each node */
	bool ordered;	  /* each group is a range of ranks */
	/* [size] the list, and where each rank is in it; NULL if ordered: each
	 * rank is where its number says */
	int *members, *position;
	/* The nodes ([nodes]) and the ranks ([size]; members, if the nodes are
	 * in order) switch after switch, in which trees and rings use the
	 * fewest links between switches; NULL: as they are numbered. */
	int *node_order, *order;
	int switches; /* how many have nodes; 1 if they are unknown */
};

/* `struct topology_place` says where a rank runs. The numbers are names: ranks
 * with equal nodes share it and, if the caches are equal too, a cache. Nodes
 * with equal or successive switches are close to each other. */
struct topology_place {
	int node, cache;
	uint64_t switches;
};

/* topology_create groups ranks by their places, which place_of tells. The
 * caller destroys the result. NULL: no memory. */
struct topology *
topology_create(int size,
		struct topology_place (*place_of)(int rank, const void *arg),
		const void *arg);
/* topology_of_lists does the same for ranks with the places node[] and
 * cache[]. */
struct topology *topology_of_lists(int size, const int *node, const int *cache);
/* Does nothing for NULL. */
void topology_destroy(struct topology *topo);

/* These return the numbers of a rank's node and cache. */
int topology_node_of(const struct topology *topo, int rank);
int topology_cache_of(const struct topology *topo, int rank);
/* topology_member returns the rank at a place of the list. */
static inline int topology_member(const struct topology *topo, int at)
{
	return topo->members ? topo->members[at] : at;
}

/* `struct ring` is a ring of the ranks of a topology (NULL: of `size` ranks),
 * in their order, as one of them sees it. */
struct ring {
	const int *order; /* NULL: by their numbers */
	int size, me;
};
struct ring topology_ring(const struct topology *topo, int size, int rank);
/* ring_rank returns the rank that is so many places (at most `size`) after this
 * one or, if negative, before it. */
static inline int ring_rank(const struct ring *ring, int after)
{
	int at = (ring->me + after + ring->size) % ring->size;

	return ring->order ? ring->order[at] : at;
}

/* Tells whether there is a hierarchy: groups with several ranks on more than
 * one level. */
bool topology_is_deep(const struct topology *topo);
/* Tells whether any group of `level` has several members. */
bool topology_has(const struct topology *topo, enum level level);

/* A group as one of its members sees it, or none. */
struct group {
	int size; /* 0: the rank is in no group of this level */
	int me;	  /* the rank's index in the group */
	int root; /* the leader's index */
	/* [size] the members, in the topology or in the caller's array; NULL:
	 * the ranks from `first` on */
	const int *ranks;
	int first;
};

static inline int group_rank(const struct group *group, int index)
{
	return group->ranks ? group->ranks[index] : group->first + index;
}

/*
 * Returns the group of `level` to which the rank belongs, maybe in ranks[],
 * which has room for topo->caches. A group is led by its lowest rank, or by
 * `root` if that is a member (-1: no root). Above the first level, groups
 * consist of leaders.
 */
struct group topology_group(const struct topology *topo, enum level level,
			    int rank, int root, int *ranks);

/* topology_members returns the ranks at these places of the list as a group
 * that is led by the first. */
struct group topology_members(const struct topology *topo, int begin, int end,
			      int me);
/* topology_node returns all ranks of the rank's node as such a group. */
struct group topology_node(const struct topology *topo, int rank);
/* Returns the ranks that have the same place in their nodes as a group of the
 * rank, in ranks[], which has room for topo->nodes. No node may have fewer
 * places. */
struct group topology_column(const struct topology *topo, int rank, int *ranks);
/* The branches below the top level: the nodes or, of a single node, the caches.
 * Return their number, that of a rank's branch, and where the ranks of branch k
 * begin in the list (k may be their number: the end). */
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
