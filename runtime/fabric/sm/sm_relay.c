/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_relay.c: copies through shared memory where the kernel denies CMA. The
 * owner answers a GET by filling its bounce buffers in turn, and the reader
 * empties them, so both ends copy at once, in a pipeline. Without memory for
 * bounce buffers the parts go through the ring itself. Requests come from
 * another process: what they name is checked against the registered memory.
 */
#include <string.h>

#include "mrt.h"
#include "runtime/base/copy.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/fabric/sm/sm_copy.h"

/* Payload of SM_GET, SM_ATOMIC, and the beginning of SM_PUT. */
struct request {
	uint64_t remote, len, operand[2], mem;
	uint32_t swap, pad; /* swap in SM_PUT: the last part, to be answered */
};

enum {
	PUT_PIECES = 31,  /* most pieces gathered by one message */
	PACKED_MAX = 4096 /* bytes that are packed for the ring at a time */
};

struct sm_copy *sm_find_copy(struct sm *sm, const struct sm_ep *ep, uint64_t id)
{
	list_for_each (it, &sm->copies.begun) {
		struct sm_copy *c = list_entry(it, struct sm_copy, link);

		if (id && c->id == id && c->ep == ep)
			return c;
	}
	return NULL;
}

/* ---- the requesting end ---- */

/* Sends the next parts of a write; returns how many. */
static int send_put(struct sm_copy *c)
{
	struct request request = {.mem = c->key.word[0]};
	size_t room = c->ep->base.send_max - sizeof(request);
	int n = 0;

	while (c->moved < c->len) {
		struct iovec iov[1 + PUT_PIECES] = {
		    {&request, sizeof(request)}};
		struct pieces from = c->from;
		size_t part = c->len - c->moved;
		int pieces;

		part = part < room ? part : room;
		pieces = pieces_take(&from, &iov[1], PUT_PIECES, &part);
		request.remote = c->remote + c->moved;
		request.len = part;
		request.swap = c->moved + part == c->len;
		if (sm_post(c->ep, SM_PUT, c->id, iov, 1 + pieces))
			break;
		c->from = from;
		c->moved += part;
		n++;
	}
	c->asked = c->moved == c->len;
	return n;
}

/* Asks for a read or atomic; returns 1, or 0 without room in the ring. */
static int relay_ask(struct sm_copy *c)
{
	struct request request = {.remote = c->remote,
				  .len = c->len,
				  .operand = {c->operand[0], c->operand[1]},
				  .mem = c->key.word[0],
				  .swap = c->swap};
	struct iovec iov = {&request, sizeof(request)};

	c->asked = !sm_post(c->ep, c->kind == COPY_READ ? SM_GET : SM_ATOMIC,
			    c->id, &iov, 1);
	return c->asked;
}

/* Goes on by CMA in place of the ring, at the next step. Returns 0 if it
 * cannot. */
static int leave_relay(struct sm *sm, struct sm_copy *c)
{
	c->ep->can_cma = sm_copy_probe(c->ep->card);
	if (!c->ep->can_cma)
		return 0;
	if (c->asked)
		/* without room the peer answers in vain */
		sm_post(c->ep, SM_DROP, c->id, NULL, 0);
	if (!c->pushed)
		c->id = 0; /* what is answered yet is dropped */
	c->how = CMA;
	sm->copies.left++;
	return 1;
}

int sm_relay_step(struct sm *sm, struct sm_copy *c)
{
	int n = 0;

	if (c->pushed)
		n = sm_push_step(sm, c);
	else if (!c->asked)
		n = c->kind == COPY_WRITE ? send_put(c) : relay_ask(c);
	return n || !sm_choice_regretted(sm, c) ? n : leave_relay(sm, c);
}

void sm_bad_message(const struct sm_ep *ep, const char *what)
{
	fault_raise_text(MRT_ERR_PROTOCOL,
			 "rank %d sent %s that cannot be: do all ranks run "
			 "the same libmrt?",
			 ep->base.peer, what);
}

static void take_data(struct sm *sm, struct sm_copy *c, const void *data,
		      size_t len)
{
	if (c->kind == COPY_WRITE || len > c->len - c->moved) {
		sm_bad_message(c->ep, "data");
		return;
	}
	sm_copy_in(c, data, len);
	if (c->moved == c->len)
		sm_copy_finish(sm, c, 0);
}

