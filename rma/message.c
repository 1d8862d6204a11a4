/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.c: what a target has to do itself. A request names runs of the
 * target's memory by addresses of its own, which the target checks; it is
 * answered by replies, of which the last one ends a part of the operation.
 * Requests of one rank are handled in the order in which they are sent.
 */
#include <stdlib.h>
#include <string.h>

#include "p2p/wire.h"
#include "rma/message.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/engine/wait.h"

/* Operations under way, from which on a call looks for their answers. */
enum { MANY = 256 };

/* A message for which there was no room. */
struct held {
	struct list link;
	int rank;
	size_t len;
	char bytes[];
};

/* ---- Sending ------------------------------------------------------------- */

static int message_send(struct mrt_win *w, int rank, const struct iovec *iov,
			int n)
{
	struct fab_ep *ep = win_ep(w, rank);

	return ep->ops->send(ep, wire_pack(WIRE_WINDOW, w->comm->context, 0),
			     iov, n);
}

static int message_hold(struct mrt_win *w, int rank, const struct iovec *iov,
			int n)
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
static int message_post(struct mrt_win *w, int rank, const struct iovec *iov,
			int n)
{
	int rc =
	    list_empty(&w->held) ? message_send(w, rank, iov, n) : ERR_AGAIN;

	return rc == ERR_AGAIN ? message_hold(w, rank, iov, n) : rc;
}

/* The bytes of a message to a rank, without the head. */
static size_t message_room(const struct mrt_win *w, int rank)
{
	size_t most = win_ep(w, rank)->send_max;

	return (most < MESSAGE_MOST ? most : MESSAGE_MOST) -
	       sizeof(struct head);
}

void win_cannot_answer(const struct mrt_win *w, int rank, int error)
{
	fault_raise_text(error, "rank %d cannot be answered: %s",
			 comm_world_rank(w->comm, rank), error_text(error));
}

void win_reply(struct mrt_win *w, int rank, const struct head *request,
	       int status, const char *data, size_t len)
{
	size_t most = message_room(w, rank), at = 0;
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

		rc = message_post(w, rank, iov, part ? 2 : 1);
		at += part;
	} while (at < len && !rc);
	if (rc)
		win_cannot_answer(w, rank, rc);
}

/* ---- Requests ------------------------------------------------------------ */

/* An operation keeps its position in the target's runs. */
struct position {
	const struct iovec *run;
	size_t n, at; /* runs left, and bytes into the first */
};

/* The space of one message. */
struct space {
	uint32_t runs;
	size_t bytes; /* of data */
};

static struct space space_for(const struct mrt_win *w, int rank,
			      const struct position *p)
{
	size_t all = message_room(w, rank);
	size_t runs = p->n < MESSAGE_RUNS ? p->n : MESSAGE_RUNS;

	if (runs > all / 2 / sizeof(struct run))
		runs = all / 2 / sizeof(struct run);
	return (struct space){(uint32_t)runs, all - runs * sizeof(struct run)};
}

/* Takes runs of at most `most` bytes. Returns their bytes. */
static size_t message_take(struct position *p, uint32_t runs_max, size_t most,
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
	size_t total =
	    message_take(p, s->runs, s->bytes / unit * unit, runs, n);

	if (total % unit == 0)
		return total;
	/* the last run that there was room for ends inside an element */
	*p = from;
	return message_take(p, s->runs, total / unit * unit, runs, n);
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

static int message_request(struct win_op *op, const struct head *h,
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
	rc = message_post(op->win, op->rank, iov, data ? 3 : runs ? 2 : 1);
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
		struct run some[MESSAGE_RUNS];
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
		rc = message_request(op, &h, some, sends ? in + at : NULL);
		at += len;
	}
	return rc;
}

int win_request_lock(struct win_op *op, enum message_kind kind, bool exclusive)
{
	const struct head h = {.kind = kind, .id = op->id, .flag = exclusive};

	return message_request(op, &h, NULL, NULL);
}

/* ---- Progress ------------------------------------------------------------ */

static int send_held(struct mrt_win *w)
{
	int n = 0;

	while (!list_empty(&w->held)) {
		struct held *h = list_entry(w->held.next, struct held, link);
		const struct iovec iov = {h->bytes, h->len};
		int rc = message_send(w, h->rank, &iov, 1);

		if (rc == ERR_AGAIN)
			break;
		if (rc)
			win_cannot_answer(w, h->rank, rc);
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
		win_grant(w, t->rank, t->id);
		free(t);
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
