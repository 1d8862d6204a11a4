/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsend.c: buffered sends. A message is packed into a part of the attached
 * buffer, which also has its request, and is sent from there. The parts are a
 * list ordered by address. A new part takes the first gap that is large enough,
 * after the parts of completed sends have been removed.
 */
#include "p2p/bsend.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/start.h"
#include "runtime/base/clock.h"
#include "runtime/base/list.h"
#include "runtime/base/log.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

/* The header of a part, aligned within it. */
struct part {
	struct list link;
	char *begin;
	size_t bytes; /* including header and alignment */
	struct mrt_comm *comm;
	struct mrt_request req;
	_Alignas(16) char data[];
};
_Static_assert(sizeof(struct part) + _Alignof(struct part) <=
		   MRT_BSEND_OVERHEAD,
	       "users reserve MRT_BSEND_OVERHEAD for a part");

enum { ROOM_NS = 200000000 }; /* how long to wait while the buffer is full */

static struct {
	void *at; /* NULL: no buffer is attached */
	size_t bytes;
	struct list parts;
} buffer = {NULL, 0, LIST_INIT(buffer.parts)};

static void discard(struct part *part)
{
	list_remove(&part->link);
	comm_release(part->comm);
	if (buffer.at == MRT_BUFFER_AUTOMATIC)
		free(part->begin);
}

static void discard_sent(void)
{
	list_for_each_safe (it, &buffer.parts) {
		struct part *part = list_entry(it, struct part, link);

		if (part->req.complete)
			discard(part);
	}
}

/* Finds space for a part of `bytes`; NULL if there is none. *next: the part
 * after it, or the list head. */
static char *find_gap(size_t bytes, struct list **next)
{
	char *at = buffer.at;

	*next = &buffer.parts;
	if (at == MRT_BUFFER_AUTOMATIC)
		return malloc(bytes);
	list_for_each (it, &buffer.parts) {
		struct part *part = list_entry(it, struct part, link);

		if ((size_t)(part->begin - at) >= bytes) {
			*next = it;
			return at;
		}
		at = part->begin + part->bytes;
	}
	return bytes <= buffer.bytes - (size_t)(at - (char *)buffer.at) ? at
									: NULL;
}

static struct part *make_part(size_t message)
{
	size_t bytes = message + MRT_BSEND_OVERHEAD;
	const uintptr_t mask = _Alignof(struct part) - 1;
	WAIT(w, wait_text, "mrt_bsend: room in the buffer");
	uint64_t end = 0;
	struct list *next;
	struct part *part;
	char *at;

	if (!buffer.at)
		return NULL;
	discard_sent();
	/* Wait for receivers to make room: one that is about to receive may
	 * only be waiting for a CPU. */
	while (!(at = find_gap(bytes, &next)) && !list_empty(&buffer.parts) &&
	       bytes <= buffer.bytes) {
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
	list_append(next, &part->link); /* before next */
	return part;
}

int bsend(const struct args *a, const void *buf, int tag)
{
	struct part *part;
	int rc;

	if (a->peer < 0)
		return 0;
	part = make_part(a->bytes);
	if (!part && (rc = progress_fault()))
		return rc;
	if (!part)
		return proc_fail(
		    MRT_ERR_BUFFER,
		    "no room for %zu + %d bytes in the attached buffer of %zu",
		    a->bytes, MRT_BSEND_OVERHEAD, buffer.bytes);
	if (a->typed.type)
		type_pack(a->typed.type, buf, 0, a->bytes, part->data);
	else if (a->bytes)
		memcpy(part->data, buf, a->bytes);
	part->comm = a->comm;
	comm_hold(a->comm);
	request_prepare(&part->req, REQ_SEND);
	p2p_isend(&part->req, part->data, a->bytes, a->peer, tag,
		  a->comm->context);
	return part->req.complete ? part->req.status.error : 0;
}

bool bsend_pending(const struct mrt_comm *comm)
{
	list_for_each (it, &buffer.parts) {
		const struct part *part = list_entry(it, struct part, link);

		if (part->comm == comm && !part->req.complete)
			return true;
	}
	return false;
}

bool bsend_attached(void)
{
	return buffer.at && buffer.at != MRT_BUFFER_AUTOMATIC;
}

int bsend_drain(void)
{
	return bsend_drain_until(NULL);
}

int bsend_drain_until(struct idle_timeout *limit)
{
	WAIT(w, wait_text, "buffered messages to be received");
	int rc = 0;

	for (;;) {
		discard_sent();
		if (rc || list_empty(&buffer.parts))
			return rc;
		rc = wait_poll(&w);
		if (!rc && limit && idle_timeout_over(limit, &w)) {
			log_warn("mrt_finalize: all ranks are there, and "
				 "buffered messages are not received: they "
				 "are given up");
			return 0;
		}
	}
}

/* ---- Calls -------------------------------------------------------------- */

static int attach(void *buf, size_t bytes)
{
	if (buffer.at)
		return proc_fail(MRT_ERR_BUFFER,
				 "a buffer is attached already");
	if (!buf || bytes > TYPE_COUNT_MAX)
		return proc_fail(MRT_ERR_BUFFER, "%p with %zu bytes", buf,
				 bytes);
	buffer.at = buf;
	buffer.bytes = buf == MRT_BUFFER_AUTOMATIC ? 0 : bytes;
	return 0;
}

int mrt_buffer_attach(void *buf, size_t bytes)
{
	return proc_result("mrt_buffer_attach",
			   proc_enter() ?: proc_leave_with(attach(buf, bytes)));
}

static int detach(void **buf, size_t *bytes)
{
	int rc;

	if (!buf || !bytes)
		return proc_fail(MRT_ERR_ARG, "buf or bytes is NULL");
	if (!buffer.at)
		return proc_fail(MRT_ERR_BUFFER, "no buffer is attached");
	rc = bsend_drain();
	if (rc)
		return rc;
	*buf = buffer.at;
	*bytes = buffer.bytes;
	buffer.at = NULL;
	buffer.bytes = 0;
	return 0;
}

int mrt_buffer_detach(void **buf, size_t *bytes)
{
	return proc_result("mrt_buffer_detach",
			   proc_enter() ?: proc_leave_with(detach(buf, bytes)));
}

int mrt_buffer_flush(void)
{
	return proc_result("mrt_buffer_flush",
			   proc_enter() ?: proc_leave_with(bsend_drain()));
}

int mrt_bsend(const void *buf, size_t count, struct mrt_type *type, int dest,
	      int tag, struct mrt_comm *comm)
{
	struct args a;
	int rc = proc_enter();

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
	int rc = proc_enter();

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
