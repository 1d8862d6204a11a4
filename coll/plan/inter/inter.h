/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter.h: the plans of collectives between the two groups of an
 * intercommunicator. They run among the ranks of both groups, on the
 * communicator that it hides (comm.h); shape->low tells where the second group
 * begins. They embed collectives of one group, by whatever algorithm suits
 * these.
 *
 * Collectives that only move data need no plan of their own: see inter_args.c.
 *
 *   bcast           RECV[count] from root to the other group
 *   reduce          SEND[count] of the group that root is not in; RECV[count]
 *                   at root
 *   allreduce       SEND[count], RECV[count] with what the other group has
 *   reduce_scatter  SEND the blocks of the own group's ranks (recv), RECV[own
 *                   block] with what the other group has; as many elements in
 *                   both groups together
 *
 * root is -1 on the other ranks of the root's group.
 */
#ifndef COLL_INTER_INTER_H
#define COLL_INTER_INTER_H

#include "coll/plan/algorithm.h"

/* Returns the algorithm of a collective between two groups, or NULL. */
const struct algorithm *inter_algorithm(enum collective collective);

/* ---- For the plans ------------------------------------------------------- */

struct side_of_two {
	int first, size; /* ranks of the group */
};
/* Return the group of a rank, and the other group. */
struct side_of_two inter_own(const struct shape *shape, int rank);
struct side_of_two inter_other(const struct shape *shape, int rank);

/* Numbers of embedded plans; there is one message between leaders. */
enum { INTER_IN, INTER_OUT, INTER_LEADERS };

static inline struct part inter_message(struct ref ref, size_t count)
{
	return (struct part){ref, count, INTER_LEADERS * EMBED_TAGS};
}

/* A collective of one group as an embedded plan. */
struct inter_embed {
	enum collective collective;
	struct side_of_two group;
	int extra; /* a rank of the other group that comes first; -1: none */
	int root;  /* index in the group, after extra */
	size_t count;
	struct ref send, recv;
	unsigned number;
	uint32_t after;
};
uint32_t inter_embed(struct plan *plan, const struct shape *shape, int rank,
		     const struct inter_embed *e);

/* Reduces the own group's SEND[count] at its first rank. Returns where that
 * rank has the result; *after becomes the last step. */
struct ref inter_reduce_own(struct plan *plan, const struct shape *shape,
			    int rank, size_t count, uint32_t *after);

/* Exchanges vectors with the other group's leader: sends out, receives into
 * `in`. */
uint32_t inter_swap(struct plan *plan, const struct shape *shape, int rank,
		    struct ref out, struct ref in, size_t count,
		    uint32_t after);

extern const struct algorithm inter_bcast, inter_reduce, inter_allreduce,
    inter_reduce_scatter;
#endif
