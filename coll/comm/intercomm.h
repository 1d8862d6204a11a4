/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intercomm.h: intercommunicators created from others, for comm_create.c.
 * `comm` is an intercommunicator; the calls are collective over both of its
 * groups.
 */
#ifndef COLL_INTERCOMM_H
#define COLL_INTERCOMM_H

#include <stdint.h>

#include "coll/comm/comm_create.h"

int intercomm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm);

/* table, members and world have space for an entry of each rank of both groups.
 * A colour without members in both groups gets MRT_COMM_NULL. */
int intercomm_split(struct mrt_comm *comm, int color, int key,
		    struct mrt_comm **newcomm, uint64_t *table,
		    struct member *members, int *world);
#endif
