/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_recv.c: credits, so that a message finds a buffer in the shared receive
 * queue (vb_srq.c): a receiver-not-ready NAK never happens.
 *
 * Each peer may have `window` messages in flight to us, and as many buffers are
 * posted for it. A counter says how many messages a peer may have sent since it
 * was connected (`limit`); each message carries its newest value in the header.
 * When half of a window is owed and no message goes back anyway, a CREDIT does.
 * It takes a credit itself, and the last one is reserved for it, so credits
 * cannot run out on both sides: a rank that sends its last one grants as many
 * as it takes. Half a window is at least 2, so CREDITs for CREDITs die out.
 *
 * The pool starts with a small window for each connected peer and grows when a
 * peer reports that it had to wait.
 */
#include "runtime/base/env.h"
#include "runtime/fabric/verbs/vb_msg.h"

/* ---- credits ---- */

/* Doubles the window of a peer that had to wait, if the pool may grow. */
static void recv_widen(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	uint32_t more = ep->window;

	if (ep->window + more > VB_WINDOW_MAX)
		return;
	if (more + vb_cache_closings(vb) > vb->conn.spare ||
	    (vb->conn.rx.count + more) * vb->conn.rx.len > env.ib_pool)
		return;
	more = vb_srq_grow(vb, more);
	vb->conn.spare -= more;
	ep->window += more;
	ep->granted += more;
	vb->counts.widened++;
}

static bool owes_much(const struct vb_ep *ep)
{
	return ep->granted - ep->announced >= ep->window / 2;
}

int vb_credits_return(struct vb *vb)
{
	int n = 0;

	list_for_each_safe (it, &vb->msg.owing) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, owing);

		if (ep->state == VB_READY && owes_much(ep)) {
			if (vb_message(ep, VB_CREDIT, 0, NULL, 0))
				continue; /* no room: try next time */
			vb->counts.credits++;
		}
		list_remove(&ep->owing);
		vb->busy--;
		n++;
	}
	return n;
}

/* ---- arrival ---- */

static void recv_deliver(struct vb *vb, struct vb_ep *ep, const char *buf,
			 size_t len)
{
	const struct vb_head *head = (const void *)buf;
	const char *data = buf + sizeof(*head);

	if (__builtin_expect(ep->state == VB_HALF, 0))
		vb_dial_done(ep);
	if ((int32_t)(head->limit - ep->limit) > 0)
		ep->limit = head->limit;
	len -= sizeof(*head);
	if (__builtin_expect(head->kind == VB_MSG, 1))
		vb->base.sink.recv(ep->base.peer, head->hdr, data, len);
	else if (head->kind == VB_CLOSE)
		vb_close_heard(ep);
	else if (head->kind != VB_CREDIT)
		vb->up->arrived(ep, head, data, len);
}

void vb_arrived(struct vb *vb, const struct ibv_wc *wc)
{
	uint32_t k = (uint32_t)wc->wr_id;
	struct vb_ep *ep = vb_qp_find(vb, wc->qp_num);
	const struct vb_head *head = (const void *)vb_buf(&vb->conn.rx, k);
	bool starved;

	if (wc->status != IBV_WC_SUCCESS) {
		if (ep)
			vb_failed(ep, wc);
		return;
	}
	vb->counts.received++;
	starved = ep && wc->byte_len >= sizeof(*head) && head->starved;
	if (ep && wc->byte_len >= sizeof(*head))
		recv_deliver(vb, ep, (const char *)head, wc->byte_len);
	else if (ep)
		vb_bad_message(ep, VB_MSG, wc->byte_len);
	if (vb_srq_post(vb, k))
		vb_lost(vb, "its shared receive queue takes no buffer "
			    "(ibv_post_srq_recv)");
	if (!ep)
		return;
	ep->granted++;
	if (starved)
		recv_widen(ep);
	if (owes_much(ep) && list_empty(&ep->owing)) {
		list_append(&vb->msg.owing, &ep->owing);
		vb->busy++;
	}
}
