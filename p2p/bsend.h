/* SPDX-License-Identifier: Apache-2.0 */
/* bsend.h: buffered sends, below the public calls. */
#ifndef P2P_BSEND_H
#define P2P_BSEND_H

#include "p2p/args.h"

/* Copies the message into the attached buffer and sends it from there.
 * MRT_ERR_BUFFER if it does not fit. */
int bsend(const struct args *a, const void *buf, int tag);
/* Waits until all messages in a buffer, or in all if that is NULL, have been
 * sent, but gives up, with a warning, when limit expires; NULL: there is none.
 * Returns 0 or a fault. */
struct idle_timeout;
int bsend_drain(const struct mrt_buffer *buffer, struct idle_timeout *limit);
/* Whether a buffered message on comm has not been sent. */
bool bsend_pending(const struct mrt_comm *comm);
/* Whether the user has attached a buffer to the process, the world or self, and
 * not detached it. */
bool bsend_attached(void);
#endif
