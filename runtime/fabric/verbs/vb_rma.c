/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_rma.c: read, write and atomics by the device. Long ones go in segments. At
 * most as many READs and atomics are in flight to a peer as its device answers
 * at once, since one more would stall the messages behind it. The shortest
 * writes travel in their work request. Other short ones, and all whose local
 * memory cannot be registered, go through a registered buffer;
 * where the device cannot reach the remote memory, messages do (vb_relay.c).
 */
#include <string.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/fabric/verbs/vb_rma.h"

enum {
	KEEP = 4, /* part of the send queue left to messages: a quarter */
	CHAIN = 8 /* work requests posted in one call */
};

static bool is_read(const struct vb_op *op)
{
	return op->kind != VB_OP_WRITE; /* it is answered with data */
}

static bool is_atomic(const struct vb_op *op)
{
	return op->kind == VB_OP_ADD || op->kind == VB_OP_SWAP;
}

void vb_rma_finish(struct vb_op *op, int status)
{
	struct vb *vb = vb_of(op->ep);
	struct fab_op *user = op->user;

	list_remove(&op->link);
	vb_op_release(op);
	pool_put(&vb->rma.op_pool, op);
	user->done(user, status);
}

/* ---- posting ---- */

static void choose_way(struct vb_op *op)
{
	struct vb *vb = vb_of(op->ep);

	if (!op->rkey || (is_atomic(op) && !op->ep->card->atomics)) {
		op->way = VB_RELAY;
		return;
	}
	op->way = VB_BOUNCE;
	if (op->kind == VB_OP_WRITE && !op->pieces &&
	    op->len <= vb->conn.inline_max)
		op->way = VB_WITHIN;
	if (op->len <= vb->conn.tx.len)
		return;
	if (op->pieces) {
		if (vb_gather_register(op))
			op->way = VB_DIRECT;
		return;
	}
	op->entry = vb_mr_get(vb, is_read(op) ? op->local : op->flat.iov_base,
			      op->len, is_read(op));
	if (op->entry) {
		op->lkey = vb_lkey(op->entry, 0);
		op->way = VB_DIRECT;
	}
}

/* Returns the bytes of the next part. */
static size_t part_len(const struct vb_op *op)
{
	const struct vb *vb = vb_of(op->ep);
	size_t most = op->way == VB_BOUNCE ? vb->conn.tx.len : VB_SEGMENT;
	size_t left = op->len - op->posted;

	if (most > vb->dev.port_attr.max_msg_sz)
		most = vb->dev.port_attr.max_msg_sz;
	return left < most ? left : most;
}

static void fill_remote(const struct vb_op *op, struct ibv_send_wr *wr)
{
	static const enum ibv_wr_opcode codes[] = {
	    [VB_OP_READ] = IBV_WR_RDMA_READ,
	    [VB_OP_WRITE] = IBV_WR_RDMA_WRITE,
	    [VB_OP_ADD] = IBV_WR_ATOMIC_FETCH_AND_ADD,
	    [VB_OP_SWAP] = IBV_WR_ATOMIC_CMP_AND_SWP,
	};

	wr->opcode = codes[op->kind];
	if (is_atomic(op)) {
		wr->wr.atomic.remote_addr = op->remote;
		wr->wr.atomic.rkey = op->rkey;
		wr->wr.atomic.compare_add = op->operand[0];
		wr->wr.atomic.swap = op->operand[1];
	} else {
		wr->wr.rdma.remote_addr = op->remote + op->posted;
		wr->wr.rdma.rkey = op->rkey;
	}
}

static void count_part(struct vb_counts *counts, const struct vb_op *op,
		       size_t len)
{
	if (is_atomic(op)) {
		counts->atomics++;
	} else if (is_read(op)) {
		counts->reads++;
		counts->read_bytes += len;
	} else {
		counts->writes++;
		counts->write_bytes += len;
	}
	if (op->way == VB_BOUNCE)
		counts->bounced += len;
}

/* Makes the local side of a part of *len bytes, or fewer, in wr->sg_list, with
 * a registered buffer if it takes one. False: there is none now. */
