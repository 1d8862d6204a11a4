/* SPDX-License-Identifier: Apache-2.0 */
/* start.h: starts an operation from checked arguments, for bytes and for
 * elements of any layout. */
#ifndef P2P_START_H
#define P2P_START_H

#include "p2p/args.h"
#include "p2p/p2p.h"

/* Whether the argument checks passed. */
static inline bool args_ok(int rc)
{
	return !rc || rc == ARGS_TYPED;
}

/* Keeps in the request what a receive takes, which MRT_CHECK compares with the
 * message. */
static inline void start_note_received(struct mrt_request *req,
				       const struct args *a)
{
	if (__builtin_expect(!env.check, 1))
		return;
	req->note.types = a->types;
	req->note.count = a->types_count;
	req->note.differs = false;
}

/* Keeps in the request what a send sends, which MRT_CHECK adds to the message.
 */
static inline void start_note_sent(struct mrt_request *req,
				   const struct args *a)
{
	if (__builtin_expect(env.check, 0))
		req->note.types =
		    type_sequence_repeat(a->types, a->types_count);
}

/* Starts a send to a rank, not MRT_PROC_NULL. */
static inline void start_send(struct mrt_request *req, const struct args *a,
			      const void *buf, int tag)
{
	start_note_sent(req, a);
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
	start_note_received(req, a);
	if (a->typed.type)
		p2p_irecv_type(req, &a->typed, a->peer, tag, a->comm->context);
	else
		p2p_irecv(req, buf, a->bytes, a->peer, tag, a->comm->context);
}
#endif
