/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h: what ranks send each other. A message of the fabric is an 8-byte
 * header - kind, context, tag - and a payload:
 *
 *   EAGER       the user's bytes
 *   EAGER_SYNC  struct wire_sync, then the user's bytes; answered by ACK
 *   RTS         struct wire_rts; the receiver reads, then answers with FIN;
 *               with push it answers with CTS, the sender writes, then FIN
 *   CTS         struct wire_cts
 *   ACK, FIN    struct wire_end
 *   WITHDRAW    struct wire_end: the sender cancels the message of its request,
 *               with the same context and tag;
 *               answered by GONE if no receive has matched it, else not
 *   GONE        struct wire_end
 *   FAILED      struct wire_end, id 0: replaces an internal message
 *               (context_is_internal) that its sender could not send
 *   WINDOW      a message of a window (rma/message.c), which has its context
 *
 * MRT_CHECK sets the bit TYPED in the kind of a user's EAGER, EAGER_SYNC and
 * RTS and puts a struct type_sequence behind it, which says what was sent
 * (types.h).
 *
 * Messages are validated on arrival. An invalid one is a fault
 * (MRT_ERR_PROTOCOL): its sender and this rank would wait for each other.
 */
#ifndef P2P_WIRE_H
#define P2P_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "p2p/context.h"
#include "runtime/fabric/fabric.h"

enum wire_kind {
	WIRE_EAGER,
	WIRE_EAGER_SYNC,
	WIRE_RTS,
	WIRE_CTS,
	WIRE_ACK,
	WIRE_FIN,
	WIRE_FAILED,
	WIRE_WITHDRAW,
	WIRE_GONE,
	WIRE_WINDOW,
	WIRE_TYPED = 0x80 /* a bit beside the others */
};

_Static_assert(8 + CONTEXT_BITS == 32, "kind, context and tag fill a header");

static inline uint64_t wire_pack(unsigned kind, uint32_t context, int tag)
{
	return (uint64_t)kind | (uint64_t)context << 8 |
	       (uint64_t)(uint32_t)tag << 32;
}

static inline unsigned wire_kind(uint64_t hdr)
{
	return hdr & 0xff;
}

static inline uint32_t wire_context(uint64_t hdr)
{
	return (uint32_t)(hdr >> 8) & ((1u << CONTEXT_BITS) - 1);
}

static inline int wire_tag(uint64_t hdr)
{
	return (int)(uint32_t)(hdr >> 32);
}

struct wire_sync {
	uint32_t id, pad; /* id: the sender's request */
};

struct wire_rts {
	uint64_t addr, len; /* in the sender */
	struct fab_key key;
	uint32_t id;
	uint32_t push; /* 1: no address, the sender writes */
};
_Static_assert(sizeof(struct wire_rts) <= 48, "an RTS is one line of sm");

/* The sender's request in the payload of a message, 0 if it waits for no
 * answer. */
static inline uint32_t wire_id(unsigned kind, const void *data)
{
	uint32_t id = 0;

	kind &= ~(unsigned)WIRE_TYPED;
	if (kind == WIRE_EAGER_SYNC)
		memcpy(&id, (const char *)data + offsetof(struct wire_sync, id),
		       sizeof(id));
	else if (kind == WIRE_RTS)
		memcpy(&id, (const char *)data + offsetof(struct wire_rts, id),
		       sizeof(id));
	return id;
}

struct wire_cts {
	uint64_t addr, len; /* in the receiver; len: as much as it takes */
	struct fab_key key;
	uint32_t id; /* the sender's request */
	uint32_t to; /* the receiver's request, for the FIN */
};
_Static_assert(sizeof(struct wire_cts) <= 48, "a CTS is one line of sm");

struct wire_end {
	uint32_t id;	/* the request that waits for it */
	int32_t status; /* 0 or MRT_ERR_* */
};
#endif
