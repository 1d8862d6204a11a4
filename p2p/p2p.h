/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p.h: point to point between world ranks, in bytes, below communicators and
 * types. The public calls and the collectives' executor use it.
 *
 * A message matches by (context, source, tag). context.h lists the contexts:
 * comm->context is that of the user's messages on a communicator.
 */
#ifndef P2P_P2P_H
#define P2P_P2P_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "p2p/request.h"

struct unexpected; /* p2p/match.h */

/* Prepares matching and the message pools. p2p_fini frees them at finalize. */
int p2p_init(void);
void p2p_fini(void);

/* The fabric delivers messages here (struct fab_sink). */
void p2p_deliver(int peer, uint64_t hdr, const void *data, size_t len);

/* Receives the messages of windows, whose communicator has this context; set
 * once, at start. Returns false if the message is invalid. */
extern bool (*p2p_window_sink)(int peer, uint32_t context, const void *data,
			       size_t len);

/*
 * These start an operation on a request that the caller owns (on its stack, in
 * a plan's run, or from request_alloc), prepared by request_prepare; req->done
 * may be set. The request completes in this call or in a later progress. Errors
 * are in req->status.error. buf must stay valid until completion. peer: world
 * rank; for receives, source may be MRT_ANY_SOURCE and tag MRT_ANY_TAG. With
 * req->sync a send completes only when the receiver has matched it.
 */
void p2p_isend(struct mrt_request *req, const void *buf, size_t bytes, int peer,
	       int tag, uint32_t context);
void p2p_irecv(struct mrt_request *req, void *buf, size_t bytes, int source,
	       int tag, uint32_t context);

/* Sends the news that an internal message (context_is_internal) cannot be sent:
 * the matching receive fails with `error`, and so does req. */
void p2p_isend_failed(struct mrt_request *req, int error, int peer, int tag,
		      uint32_t context);

/*
 * Like p2p_isend, for one message of n >= 0 pieces, of which some may be empty.
 * The pieces must stay valid until completion, the list need not. iov_send.c
 * says when the fabric gathers them and when they are packed.
 */
void p2p_isendv(struct mrt_request *req, const struct iovec *iov, int n,
		int peer, int tag, uint32_t context);
/* Sets the bytes per piece from which on the fabric gathers. */
void p2p_set_gather_min(size_t bytes);

/* Like p2p_isend and p2p_irecv, for elements of a committed type of any layout.
 * *e need not stay valid; its type may be freed meanwhile. */
void p2p_isend_type(struct mrt_request *req, const struct typed_buffer *e,
		    int peer, int tag, uint32_t context);
void p2p_irecv_type(struct mrt_request *req, const struct typed_buffer *e,
		    int source, int tag, uint32_t context);

/* Raises a fault because a message to `peer` failed whose send cannot return
 * the error: the peer may wait for it for ever. */
void p2p_send_fault(int error, int peer);

/* Waits for a request that the caller owns. Returns its status.error, or a
 * fault, after which the request is out of every queue. */
int p2p_wait(struct mrt_request *req);

/* Reports the failed request's peer and size (proc_fail); returns its error,
 * which it makes more precise. */
int p2p_report(struct mrt_request *req);

/* Reports a failed partitioned request likewise (partitioned.c). */
int partitioned_report(const struct mrt_request *req);

/* Removes an incomplete request from every queue, after a fault. */
void p2p_abandon(struct mrt_request *req);

/* Blocking send. On the fast path, an eager message for which the fabric has
 * room needs no request. */
int p2p_send(const void *buf, size_t bytes, int peer, int tag,
	     uint32_t context);

/* The fast path alone. Returns 0, or ERR_AGAIN or MRT_ERR_* if nothing was
 * sent. */
int p2p_send_eager(const void *buf, size_t bytes, int peer, int tag,
		   uint32_t context);

/* A blocking receive from one rank with one tag. */
struct blocking_recv {
	uint64_t hdr; /* wire_pack(WIRE_EAGER, context, tag) */
	int peer;     /* world rank */
	bool arrived; /* the message is there; bytes is set */
	void *buf;
	size_t capacity, bytes;
	struct mrt_request *req; /* private to blocking_recv.c */
};

/* Receives into r->buf, waiting. The caller need not set r->arrived. No request
 * is made unless other receives compete. Returns the receive's error or a
 * fault. */
int p2p_recv(struct blocking_recv *r);

/* Cancels a receive that nothing has matched, or a send that has not left: it
 * completes, cancelled. Withdraws a send that waits for an answer, which
 * completes later, cancelled or not. Else does nothing. Returns 0 or
 * MRT_ERR_NO_MEM (proc_fail). */
int p2p_cancel(struct mrt_request *req);

/* The objects that mrt_mprobe returns begin with this while they are alive. */
#define MESSAGE_MAGIC 0x6d72742d6d657373ull
extern struct pool message_pool;

/* Whether a message for such a receive has arrived; sets *status for the oldest
 * (source: world rank). Makes no progress. */
bool p2p_peek(int source, int tag, uint32_t context, struct mrt_status *status);

/* Removes the oldest such message from the unexpected queue (NULL: there is
 * none); p2p_irecv_taken then receives it as p2p_irecv does. */
struct unexpected *p2p_take(int source, int tag, uint32_t context);
void p2p_irecv_taken(struct mrt_request *req, void *buf, size_t bytes,
		     struct unexpected *u);
void p2p_irecv_taken_type(struct mrt_request *req, const struct typed_buffer *e,
			  struct unexpected *u);
#endif
