/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intercomm.h: intercommunicators made of others, for comm_create.c. `comm` is
 * one; collective over both of its groups.
 */
#ifndef COLL_INTERCOMM_H
#define COLL_INTERCOMM_H

#include <stdint.h>

#include "coll/comm/comm_create.h"

int intercomm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm);

/* In table, members and world is room for an entry of each rank of both
 * groups. Without members in both groups a colour gets MRT_COMM_NULL. */
int intercomm_split(struct mrt_comm *comm, int color, int key,
		    struct mrt_comm **newcomm, uint64_t *table,
		    struct member *members, int *world);
#endif
