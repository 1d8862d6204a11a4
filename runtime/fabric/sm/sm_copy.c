/* SPDX-License-Identifier: Apache-2.0 */
/* sm_copy.c: begins copies and moves them in progress(), a chunk at a time, so
 * that nothing else starves. */
#include "runtime/fabric/sm/sm_copy.h"

#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/copy.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

enum {
	PIECES = 256,	  /* most pieces gathered by one system call */
	SCRATCH = 1 << 18 /* bytes that are read at a time to be unpacked */
};

static uint64_t copy_min64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- CMA ---- */

/* Writes the next *len bytes, or as many of them as one call gathers. */
static int cma_gather(struct sm_copy *c, size_t *len)
{
	struct iovec here[PIECES];
	struct pieces from = c->from;
	int n = pieces_take(&from, here, PIECES, len);
	const struct iovec there = {(void *)(uintptr_t)(c->remote + c->moved),
				    *len};
	int rc = sm_cma_copy(c->ep, true, (struct sm_pieces){here, n, *len},
			     (struct sm_pieces){&there, 1, *len});

	if (!rc)
		c->from = from;
	return rc;
}

bool sm_copy_probe(const struct sm_card *c)
{
	uint64_t word = 0;

	return sm_cma(false, c->pid, &word, c->probe, sizeof(word)) &&
	       word == c->nonce;
}

void sm_copy_init(struct sm *sm)
{
	list_init(&sm->copies.begun);
	for (int k = 0; k < SM_MEMS; k++)
		list_init(&sm->copies.mems[k]);
	list_init(&sm->copies.serves);
	pool_init(&sm->copies.pool, sizeof(struct sm_copy), 16);
	pool_init(&sm->copies.mem_pool, sizeof(struct fab_mem), 16);
	pool_init(&sm->copies.serve_pool, sizeof(struct sm_serve), 16);
	sm->copies.cma =
	    env.sm_cma &&
	    (sm->slots == 1 ||
	     sm_copy_probe(&sm->cards[(sm->slot + 1) % sm->slots]));
	if (!sm->copies.cma && sm->slot == 0)
		log_info("large messages go through the rings: %s",
			 env.sm_cma ? "process_vm_readv of a peer is denied "
				      "(ptrace scope or container)"
				    : "MRT_SM_CMA=no");
	for (int i = 0; i < sm->slots; i++)
		sm->eps[i].can_cma = sm->copies.cma;
}

void sm_copy_fini(struct sm *sm)
{
	for (int i = 0; sm->eps && i < sm->slots; i++)
		free(sm->eps[i].choice);
	pool_fini(&sm->copies.pool);
	pool_fini(&sm->copies.mem_pool);
	pool_fini(&sm->copies.serve_pool);
	free(sm->copies.scratch);
}

/* ---- this end's operations ---- */

void sm_copy_finish(struct sm *sm, struct sm_copy *c, int status)
{
	struct fab_op *op = c->op;

	if (c->began)
		sm_choice_ended(sm, c, status);
	sm->copies.count[c->how]++;
	sm->copies.bytes[c->how] += c->len;
	list_remove(&c->link);
	sm->copies.busy--;
	pool_put(&sm->copies.pool, c);
	op->done(op, status);
}

int sm_copy_by_ring(struct sm *sm, struct sm_copy *c)
{
	c->how = RING;
	c->offer = NULL;
	if (c->kind == COPY_READ)
		c->moved = 0; /* requested as a whole */
	c->asked = false;
	if (c->out)
		return 1; /* its buffers have its id */
	c->id = ++sm->copies.next_id;
	c->pushed = c->kind == COPY_WRITE &&
		    (c->began || c->len - c->moved > SM_BOUNCE_MIN) &&
		    sm_may_bounce(sm);
	return 1;
}

/* CMA worked at the probe and has failed (sm_cma_copy): uses the rings with
 * this peer, or ends the copy. Returns 1. */
static int cma_failed(struct sm *sm, struct sm_copy *c, int error)
{
	if (error == MRT_ERR_NO_FABRIC)
		return sm_copy_by_ring(sm, c);
	sm_copy_finish(sm, c, error);
	return 1;
}

void sm_copy_in(struct sm_copy *c, const void *data, size_t len)
{
	if (c->to)
		c->to->copy(c->to, c->moved, len, (void *)(uintptr_t)data);
	else
		copy_bytes(c->local + c->moved, data, len);
	c->moved += len;
}

