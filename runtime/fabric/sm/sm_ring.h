/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_ring.h: messages between ranks of the node.
 *
 *   sm_ring.c  sending, and delivering what has come
 *   sm_grow.c  where the rings are, and larger ones for pairs that need them
 */
#ifndef FABRIC_SM_RING_H
#define FABRIC_SM_RING_H

#include "runtime/fabric/sm/sm_wait.h"

/* Kinds of messages, in the bits above RING_LEN_MASK. */
enum sm_kind {
	SM_MSG = 0,	      /* a message for the sink */
	SM_GET = 1 << 24,     /* requests memory through the ring */
	SM_PUT = 2 << 24,     /* part of a write */
	SM_DATA = 3 << 24,    /* part of the answer to SM_GET */
	SM_FULL = 7 << 24,    /* like SM_DATA, in a bounce buffer */
	SM_EMPTIED = 8 << 24, /* the bounce buffer may be reused */
	SM_ACK = 4 << 24,     /* end of a PUT, or refusal; a status */
	SM_ATOMIC = 5 << 24,  /* fetch_add, compare_swap */
	SM_RESULT = 6 << 24,  /* answer to SM_ATOMIC */
	SM_GROWN = 9 << 24,   /* what follows comes through the second ring */
	SM_FILL = 10 << 24,   /* part of a write, in a bounce buffer */
	SM_DROP = 11 << 24    /* an SM_GET that need not be answered any more */
};

int sm_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n);
ssize_t sm_take(struct fab_ep *ep, uint64_t hdr, void *buf, size_t room);
/* Sends an internal message; ERR_AGAIN like send. */
int sm_post(struct sm_ep *ep, enum sm_kind kind, uint64_t hdr,
	    const struct iovec *iov, int n);
int sm_progress(struct fab *fab);

/* Bytes of all rings as they are at first, and of all second rings. */
size_t sm_rings_bytes(const struct sm *sm);
size_t sm_second_rings_bytes(const struct sm *sm);
/* Attaches one end of the ring from slot `from` to slot `to`, as it is at
 * first. */
void sm_ring_attach(const struct sm *sm, struct ring *r, int from, int to);
/* Whether a sender that finds no room in this ring may continue in a second
 * one. */
bool sm_may_grow(const struct sm *sm, const struct ring *r);
/* Continues a ring through which this rank sends in a second one, if it may
 * grow. False: no memory; where the first ring is too small for all messages, a
 * fault has been raised. */
bool sm_grow(struct sm *sm, struct sm_ep *ep);
/* Follows the sender from a ring whose last message has just been peeked to the
 * second one. False: there cannot be another one. */
bool sm_follow(struct sm *sm, struct sm_ep *ep);
/* Return the bytes of rings that this rank has mapped, and of those that it has
 * used. */
size_t sm_rings_used(const struct sm *sm);
size_t sm_rings_mapped(const struct sm *sm);
void sm_grow_fini(struct sm *sm);
#endif