static void take_ack(struct sm *sm, struct sm_copy *c, const void *data,
		     size_t len)
{
	int64_t status = MRT_ERR_PROTOCOL;

	if (len == sizeof(status))
		memcpy(&status, data, len);
	status = error_from_peer(status);
	/* only a write that was sent as a whole can be acknowledged */
	if (!status && (c->kind != COPY_WRITE || !c->asked))
		status = MRT_ERR_PROTOCOL;
	if (status)
		log_line(LOG_ERROR, (int)status,
			 "rank %d refused access to %llu bytes at its %#llx",
			 c->ep->base.peer, (unsigned long long)c->len,
			 (unsigned long long)c->remote);
	sm_copy_finish(sm, c, (int)status);
}

/* Drops an answer without a request: the rest of a failed copy may arrive. */
static void drop_answer(const struct sm_ep *ep)
{
	log_debug("answer of rank %d without a request: dropped",
		  ep->base.peer);
}

/* Takes a part from a bounce buffer of the owner, which needs it back in any
 * case. */
static void take_full(struct sm *sm, struct sm_ep *ep, struct sm_copy *c,
		      const void *data, size_t len)
{
	struct sm_serve emptied = {.ep = ep, .kind = SM_EMPTIED};
	struct sm_piece p = {.buffer = SM_BOUNCES};
	const char *at;

	if (len == sizeof(p))
		memcpy(&p, data, len);
	if (!sm_piece_fits(&p)) {
		sm_bad_message(ep, "a piece of a message");
		return;
	}
	at = sm_bounce_at(sm, ep->slot, &p);
	if (!c)
		drop_answer(ep);
	else if (at)
		take_data(sm, c, at, p.bytes);
	else
		sm_copy_finish(sm, c,
			       log_error(MRT_ERR_NO_MEM,
					 "cannot map the bounce buffers of "
					 "rank %d",
					 c->ep->base.peer));
	emptied.value = sm_emptied(p.buffer, 0);
	sm_relay_answer(sm, &emptied);
}

/* ---- the serving end ---- */

static const void *serve_from(const struct sm_serve *s)
{
	return (const void *)(uintptr_t)(s->from + s->moved);
}

/* Copies the next `part` bytes of an answer to `out`. */
static void serve_bytes(struct sm_serve *s, void *out, size_t part)
{
	if (s->packer)
		s->packer->copy(s->packer, s->from + s->moved, part, out);
	else
		copy_bytes(out, serve_from(s), part);
}

/* Fills one bounce buffer; returns 1, or 0 if it is still in use. */
static int serve_bounce(struct sm *sm, struct sm_serve *s)
{
	/* long messages are packed into one half of each buffer, so that these
	 * stay in the caches beside the memory that is gathered */
	size_t limit = s->packer ? SM_BOUNCE_LEN / 2 : SM_BOUNCE_LEN;
	struct sm_piece p = {.bytes = sm_part(s->moved, s->len, limit)};
	struct iovec iov = {&p, sizeof(p)};
	char *at = sm_bounce_next(sm, &p);

	if (!at)
		return 0;
	serve_bytes(s, at, p.bytes);
	if (sm_post(s->ep, SM_FULL, s->id, &iov, 1))
		return 0;
	sm_bounce_use(sm, &p);
	sm->copies.filled[p.buffer].copy = 0;
	s->moved += p.bytes;
	return 1;
}

static int serve_data(struct sm *sm, struct sm_serve *s)
{
	int n = 0;

	if (s->len > SM_BOUNCE_MIN && sm_may_bounce(sm)) {
		while (n < SM_AT_ONCE && s->moved < s->len &&
		       serve_bounce(sm, s))
			n++;
		return n;
	}
	while (s->moved < s->len) {
		uint64_t part = s->len - s->moved;
		struct iovec iov = {(void *)(uintptr_t)serve_from(s), 0};
		char packed[PACKED_MAX];

		/* a quarter of the ring, so that the reader starts early */
		if (part > sm->rings.data_size / 4)
			part = sm->rings.data_size / 4;
		if (s->packer) {
			part = part < PACKED_MAX ? part : PACKED_MAX;
			serve_bytes(s, packed, part);
			iov.iov_base = packed;
		}
		iov.iov_len = part;
		if (sm_post(s->ep, SM_DATA, s->id, &iov, 1))
			break;
		s->moved += part;
		n++;
	}
	return n;
}

static bool post_value(const struct sm_serve *s)
{
	struct iovec iov = {(void *)(uintptr_t)&s->value, sizeof(s->value)};

	return !sm_post(s->ep, s->kind, s->id, &iov, 1);
}

int sm_relay_serve(struct sm *sm)
{
	int n = 0;

	list_for_each_safe (it, &sm->copies.serves) {
		struct sm_serve *s = list_entry(it, struct sm_serve, link);
		bool over;

		if (s->kind == SM_DATA) {
			n += serve_data(sm, s);
			over = s->moved == s->len;
		} else {
			over = post_value(s);
			n += over;
		}
		if (over) {
			list_remove(&s->link);
			sm->copies.busy--;
			pool_put(&sm->copies.serve_pool, s);
		}
	}
	return n;
}

