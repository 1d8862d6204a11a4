/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.c: what a target has to do itself. A request names runs of the
 * target's memory by addresses of its own, which the target checks; it is
 * answered by replies, of which the last one ends a part of the operation.
 * Requests of one rank are handled in the order in which they are sent.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/op/kernels.h"
#include "p2p/wire.h"
#include "rma/win.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/engine/wait.h"

enum {
	MOST = 8192, /* bytes of a message */
	RUNS = 64,   /* in a message */
	MANY = 256   /* operations under way, whose answers are looked for */
};

/* A message: this head, the runs, the data. */
struct head {
	uint32_t kind; /* enum message_kind */
	uint32_t id;   /* of the origin's operation */
	uint32_t runs;
	uint32_t type, op; /* handles of predefined ones */
	int32_t status;	   /* of a reply: 0 or MRT_ERR_* */
	uint32_t flag;	   /* lock: exclusive; reply: the last one */
	uint32_t bytes;	   /* of data */
	uint64_t at;	   /* in the packed data of the operation */
};
struct run {
	uint64_t addr, len;
};

/* A message for which there was no room. */
struct held {
	struct list link;
	int rank;
	size_t len;
	char bytes[];
};

/* ---- Sending ------------------------------------------------------------- */

void win_listen(struct mrt_win *w)
{
	if (!w->hooked)
		progress_add(&w->hook);
	w->hooked = true;
}

static int send(struct mrt_win *w, int rank, const struct iovec *iov, int n)
{
	struct fab_ep *ep = win_ep(w, rank);

	return ep->ops->send(ep, wire_pack(WIRE_WINDOW, w->comm->context, 0),
			     iov, n);
}

static int hold(struct mrt_win *w, int rank, const struct iovec *iov, int n)
{
	struct held *h;
	size_t len = 0, at = 0;

	for (int i = 0; i < n; i++)
		len += iov[i].iov_len;
	h = malloc(sizeof(*h) + len);
	if (!h)
		return MRT_ERR_NO_MEM;
	h->rank = rank;
	h->len = len;
	for (int i = 0; i < n; i++) {
		memcpy(h->bytes + at, iov[i].iov_base, iov[i].iov_len);
		at += iov[i].iov_len;
	}
	list_append(&w->held, &h->link);
	win_listen(w);
	return 0;
}

/* Sends a message, or keeps a copy for later. Returns 0 or MRT_ERR_*. */
static int post(struct mrt_win *w, int rank, const struct iovec *iov, int n)
{
	int rc = list_empty(&w->held) ? send(w, rank, iov, n) : ERR_AGAIN;

	return rc == ERR_AGAIN ? hold(w, rank, iov, n) : rc;
}

/* The bytes of a message to a rank, without the head. */
static size_t room(const struct mrt_win *w, int rank)
{
	size_t most = win_ep(w, rank)->send_max;

	return (most < MOST ? most : MOST) - sizeof(struct head);
}

/* Raises a fault, since the peer waits for an answer that it does not get. */
static void cannot_answer(const struct mrt_win *w, int rank, int error)
{
	fault_raise_text(error, "rank %d cannot be answered: %s",
			 comm_world_rank(w->comm, rank), error_text(error));
}

static void reply(struct mrt_win *w, int rank, const struct head *request,
		  int status, const char *data, size_t len)
{
	size_t most = room(w, rank), at = 0;
	int rc = 0;

	do {
		size_t part = len - at < most ? len - at : most;
		struct head h = {.kind = MESSAGE_REPLY,
				 .id = request->id,
				 .status = status,
				 .flag = at + part == len,
				 .bytes = (uint32_t)part,
				 .at = request->at + at};
		struct iovec iov[] = {
		    {&h, sizeof(h)},
		    {(void *)(uintptr_t)(data ? data + at : NULL), part}};

		rc = post(w, rank, iov, part ? 2 : 1);
		at += part;
	} while (at < len && !rc);
	if (rc)
		cannot_answer(w, rank, rc);
}

/* ---- Requests ------------------------------------------------------------ */

/* Where an operation is in the target's runs. */
struct position {
	const struct iovec *run;
	size_t n, at; /* runs left, and bytes into the first */
};

/* What fits a message. */
struct space {
	uint32_t runs;
	size_t bytes; /* of data */
};

