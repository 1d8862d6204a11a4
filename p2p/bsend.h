/* SPDX-License-Identifier: Apache-2.0 */
/* bsend.h: buffered sends, below the public calls. */
#ifndef P2P_BSEND_H
#define P2P_BSEND_H

#include "p2p/args.h"

/* Copies the message into the attached buffer and sends it from there.
 * MRT_ERR_BUFFER: it does not fit. */
int bsend(const struct args *a, const void *buf, int tag);
/* Waits until all are out; 0, or a fault. */
int bsend_drain(void);
/* The same, but no longer than limit lasts, when it says so. */
struct idle_timeout;
int bsend_drain_until(struct idle_timeout *limit);
/* The user has given a buffer and not taken it back. */
bool bsend_attached(void);
#endif
