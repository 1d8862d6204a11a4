/* SPDX-License-Identifier: Apache-2.0 */
/* protocol.h: shared by p2p.c, which sends, queues and dispatches, and the
 * protocols in eager.c, rendezvous.c and rendezvous_write.c. */
#ifndef P2P_PROTOCOL_H
#define P2P_PROTOCOL_H

#include <stdbool.h>
#include <string.h>

#include "p2p/match.h"
#include "p2p/request.h"
#include "p2p/wire.h"
#include "runtime/base/copy.h"

/* A stage says which message a request sends next; it is a row of `stages` in
 * p2p.c. */
enum stage {
	STAGE_EAGER, /* send: the message */
	STAGE_RTS,   /* send: the message's address */
	STAGE_PUSH,  /* send: a request to write it */
	STAGE_WRITE, /* send: no message; writes the data */
	STAGE_READ,  /* receive: no message; reads the data */
	STAGE_CTS,   /* receive: the address to write to */
	STAGE_ACK,   /* receive: a synchronous eager message has been matched */
	STAGE_FIN,   /* the data has been read or written */
	STAGE_FAILED,	/* send: the message cannot be sent */
	STAGE_WITHDRAW, /* a note: the message is cancelled (cancel.c) */
	STAGE_GONE	/* a note: and has been discarded */
};

/* Sends what req's stage says, or queues it behind what is held back for the
 * same peer. Completes the request when its protocol says so. */
void p2p_transmit(struct mrt_request *req);

/* Completes a send that failed before it was transmitted. */
void p2p_fail_send(struct mrt_request *req, int error);

/* Each sends one message of the protocol. Returns 0, ERR_AGAIN or MRT_ERR_*. */
int eager_send(struct mrt_request *req);
int rendezvous_send_rts(struct mrt_request *req);
int rendezvous_read(struct mrt_request *req);
int rendezvous_write_rts(struct mrt_request *req);
int rendezvous_write_cts(struct mrt_request *req);
int rendezvous_write_data(struct mrt_request *req);
/* Sends an ACK or FIN. */
int p2p_send_end(struct mrt_request *req, enum wire_kind kind);

/* These handle the message that a receive has matched. data is the payload of
 * the fabric's message. */
void eager_receive_sync(struct mrt_request *req, int peer, uint64_t hdr,
			const void *data, size_t len);
void rendezvous_receive(struct mrt_request *req, int peer, uint64_t hdr,
			const void *data, size_t len);

/* Sets the status of a receive. Returns MRT_ERR_TRUNCATE if the message does
 * not fit. */
static inline int receive_status(struct mrt_request *req, int peer, int tag,
				 size_t bytes)
{
	req->status.source = peer;
	req->status.tag = tag;
	req->status.bytes = bytes;
	return __builtin_expect(bytes <= req->bytes, 1) ? 0 : MRT_ERR_TRUNCATE;
}

/* The slow path of eager_copy: the message is longer than req->bytes, because
 * it is too long or because the receive is typed. */
int eager_copy_longer(struct mrt_request *req, const void *data, size_t len);

/* Copies an eager message to its receive's buffer. Returns 0 or
 * MRT_ERR_TRUNCATE. */
static inline int eager_copy(struct mrt_request *req, int peer, int tag,
			     const void *data, size_t len)
{
	int error = receive_status(req, peer, tag, len);

	if (__builtin_expect(error, 0))
		return eager_copy_longer(req, data, len);
	if (len == 8)
		memcpy(req->buf, data, 8); /* a store, not a call */
	else if (len)
		copy_bytes(req->buf, data, len);
	return error;
}

/* Completes a receive with its eager message. */
static inline void eager_take(struct mrt_request *req, int peer, int tag,
			      const void *data, size_t len)
{
	request_complete(req, eager_copy(req, peer, tag, data, len));
}

/* Matched messages by rendezvous that have not arrived as a whole. */
extern uint32_t rendezvous_arriving;
/* Releases the registered memory, at the FIN. */
void rendezvous_release(struct mrt_request *req);
/* The data has been moved, or that failed: sends the FIN to the other side. */
void rendezvous_end(struct mrt_request *req, int error);

/* Handle a WITHDRAW and a GONE. Each returns false if it cannot be
 * (cancel.c). */
bool p2p_withdraw(int peer, uint64_t hdr, const void *data, size_t len);
bool p2p_gone(int peer, const void *data, size_t len);

/* Handles a CTS. Returns false if no request waits for it. */
bool rendezvous_write_cleared(int peer, const void *data, size_t len);

/* The outboxes that are not empty. */
extern struct list p2p_blocked;

/* Sends an eager message unless older ones are held back. Returns 0, ERR_AGAIN
 * or MRT_ERR_*. */
int p2p_send_now(int peer, uint64_t hdr, const struct iovec *iov, int n,
		 size_t bytes);
/* Like p2p_isend, for a message in memory of malloc, which completion frees. */
void p2p_isend_own(struct mrt_request *req, void *own, size_t bytes, int peer,
		   int tag, uint32_t context);
/* Frees what a gathered send owns; does nothing for other requests. */
void iov_send_release(struct mrt_request *req);
/* The bytes per piece from which on the fabric gathers. */
size_t p2p_gather_min(void);

/* typed.c: these accept any receive and do nothing unless it is typed. */
/* Sets req->bytes to the size of the user's buffer. */
void typed_set_bytes(struct mrt_request *req);
/* Prepares a rendezvous of req->bytes. Returns 0 or MRT_ERR_NO_MEM. */
int typed_begin_rendezvous(struct mrt_request *req, bool push);
/* Sends for STAGE_READ if req->reads. */
int typed_read(struct mrt_request *req);
void typed_release(struct mrt_request *req);
#endif
