/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hierarchy.h: hierarchical collectives, composed of a collective among the
 * ranks of each cache, one among the leaders of a node's caches, and one among
 * the leaders of the nodes, so that only one rank uses each link for all those
 * behind it.
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

/* The members of a struct algorithm that all hierarchies have alike. */
#define HIERARCHICAL_MEMBERS                                                   \
	.name = "hierarchical", .arg = "algorithm", .arg_is_algorithm = true,  \
	.by_node = true, .formula = "the sum of its levels"

enum { BOARD_TURNS = 2 };

/* One rank's progress through the levels while its plan is built. */
struct hierarchy {
	struct plan *plan;
	const struct shape *shape;
	int leaders;		       /* of each node; 1 */
	int rank, root;		       /* root leads all its groups; -1: none */
	const struct algorithm *inner; /* for the top level; NULL: default */
	const struct algorithm *inside; /* for the others; NULL: default */
	struct ref own;			/* what this rank contributes next */
	struct ref acc;			/* where results go */
	uint32_t after;			/* the last step so far */
	bool left;			/* takes no part in the levels above */
	struct embed_segment segment;	/* of the vector of the next steps */
	/* segments use as many boards in turn on each of two levels, which
	 * begin at these elements */
	bool turns;
	size_t boards[2][BOARD_TURNS];
	int *ranks;
};

/* Begins a hierarchy. shape->arg names an algorithm of `collective` for the top
 * level. */
struct hierarchy hierarchy_make(struct plan *plan, enum collective collective,
				const struct shape *shape, int rank, int root);

/* Reduces to the leaders on all levels below the top one. */
void hierarchy_up(struct hierarchy *h);
/* Appends `collective` among the leaders of the top level, by the algorithm
 * that shape->arg names or the default. */
void hierarchy_over(struct hierarchy *h, enum collective collective);
/* Broadcasts `count` elements at acc from the leaders to the others on all
 * levels below the top one. */
void hierarchy_down(struct hierarchy *h, size_t count);

/* Building blocks of the functions above. Numbers of embedded plans: */
enum { UP = 0, OVER = LEVELS, DOWN = LEVELS + 1 };
/* Each embedded plan gets such a part of the board; no more of them use it, nor
 * do segments that take turns. */
enum { BOARD_PARTS = 4 };
_Static_assert(2 * BOARD_TURNS <= BOARD_PARTS, "two levels take turns");
/* No plan needs more temporaries than these. */
enum { TMPS_OF_LEVEL = 4 };
enum level hierarchy_top(const struct hierarchy *h);
/* Returns the rank's group of a level; size 0 if the rank is alone in it, or
 * its leader already speaks for it. */
struct group hierarchy_group(const struct hierarchy *h, enum level level);
/* Returns a segment's part of so many bytes of the board. */
size_t hierarchy_board(const struct hierarchy *h, size_t bytes);
/* Appends a collective of the group, from own to acc. */
void hierarchy_embed(struct hierarchy *h, const struct group *g,
		     enum collective collective, struct shape shape,
		     unsigned number);

/* Returns the shape of a collective of `size` ranks with the operation, the
 * type and the count of the whole call. */
struct shape hierarchy_shape(const struct shape *shape, int size, int root);

/* A value for `fits`: there are several levels, and operands keep their
 * order. */
bool fits_hierarchy(const struct shape *shape);

/* Adds the cost of one level, for the shape's count. */
void hierarchy_cost_level(const struct shape *shape, enum level level,
			  enum collective collective, struct cost *cost);
/* Returns the cost of a group's plan, between nodes of which each has as many
 * leaders, or (0) inside a node, all of it intra: by the wanted algorithm if it
 * is not NULL and serves this collective and shape, else by the default choice.
 */
struct cost hierarchy_cost_of(enum collective collective,
			      const struct shape *shape, int leaders,
			      const struct algorithm *wanted);
/* Adds the cost of the collective in all branches (topology_branches) from
 * branch `from` on; wanted: as above. */
void hierarchy_cost_branches(const struct shape *shape, int from,
			     enum collective collective,
			     const struct algorithm *wanted, struct cost *cost);
/* Adds the cost of a plan of `shape` in each of n nodes. */
void hierarchy_cost_inside(enum collective collective,
			   const struct shape *shape, int n, struct cost *cost);
/* Adds the chain of *c, and the sums over its ranks, so many times. */
void cost_add_chain(const struct cost *c, double times, struct cost *cost);
void cost_add_sums(const struct cost *c, double times, struct cost *cost);
/* Adds the cost of all levels: `collective` at the top, and below it the
 * reductions up and the broadcasts down, if any. */
void hierarchy_cost(const struct shape *shape, enum collective collective,
		    bool up, bool down, struct cost *cost);
#endif
