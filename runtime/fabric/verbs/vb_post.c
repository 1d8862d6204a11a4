/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_post.c: posts work requests. A send queue is a ring of slots; what is
 * posted takes one, and because work requests of a queue pair complete in
 * order, a completion retires its slot and all before it. So one send in
 * half a queue of them requests a completion; the others cost none. Each has
 * its place in the completion queue all the same, as all of them complete when
 * the queue pair fails.
 *
 * A short message travels inside the work request; a longer one is copied into
 * a registered buffer, since the caller's is free at return.
 */
#include <sched.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/pieces.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_msg.h"

enum {
	CHECK_NS = 500000000, /* between checks of a peer */
	CHECK_TURNS = 16      /* parts of CHECK_NS, each for other peers */
};

/* ---- slots ---- */

struct vb_slot *vb_slot_take(struct vb_ep *ep, struct ibv_send_wr *wr,
			     bool signal)
{
	struct vb *vb = vb_of(ep);
	struct vb_slot *slot = &ep->slots[ep->head & VB_SQ];

	slot->op = NULL;
	slot->buf = VB_NO_BUF;
	slot->len = 0;
	wr->wr_id = vb_wr_id(VB_WR_SEND, (uint32_t)ep->base.peer, ep->head);
	ep->head++;
	vb->conn.cq_room--;
	if (signal || (uint16_t)(ep->head - ep->signalled) >= (VB_SQ + 1) / 2) {
		wr->send_flags |= IBV_SEND_SIGNALED;
		vb->counts.signalled++;
		ep->signalled = ep->head;
		list_remove(&ep->unsignalled);
	} else if (list_empty(&ep->unsignalled)) {
		list_append(&vb->msg.unsignalled, &ep->unsignalled);
	}
	return slot;
}

int vb_post(struct vb_ep *ep, struct ibv_send_wr *first)
{
	struct vb *vb = vb_of(ep);
	struct ibv_send_wr *bad;
	int err = ibv_post_send(ep->qp, first, &bad);

	vb->counts.posts++;
	for (; first; first = first->next)
		vb->counts.wrs++;
	if (!err)
		return 0;
	vb_broken(ep, "cannot be sent to (ibv_post_send)", err);
	return MRT_ERR_PEER;
}

/* Retires slots; the operations of all of them have this status. */
static void post_retire(struct vb_ep *ep, uint16_t upto, int status)
{
	struct vb *vb = vb_of(ep);

	do {
		struct vb_slot *slot = &ep->slots[ep->tail & VB_SQ];

		if (slot->op)
			vb->up->retired(slot->op, slot, status);
		if (slot->buf != VB_NO_BUF)
			vb_buf_put(&vb->conn.tx, slot->buf);
		vb->conn.cq_room++;
	} while (ep->tail++ != upto);
}

void vb_slots_drop(struct vb_ep *ep)
{
	if (ep->tail != ep->head)
		post_retire(ep, (uint16_t)(ep->head - 1), MRT_ERR_PEER);
}

void vb_completed(struct vb *vb, const struct ibv_wc *wc)
{
	struct vb_ep *ep = vb->conn.eps[(uint32_t)wc->wr_id];
	uint16_t slot = (uint16_t)(wc->wr_id >> 32);

	vb->counts.completions++;
	if (__builtin_expect(ep->tail == ep->head, 0))
		return; /* vb_slots_drop has retired it */
	if (__builtin_expect(wc->status != IBV_WC_SUCCESS, 0) &&
	    !vb_close_is_over(ep)) {
		vb_failed(ep, wc);
		if (vb->rail)
			post_retire(ep, slot, MRT_ERR_PEER);
		return;
	}
	post_retire(ep, slot, 0);
	if (!list_empty(&ep->ops))
		vb->up->push(ep);
}

/* ---- messages ---- */