static struct space space_for(const struct mrt_win *w, int rank,
			      const struct position *p)
{
	size_t all = room(w, rank);
	size_t runs = p->n < RUNS ? p->n : RUNS;

	if (runs > all / 2 / sizeof(struct run))
		runs = all / 2 / sizeof(struct run);
	return (struct space){(uint32_t)runs, all - runs * sizeof(struct run)};
}

/* Takes runs of at most `most` bytes. Returns their bytes. */
static size_t take(struct position *p, uint32_t runs_max, size_t most,
		   struct run *runs, uint32_t *n)
{
	size_t total = 0;

	*n = 0;
	while (p->n && *n < runs_max && total < most) {
		size_t len = p->run->iov_len - p->at;

		if (len > most - total)
			len = most - total;
		runs[(*n)++] =
		    (struct run){(uintptr_t)p->run->iov_base + p->at, len};
		total += len;
		p->at += len;
		if (p->at == p->run->iov_len)
			*p = (struct position){p->run + 1, p->n - 1, 0};
	}
	return total;
}

/* Takes what the next message names: whole elements of `unit` bytes. */
static size_t take_elements(struct position *p, const struct space *s,
			    size_t unit, struct run *runs, uint32_t *n)
{
	struct position from = *p;
	size_t total = take(p, s->runs, s->bytes / unit * unit, runs, n);

	if (total % unit == 0)
		return total;
	/* the last run that there was room for ends inside an element */
	*p = from;
	return take(p, s->runs, total / unit * unit, runs, n);
}

/* Waits until no message is held back, so that a call does not fill the memory
 * with messages for a target that computes, and takes what has been answered.
 */
static int wait_for_room(struct mrt_win *w)
{
	WAIT(wait, wait_text, "room for one-sided operations");
	int rc = 0;

	if (w->pending > MANY)
		progress_poll();
	while (!list_empty(&w->held) && !rc)
		rc = wait_poll(&wait);
	return rc;
}

static int request(struct win_op *op, const struct head *h,
		   const struct run *runs, const char *data)
{
	struct iovec iov[] = {
	    {(void *)(uintptr_t)h, sizeof(*h)},
	    {(void *)(uintptr_t)runs, h->runs * sizeof(*runs)},
	    {(void *)(uintptr_t)data, data ? h->bytes : 0}};
	int rc = wait_for_room(op->win);

	if (rc)
		return rc;
	op->left++;
	rc = post(op->win, op->rank, iov, data ? 3 : runs ? 2 : 1);
	if (rc) {
		op->left--;
		return proc_fail(rc, "a message to rank %d", op->rank);
	}
	return 0;
}

int win_request(struct win_op *op, enum message_kind kind,
		const struct win_update *u, const struct iovec *runs, size_t n,
		const char *in)
{
	bool sends = in && kind != MESSAGE_GET;
	struct position p = {runs, n, 0};
	size_t unit = u ? u->type->size : 1, at = 0;
	int rc = 0;

	while (p.n && !rc) {
		struct run some[RUNS];
		struct head h = {.kind = kind, .id = op->id, .at = at};
		struct space s = space_for(op->win, op->rank, &p);
		size_t len = take_elements(&p, &s, unit, some, &h.runs);

		if (!len)
			return proc_fail(MRT_ERR_INTERNAL,
					 "no element fits %zu bytes", s.bytes);

		if (u) {
			h.type = (uint32_t)(uintptr_t)type_handle(u->type);
			h.op = u->handle;
		}
		h.bytes = (uint32_t)len;
		if (kind == MESSAGE_SWAP)
			h.bytes *= 2;
		rc = request(op, &h, some, sends ? in + at : NULL);
		at += len;
	}
	return rc;
}

int win_request_lock(struct win_op *op, enum message_kind kind, bool exclusive)
{
	const struct head h = {.kind = kind, .id = op->id, .flag = exclusive};

	return request(op, &h, NULL, NULL);
}

/* ---- At the target ------------------------------------------------------- */

/* Lists the runs of a request. Returns their bytes, or -1 if they cannot be,
 * and sets *status if they are not in the window. */
static ssize_t find_runs(const struct mrt_win *w, const struct head *h,
			 const char *at, struct iovec *runs, int *status)
{
	size_t total = 0;

	for (uint32_t k = 0; k < h->runs; k++) {
		struct run r;

		memcpy(&r, at + k * sizeof(r), sizeof(r));
		if (r.len > MOST)
			return -1;
		total += r.len;
		runs[k] = (struct iovec){(void *)(uintptr_t)r.addr, r.len};
		if (win_check_range(w, r.addr, r.len))
			*status = MRT_ERR_RANGE;
	}
	return total <= MOST ? (ssize_t)total : -1;
}

