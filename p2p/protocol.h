/* SPDX-License-Identifier: Apache-2.0 */
/*
 * protocol.h: between p2p.c, which sends, queues and dispatches, and the
 * protocols eager.c, rendezvous.c and rendezvous_write.c.
 */
#ifndef P2P_PROTOCOL_H
#define P2P_PROTOCOL_H

#include <stdbool.h>
#include <string.h>

#include "p2p/match.h"
#include "p2p/request.h"
#include "p2p/wire.h"

/* What a request sends next; a row of `stages` in p2p.c each. */
enum stage {
	STAGE_EAGER, /* send: the message */
	STAGE_RTS,   /* send: where it lies */
	STAGE_PUSH,  /* send: that it is to be written */
	STAGE_WRITE, /* send: nothing, it writes the message */
	STAGE_READ,  /* receive: nothing, it reads the message */
	STAGE_CTS,   /* receive: where to write it */
	STAGE_ACK,   /* receive: a synchronous eager one has been matched */
	STAGE_FIN,   /* it has been read, or written */
	STAGE_FAILED /* send: that there is none */
};

/*
 * Sends what req's stage says, or queues it behind what is held back for the
 * same peer. Completes the request when its protocol says so.
 */
void p2p_transmit(struct mrt_request *req);

/* A send that fails before it has been transmitted. */
void p2p_fail_send(struct mrt_request *req, int error);

/* Each sends one message: 0, ERR_AGAIN or MRT_ERR_*. */
int eager_send(struct mrt_request *req);
int rendezvous_send_rts(struct mrt_request *req);
int rendezvous_read(struct mrt_request *req);
int rendezvous_write_rts(struct mrt_request *req);
int rendezvous_write_cts(struct mrt_request *req);
int rendezvous_write_data(struct mrt_request *req);
/* An ACK or FIN. */
int p2p_send_end(struct mrt_request *req, enum wire_kind kind);

/* A receive has met its message: the payload of the fabric's message. */
void eager_receive_sync(struct mrt_request *req, int peer, uint64_t hdr,
			const void *data, size_t len);
void rendezvous_receive(struct mrt_request *req, int peer, uint64_t hdr,
			const void *data, size_t len);

/* Sets status of a receive; MRT_ERR_TRUNCATE if it does not fit. */
static inline int receive_status(struct mrt_request *req, int peer, int tag,
				 size_t bytes)
{
	req->status.source = peer;
	req->status.tag = tag;
	req->status.bytes = bytes;
	return __builtin_expect(bytes <= req->bytes, 1) ? 0 : MRT_ERR_TRUNCATE;
}

/* The same for a message longer than req->bytes: it is too long, or its receive
 * a typed one. */
int eager_copy_longer(struct mrt_request *req, const void *data, size_t len);

/* Puts an eager message where it belongs; MRT_ERR_TRUNCATE or 0. */
static inline int eager_copy(struct mrt_request *req, int peer, int tag,
			     const void *data, size_t len)
{
	int error = receive_status(req, peer, tag, len);

	if (__builtin_expect(error, 0))
		return eager_copy_longer(req, data, len);
	if (len == 8)
		memcpy(req->buf, data, 8); /* a store, not a call */
	else if (len)
		memcpy(req->buf, data, len);
	return error;
}

/* An eager message meets its receive. */
static inline void eager_take(struct mrt_request *req, int peer, int tag,
			      const void *data, size_t len)
{
	request_complete(req, eager_copy(req, peer, tag, data, len));
}

/* Releases the registration, at the FIN. */
void rendezvous_release(struct mrt_request *req);
/* Moved, or failed: tells the other side by a FIN. */
void rendezvous_end(struct mrt_request *req, int error);

/* A CTS. False: it is none that is waited for. */
bool rendezvous_write_cleared(int peer, const void *data, size_t len);

/* The outboxes that hold something back. */
extern struct list p2p_blocked;

/* Sends an eager message unless older ones are held back: 0, ERR_AGAIN or
 * MRT_ERR_*. */
int p2p_send_now(int peer, uint64_t hdr, const struct iovec *iov, int n,
		 size_t bytes);
/* Sends a message that lies in memory of malloc, which completion frees. */
void p2p_isend_own(struct mrt_request *req, void *own, size_t bytes, int peer,
		   int tag, uint32_t context);
/* Frees what a gathered send keeps; any request. */
void iov_send_release(struct mrt_request *req);
/* From so many bytes a piece the fabric gathers. */
size_t p2p_gather_min(void);

/* typed.c: for any receive, of which other than typed ones stay as they are. */
/* req->bytes gets the room. */
void typed_open(struct mrt_request *req);
/* Prepares for a rendezvous of req->bytes; 0 or MRT_ERR_NO_MEM. */
int typed_begin(struct mrt_request *req, bool push);
/* STAGE_READ, with req->reads. */
int typed_read(struct mrt_request *req);
void typed_release(struct mrt_request *req);
#endif