/* Whether a message may take the last credit. */
static bool is_last(enum vb_kind kind)
{
	return kind == VB_CREDIT || kind == VB_CLOSE;
}

/* Returns 0 if a message may be sent, ERR_AGAIN, or why it never will. */
static int check_room(struct vb_ep *ep, enum vb_kind kind)
{
	struct vb *vb = vb_of(ep);
	int32_t credits = (int32_t)(ep->limit - ep->sent);

	if (credits <= 1 && (credits <= 0 || !is_last(kind))) {
		vb->counts.stalls += !ep->starved;
		ep->starved = true;
		return ERR_AGAIN;
	}
	if (__builtin_expect(vb->conn.cq_room <= 0, 0)) {
		vb_reclaim(vb);
		return ERR_AGAIN;
	}
	return vb_room(ep) ? 0 : ERR_AGAIN;
}

/* A probe takes its peer off the list. */
void vb_reclaim(struct vb *vb)
{
	list_for_each_safe (it, &vb->msg.unsignalled) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, unsignalled);

		if (ep->state == VB_READY && !vb_probe(ep))
			return;
	}
}

static int send_copy(struct vb_ep *ep, const struct vb_head *head,
		     const struct iovec *iov, int n, size_t len)
{
	struct vb *vb = vb_of(ep);
	uint32_t k = vb_buf_get(&vb->conn.tx);
	char *buf;
	struct ibv_sge sge;
	struct ibv_send_wr wr = {
	    .opcode = IBV_WR_SEND, .sg_list = &sge, .num_sge = 1};

	if (k == VB_NO_BUF) {
		vb_reclaim(vb);
		return ERR_AGAIN;
	}
	buf = vb_buf(&vb->conn.tx, k);
	memcpy(buf, head, sizeof(*head));
	pieces_gather(buf + sizeof(*head), iov, n);
	sge = (struct ibv_sge){(uintptr_t)buf, (uint32_t)len,
			       vb_buf_lkey(&vb->conn.tx, k)};
	vb_slot_take(ep, &wr, false)->buf = k;
	return vb_post(ep, &wr);
}

static int send_inline(struct vb_ep *ep, struct vb_head *head,
		       const struct iovec *iov, int n)
{
	struct ibv_sge sge[VB_SGE];
	struct ibv_send_wr wr = {.opcode = IBV_WR_SEND,
				 .send_flags = IBV_SEND_INLINE,
				 .sg_list = sge,
				 .num_sge = 1};

	sge[0] = (struct ibv_sge){(uintptr_t)head, sizeof(*head), 0};
	for (int i = 0; i < n; i++)
		if (iov[i].iov_len)
			sge[wr.num_sge++] =
			    (struct ibv_sge){(uintptr_t)iov[i].iov_base,
					     (uint32_t)iov[i].iov_len, 0};
	vb_slot_take(ep, &wr, false);
	return vb_post(ep, &wr);
}

int vb_message(struct vb_ep *ep, enum vb_kind kind, uint64_t hdr,
	       const struct iovec *iov, int n)
{
	struct vb_head head = {.hdr = hdr,
			       .limit = ep->granted,
			       .kind = (uint8_t)kind,
			       .starved = ep->starved};
	size_t len = sizeof(head);
	int rc;

	if (__builtin_expect(ep->state != VB_READY, 0) && kind != VB_CLOSE)
		return kind == VB_MSG ? vb_mail_send(ep, hdr, iov, n)
				      : vb_dial(ep);
	rc = check_room(ep, kind);
	if (rc)
		return rc;
	for (int i = 0; i < n; i++)
		len += iov[i].iov_len;
	if (len <= vb_of(ep)->conn.inline_max && n < vb_sge_max(vb_of(ep)))
		rc = send_inline(ep, &head, iov, n);
	else
		rc = send_copy(ep, &head, iov, n, len);
	if (rc)
		return rc;
	ep->sent++;
	ep->announced = head.limit;
	ep->starved = false;
	return 0;
}

