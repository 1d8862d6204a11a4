/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hierarchy.h: collectives made of collectives among the ranks of a cache,
 * then the caches' leaders on a node, then the nodes' leaders: each link is
 * used by one rank of those behind it.
 *
 * Source: T. Kielmann et al., "MagPIe: MPI's collective communication
 * operations for clustered wide area systems", PPoPP 1999; R. Graham, G.
 * Shipman, "MPI support for multi-core architectures: optimized shared memory
 * collectives", EuroPVM/MPI 2008.
 */
#ifndef COLL_HIERARCHY_H
#define COLL_HIERARCHY_H

#include "coll/plan/algorithm.h"
#include "coll/plan/topology.h"

/* A rank's way through the levels. */
struct hierarchy {
	struct plan *plan;
	const struct shape *shape;
	int rank, root; /* root: leader of all its groups; -1: none */
	const struct algorithm *inner; /* of the top level; NULL: chosen */
	struct ref own;		       /* what this rank has so far */
	struct ref acc;		       /* where a leader puts what it reduces */
	uint32_t after;		       /* the last step */
	bool left;		       /* has given what it has to its leader */
	int *ranks;
};

/* collective: whose algorithm shape->arg names. */
struct hierarchy hierarchy_make(struct plan *plan, enum collective collective,
				const struct shape *shape, int rank, int root);

/* Reductions to the leaders, on the levels below the top one. */
void hierarchy_up(struct hierarchy *h);
/* The collective itself among the leaders of the top level, by the algorithm
 * that shape->arg names or by default. */
void hierarchy_over(struct hierarchy *h, enum collective collective);
/* `count` elements at acc from the leaders to the others, on the levels below.
 */
void hierarchy_down(struct hierarchy *h, size_t count);

/* The pieces these are made of. Numbers of embedded plans: */
enum { UP = 0, OVER = LEVELS, DOWN = LEVELS + 1 };
enum level hierarchy_top(const struct hierarchy *h);
/* The rank's group of a level if it has others to speak to, else of size 0. */
struct group hierarchy_group(const struct hierarchy *h, enum level level);
/* A collective of the group, from own to acc. */
void hierarchy_embed(struct hierarchy *h, const struct group *g,
		     enum collective collective, struct shape shape,
		     unsigned number);

/* For `fits`: there are levels, and operands keep their order. */
bool fits_hierarchy(const struct shape *shape);

/* For `cost`: adds that of one level, with the shape's count. */
void hierarchy_cost_level(const struct shape *shape, enum level level,
			  enum collective collective, struct cost *cost);
/* Of all levels, with or without the ways up and down. */
void hierarchy_cost(const struct shape *shape, enum collective collective,
		    bool up, bool down, struct cost *cost);
#endif
