/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter.h: the plans of collectives between the two groups of an
 * intercommunicator. They run on its hidden communicator of both groups
 * (comm.h); shape->low is the rank at which the second group begins. They embed
 * collectives inside one group, with the algorithm that select.h chooses for
 * these.
 *
 * Collectives that only move data need no plan of their own: see inter_args.c.
 *
 *   bcast           RECV[count] goes from root to the other group
 *   reduce          SEND[count] of the ranks of the group that root is not in
 *                   is reduced into RECV[count] at root
 *   allreduce       RECV[count] becomes the reduction of SEND[count] of the
 *                   other group's ranks
 *   reduce_scatter  SEND has the blocks of the own group's ranks (recv);
 *                   RECV[own block] becomes the reduction of what the other
 *                   group's ranks sent; the vectors of both groups have equally
 *                   many elements
 *
 * root is -1 at the other ranks of the root's group.
 */
#ifndef COLL_INTER_INTER_H
#define COLL_INTER_INTER_H

#include "coll/plan/algorithm.h"

/* Returns the algorithm of a collective between two groups, or NULL if it needs
 * none. */
const struct algorithm *inter_algorithm(enum collective collective);

/* ---- For the plans ------------------------------------------------------- */

struct side_of_two {
	int first, size; /* ranks of the group */
};
/* Return the group that a rank is in, and the other group. */
struct side_of_two inter_own(const struct shape *shape, int rank);
struct side_of_two inter_other(const struct shape *shape, int rank);

/* The numbers of the embedded plans, and of the messages between the leaders,
 * which are the first ranks of the groups. */
enum { INTER_IN, INTER_OUT, INTER_LEADERS };

/* Returns the part of a message between leaders. */
static inline struct part inter_message(struct ref ref, size_t count)
{
	return (struct part){ref, count, INTER_LEADERS * EMBED_TAGS};
}

/* A collective inside one group, as an embedded plan. */
struct inter_embed {
	enum collective collective;
	struct side_of_two group;
	int extra; /* a rank of the other group, as index 0; -1 for none */
	int root;  /* index among `extra` and the group's ranks */
	size_t count;
	struct ref send, recv;
	unsigned number;
	uint32_t after;
};
/* Embeds the collective in a rank's plan. Returns a step that finishes when all
 * steps of the collective have finished. */
uint32_t inter_embed(struct plan *plan, const struct shape *shape, int rank,
		     const struct inter_embed *e);

/* Reduces SEND[count] of the own group to its first rank. Returns where that
 * rank has the result; sets *after to the last step, or to 0 if the group has
 * one rank. */
struct ref inter_reduce_own(struct plan *plan, const struct shape *shape,
			    int rank, size_t count, uint32_t *after);

/* Exchanges vectors with the other group's leader: sends `out` after step
 * `after` and receives into `in`. Returns the step of the receive. */
uint32_t inter_swap(struct plan *plan, const struct shape *shape, int rank,
		    struct ref out, struct ref in, size_t count,
		    uint32_t after);

extern const struct algorithm inter_bcast, inter_reduce, inter_allreduce,
    inter_reduce_scatter;
#endif