int vb_send(struct fab_ep *fep, uint64_t hdr, const struct iovec *iov, int n)
{
	return vb_message((struct vb_ep *)fep, VB_MSG, hdr, iov, n);
}

/* ---- liveness ---- */

bool vb_probe(struct vb_ep *ep)
{
	/* an empty WRITE checks no key and needs no receive buffer */
	struct ibv_send_wr wr = {.opcode = IBV_WR_RDMA_WRITE};

	if (vb_of(ep)->conn.cq_room <= -VB_PROBES)
		return false;
	if (vb_room(ep)) { /* else enough is in flight */
		vb_slot_take(ep, &wr, true);
		vb_of(ep)->counts.probes++;
		vb_post(ep, &wr);
	}
	return true;
}

/*
 * Checks that a peer lives. A rank that waits has nothing in flight and would
 * wait for ever for a peer whose node is gone. So it probes each peer that has
 * been silent since the last check, at every other check: within a second of
 * its last message, and then once a second. A probe completes or fails - but
 * after the interface has gone down Soft-RoCE may forget it: a packet that
 * cannot leave stops its queue pair, and those before it, which wait for an
 * answer, are never resent (Linux 6.1).
 */
static void check_peer(struct vb_ep *ep, uint64_t now)
{
	/* each message received adds one: vb_arrived */
	bool heard = ep->granted != ep->checked_grants;
	bool probed = ep->tail != ep->signalled;

	ep->probe_due = !heard && !ep->probe_due;
	if (!probed && ep->probe_due)
		vb_probe(ep);
	if (!probed || heard || ep->tail != ep->checked_tail) {
		ep->silent_since = now;
		ep->checked_before = ep->checked;
	} else if (vb_is_cut_off(ep, now)) {
		vb_broken(ep, "has not answered since the port went down", 0);
	}
	ep->checked_grants = ep->granted;
	ep->checked_tail = ep->tail;
	ep->checked = now;
}

/*
 * Posts something to a peer to which nothing has completed since the last turn.
 * Soft-RoCE (Linux 6.1) may stop within long messages, although no packet is
 * lost, until the timeout of an acknowledgement or until it gets more to do.
 */
static void post_nudge(struct vb_ep *ep)
{
	if (ep->tail != ep->signalled && ep->tail == ep->nudged_tail)
		vb_probe(ep);
	ep->nudged_tail = ep->tail;
}

void vb_probe_idle(struct vb *vb)
{
	uint64_t now = clock_ns(), turn = now / (CHECK_NS / CHECK_TURNS);
	uint64_t late = turn - vb->msg.probe_turn;

	if (!late)
		return;
	list_for_each (it, &vb->conn.open) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, open);
		uint64_t ago = (turn - (uint64_t)ep->base.peer) % CHECK_TURNS;

		if (ep->state != VB_READY && ep->state != VB_CLOSING)
			continue;
		if (vb->base.software)
			post_nudge(ep);
		if (vb->msg.probe_turn && ago < late)
			check_peer(ep, now);
	}
	vb->msg.probe_turn = turn;
}

/* ---- the end ---- */

static bool all_acknowledged(struct vb *vb)
{
	bool all = true;

	list_for_each (it, &vb->conn.dialing)
		if (list_entry(it, struct vb_ep, dialing)->mail)
			all = false;
	list_for_each (it, &vb->conn.open) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, open);

		if ((ep->state != VB_READY && ep->state != VB_CLOSING) ||
		    ep->head == ep->tail)
			continue;
		all = false;
		if (ep->head != ep->signalled)
			vb_probe(ep);
	}
	return all;
}

/* Ends in any case: the retries of the queue pairs end in a fault. */
void vb_drain(struct vb *vb)
{
	while (!fault_code && !all_acknowledged(vb))
		if (!vb->base.ops->progress(&vb->base))
			sched_yield(); /* the device may need this CPU */
}
