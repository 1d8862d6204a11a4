/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter.h: the plans of collectives between the two groups of an
 * intercommunicator. They are among the ranks of both, on the communicator
 * that it hides (comm.h); shape->low says where the second group begins.
 * Parts of them are collectives of one group, by whatever algorithm suits
 * these.
 *
 * What only moves needs no plan of its own: see inter_args.c.
 *
 *   bcast           RECV[count] from root to the other group
 *   reduce          SEND[count] of the group that root is not in; RECV[count]
 *                   at root
 *   allreduce       SEND[count], RECV[count] with what the other group has
 *   reduce_scatter  SEND the blocks of the own group's ranks (recv), RECV[own
 *                   block] with what the other group has; as many elements in
 *                   both groups together
 *
 * root -1: the call is the other group's and that of another rank of this one.
 */
#ifndef COLL_INTER_INTER_H
#define COLL_INTER_INTER_H

#include "coll/plan/algorithm.h"

/* NULL: there is none. */
const struct algorithm *inter_algorithm(enum collective collective);

/* ---- For the plans ------------------------------------------------------- */

struct side_of_two {
	int first, size; /* ranks of the group */
};
/* The group that a rank is in, and the other one. */
struct side_of_two inter_own(const struct shape *shape, int rank);
struct side_of_two inter_other(const struct shape *shape, int rank);

/* Numbers of embedded plans; between leaders one message. */
enum { INTER_IN, INTER_OUT, INTER_LEADERS };

static inline struct part inter_message(struct ref ref, size_t count)
{
	return (struct part){ref, count, INTER_LEADERS * EMBED_TAGS};
}

/* A collective of one group, of which e has root, send, recv, number, after. */
struct inter_embed {
	enum collective collective;
	struct side_of_two group;
	int extra; /* a rank of the other group that comes first; -1: none */
	int root;  /* in the group, after extra */
	size_t count;
	struct ref send, recv;
	unsigned number;
	uint32_t after;
};
uint32_t inter_embed(struct plan *plan, const struct shape *shape, int rank,
		     const struct inter_embed *e);

/* The own group's SEND[count] reduced at its first rank: where that has it. */
struct ref inter_reduce_own(struct plan *plan, const struct shape *shape,
			    int rank, size_t count, uint32_t *after);

/* Those two leaders' vectors change places: into `in`. */
uint32_t inter_swap(struct plan *plan, const struct shape *shape, int rank,
		    struct ref out, struct ref in, size_t count,
		    uint32_t after);

extern const struct algorithm inter_bcast, inter_reduce, inter_allreduce,
    inter_reduce_scatter;
#endif