static bool fill_local(struct vb_op *op, struct ibv_send_wr *wr, size_t *len,
		       uint32_t *buf)
{
	struct vb *vb = vb_of(op->ep);
	struct ibv_sge *sge = wr->sg_list;

	if (op->way == VB_WITHIN) {
		wr->send_flags = IBV_SEND_INLINE;
		*sge = (struct ibv_sge){(uintptr_t)op->flat.iov_base,
					(uint32_t)*len, 0};
	} else if (op->way == VB_BOUNCE) {
		*buf = vb_buf_get(&vb->conn.tx);
		if (*buf == VB_NO_BUF) {
			vb_reclaim(vb);
			return false;
		}
		if (!is_read(op))
			pieces_copy(&op->from, vb_buf(&vb->conn.tx, *buf),
				    *len);
		*sge = (struct ibv_sge){(uintptr_t)vb_buf(&vb->conn.tx, *buf),
					(uint32_t)*len,
					vb_buf_lkey(&vb->conn.tx, *buf)};
	} else if (is_read(op)) {
		*sge = (struct ibv_sge){(uintptr_t)op->local + op->posted,
					(uint32_t)*len, op->lkey};
	} else {
		wr->num_sge = vb_gather_take(op, sge, len);
	}
	return true;
}

/* Makes the next part in wr and sge[VB_SGE]. False: no room now. */
static bool make_part(struct vb_op *op, struct ibv_send_wr *wr,
		      struct ibv_sge *sge)
{
	struct vb_ep *ep = op->ep;
	struct vb *vb = vb_of(ep);
	size_t len = part_len(op);
	uint32_t buf = VB_NO_BUF;
	struct vb_slot *slot;

	if (vb->conn.cq_room <= 0)
		vb_reclaim(vb);
	if (vb_room(ep) <= (VB_SQ + 1) / KEEP || vb->conn.cq_room <= 0 ||
	    (is_read(op) && ep->reads >= ep->reads_max))
		return false;
	*wr = (struct ibv_send_wr){.sg_list = sge, .num_sge = 1};
	if (!fill_local(op, wr, &len, &buf))
		return false;
	fill_remote(op, wr);
	slot = vb_slot_take(ep, wr, true);
	slot->op = op;
	slot->buf = buf;
	slot->len = (uint32_t)len;
	ep->reads += is_read(op);
	op->posted += len;
	count_part(&vb->counts, op, len);
	return true;
}

/* Posts parts of one operation in one call. False: not all found room. */
static bool post_parts(struct vb_op *op)
{
	struct ibv_send_wr wr[CHAIN];
	struct ibv_sge sge[CHAIN][VB_SGE];
	int n = 0;

	while (n < CHAIN && op->posted < op->len &&
	       make_part(op, &wr[n], sge[n])) {
		if (n)
			wr[n - 1].next = &wr[n];
		n++;
	}
	return n && !vb_post(op->ep, wr) && op->posted == op->len;
}

/* Whether operations wait for buffers or completion queue entries, which all
 * peers share, while nothing in flight to this peer will complete and retry. */
static bool is_blocked(const struct vb_ep *ep)
{
	return !list_empty(&ep->ops) && ep->state == VB_READY &&
	       ep->tail == ep->signalled;
}

void vb_rma_push(struct vb_ep *ep)
{
	while (!list_empty(&ep->ops) && ep->state == VB_READY) {
		struct vb_op *op = list_entry(ep->ops.next, struct vb_op, link);

		if (op->way == VB_UNDECIDED)
			choose_way(op);
		if (op->way == VB_RELAY) {
			list_remove(&op->link);
			vb_relay_start(op);
		} else if (post_parts(op)) {
			list_remove(&op->link);
		} else if (op->posted < op->len) {
			break;
		}
	}
	if (is_blocked(ep) && list_empty(&ep->blocked)) {
		list_append(&vb_of(ep)->rma.blocked, &ep->blocked);
		vb_of(ep)->busy++;
	}
}

