/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange.h: what algorithms of alltoall and alltoallv have in common.
 *
 * In place, blocks to send lie as those to receive. Of an alltoallv only its
 * own blocks are known to a rank, so one without elements is sent, too: then
 * ranks that disagree get an error, and do not wait for ever.
 */
#ifndef COLL_EXCHANGE_H
#define COLL_EXCHANGE_H

#include "coll/plan/plan.h"

/* The block to rank i where it lies in SEND, as a message. */
struct part exchange_out(const struct shape *shape, int i);

/* Receives the block from a rank. */
uint32_t exchange_recv(struct plan *plan, const struct shape *shape, int from,
		       uint32_t after);

/* A rank's block to itself. */
void exchange_own(struct plan *plan, const struct shape *shape, int rank);
#endif