void sm_relay_answer(struct sm *sm, const struct sm_serve *answer)
{
	struct sm_serve *s;

	/* at once: a peer that waits for a buffer loses its patience sooner
	 * than this rank has taken all that is in the ring */
	if (answer->kind != SM_DATA && list_empty(&sm->copies.serves) &&
	    post_value(answer))
		return;
	s = pool_get(&sm->copies.serve_pool);
	if (!s) {
		fault_raise_text(MRT_ERR_NO_MEM, "no memory to answer rank %d",
				 answer->ep->base.peer);
		return;
	}
	*s = *answer;
	list_append(&sm->copies.serves, &s->link);
	sm->copies.busy++;
}

void sm_relay_drop(struct sm *sm, const struct fab_mem *m)
{
	list_for_each (it, &sm->copies.serves) {
		struct sm_serve *s = list_entry(it, struct sm_serve, link);

		if (s->kind != SM_DATA || s->mem != m->id)
			continue;
		s->kind = SM_ACK;
		s->value = (uint64_t)(int64_t)MRT_ERR_BUFFER;
	}
}

static void relay_serve(struct sm *sm, struct sm_ep *ep,
			const struct ring_line *line, uint32_t kind,
			const char *data, size_t len)
{
	struct sm_serve answer = {.ep = ep, .kind = SM_ACK, .id = line->hdr};
	const struct fab_mem *m = NULL;
	struct request request;
	void *mem = NULL;

	if (len >= sizeof(request)) {
		memcpy(&request, data, sizeof(request));
		m = sm_find_mem(sm, request.mem, request.remote, request.len);
		mem = (void *)(uintptr_t)request.remote;
	}
	if (!m || (m->packer && kind != SM_GET) ||
	    (kind == SM_PUT &&
	     (!mem || len - sizeof(request) != request.len)) ||
	    (kind == SM_ATOMIC && (request.len != 8 || (uintptr_t)mem % 8))) {
		answer.value = (uint64_t)(int64_t)MRT_ERR_BUFFER;
	} else if (kind == SM_GET) {
		sm_choice_joined(ep, request.len);
		answer.kind = SM_DATA;
		answer.packer = m->packer;
		answer.from = request.remote;
		answer.mem = request.mem;
		answer.len = request.len;
	} else if (kind == SM_PUT) {
		memcpy(mem, data + sizeof(request), request.len);
		if (!request.swap)
			return;
	} else {
		answer.kind = SM_RESULT;
		answer.value = fab_apply_atomic((uint64_t *)mem, request.swap,
						request.operand);
	}
	sm_relay_answer(sm, &answer);
}

/* The peer need not be answered any more. Its messages are drained before
 * answers are sent: if it has asked a moment ago, it costs nothing. */
static void take_drop(struct sm *sm, struct sm_ep *ep, uint64_t id)
{
	const struct sm_serve here = {
	    .ep = ep, .kind = SM_EMPTIED, .value = sm_emptied(SM_BOUNCES, 0)};

	list_for_each (it, &sm->copies.serves) {
		struct sm_serve *s = list_entry(it, struct sm_serve, link);

		if (s->ep == ep && s->id == id && s->kind == SM_DATA)
			s->len = s->moved;
	}
	sm_relay_answer(sm, &here);
}

void sm_relay_message(struct sm *sm, struct sm_ep *ep, uint32_t kind,
		      const struct ring_line *line, const void *data,
		      size_t len)
{
	struct sm_copy *c;

	if (kind == SM_GET || kind == SM_PUT || kind == SM_ATOMIC) {
		relay_serve(sm, ep, line, kind, data, len);
		return;
	}
	if (kind == SM_FILL) {
		sm_push_take(sm, ep, data, len);
		return;
	}
	if (kind == SM_DROP) {
		take_drop(sm, ep, line->hdr);
		return;
	}
	sm_choice_answered(ep->choice);
	if (kind == SM_EMPTIED) {
		sm_push_emptied(sm, ep, data, len);
		return;
	}
	c = sm_find_copy(sm, ep, line->hdr);
	if (kind == SM_FULL)
		take_full(sm, ep, c, data, len);
	else if (kind != SM_ACK && kind != SM_DATA && kind != SM_RESULT)
		sm_bad_message(ep, "a message of a kind");
	else if (!c)
		drop_answer(ep);
	else if (kind == SM_ACK)
		take_ack(sm, c, data, len);
	else if ((kind == SM_RESULT) != (c->kind == COPY_ATOMIC))
		sm_bad_message(ep, "an answer");
	else
		take_data(sm, c, data, len);
}
