/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_push.c: long writes through bounce buffers. The writer fills buffers of
 * its own and tells the owner of the memory, which copies them there and says
 * that they are empty. An owner that is not in the library cannot. Where CMA is
 * allowed the writer then takes its buffers back and writes what lies in them
 * by CMA. A word for each buffer (struct sm_claim) makes sure that one of both
 * writes it, once: an owner that comes back late finds nothing to do.
 */
#include <string.h>

#include "mrt.h"
#include "runtime/base/copy.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/fabric/sm/sm_copy.h"

/* Payload of SM_FILL. */
struct fill {
	struct sm_piece piece;
	uint32_t part;
	uint64_t mem;
	uint64_t remote;
};

static bool push_claim(struct sm_claim *c, uint32_t part)
{
	/* acquire: what the buffer holds comes with the message; after
	 * the exchange the other end does not touch it */
	return atomic_compare_exchange_strong_explicit(
	    &c->part, &part, 0, memory_order_acquire, memory_order_relaxed);
}

/* ---- the writer ---- */

/* Fills one buffer and tells the peer. False: no room. */
static bool fill_next(struct sm *sm, struct sm_copy *c)
{
	struct fill f = {.piece.bytes =
			     sm_part(c->moved, c->len, SM_BOUNCE_LEN),
			 .mem = c->key.word[0],
			 .remote = c->remote + c->moved};
	struct iovec iov = {&f, sizeof(f)};
	char *at = sm_bounce_next(sm, &f.piece);
	struct pieces from = c->from;

	if (!at)
		return false;
	pieces_copy(&from, at, f.piece.bytes);
	sm->copies.parts +=
	    sm->copies.parts == UINT32_MAX ? 2 : 1; /* never 0 */
	f.part = sm->copies.parts;
	/* relaxed: published by the message */
	atomic_store_explicit(
	    &sm_bounce_claim(sm, sm->slot, f.piece.buffer)->part, f.part,
	    memory_order_relaxed);
	if (sm_post(c->ep, SM_FILL, c->id, &iov, 1))
		return false;
	sm_bounce_use(sm, &f.piece);
	sm->copies.filled[f.piece.buffer] =
	    (struct sm_filled){f.piece, f.part, c->id, f.remote};
	c->from = from;
	c->moved += f.piece.bytes;
	c->out++;
	return true;
}

int sm_push_step(struct sm *sm, struct sm_copy *c)
{
	int n = 0;

	while (n < SM_AT_ONCE && c->moved < c->len && fill_next(sm, c))
		n++;
	return n;
}

/* A buffer of the copy is empty. */
static void buffer_emptied(struct sm *sm, struct sm_copy *c, int status)
{
	c->out--;
	if (status)
		log_line(LOG_ERROR, status,
			 "rank %d refused access to %llu bytes at its %#llx",
			 c->ep->base.peer, (unsigned long long)c->len,
			 (unsigned long long)c->remote);
	if (status || (c->moved == c->len && !c->out))
		sm_copy_finish(sm, c, status);
}

int sm_push_take_back(struct sm *sm, struct sm_copy *c)
{
	for (uint32_t k = 0; k < SM_BOUNCES; k++) {
		const struct sm_filled *f = &sm->copies.filled[k];
		struct sm_claim *word = sm_bounce_claim(sm, sm->slot, k);
		int rc;

		if (!(sm->buffers.used & 1u << k) || f->copy != c->id ||
		    !push_claim(word, f->part))
			continue;
		rc = sm_cma_range(c->ep, true,
				  sm_bounce_at(sm, sm->slot, &f->piece),
				  f->remote, f->piece.bytes);
		if (rc) {
			/* the owner may have found the buffer taken, so it
			 * cannot be given back to it */
			sm_copy_finish(sm, c, rc);
			return 1;
		}
		sm->buffers.used &= ~(1u << k);
		buffer_emptied(sm, c, 0);
		return 1;
	}
	return 0;
}

void sm_push_emptied(struct sm *sm, const struct sm_ep *ep, const void *data,
		     size_t len)
{
	const struct sm_filled *f;
	uint64_t value = 0;
	uint32_t buffer;
	struct sm_copy *c;

	if (len != sizeof(value)) {
		sm_bad_message(ep, "an answer");
		return;
	}
	memcpy(&value, data, len);
	buffer = (uint32_t)value;
	if (buffer >= SM_BOUNCES || !(sm->buffers.used & 1u << buffer))
		return;
	sm->buffers.used &= ~(1u << buffer);
	f = &sm->copies.filled[buffer];
	c = sm_find_copy(sm, ep, f->copy);
	if (c && c->pushed)
		buffer_emptied(sm, c,
			       (int)error_from_peer((int32_t)(value >> 32)));
}

/* ---- the owner of the memory ---- */

/* Copies what lies in a buffer of the peer into registered memory. */
static int push_empty(struct sm *sm, const struct sm_ep *ep,
		      const struct fill *f)
{
	const struct fab_mem *m =
	    sm_find_mem(sm, f->mem, f->remote, f->piece.bytes);
	const char *at = sm_bounce_at(sm, ep->slot, &f->piece);

	if (!m || m->packer || !f->remote)
		return MRT_ERR_BUFFER;
	if (!at)
		return log_error(MRT_ERR_NO_MEM,
				 "cannot map the bounce buffers of rank %d",
				 ep->base.peer);
	copy_bytes((void *)(uintptr_t)f->remote, at, f->piece.bytes);
	return 0;
}

void sm_push_take(struct sm *sm, struct sm_ep *ep, const void *data, size_t len)
{
	struct sm_serve answer = {
	    .ep = ep, .kind = SM_EMPTIED, .value = sm_emptied(SM_BOUNCES, 0)};
	struct sm_claim *word;
	struct fill f = {{SM_BOUNCES, 0, 0}, 0, 0, 0};

	if (len == sizeof(f))
		memcpy(&f, data, len);
	if (!sm_piece_fits(&f.piece)) {
		sm_bad_message(ep, "a piece of a message");
		return;
	}
	word = sm_bounce_claim(sm, ep->slot, f.piece.buffer);
	if (word && push_claim(word, f.part))
		answer.value =
		    sm_emptied(f.piece.buffer, push_empty(sm, ep, &f));
	sm_relay_answer(sm, &answer);
}
