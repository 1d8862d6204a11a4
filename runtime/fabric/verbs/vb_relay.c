/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_relay.c: read, write and atomics by messages, for memory that could not be
 * registered and devices without atomics. The owner's CPU acts, in its
 * progress. What a peer names is checked against the registered memory. All
 * atomics on a rank without device atomics come this way, so they are atomic
 * among themselves.
 */
#include <string.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/fabric/verbs/vb_rma.h"

enum { PUT_PIECES = 31 }; /* most pieces gathered by one message */

/* Payload of GET and ATOMIC, and the beginning of PUT. */
struct request {
	uint64_t remote, len, operand[2], mem;
	uint8_t op;   /* enum vb_op_kind */
	uint8_t last; /* of a write: last part, to be answered */
	uint8_t pad[6];
};

/* Payload of RESULT. */
struct result {
	uint64_t value;
	int64_t status;
};

/* ---- the requesting end ---- */

static struct vb_op *find_op(struct vb *vb, struct vb_ep *ep, uint64_t id)
{
	list_for_each (it, &vb->rma.relayed) {
		struct vb_op *op = list_entry(it, struct vb_op, link);

		if (op->id == id && op->ep == ep)
			return op;
	}
	return NULL;
}

void vb_relay_start(struct vb_op *op)
{
	struct vb *vb = vb_of(op->ep);

	vb->counts.relayed++;
	op->id = ++vb->rma.next_id;
	op->posted = op->done = 0;
	list_append(&vb->rma.relayed, &op->link);
	vb->busy++;
}

static void relay_finish(struct vb_op *op, int status)
{
	vb_of(op->ep)->busy--;
	vb_rma_finish(op, status);
}

/* Sends requests that are not sent yet; returns their number. */
static int send_requests(struct vb_op *op)
{
	size_t room = op->ep->base.send_max - sizeof(struct request);
	struct request request = {.len = op->len,
				  .operand = {op->operand[0], op->operand[1]},
				  .mem = op->mem,
				  .op = op->kind};
	enum vb_kind kind = op->kind == VB_OP_READ    ? VB_GET
			    : op->kind == VB_OP_WRITE ? VB_PUT
						      : VB_ATOMIC;
	int n = 0;

	while (op->posted < op->len) {
		struct iovec iov[1 + PUT_PIECES] = {
		    {&request, sizeof(request)}};
		struct pieces from = op->from;
		size_t part = op->len - op->posted;
		int pieces = 0;

		request.remote = op->remote + op->posted;
		if (kind == VB_PUT) {
			part = part < room ? part : room;
			pieces = pieces_take(&from, &iov[1], PUT_PIECES, &part);
			request.len = part;
			request.last = op->posted + part == op->len;
		}
		if (vb_message(op->ep, kind, op->id, iov, 1 + pieces))
			break;
		op->from = from;
		op->posted += part;
		n++;
	}
	return n;
}

static void take_data(struct vb_op *op, const char *data, size_t len)
{
	if (op->kind != VB_OP_READ || len > op->len - op->done) {
		vb_bad_message(op->ep, VB_DATA, len);
		return;
	}
	memcpy(op->local + op->done, data, len);
	op->done += len;
	if (op->done == op->len)
		relay_finish(op, 0);
}

static void take_result(struct vb_op *op, const char *data, size_t len)
{
	struct result result = {0, MRT_ERR_PROTOCOL};

	if (len == sizeof(result))
		memcpy(&result, data, sizeof(result));
	result.status = error_from_peer(result.status);
	/* a read is answered by data, and only a complete request has an
	 * answer */
	if (!result.status && (op->kind == VB_OP_READ || op->posted < op->len))
		result.status = MRT_ERR_PROTOCOL;
	if (result.status)
		log_line(LOG_ERROR, (int)result.status,
			 "rank %d refused access to %zu bytes at its %#llx",
			 op->ep->base.peer, op->len,
			 (unsigned long long)op->remote);
	else if (op->kind != VB_OP_WRITE)
		memcpy(op->local, &result.value, sizeof(result.value));
	relay_finish(op, (int)result.status);
}

/* ---- the serving end ---- */

static void queue_answer(struct vb *vb, const struct vb_serve *answer)
{
	struct vb_serve *s = pool_get(&vb->rma.serve_pool);

	if (!s) {
		fault_raise_text(MRT_ERR_NO_MEM, "no memory to answer rank %d",
				 answer->ep->base.peer);
		return;
	}
	*s = *answer;
	list_append(&vb->rma.serves, &s->link);
	vb->busy++;
}

