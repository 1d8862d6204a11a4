/* SPDX-License-Identifier: Apache-2.0 */
/* start.h: from checked arguments to an operation, for bytes and for elements
 * of any layout. a->typed.type is set before the check: NULL. */
#ifndef P2P_START_H
#define P2P_START_H

#include "p2p/args.h"
#include "p2p/p2p.h"

/* Whether the checks found nothing wrong. */
static inline bool args_fine(int rc)
{
	return !rc || rc == ARGS_TYPED;
}

/* To a rank, not MRT_PROC_NULL. */
static inline void start_send(struct mrt_request *req, const struct args *a,
			      const void *buf, int tag)
{
	if (a->typed.type)
		p2p_isend_type(req, &a->typed, a->peer, tag, a->comm->context);
	else
		p2p_isend(req, buf, a->bytes, a->peer, tag, a->comm->context);
}

/* The same by who cannot return its error. */
static inline void start_send_surely(struct mrt_request *req,
				     const struct args *a, const void *buf,
				     int tag)
{
	start_send(req, a, buf, tag);
	if (req->complete && req->status.error)
		p2p_lost(req->status.error, a->peer);
}

static inline void start_recv(struct mrt_request *req, const struct args *a,
			      void *buf, int tag)
{
	if (a->typed.type)
		p2p_irecv_type(req, &a->typed, a->peer, tag, a->comm->context);
	else
		p2p_irecv(req, buf, a->bytes, a->peer, tag, a->comm->context);
}
#endif
