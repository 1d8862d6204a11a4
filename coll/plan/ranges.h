/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.h: hierarchies over a vector with a block for each rank, in rank
 * order, where each group is a range of ranks and so has a range of the vector.
 * All ranks know the lengths of all blocks, which may differ.
 */
#ifndef COLL_RANGES_H
#define COLL_RANGES_H

#include "coll/plan/hierarchy.h"

/* Values for `fits`: each group is a range of ranks; and there are several
 * nodes, each a range of as many ranks, and no more than have tags enough for a
 * plan each. */
bool ranges_fit(const struct shape *shape);
bool ranges_fit_mesh(const struct shape *shape);

struct ranges {
	struct hierarchy h;
	struct shape whole; /* h.shape: the call's, of all blocks as a vector */
	bool alike;	    /* all blocks have one length */
	size_t *at;	    /* [size + 1] where each block begins */
};

/* Begins a hierarchy, like hierarchy_make. *r must not move. Returns false if
 * there is no memory. */
bool ranges_make(struct ranges *r, struct plan *plan,
		 enum collective collective, const struct shape *shape,
		 int rank);

/* Returns the blocks for which the rank stands that leads the given rank's
 * group below `level`. */
struct block ranges_below(const struct ranges *r, enum level level, int rank);

/* Returns `vector` from the first of the group's blocks on. */
struct ref ranges_from(const struct ranges *r, struct ref vector,
		       const struct group *g);

/* Returns the blocks for which the members of a group stand (ranges_below), as
 * seen from ranges_from. NULL: no memory. */
struct block *ranges_list(const struct ranges *r, const struct group *g,
			  enum level level);
/* Returns the shape of a collective of a group that is a range: recv and send
 * are ranges_list, or NULL if each member has as many elements for sure. */
struct shape ranges_shape(const struct ranges *r, const struct group *g,
			  enum level level);

/* Adds the cost of a hierarchy that, on each level below the top one, has the
 * collective `whole` with all blocks, and `each` with the blocks of a group's
 * members, or `each_v` where these may differ in length; and `top` at the top.
 */
void ranges_cost(const struct shape *shape, enum collective whole,
		 enum collective each, enum collective each_v,
		 enum collective top, struct cost *cost);
#endif