static int serve_data(struct vb_serve *s)
{
	int n = 0;

	while (s->moved < s->len) {
		size_t part = s->len - s->moved;
		struct iovec iov = {(char *)(uintptr_t)s->from + s->moved, 0};

		if (part > s->ep->base.send_max)
			part = s->ep->base.send_max;
		iov.iov_len = part;
		if (vb_message(s->ep, VB_DATA, s->id, &iov, 1))
			break;
		s->moved += part;
		n++;
	}
	return n;
}

/* Sends an answer; true: it is complete. */
static bool relay_serve(struct vb_serve *s, int *n)
{
	struct result result = {s->value, (int64_t)s->len};
	struct iovec iov = {&result, sizeof(result)};
	int rc;

	if (s->kind == VB_DATA) {
		*n += serve_data(s);
		return s->moved == s->len;
	}
	rc = vb_message(s->ep, VB_RESULT, s->id, &iov, 1);
	*n += !rc;
	return rc != ERR_AGAIN;
}

int vb_relay_progress(struct vb *vb)
{
	int n = 0;

	list_for_each_safe (it, &vb->rma.relayed)
		n += send_requests(list_entry(it, struct vb_op, link));
	list_for_each_safe (it, &vb->rma.serves) {
		struct vb_serve *s = list_entry(it, struct vb_serve, link);

		if (relay_serve(s, &n)) {
			list_remove(&s->link);
			vb->busy--;
			pool_put(&vb->rma.serve_pool, s);
		}
	}
	return n;
}

void vb_relay_drop(struct vb *vb, uint64_t mem)
{
	list_for_each (it, &vb->rma.serves) {
		struct vb_serve *s = list_entry(it, struct vb_serve, link);

		if (s->kind != VB_DATA || s->mem != mem)
			continue;
		s->kind = VB_RESULT;
		s->len = (uint64_t)(int64_t)MRT_ERR_BUFFER;
	}
}

static bool is_valid(const struct request *request, enum vb_kind kind,
		     size_t len)
{
	if (kind == VB_PUT)
		return len - sizeof(*request) == request->len;
	return kind == VB_GET ||
	       (request->len == 8 && request->remote % 8 == 0);
}

static void take_request(struct vb_ep *ep, const struct vb_head *head,
			 const char *data, size_t len)
{
	struct vb *vb = vb_of(ep);
	/* in a RESULT, len is the status */
	struct vb_serve answer = {.ep = ep, .kind = VB_RESULT, .id = head->hdr};
	struct request request;
	char *mem = NULL;

	if (len >= sizeof(request)) {
		memcpy(&request, data, sizeof(request));
		if (is_valid(&request, head->kind, len))
			mem = vb_mem_find(vb, request.mem, request.remote,
					  request.len);
	}
	if (!mem) {
		answer.len = (uint64_t)(int64_t)MRT_ERR_BUFFER;
	} else if (head->kind == VB_GET) {
		answer.kind = VB_DATA;
		answer.from = mem;
		answer.mem = request.mem;
		answer.len = request.len;
	} else if (head->kind == VB_PUT) {
		memcpy(mem, data + sizeof(request), request.len);
		if (!request.last)
			return;
	} else {
		answer.value =
		    fab_apply_atomic((uint64_t *)(void *)mem,
				     request.op != VB_OP_ADD, request.operand);
	}
	queue_answer(vb, &answer);
}

void vb_relay_arrived(struct vb_ep *ep, const struct vb_head *head,
		      const char *data, size_t len)
{
	struct vb_op *op;

	if (head->kind == VB_GET || head->kind == VB_PUT ||
	    head->kind == VB_ATOMIC) {
		take_request(ep, head, data, len);
		return;
	}
	op = find_op(vb_of(ep), ep, head->hdr);
	if (head->kind != VB_DATA && head->kind != VB_RESULT)
		vb_bad_message(ep, head->kind, len);
	else if (!op) /* the rest of a failed one may arrive */
		log_debug("answer of rank %d without a request: dropped",
			  ep->base.peer);
	else if (head->kind == VB_DATA)
		take_data(op, data, len);
	else
		take_result(op, data, len);
}
