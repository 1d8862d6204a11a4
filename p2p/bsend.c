/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsend.c: buffered sends. A message is packed into a part of the attached
 * buffer, that of its communicator, or else one that communicators share, or
 * else that of the process. The part also has its request, and is sent from
 * there. The parts are a list, those of a buffer
 * side by side and ordered by address. A new part is put behind the newest one,
 * or else, where the room ends, into the first gap that is large enough, after
 * the parts of completed sends have been removed.
 */
#include "p2p/bsend.h"

#include <stdio.h>
#include <stdlib.h>

#include "p2p/start.h"
#include "runtime/base/clock.h"
#include "runtime/base/copy.h"
#include "runtime/base/list.h"
#include "runtime/base/log.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

/* The header of a part, aligned within it. */
struct part {
	struct list link;
	char *begin;
	size_t bytes; /* including header and alignment */
	struct mrt_buffer *buffer;
	bool automatic; /* begin is from malloc */
	uint64_t number;
	struct mrt_comm *comm;
	struct mrt_request req;
	_Alignas(16) char data[];
};
_Static_assert(sizeof(struct part) + _Alignof(struct part) <=
		   MRT_BSEND_OVERHEAD,
	       "users reserve MRT_BSEND_OVERHEAD for a part");

enum { ROOM_NS = 200000000 }; /* how long to wait while the buffer is full */

static struct mrt_buffer of_process;
static struct list parts = LIST_INIT(parts);
static struct list sent = LIST_INIT(sent); /* of part.req.link */
static uint64_t numbers;		   /* parts made so far */

static bool is_automatic(const struct mrt_buffer *buffer)
{
	return buffer->at == MRT_BUFFER_AUTOMATIC;
}

/* NULL: the part is none of this buffer. */
static struct part *part_of(const struct mrt_buffer *buffer, struct list *at)
{
	struct part *part = list_entry(at, struct part, link);

	return at != &parts && part->buffer == buffer ? part : NULL;
}

static void bsend_discard(struct part *part)
{
	struct mrt_buffer *buffer = part->buffer;
	struct mrt_comm *comm = part->comm;

	if (buffer->newest == part)
		buffer->newest = part_of(buffer, part->link.prev)
				     ?: part_of(buffer, part->link.next);
	list_remove(&part->link);
	if (part->automatic)
		free(part->begin);
	comm_release(comm);
}

static void discard_sent(void)
{
	struct list *it;

	while ((it = list_pop(&sent)))
		bsend_discard(list_entry(it, struct part, req.link));
}

/* NULL: any buffer. */
static bool has_parts(const struct mrt_buffer *buffer)
{
	return buffer ? buffer->newest != NULL : !list_empty(&parts);
}

/* Finds space behind a part, or at the beginning if that is NULL. */
static char *gap_behind(const struct mrt_buffer *buffer, struct part *part,
			size_t bytes, struct list *next)
{
	char *at = part ? part->begin + part->bytes : buffer->at;
	const struct part *end = part_of(buffer, next);
	size_t room = end ? (size_t)(end->begin - at)
			  : buffer->bytes - (size_t)(at - (char *)buffer->at);

	return bytes <= room ? at : NULL;
}

/* Finds space; NULL if there is none. *next: its place is before that. */
static char *find_gap(const struct mrt_buffer *buffer, size_t bytes,
		      struct list **next)
{
	struct part *newest = buffer->newest, *before = NULL;
	char *at;

	*next = newest ? newest->link.next : &parts;
	if (is_automatic(buffer))
		return malloc(bytes);
	at = gap_behind(buffer, newest, bytes, *next);
	if (at || !newest)
		return at;
	list_for_each (it, &parts) {
		if (!part_of(buffer, it))
			continue;
		*next = it;
		at = gap_behind(buffer, before, bytes, it);
		if (at)
			return at;
		before = part_of(buffer, it);
	}
	*next = before->link.next;
	return gap_behind(buffer, before, bytes, *next);
}

static struct part *make_part(struct mrt_buffer *buffer, size_t message)
{
	size_t bytes = message + MRT_BSEND_OVERHEAD;
	const uintptr_t mask = _Alignof(struct part) - 1;
	WAIT(w, wait_text, "mrt_bsend: room in the buffer");
	uint64_t end = 0;
	struct list *next;
	struct part *part;
	char *at;

