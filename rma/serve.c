/* SPDX-License-Identifier: Apache-2.0 */
/* serve.c: what a rank does with the messages of windows: as the target it
 * checks and does what they ask for, and replies; as the origin it takes the
 * replies. */
#include <stdlib.h>
#include <string.h>

#include "coll/op/kernels.h"
#include "rma/message.h"
#include "runtime/base/copy.h"
#include "runtime/base/error.h"

/* Lists the runs of a request. Returns their bytes, or -1 if they cannot be,
 * and sets *status if they are not in the window. */
static ssize_t find_runs(const struct mrt_win *w, const struct head *h,
			 const char *at, struct iovec *runs, int *status)
{
	size_t total = 0;

	for (uint32_t k = 0; k < h->runs; k++) {
		struct run r;

		memcpy(&r, at + k * sizeof(r), sizeof(r));
		if (r.len > MESSAGE_MOST)
			return -1;
		total += r.len;
		runs[k] = (struct iovec){(void *)(uintptr_t)r.addr, r.len};
		if (win_check_range(w, r.addr, r.len))
			*status = MRT_ERR_RANGE;
	}
	return total <= MESSAGE_MOST ? (ssize_t)total : -1;
}

static void copy_runs(const struct head *h, const struct iovec *runs,
		      char *data, bool to_window)
{
	for (uint32_t k = 0; k < h->runs; k++) {
		if (to_window)
			copy_bytes(runs[k].iov_base, data, runs[k].iov_len);
		else
			copy_bytes(data, runs[k].iov_base, runs[k].iov_len);
		data += runs[k].iov_len;
	}
}

/* Sets *u from the handles of a request. False: they are not valid. */
static bool find_update(const struct head *h, size_t bytes,
			struct win_update *u)
{
	struct mrt_type *type = (struct mrt_type *)(uintptr_t)h->type;

	*u = (struct win_update){.handle = h->op};
	if (h->type >= MRT_CONSTANTS_END || h->op >= MRT_CONSTANTS_END)
		return false;
	u->type = type_get(type);
	u->op = op_get((struct mrt_op *)(uintptr_t)h->op);
	return u->type && u->type->size && bytes % u->type->size == 0 &&
	       (h->kind == MESSAGE_SWAP
		    ? h->runs == 1 && bytes == u->type->size && bytes <= 16
		    : u->op && win_update_fits(u));
}

/* Returns the bytes of data that follow the runs of a request. */
static size_t bytes_sent(const struct head *h, const struct win_update *u,
			 size_t bytes)
{
	if (h->kind == MESSAGE_SWAP)
		return 2 * bytes;
	return h->kind == MESSAGE_GET || (h->kind == MESSAGE_FETCH &&
					  u->op->kernel == KERNEL_NO_OP)
		   ? 0
		   : bytes;
}

/* Does what a request on memory says. Returns false if it is invalid. */
static bool serve(struct mrt_win *w, int rank, const struct head *h,
		  const char *rest, size_t len)
{
	const struct win_place place = {w->lock, NULL, w->locked};
	struct iovec runs[MESSAGE_RUNS];
	char out[MESSAGE_MOST];
	struct win_update u;
	bool update = h->kind != MESSAGE_PUT && h->kind != MESSAGE_GET;
	bool fetches = h->kind == MESSAGE_GET || h->kind == MESSAGE_FETCH;
	const char *data;
	int status = 0;
	ssize_t bytes;

	if (h->runs > MESSAGE_RUNS || len < h->runs * sizeof(struct run))
		return false;
	bytes = find_runs(w, h, rest, runs, &status);
	rest += h->runs * sizeof(struct run);
	len -= h->runs * sizeof(struct run);
	if (bytes < 0 || (update && !find_update(h, (size_t)bytes, &u)))
		return false;
	data = len ? rest : NULL;
	if (len != bytes_sent(h, &u, (size_t)bytes))
		return false;
	if (status) {
		win_reply(w, rank, h, status, NULL, 0);
		return true;
	}
	if (!update)
		copy_runs(h, runs, fetches ? out : (char *)(uintptr_t)data,
			  !fetches);
	else if (h->kind == MESSAGE_SWAP)
		status =
		    win_apply_swap(&place, u.type, runs[0].iov_base, data, out);
	else
		status = win_apply(&place, &u, runs, h->runs, data,
				   fetches ? out : NULL);
	fetches |= h->kind == MESSAGE_SWAP;
	win_reply(w, rank, h, status, out, fetches ? (size_t)bytes : 0);
	return true;
}

void win_grant(struct mrt_win *w, int rank, uint32_t id)
{
	const struct head h = {.id = id};

	win_reply(w, rank, &h, 0, NULL, 0);
}

void win_await_turn(struct mrt_win *w, struct win_turn *turn)
{
	list_append(&w->turns, &turn->link);
	win_listen(w);
}

static void wait_for_lock(struct mrt_win *w, int rank, const struct head *h)
{
	struct win_turn *t = malloc(sizeof(*t));

	if (!t) {
		win_cannot_answer(w, rank, MRT_ERR_NO_MEM);
		return;
	}
	*t = (struct win_turn){.lock = w->lock,
			       .ticket = shared_lock_ticket(w->lock),
			       .exclusive = h->flag,
			       .rank = rank,
			       .id = h->id};
	if (!shared_lock_has(t->lock, t->ticket, t->exclusive)) {
		win_await_turn(w, t);
		return;
	}
	win_grant(w, rank, h->id);
	free(t);
}

/* Ends a part of the operation that a reply answers. */
static bool serve_answered(struct mrt_win *w, int rank, const struct head *h,
			   const char *data, size_t len)
{
	struct win_op *op = win_op_find(w, rank, h->id);
	int error = error_from_peer(h->status);

	if (!op || len != h->bytes || (len && (!op->packed || h->status)) ||
	    (len && (h->at > op->room || len > op->room - h->at)))
		return false;
	if (len)
		copy_bytes(op->packed + h->at, data, len);
	if (h->flag)
		win_op_end(op, error);
	return true;
}

bool win_deliver(int peer, uint32_t context, const void *data, size_t len)
{
	struct mrt_win *w = win_of_context(context);
	const char *rest = (const char *)data + sizeof(struct head);
	struct head h;
	int rank;

	if (!w || len < sizeof(h))
		return false;
	rank = comm_rank_of(w->comm, peer);
	memcpy(&h, data, sizeof(h));
	len -= sizeof(h);
	if (rank < 0 || h.kind >= MESSAGES)
		return false;
	if (h.kind == MESSAGE_REPLY)
		return serve_answered(w, rank, &h, rest, len);
	if (h.kind == MESSAGE_LOCK) {
		wait_for_lock(w, rank, &h);
	} else if (h.kind == MESSAGE_UNLOCK) {
		win_release(w->lock, h.flag);
		win_grant(w, rank, h.id);
	} else {
		return serve(w, rank, &h, rest, len);
	}
	return true;
}
