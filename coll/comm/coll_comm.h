/* SPDX-License-Identifier: Apache-2.0 */
/* coll_comm.h: the state of collectives, made and freed with the library and
 * with each communicator. Functions that return int return 0 or MRT_ERR_*. */
#ifndef COLL_COLL_COMM_H
#define COLL_COLL_COMM_H

#include "coll/plan/shape.h"
#include "p2p/comm.h"

/* Prepares collectives, after the communicators and before the first
 * collective. Returns MRT_ERR_ENV if this rank's choices differ from those of
 * another rank. coll_fini undoes it. */
int coll_init(void);
void coll_fini(void);

/*
 * Create and destroy comm->coll, the state of a communicator's collectives.
 * Creating is collective over the new communicator, whose point-to-point
 * messages must work already. Destroying is local, but no rank must use the
 * state any more; it does nothing if comm->coll is NULL. For an
 * intercommunicator creating is local and the state is empty: its collectives
 * run on its hidden communicator.
 */
int coll_comm_create(struct mrt_comm *comm);
void coll_comm_destroy(struct mrt_comm *comm);

/*
 * coll_comm_create in three parts, without cells. coll_comm_prepare allocates
 * the state; it is local, and the communicator needs no id yet.
 * coll_comm_region returns at rank 0 a number that must be told to all ranks.
 * coll_comm_attach takes that number and completes the state; it is local.
 */
int coll_comm_prepare(struct mrt_comm *comm);
int32_t coll_comm_region(const struct mrt_comm *comm);
void coll_comm_attach(struct mrt_comm *comm, int32_t region);

/* Forces an algorithm as select_force does. Later calls make new plans; plans
 * kept from before are not used any more, but by persistent requests. */
int coll_force(enum collective collective, const char *text);
#endif