	if (!buffer->at)
		return NULL;
	discard_sent();
	/* a receiver that makes room may only be waiting for a CPU */
	while (!(at = find_gap(buffer, bytes, &next)) && has_parts(buffer) &&
	       bytes <= buffer->bytes) {
		if (!end)
			end = clock_ns() + ROOM_NS;
		if (wait_poll(&w) || clock_ns() > end)
			break;
		discard_sent();
	}
	if (!at)
		return NULL;
	part = (struct part *)(at + (-(uintptr_t)at & mask));
	part->begin = at;
	part->bytes = bytes;
	part->buffer = buffer;
	part->automatic = is_automatic(buffer);
	part->number = numbers++;
	list_append(next, &part->link); /* before next */
	buffer->newest = part;
	buffer->unsent++;
	return part;
}

/* ---- Nonblocking flushes ------------------------------------------------- */

/* Requests that wait for the parts of a buffer with numbers below theirs:
 * `order` is this number, `bytes` how many are left, `buf` the buffer. */
static struct list flushes = LIST_INIT(flushes);

static void describe_flush(const struct mrt_request *req, char *text,
			   size_t len)
{
	snprintf(text, len, "%zu buffered messages to be received", req->bytes);
}

static const struct request_ops flush_ops = {.release = request_put,
					     .describe = describe_flush};

static void part_sent(struct mrt_request *req)
{
	struct part *part = list_entry(req, struct part, req);

	part->buffer->unsent--;
	list_append(&sent, &req->link);
	list_for_each_safe (it, &flushes) {
		struct mrt_request *flush =
		    list_entry(it, struct mrt_request, link);

		if (flush->buf != part->buffer || part->number >= flush->order)
			continue;
		if (--flush->bytes)
			continue;
		list_remove(&flush->link);
		request_complete(flush, 0);
	}
}

static int start_flush(struct mrt_buffer *buffer, struct mrt_request **request)
{
	struct mrt_request *flush;

	if (!request)
		return proc_fail(MRT_ERR_ARG, "request is NULL");
	flush = request_alloc(REQ_COLL, buffer->comm ?: &comm_self);
	if (!flush)
		return MRT_ERR_NO_MEM;
	flush->ops = &flush_ops;
	flush->buf = buffer;
	flush->order = numbers;
	flush->bytes = buffer->unsent;
	status_empty(&flush->status, MRT_ANY_SOURCE);
	if (flush->bytes)
		list_append(&flushes, &flush->link);
	else
		request_complete(flush, 0);
	*request = flush;
	return 0;
}

/* ---- Sends --------------------------------------------------------------- */

static struct mrt_buffer *buffer_for(struct mrt_comm *comm)
{
	if (comm->buffer.at)
		return &comm->buffer;
	return comm->shared && comm->shared->at ? comm->shared : &of_process;
}

int bsend(const struct args *a, const void *buf, int tag)
{
	struct mrt_buffer *buffer;
	struct part *part;
	int rc;

	if (a->peer < 0)
		return 0;
	buffer = buffer_for(a->comm);
	part = make_part(buffer, a->bytes);
	if (!part && (rc = progress_fault()))
		return rc;
	if (!part)
		return proc_fail(
		    MRT_ERR_BUFFER,
		    "no room for %zu + %d bytes in the attached buffer of %zu",
		    a->bytes, MRT_BSEND_OVERHEAD, buffer->bytes);
	if (a->typed.type)
		type_pack(a->typed.type, buf, 0, a->bytes, part->data);
	else if (a->bytes)
		copy_bytes(part->data, buf, a->bytes);
	part->comm = a->comm;
	comm_hold(a->comm);
	request_prepare(&part->req, REQ_SEND);
	part->req.done = part_sent;
	start_note_types(&part->req, a);
	p2p_isend(&part->req, part->data, a->bytes, a->peer, tag,
		  a->comm->context);
	return part->req.complete ? part->req.status.error : 0;
}

bool bsend_pending(const struct mrt_comm *comm)
{
	list_for_each (it, &parts) {
		const struct part *part = list_entry(it, struct part, link);

		if (part->comm == comm && !part->req.complete)
			return true;
	}
	return false;
}

bool bsend_attached(void)
{
	const struct mrt_buffer *const all[] = {&of_process, &comm_world.buffer,
						&comm_self.buffer};

	for (int k = 0; k < 3; k++)
		if (all[k]->at && !is_automatic(all[k]))
			return true;
	return false;
}

int bsend_drain(const struct mrt_buffer *buffer, struct idle_timeout *limit)
{
	WAIT(w, wait_text, "buffered messages to be received");
	int rc = 0;

	for (;;) {
		discard_sent();
		if (rc || !has_parts(buffer))
			return rc;
		rc = wait_poll(&w);
		if (!rc && limit && idle_timeout_over(limit, &w)) {
			log_warn("mrt_finalize: buffered messages are not "
				 "received: nobody waits for them any more");
			return 0;
		}
	}
}

/* ---- Buffers ------------------------------------------------------------- */