/* Reads a part that stays in the caches, and unpacks it. */
static int step_unpack(struct sm *sm, struct sm_copy *c)
{
	uint64_t n = copy_min64(SCRATCH, c->len - c->moved);
	int rc;

	if (!sm->copies.scratch)
		sm->copies.scratch = malloc(SCRATCH);
	if (!sm->copies.scratch)
		return sm_copy_by_ring(sm, c);
	rc = sm_cma_range(c->ep, false, sm->copies.scratch,
			  c->remote + c->moved, n);
	if (rc)
		return cma_failed(sm, c, rc);
	sm_copy_in(c, sm->copies.scratch, n);
	if (c->moved == c->len)
		sm_copy_finish(sm, c, 0);
	return 1;
}

static int step_cma(struct sm *sm, struct sm_copy *c)
{
	uint64_t n = copy_min64(env.sm_chunk, c->len - c->moved);
	int rc;

	if (c->to)
		return step_unpack(sm, c);
	if (c->offer)
		return sm_offer_step(sm, c);
	if (c->out && sm_push_take_back(sm, c))
		return 1;
	if (!n)
		return 0; /* the peer empties the last buffers */
	rc = c->kind == COPY_WRITE
		 ? cma_gather(c, &n)
		 : sm_cma_range(c->ep, false, c->local + c->moved,
				c->remote + c->moved, n);
	if (rc)
		return cma_failed(sm, c, rc);
	c->moved += n;
	if (c->moved == c->len && !c->out)
		sm_copy_finish(sm, c, 0);
	return 1;
}

static int step_mapped(struct sm *sm, struct sm_copy *c)
{
	uint64_t chunk = env.sm_chunk / FAB_PART * FAB_PART;
	uint64_t n = copy_min64(chunk, c->len - c->moved);
	char *there = c->mapped + c->moved;

	if (c->kind == COPY_READ) {
		sm_copy_in(c, there, n);
	} else {
		pieces_copy(&c->from, there, n);
		c->moved += n;
	}
	if (c->moved == c->len)
		sm_copy_finish(sm, c, 0);
	return 1;
}

const struct sm_way sm_ways[HOWS] = {
    [MAPPED] = {"mapped copies", "mapped bytes", step_mapped},
    [CMA] = {"CMA copies", "CMA bytes", step_cma},
    [RING] = {"relayed copies and atomics", "relayed bytes", sm_relay_step},
};

static int copy_step(struct sm *sm, struct sm_copy *c)
{
	return sm_ways[c->how].step(sm, c);
}

/* Moves one chunk of the oldest own copy that can go on - in order, so that the
 * first ends soon and its memory is still in the cache - else one for a peer's
 * read. */
int sm_copy_progress(struct sm *sm)
{
	int n = 0, moved = 0;

	list_for_each_safe (it, &sm->copies.begun) {
		moved = copy_step(sm, list_entry(it, struct sm_copy, link));
		if (moved)
			break;
	}
	if (!moved && sm->copies.open_offers)
		n += sm_offer_help(sm);
	if (__builtin_expect(!list_empty(&sm->copies.serves), 0))
		n += sm_relay_serve(sm);
	return n + moved;
}

/* Whether this is a copy of memory, which has an address. */
static bool lies_there(const struct sm_copy *c)
{
	return c->kind != COPY_ATOMIC &&
	       !(c->kind == COPY_READ && c->key.word[1] == KEY_PACKED);
}

/* Chooses the way and starts a copy; one of a single chunk is done at
 * return. */
static int copy_start(struct sm_ep *ep, const struct sm_copy *request)
{
	struct sm *sm = (struct sm *)ep->base.fab;
	struct sm_copy *c = pool_get(&sm->copies.pool);
	void *mapped = NULL;

	if (!c)
		return log_error(MRT_ERR_NO_MEM, "copy of %zu B", request->len);
	*c = *request;
	c->ep = ep;
	if (!c->from.next)
		c->from.next = &c->flat;
	if (!lies_there(c))
		mapped = NULL;
	else if (ep->slot == sm->slot)
		mapped = (char *)(uintptr_t)c->remote;
	else
		sm_heap_map(&ep->base, c->remote, c->len, &mapped);
	sm->copies.busy++;
	if (!mapped && lies_there(c) && ep->can_cma) {
		sm_choice_begin(sm, c);
	} else {
		list_append(&sm->copies.begun, &c->link);
		c->how = MAPPED;
		c->mapped = mapped;
		if (!mapped)
			sm_copy_by_ring(sm, c);
	}
	if (!c->waits && !c->offer && c->len <= env.sm_chunk)
		copy_step(sm, c);
	return 0;
}

