/* SPDX-License-Identifier: Apache-2.0 */
/* sm_ring.c: sends into the peer's ring and delivers from our own. With up to
 * SM_SCAN_MAX ranks on a node all rings are polled (their next lines stay in
 * the cache until somebody writes); with more, senders set a bit first, so that
 * an idle poll stays O(1), and the rings begin small (sm_grow.c). */
#include "mrt.h"
#include "runtime/base/copy.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/fabric/sm/sm_ring.h"

enum { BURST = 32 }; /* most messages taken from one ring in turn */

static void mark_sender(const struct sm *sm, struct sm_card *card)
{
	/* release: pairs with the acquire in drain_marked; a rank that sees the
	 * bit sees the line */
	atomic_fetch_or_explicit(&card->senders[sm->slot / 64],
				 1ull << (sm->slot % 64), memory_order_release);
}

static __attribute__((noinline)) bool try_push(struct ring *tx, uint64_t hdr,
					       uint32_t kind,
					       const struct iovec *iov, int n,
					       uint32_t len)
{
	return len <= ring_max(tx->data_size) &&
	       ring_push(tx, hdr, kind, iov, n, len);
}

/* Pushes into a ring that may grow. Sets the bit of this rank if the peer looks
 * for it. */
static __attribute__((noinline)) int
push_growing(struct sm *sm, struct sm_ep *ep, uint32_t kind, uint64_t hdr,
	     const struct iovec *iov, int n, uint32_t len)
{
	bool pushed = try_push(&ep->tx, hdr, kind, iov, n, len);

	if (!pushed && sm_may_grow(sm, &ep->tx) && sm_grow(sm, ep))
		pushed = try_push(&ep->tx, hdr, kind, iov, n, len);
	if (!pushed)
		return ERR_AGAIN;
	if (sm->slots > SM_SCAN_MAX)
		mark_sender(sm, ep->card);
	sm_notify(sm, ep->card);
	return 0;
}

static __attribute__((noinline)) int push(struct sm_ep *ep, uint32_t kind,
					  uint64_t hdr, const struct iovec *iov,
					  int n)
{
	struct sm *sm = (struct sm *)ep->base.fab;
	size_t len = 0;

	for (int i = 0; i < n; i++)
		len += iov[i].iov_len;
	if (sm->slots > SM_SCAN_MAX ||
	    !ring_push(&ep->tx, hdr, kind, iov, n, (uint32_t)len))
		return push_growing(sm, ep, kind, hdr, iov, n, (uint32_t)len);
	sm_notify(sm, ep->card);
	return 0;
}

/* The common case, one piece that fits a line, makes no calls. */
int sm_send(struct fab_ep *fep, uint64_t hdr, const struct iovec *iov, int n)
{
	struct sm_ep *ep = (struct sm_ep *)fep;
	struct sm *sm = (struct sm *)fep->fab;

	if (__builtin_expect(n != 1 || iov->iov_len != 8 ||
				 sm->slots > SM_SCAN_MAX ||
				 !ring_push_word(&ep->tx, hdr, iov->iov_base),
			     0))
		return push(ep, SM_MSG, hdr, iov, n);
	sm_notify(sm, ep->card);
	return 0;
}

int sm_post(struct sm_ep *ep, enum sm_kind kind, uint64_t hdr,
	    const struct iovec *iov, int n)
{
	return push(ep, kind, hdr, iov, n);
}

/* Takes what is no plain message in one line: internal ones, long payload, and
 * impossible lengths (the ring is shared memory). */
