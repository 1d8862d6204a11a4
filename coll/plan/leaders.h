/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leaders.h: hierarchies with several leaders in each node. A vector is cut
 * into a share for each leader; inside a node the leaders get their shares by a
 * reduce-scatter, each exchanges its share with the leaders of the same share
 * in other nodes, and an allgather brings the shares together again. All cores
 * and links of a node work, where one leader would work alone.
 *
 * A vector may be cut into segments first, whose levels overlap: while one goes
 * from node to node, the next is reduced inside the nodes, and the one before
 * is gathered.
 *
 * The leaders are spread evenly over the list of a node's ranks
 * (topology_node), so that halving algorithms meet them on their way. All nodes
 * have as many.
 *
 * Source: M. Bayatpour et al., "Scalable reduction collectives with data
 * partitioning-based multi-leader design", SC 2017.
 */
#ifndef COLL_LEADERS_H
#define COLL_LEADERS_H

#include "coll/plan/hierarchy.h"

/* More leaders than any node has ranks: all ranks lead. */
enum { LEADERS_ALL = 4096 };

/* The argument of these algorithms: the leaders of each node; or, if vectors
 * are cut into segments, the bytes of a segment, and as many ranks lead as the
 * smallest node has. */
extern const size_t leaders_tries[], leaders_segment_tries[];
#define LEADERS_ARG                                                            \
	ALGORITHM_ARG("leaders", LEADERS_ALL, 2), .arg_tries = leaders_tries
#define LEADERS_SEGMENT_ARG                                                    \
	ALGORITHM_ARG("segment", 2 << 20, 1), .arg_tries = leaders_segment_tries

/* One rank's part. */
struct leaders {
	struct hierarchy h;   /* own, acc and after are the user's to set */
	struct shape shape;   /* the call's, without the argument */
	struct group node;    /* all ranks of the node */
	int n;		      /* leaders of a node */
	int mine;	      /* the share that this rank leads; -1: none */
	size_t at;	      /* where the vector begins in the call's */
	struct block share;   /* of the vector; empty if it leads none */
	struct block *shares; /* [node.size] that each rank of the node leads */
};

/* Returns the number of leaders in each node: shape->arg, or as many as the
 * smallest node has ranks. */
int leaders_count(const struct shape *shape);

/* Begins a hierarchy. The vector has shape->count elements. Returns false if
 * there is no memory. */
bool leaders_make(struct leaders *l, struct plan *plan,
		  enum collective collective, const struct shape *shape,
		  int rank);

/* Append a reduce-scatter inside the node of the vector at h.own to the shares,
 * to h.acc; and an allgather inside the node of the shares, which lie at their
 * places in the vector at h.acc. */
void leaders_reduce_scatter(struct leaders *l);
void leaders_allgather(struct leaders *l);
/* Appends a scatter of the vector at h.own, the call's root's, inside its node
 * to the places of the shares in RECV. */
void leaders_scatter(struct leaders *l);
/* Appends a gather of the shares inside the node of the call's root, from h.acc
 * to their places in the root's RECV. */
void leaders_gather(struct leaders *l);
/* Appends a collective of those that lead one share, from h.own to h.acc. Its
 * root, if it has one, is in the node of the call's root. */
void leaders_over(struct leaders *l, enum collective collective);

enum { LEADERS_SEGMENTS = 16 };
/* Returns the number of segments of shape->arg bytes, at most LEADERS_SEGMENTS
 * and so few that each has tags for its plans. */
int leaders_segments(const struct shape *shape);
/* Returns the shape with the argument that makes all ranks of a node leaders.
 */
struct shape leaders_all(const struct shape *shape);
/* Makes segment i of n the vector whose shares the functions above mean. The
 * user orders each level's segments by h.after, since their temporaries are the
 * same, and their boards BOARD_TURNS segments later: who has loaded what all
 * ranks of the node have posted in one segment knows that these have loaded the
 * one before. Returns where the segment is. */
struct block leaders_segment(struct leaders *l, int i, int n);

/* The last steps so far of each level, which order its segments. */
struct leaders_order {
	uint32_t inside, over, back;
};

/* A value for `fits`: there are several nodes, each of several ranks, and
 * operands keep their order. */
bool leaders_fit(const struct shape *shape);

/* Add the cost of a collective of the shares inside all nodes, and inside the
 * root's; and of a collective of all that lead a share. segment: the vector is
 * a segment. */
void leaders_cost_inside(const struct shape *shape, enum collective collective,
			 bool segment, struct cost *cost);
void leaders_cost_root(const struct shape *shape, enum collective collective,
		       struct cost *cost);
void leaders_cost_over(const struct shape *shape, enum collective collective,
		       bool segment, struct cost *cost);
/* Returns how often what one of n parts costs at a level counts, if the levels
 * overlap: one part goes through all of them, each further one adds the longest
 * and, since they do not overlap altogether, an eighth of the rest. */
double leaders_overlap(int n, bool longest);
/* Adds the cost of a vector of which each segment costs `levels`: inside the
 * nodes, between them, and inside. The levels inside nodes share the CPU of a
 * rank, so that both together, or the one between nodes, are the longest. */
enum { LEADERS_LEVELS = 3 };
typedef void leaders_levels(const struct shape *segment,
			    struct cost levels[LEADERS_LEVELS]);
void leaders_cost_segments(const struct shape *shape, leaders_levels *levels,
			   struct cost *cost);
#endif
