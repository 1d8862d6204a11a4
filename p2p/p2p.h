/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p.h: point to point among world ranks, in bytes, below communicators and
 * types: what the public calls and the collectives' executor are made of.
 *
 * A message matches by (context, source, tag). Each communicator has two
 * contexts: comm->context for the user's messages, comm->context | 1 for
 * those of its collectives.
 */
#ifndef P2P_P2P_H
#define P2P_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "p2p/request.h"

/* Prepares matching and the message pools; at finalize, p2p_fini. */
int p2p_init(void);
void p2p_fini(void);

/*
 * Start an operation on a request that the caller owns (on its stack, in a
 * plan's run, or from request_alloc). The request completes - req->complete
 * becomes true, and req->done is called if set - in this call or in a later
 * progress. Errors that are the message's (truncation, dead peer) come in
 * req->status.error; the return value is for errors that start nothing.
 * buf must stay valid until completion. peer: world rank; source may be
 * MRT_ANY_SOURCE, tag MRT_ANY_TAG for receives.
 */
int p2p_isend(struct mrt_request *req, const void *buf, size_t bytes, int peer,
	      int tag, uint32_t context);
/* Completes only when the receiver has matched. */
int p2p_issend(struct mrt_request *req, const void *buf, size_t bytes,
	       int peer, int tag, uint32_t context);
int p2p_irecv(struct mrt_request *req, void *buf, size_t bytes, int source,
	      int tag, uint32_t context);

/* Waits for one request that the caller owns; its status.error or a fault. */
int p2p_wait(struct mrt_request *req);
#endif