int vb_rma_progress(struct vb *vb)
{
	int n = 0;

	list_for_each_safe (it, &vb->rma.blocked) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, blocked);

		vb_rma_push(ep);
		if (is_blocked(ep))
			continue;
		list_remove(&ep->blocked);
		vb->busy--;
		n++;
	}
	return n;
}

void vb_rma_retired(struct vb_op *op, const struct vb_slot *slot, int status)
{
	struct vb *vb = vb_of(op->ep);

	if (is_read(op)) {
		op->ep->reads--;
		if (slot->buf != VB_NO_BUF)
			memcpy(op->local + op->done,
			       vb_buf(&vb->conn.tx, slot->buf), slot->len);
	}
	if (status)
		op->status = status;
	op->done += slot->len;
	if (op->done == op->len)
		vb_rma_finish(op, op->status);
}

/* ---- the members of fab_ops ---- */

int vb_rma_start(const struct vb_op *what)
{
	struct vb_ep *ep = what->ep;
	struct vb *vb = vb_of(ep);
	struct vb_op *op;
	int rc = 0;

	if (!what->len) {
		what->user->done(what->user, 0);
		return 0;
	}
	op = pool_get(&vb->rma.op_pool);
	if (!op)
		return log_error(MRT_ERR_NO_MEM, "operation on rank %d",
				 ep->base.peer);
	*op = *what;
	if (!op->pieces)
		op->from.next = &op->flat;
	if (ep->state != VB_READY)
		rc = vb_dial(ep);
	if (rc && rc != ERR_AGAIN) {
		pool_put(&vb->rma.op_pool, op);
		return rc;
	}
	list_append(&ep->ops, &op->link);
	vb_rma_push(ep);
	return 0;
}

static struct vb_op make_op(struct fab_ep *ep, enum vb_op_kind kind,
			    uint64_t remote, struct fab_key key,
			    struct fab_op *user)
{
	return (struct vb_op){.ep = (struct vb_ep *)ep,
			      .user = user,
			      .kind = (uint8_t)kind,
			      .remote = remote,
			      .rkey = (uint32_t)key.word[0],
			      .mem = key.word[1]};
}

int vb_read(struct fab_ep *ep, void *dst, uint64_t remote, struct fab_key key,
	    size_t len, struct fab_op *user)
{
	struct vb_op op = make_op(ep, VB_OP_READ, remote, key, user);

	op.local = dst;
	op.len = len;
	if (vb_of(op.ep)->second && vb_stripe_read(&op, key))
		return 0;
	return vb_rma_start(&op);
}

int vb_write(struct fab_ep *ep, const void *src, uint64_t remote,
	     struct fab_key key, size_t len, struct fab_op *user)
{
	struct vb_op op = make_op(ep, VB_OP_WRITE, remote, key, user);

	op.flat = (struct iovec){(void *)(uintptr_t)src, len};
	op.len = len;
	return vb_rma_start(&op);
}

int vb_writev(struct fab_ep *ep, const struct iovec *iov, int n,
	      uint64_t remote, struct fab_key key, struct fab_op *user)
{
	struct vb_op op = make_op(ep, VB_OP_WRITE, remote, key, user);

	op.from.next = iov;
	op.pieces = n;
	for (int i = 0; i < n; i++)
		op.len += iov[i].iov_len;
	return vb_rma_start(&op);
}

int vb_fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		 uint64_t add, uint64_t *result, struct fab_op *user)
{
	struct vb_op op = make_op(ep, VB_OP_ADD, remote, key, user);

	op.local = (char *)result;
	op.len = sizeof(*result);
	op.operand[0] = add;
	return vb_rma_start(&op);
}

int vb_compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		    const uint64_t exchange[2], uint64_t *result,
		    struct fab_op *user)
{
	struct vb_op op = make_op(ep, VB_OP_SWAP, remote, key, user);

	op.local = (char *)result;
	op.len = sizeof(*result);
	op.operand[0] = exchange[0];
	op.operand[1] = exchange[1];
	return vb_rma_start(&op);
}