static void copy_runs(const struct head *h, const struct iovec *runs,
		      char *data, bool to_window)
{
	for (uint32_t k = 0; k < h->runs; k++) {
		if (to_window)
			memcpy(runs[k].iov_base, data, runs[k].iov_len);
		else
			memcpy(data, runs[k].iov_base, runs[k].iov_len);
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
	struct iovec runs[RUNS];
	char out[MOST];
	struct win_update u;
	bool update = h->kind != MESSAGE_PUT && h->kind != MESSAGE_GET;
	bool fetches = h->kind == MESSAGE_GET || h->kind == MESSAGE_FETCH;
	const char *data;
	int status = 0;
	ssize_t bytes;

	if (h->runs > RUNS || len < h->runs * sizeof(struct run))
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
		reply(w, rank, h, status, NULL, 0);
		return true;
	}
	if (!update)
		copy_runs(h, runs, fetches ? out : (char *)(uintptr_t)data,
			  !fetches);
	else if (h->kind == MESSAGE_SWAP)
		status = win_apply_swap(w->lock, u.type, runs[0].iov_base, data,
					out);
	else
		status = win_apply(w->lock, &u, runs, h->runs, data,
				   fetches ? out : NULL);
	fetches |= h->kind == MESSAGE_SWAP;
	reply(w, rank, h, status, out, fetches ? (size_t)bytes : 0);
	return true;
}

static void grant(struct mrt_win *w, int rank, uint32_t id)
{
	const struct head h = {.id = id};

	reply(w, rank, &h, 0, NULL, 0);
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
		cannot_answer(w, rank, MRT_ERR_NO_MEM);
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
	grant(w, rank, h->id);
	free(t);
}

/* Ends a part of the operation that a reply answers. */
static bool answered(struct mrt_win *w, int rank, const struct head *h,
		     const char *data, size_t len)
{
	struct win_op *op = win_op_find(w, rank, h->id);
	int error = error_from_peer(h->status);

	if (!op || len != h->bytes || (len && (!op->packed || h->status)) ||
	    (len && (h->at > op->room || len > op->room - h->at)))
		return false;
	if (len)
		memcpy(op->packed + h->at, data, len);
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
		return answered(w, rank, &h, rest, len);
	if (h.kind == MESSAGE_LOCK) {
		wait_for_lock(w, rank, &h);
	} else if (h.kind == MESSAGE_UNLOCK) {
		win_release(w->lock, h.flag);
		grant(w, rank, h.id);
	} else {
		return serve(w, rank, &h, rest, len);
	}
	return true;
}

/* ---- Progress ------------------------------------------------------------ */

static int send_held(struct mrt_win *w)
{
	int n = 0;

	while (!list_empty(&w->held)) {
		struct held *h = list_entry(w->held.next, struct held, link);
		const struct iovec iov = {h->bytes, h->len};
		int rc = send(w, h->rank, &iov, 1);

		if (rc == ERR_AGAIN)
			break;
		if (rc)
			cannot_answer(w, h->rank, rc);
		list_remove(&h->link);
		free(h);
		n++;
	}
	return n;
}

int win_messages_poll(struct mrt_win *w)
{
	int n = send_held(w);

	list_for_each_safe (it, &w->turns) {
		struct win_turn *t = list_entry(it, struct win_turn, link);

		if (!shared_lock_has(t->lock, t->ticket, t->exclusive))
			continue;
		list_remove(&t->link);
		n++;
		if (t->granted) {
			*t->granted = true;
			continue;
		}
		grant(w, t->rank, t->id);
		free(t);
	}
	if (list_empty(&w->held) && list_empty(&w->turns)) {
		progress_remove(&w->hook);
		w->hooked = false;
	}
	return n;
}

void win_messages_free(struct mrt_win *w)
{
	struct list *it;

	while ((it = list_pop(&w->held)))
		free(list_entry(it, struct held, link));
	while ((it = list_pop(&w->turns))) {
		struct win_turn *t = list_entry(it, struct win_turn, link);

		if (!t->granted)
			free(t);
	}
}