static __attribute__((noinline)) void take_unusual(struct sm *sm,
						   struct ring *r,
						   const struct ring_line *line,
						   uint32_t word)
{
	uint32_t len = word & RING_LEN_MASK, kind = word & ~RING_LEN_MASK;
	const void *data = ring_payload(r, line, len);
	struct sm_ep *ep = &sm->eps[r - sm->rings.rx];

	if (!data) {
		fault_raise_text(MRT_ERR_PROTOCOL,
				 "message of impossible length %u from rank "
				 "%d: do all ranks run the same libmrt?",
				 len, ep->base.peer);
	} else if (kind == SM_GROWN && sm_follow(sm, ep)) {
		return;
	} else if (kind == SM_MSG) {
		sm->base.sink.recv(ep->base.peer, line->hdr, data, len);
	} else {
		sm->up->arrived(sm, ep, kind, line, data, len);
	}
	ring_pop(r);
}

/* The fast path of a receive that is waited for: no dispatch, one copy. */
ssize_t sm_take(struct fab_ep *fep, uint64_t hdr, void *buf, size_t room)
{
	struct ring *r = ((struct sm_ep *)fep)->rx;
	const struct ring_line *line = ring_peek(r);
	uint32_t len;

	if (!line || line->hdr != hdr)
		return -1;
	/* read once: a peer could change it after the check */
	len = *(volatile const uint32_t *)&line->len;
	if (len == 8 && room >= 8) {
		memcpy(buf, line->data, 8);
	} else {
		/* with flags len exceeds any message */
		const void *data =
		    len <= room ? ring_payload(r, line, len) : NULL;

		if (!data)
			return -1;
		if (len)
			copy_bytes(buf, data, len);
	}
	ring_pop(r);
	return (ssize_t)len;
}

/* Takes at most BURST messages of one ring. */
static inline int ring_drain(struct sm *sm, struct ring *r)
{
	int peer = sm->eps[r - sm->rings.rx].base.peer, n = 0;
	const struct ring_line *line;

	while (n < BURST && (line = ring_peek(r))) {
		/* read once: a peer could change it after the check */
		uint32_t word = *(volatile const uint32_t *)&line->len;

		if (__builtin_expect(word <= RING_INLINE, 1)) {
			sm->base.sink.recv(peer, line->hdr, line->data, word);
			ring_pop(r);
		} else {
			take_unusual(sm, r, line, word);
		}
		n++;
	}
	return n;
}

static int drain_marked(struct sm *sm)
{
	int n = 0;

	for (int w = 0; w * 64 < sm->slots; w++) {
		uint64_t bits = sm->rings.pending[w], left = 0;

		/* relaxed load first: the exchange would take the cache line */
		if (atomic_load_explicit(&sm->card->senders[w],
					 memory_order_relaxed))
			/* acquire: pairs with the release in mark_sender */
			bits |= atomic_exchange_explicit(
			    &sm->card->senders[w], 0, memory_order_acquire);
		for (; bits; bits &= bits - 1) {
			int slot = w * 64 + __builtin_ctzll(bits);
			int some = slot < sm->slots
				       ? ring_drain(sm, &sm->rings.rx[slot])
				       : 0;

			sm->rings.looked++;
			n += some;
			if (some == BURST)
				left |= 1ull << (slot % 64);
		}
		sm->rings.pending[w] = left;
	}
	return n;
}

/* Drains the rings from r on, and moves the copies. */
static __attribute__((noinline)) int move(struct sm *sm, struct ring *r)
{
	struct ring *end = sm->rings.rx + sm->slots;
	int n = 0;

	sm->rings.moves++;
	if (__builtin_expect(sm->slots > SM_SCAN_MAX, 0))
		n = drain_marked(sm);
	else
		for (; r < end; r++)
			if (ring_peek(r))
				n += ring_drain(sm, r);
	if (__builtin_expect(sm->copies.busy, 0))
		n += sm->up->progress(sm);
	return n;
}

/* An idle round is a leaf function: it saves no registers and makes no
 * calls. */
int sm_progress(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;
	struct ring *end = sm->rings.rx + sm->slots;

	if (__builtin_expect(sm->copies.busy || sm->slots > SM_SCAN_MAX, 0))
		return move(sm, sm->rings.rx);
	for (struct ring *r = sm->rings.rx; r < end; r++)
		if (ring_peek(r))
			return move(sm, r);
	return 0;
}