static int bsend_attach(struct mrt_buffer *buffer, void *buf, size_t bytes)
{
	if (buffer->at)
		return proc_fail(MRT_ERR_BUFFER,
				 "a buffer is attached already");
	if (!buf || bytes > TYPE_COUNT_MAX)
		return proc_fail(MRT_ERR_BUFFER, "%p with %zu bytes", buf,
				 bytes);
	buffer->at = buf;
	buffer->bytes = is_automatic(buffer) ? 0 : bytes;
	return 0;
}

static int bsend_detach(struct mrt_buffer *buffer, void **buf, size_t *bytes)
{
	int rc;

	if (!buf || !bytes)
		return proc_fail(MRT_ERR_ARG, "buf or bytes is NULL");
	if (!buffer->at)
		return proc_fail(MRT_ERR_BUFFER, "no buffer is attached");
	rc = bsend_drain(buffer, NULL);
	if (rc)
		return rc;
	*buf = buffer->at;
	*bytes = buffer->bytes;
	*buffer = (struct mrt_buffer){.comm = buffer->comm};
	return 0;
}

/* ---- Calls --------------------------------------------------------------- */

int mrt_comm_buffer(struct mrt_comm *comm, struct mrt_buffer **b)
{
	int rc = proc_enter("mrt_comm_buffer");
	struct mrt_comm *c;

	if (!rc) {
		c = comm_get(comm);
		rc = !c	  ? comm_unknown(comm)
		     : !b ? proc_fail(MRT_ERR_ARG, "b is NULL")
			  : 0;
		if (!rc) {
			c->buffer.comm = c;
			*b = &c->buffer;
		}
		proc_leave();
	}
	return comm_result(comm, "mrt_comm_buffer", rc);
}

/* Begins a call on a buffer, whose handle it replaces. */
static int bsend_enter(const char *call, struct mrt_buffer **b)
{
	int rc = proc_enter(call);

	if (*b == MRT_BUFFER_PROCESS)
		*b = &of_process;
	if (!rc && !*b)
		rc = proc_leave_with(
		    proc_fail(MRT_ERR_ARG, "the buffer is NULL"));
	return rc;
}

int mrt_buffer_attach(struct mrt_buffer *b, void *buf, size_t bytes)
{
	return proc_result("mrt_buffer_attach",
			   bsend_enter("mrt_buffer_attach", &b)
			       ?: proc_leave_with(bsend_attach(b, buf, bytes)));
}

int mrt_buffer_detach(struct mrt_buffer *b, void **buf, size_t *bytes)
{
	return proc_result("mrt_buffer_detach",
			   bsend_enter("mrt_buffer_detach", &b)
			       ?: proc_leave_with(bsend_detach(b, buf, bytes)));
}

int mrt_buffer_flush(struct mrt_buffer *b)
{
	return proc_result("mrt_buffer_flush",
			   bsend_enter("mrt_buffer_flush", &b)
			       ?: proc_leave_with(bsend_drain(b, NULL)));
}

int mrt_buffer_iflush(struct mrt_buffer *b, struct mrt_request **request)
{
	return proc_result("mrt_buffer_iflush",
			   bsend_enter("mrt_buffer_iflush", &b)
			       ?: proc_leave_with(start_flush(b, request)));
}

int mrt_bsend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm)
{
	struct args a;
	int rc = enter_message("mrt_bsend", count, type, dest, tag, comm);

	if (!rc) {
		rc = args_send(&a, buf, count, type, dest, tag, comm);
		if (args_ok(rc))
			rc = bsend(&a, buf, tag);
		proc_leave();
	}
	return comm_result(comm, "mrt_bsend", rc);
}

int mrt_ibsend(const void *buf, size_t count, struct mrt_type *type, int dest,
	       int tag, struct mrt_comm *comm, struct mrt_request **request)
{
	struct mrt_request *req = NULL;
	struct args a;
	int rc = enter_message("mrt_ibsend", count, type, dest, tag, comm);

	if (!rc) {
		rc = request ? args_send(&a, buf, count, type, dest, tag, comm)
			     : proc_fail(MRT_ERR_ARG, "request is NULL");
		if (args_ok(rc) && !(req = request_alloc(REQ_SEND, a.comm)))
			rc = proc_fail(MRT_ERR_NO_MEM, "a request");
		if (args_ok(rc))
			rc = bsend(&a, buf, tag);
		if (!rc) {
			status_empty(&req->status, MRT_ANY_SOURCE);
			req->complete = true;
			*request = req;
		} else if (req) {
			req->ops->release(req);
		}
		proc_leave();
	}
	return comm_result(comm, "mrt_ibsend", rc);
}
