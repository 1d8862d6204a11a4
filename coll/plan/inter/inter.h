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

#endif