static inline struct sm_copy copy_make(enum copy_kind kind, uint64_t remote,
				       struct fab_key key, size_t len,
				       struct fab_op *op)
{
	return (struct sm_copy){.remote = remote,
				.key = key,
				.len = len,
				.op = op,
				.kind = (uint8_t)kind};
}

int sm_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	    size_t len, struct fab_op *op)
{
	struct sm_copy request = copy_make(COPY_READ, remote, key, len, op);

	request.local = dst;
	return copy_start((struct sm_ep *)ep, &request);
}

int sm_read_unpack(struct fab_ep *ep, struct fab_packer *to, uint64_t remote,
		   struct fab_key key, size_t len, struct fab_op *op)
{
	struct sm_copy request = copy_make(COPY_READ, remote, key, len, op);

	request.to = to;
	return copy_start((struct sm_ep *)ep, &request);
}

int sm_write(struct fab_ep *ep, const void *src, uint64_t remote,
	     struct fab_key key, size_t len, struct fab_op *op)
{
	struct sm_copy request = copy_make(COPY_WRITE, remote, key, len, op);

	request.flat = (struct iovec){(void *)(uintptr_t)src, len};
	return copy_start((struct sm_ep *)ep, &request);
}

int sm_writev(struct fab_ep *ep, const struct iovec *iov, int n,
	      uint64_t remote, struct fab_key key, struct fab_op *op)
{
	struct sm_copy request = copy_make(COPY_WRITE, remote, key, 0, op);

	request.from.next = iov;
	for (int i = 0; i < n; i++)
		request.len += iov[i].iov_len;
	return copy_start((struct sm_ep *)ep, &request);
}

int sm_copy_pieces(struct fab_ep *fep, bool back, void *here,
		   struct pieces *there, size_t len)
{
	struct sm_ep *ep = (struct sm_ep *)fep;
	struct sm *sm = (struct sm *)fep->fab;
	char *at = here;
	int rc = 0;

	while (len && !rc) {
		struct iovec theirs[PIECES];
		size_t part = copy_min64(env.sm_chunk, len);
		int n = pieces_take(there, theirs, PIECES, &part);
		const struct iovec mine = {at, part};

		rc = MRT_ERR_NO_FABRIC;
		if (ep->can_cma)
			rc = sm_cma_copy(ep, back,
					 (struct sm_pieces){&mine, 1, part},
					 (struct sm_pieces){theirs, n, part});
		sm->copies.count[CMA] += !rc;
		sm->copies.bytes[CMA] += rc ? 0 : part;
		at += part;
		len -= part;
	}
	return rc;
}

/* Does an atomic here if the word is heap memory or our own; else the owner
 * acts. */
static int start_atomic(struct fab_ep *fep, const struct sm_copy *request)
{
	struct sm_ep *ep = (struct sm_ep *)fep;
	void *word = (void *)(uintptr_t)request->remote;
	uint64_t before;

	if (request->remote % 8)
		return log_error(MRT_ERR_ARG, "atomic on an unaligned word");
	if (ep->slot != ((struct sm *)fep->fab)->slot &&
	    sm_heap_map(fep, request->remote, 8, &word))
		return copy_start(ep, request);
	before = fab_apply_atomic(word, request->swap, request->operand);
	memcpy(request->local, &before, sizeof(before));
	request->op->done(request->op, 0);
	return 0;
}

int sm_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		 uint64_t add, uint64_t *result, struct fab_op *op)
{
	struct sm_copy request = copy_make(COPY_ATOMIC, remote, key, 8, op);

	request.local = (char *)result;
	request.operand[0] = add;
	return start_atomic(ep, &request);
}

int sm_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		    const uint64_t exchange[2], uint64_t *result,
		    struct fab_op *op)
{
	struct sm_copy request = copy_make(COPY_ATOMIC, remote, key, 8, op);

	request.local = (char *)result;
	request.operand[0] = exchange[0];
	request.operand[1] = exchange[1];
	request.swap = true;
	return start_atomic(ep, &request);
}
