/* SPDX-License-Identifier: Apache-2.0 */
/* start.h: starts an operation from checked arguments, for bytes and for
 * elements of any layout. */
#ifndef P2P_START_H
#define P2P_START_H

#include "p2p/args.h"
#include "p2p/p2p.h"
#include "p2p/types.h"

/* Whether the argument checks passed. */
static inline bool args_ok(int rc)
{
	return !rc || rc == ARGS_TYPED;
}

static inline void start_note_types(const struct mrt_request *req,
				    const struct args *a)
{
	if (__builtin_expect(env.check, 0))
		types_note(req, &a->types, a->types_count);
}

/* Starts a send to a rank, not MRT_PROC_NULL. */
static inline void start_send(struct mrt_request *req, const struct args *a,
			      const void *buf, int tag)
{
	start_note_types(req, a);
	if (a->typed.type)
		p2p_isend_type(req, &a->typed, a->peer, tag, a->comm->context);
	else
		p2p_isend(req, buf, a->bytes, a->peer, tag, a->comm->context);
}

/* Like start_send, for callers that cannot return an error: failure becomes a
 * fault. */
static inline void start_send_or_fault(struct mrt_request *req,
				       const struct args *a, const void *buf,
				       int tag)
{
	start_send(req, a, buf, tag);
	if (req->complete && req->status.error)
		p2p_send_fault(req->status.error, a->peer);
}

/* For MRT_CHECK: returns MRT_ERR_BUFFER (proc_fail) if another receive, which
 * is not over, has bytes of this one's buffer. Takes time in proportion to all
 * requests. */
int start_check_overlap(const struct args *a, const void *buf);

static inline void start_recv(struct mrt_request *req, const struct args *a,
			      void *buf, int tag)
{
	start_note_types(req, a);
	if (a->typed.type)
		p2p_irecv_type(req, &a->typed, a->peer, tag, a->comm->context);
	else
		p2p_irecv(req, buf, a->bytes, a->peer, tag, a->comm->context);
}
#endif
