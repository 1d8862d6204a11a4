/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange.h: what the algorithms of alltoall and alltoallv share.
 *
 * In place, the blocks to send lie where the blocks to receive go. In an
 * alltoallv a rank knows only the lengths of its own blocks, so it sends empty
 * ones, too: ranks that disagree about a length then get an error instead of
 * waiting for ever.
 */
#ifndef COLL_EXCHANGE_H
#define COLL_EXCHANGE_H

#include "coll/plan/plan.h"

/* Returns the block for rank i where it lies in SEND, as a message. */
struct part exchange_out(const struct shape *shape, int i);

/* Receives the block of rank `from`. */
uint32_t exchange_recv(struct plan *plan, const struct shape *shape, int from,
		       uint32_t after);

/* Copies the rank's block for itself. */
void exchange_own(struct plan *plan, const struct shape *shape, int rank);
#endif
