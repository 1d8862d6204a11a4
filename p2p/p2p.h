/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p.h: point to point among world ranks, in bytes, below communicators and
 * types: what the public calls and the collectives' executor are made of.
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

/* Prepares matching and the message pools; at finalize, p2p_fini. */
int p2p_init(void);
void p2p_fini(void);

/* Where the fabric delivers (struct fab_sink). */
void p2p_deliver(int peer, uint64_t hdr, const void *data, size_t len);

/*
 * Start an operation on a request that the caller owns (on its stack, in a
 * plan's run, or from request_alloc), prepared by request_prepare; done may
 * be set. The request completes in this call or in a later progress. Errors
 * come in req->status.error. buf must stay valid until completion. peer:
 * world rank; source may be MRT_ANY_SOURCE, tag MRT_ANY_TAG for receives.
 * req->sync makes a send complete only when the receiver has matched.
 */
void p2p_isend(struct mrt_request *req, const void *buf, size_t bytes, int peer,
	       int tag, uint32_t context);
void p2p_irecv(struct mrt_request *req, void *buf, size_t bytes, int source,
	       int tag, uint32_t context);

/* In place of a message of libmrt's own that cannot be sent (wire.h): the
 * receive fails with `error`, and so does req. */
void p2p_isend_failed(struct mrt_request *req, int error, int peer, int tag,
		      uint32_t context);

/*
 * The same for one message of n >= 0 pieces; empty ones are fine. Pieces must
 * stay until completion, the list not. The fabric gathers them or they are
 * packed here: see iov_send.c.
 */
void p2p_isendv(struct mrt_request *req, const struct iovec *iov, int n,
		int peer, int tag, uint32_t context);
/* From so many bytes a piece the fabric gathers. */
void p2p_set_gather_min(size_t bytes);

/*
 * The same for elements of a type of any layout, dense ones as well. The list
 * at e need not stay; a type may be freed.
 */
void p2p_isend_type(struct mrt_request *req, const struct elements *e, int peer,
		    int tag, uint32_t context);
void p2p_irecv_type(struct mrt_request *req, const struct elements *e,
		    int source, int tag, uint32_t context);

/* A message failed, other than by a fault, whose sender cannot return that at
 * once. The rank it was for may wait for ever: that is a fault. */
void p2p_lost(int error, int peer);

/*
 * Waits for one request that the caller owns: its status.error, or a fault,
 * after which the request is out of every queue.
 */
int p2p_wait(struct mrt_request *req);

/* Says with whom a send or receive has failed (proc_fail); its error. */
int p2p_explain(const struct mrt_request *req);

/* After a fault: takes an incomplete request out of every queue. */
void p2p_abandon(struct mrt_request *req);

/* Blocking send. The short path: an eager message that finds room makes no
 * request. */
int p2p_send(const void *buf, size_t bytes, int peer, int tag,
	     uint32_t context);

/* The short path alone: 0 or, not sent, ERR_AGAIN or MRT_ERR_*. */
int p2p_send_eager(const void *buf, size_t bytes, int peer, int tag,
		   uint32_t context);

/* A receive that its caller waits for, from one rank with one tag. */
struct receipt {
	uint64_t hdr; /* wire_pack(WIRE_EAGER, context, tag) */
	int peer;     /* world rank */
	bool arrived; /* set, and bytes, if the message has come */
	void *buf;
	size_t room, bytes;
	struct mrt_request *req; /* private to blocking_recv.c */
};

/* Blocking receive; r->arrived need not be set. Makes no request as long as it
 * has no competitors. Its error, or a fault. */
int p2p_recv(struct receipt *r);

/* Takes a receive back if nothing has matched it: it completes, cancelled. */
void p2p_cancel(struct mrt_request *req);

/* What mrt_mprobe gives begins with this while it is alive. */
#define MESSAGE_MAGIC 0x6d72742d6d657373ull
extern struct pool message_pool;

/* The oldest message that such a receive would get: true and *status (source:
 * world rank). No progress. */
bool p2p_peek(int source, int tag, uint32_t context, struct mrt_status *status);

/* Takes this message out of the queue (NULL: there is none), for
 * p2p_irecv_taken to receive as p2p_irecv does. */
struct unexpected *p2p_take(int source, int tag, uint32_t context);
void p2p_irecv_taken(struct mrt_request *req, void *buf, size_t bytes,
		     struct unexpected *u);
void p2p_irecv_taken_type(struct mrt_request *req, const struct elements *e,
			  struct unexpected *u);
#endif
