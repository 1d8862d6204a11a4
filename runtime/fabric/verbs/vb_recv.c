/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_recv.c: one shared receive queue for all peers, and credits, so that a
 * message finds a buffer: a receiver-not-ready NAK never happens in jobs whose
 * smallest windows together need at most MRT_IB_RECV_BUFFERS buffers.
 *
 * Each peer may have `window` messages in flight to us, and as many buffers are
 * posted for it. A counter says how many messages a peer may have sent since
 * the start (`limit`); each message carries its newest value in the header.
 * When half of a window is owed and no message goes back anyway, a CREDIT does.
 * It takes a credit itself, and the last one is reserved for it, so credits
 * cannot run out on both sides: a rank that sends its last one grants as many
 * as it takes. Half a window is at least 2, so CREDITs for CREDITs die out.
 *
 * The pool starts with a small window for each connected peer and grows when a
 * peer reports that it had to wait.
 *
 * Peers of a larger job share the buffers: beyond MRT_IB_RECV_BUFFERS every
 * eighth connection adds one, and none once the queue is full. So more messages
 * than buffers may be in flight. Then the device of the sender repeats its
 * message until a buffer is free; it never gives up, since only a live process
 * refuses. Wide windows are lent: when a peer needs one and none is left, the
 * one that was widened first becomes narrow again. Credits that its peer has
 * are not called back; as many of its next messages are not granted again
 * (`excess`).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"

/* The number of peers for which buffers must be available when connections are
 * made at first use. */
enum { PEERS_TRIED = 16 };

static int post(struct vb *vb, uint32_t k)
{
	struct ibv_sge sge = {(uintptr_t)vb_buf(&vb->rx, k),
			      (uint32_t)vb->rx.len, vb_buf_lkey(&vb->rx, k)};
	struct ibv_recv_wr wr = {
	    .wr_id = vb_wr_id(VB_WR_RECV, k, 0), .sg_list = &sge, .num_sge = 1};
	struct ibv_recv_wr *bad;

	return ibv_post_srq_recv(vb->srq, &wr, &bad);
}

/* Posts n more buffers, or as many as there are; returns how many. */
static uint32_t add(struct vb *vb, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = vb_buf_get(&vb->rx);

		if (k == VB_NO_BUF)
			return i;
		if (post(vb, k)) {
			vb_buf_put(&vb->rx, k);
			return i;
		}
		vb->posted++;
	}
	return n;
}

/* ---- start ---- */

static int no_buffers(const struct vb *vb, uint32_t n)
{
	char what[80];

	snprintf(what, sizeof(what), "%u receive buffers of %zu bytes", n,
		 vb->rx.len);
	return vb_refused(vb, "ibv_reg_mr", what, ENOMEM);
}

/* Registers n buffers for receiving and some to send from, of len bytes. */
static int try_buffers(struct vb *vb, uint32_t n, size_t len)
{
	size_t pool = env.ib_pool / len;
	int err;

	vb_bufs_init(&vb->rx, vb->pd, len, (uint32_t)vb->srq_max + VB_CHUNK);
	vb_bufs_init(&vb->tx, vb->pd, len,
		     pool < VB_SEND_MIN ? VB_SEND_MIN : (uint32_t)pool);
	err = vb_bufs_grow(&vb->tx);
	while (!err && vb->rx.count < n)
		err = vb_bufs_grow(&vb->rx);
	if (err) {
		vb_bufs_fini(&vb->rx);
		vb_bufs_fini(&vb->tx);
	}
	return err;
}

/* Returns the window that all ranks of the job may have, connected or not. */
static uint32_t first_window(const struct vb *vb, size_t len)
{
	uint32_t ranks = (uint32_t)vb->job->size;
	uint32_t window = vb->shares ? VB_WINDOW_MIN : VB_WINDOW;

	while (window > VB_WINDOW_MIN &&
	       (ranks * window * len > env.ib_pool ||
		ranks * window > (uint32_t)vb->srq_max))
		window--;
	return window;
}

/* Returns how many buffers to get at once. With connections at first use this
 * is only a trial, unless the ranks are few. */
static uint32_t first_buffers(const struct vb *vb, bool all)
{
	uint32_t peers = (uint32_t)vb->job->size;

	if (!all && peers > PEERS_TRIED)
		peers = PEERS_TRIED;
	if (vb->shares && peers * vb->window > env.ib_recv_buffers)
		return (uint32_t)env.ib_recv_buffers;
	return peers * vb->window;
}

/* Gets buffers as large and as many as wanted, or as the limit of locked memory
 * allows. */
static int get_buffers(struct vb *vb, bool all)
{
	size_t want = env.ib_eager_max + sizeof(struct vb_head), len;

	want = want < VB_BUF_MIN ? VB_BUF_MIN : (want + 63) & ~(size_t)63;
	len = want;
	vb->window = first_window(vb, len);
	while (try_buffers(vb, first_buffers(vb, all), len)) {
		if (vb->window > VB_WINDOW_MIN)
			vb->window = VB_WINDOW_MIN;
		else if (len / 2 >= VB_BUF_MIN)
			len = len / 2 & ~(size_t)63;
		else if (len > VB_BUF_MIN)
			len = VB_BUF_MIN;
		else
			return no_buffers(vb, first_buffers(vb, all));
	}
	vb->spare = (uint32_t)vb->job->size * vb->window;
	if (vb->shares)
		vb->spare = (uint32_t)env.ib_recv_buffers / 2;
	else if (vb->spare < (uint32_t)vb->srq_max)
		vb->spare = (uint32_t)vb->srq_max - vb->spare;
	else
		vb->spare = 0;
	if (len < want)
		/* kept, as others may take the memory meanwhile */
		log_warn("little memory may be locked (ulimit -l): messages "
			 "go eagerly only up to %zu bytes",
			 len - sizeof(struct vb_head));
	else if (!all)
		vb_bufs_fini(&vb->rx);
	return 0;
}

int vb_recv_open(struct vb *vb, bool all)
{
	struct ibv_srq_init_attr init = {.attr = {.max_sge = 1}};
	int rc = get_buffers(vb, all);
	char what[64];

	if (rc)
		return rc;
	init.attr.max_wr = (uint32_t)vb->srq_max;
	vb->srq = ibv_create_srq(vb->pd, &init);
	if (vb->srq)
		return 0;
	snprintf(what, sizeof(what), "a shared receive queue of %u",
		 init.attr.max_wr);
	return vb_refused(vb, "ibv_create_srq", what, errno);
}

void vb_recv_close(struct vb *vb)
{
	if (vb->srq)
		ibv_destroy_srq(vb->srq);
	vb_bufs_fini(&vb->rx);
	vb_bufs_fini(&vb->tx);
}

int vb_recv_add(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	uint32_t wanted = vb->window;

	if (vb->shares && vb->posted + wanted > (uint32_t)env.ib_recv_buffers)
		wanted = vb->qpn_used % VB_PEERS_OF_BUF == 0 &&
			 vb->posted < (uint32_t)vb->srq_max;
	ep->window = ep->granted = ep->announced = vb->window;
	if (add(vb, wanted) == wanted || (vb->shares && vb->posted))
		return 0;
	if (vb->rx.free == VB_NO_BUF)
		return no_buffers(vb, vb->window);
	return log_error(MRT_ERR_RESOURCE,
			 "the shared receive queue of %s, of %d places, takes "
			 "no more (ibv_post_srq_recv), too few for one more "
			 "peer: connect fewer ranks",
			 vb_port_name(vb), vb->srq_max);
}

/* ---- credits ---- */

/* Takes back what the window of a peer has grown by. */
static void narrow(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	uint32_t less = ep->window - vb->window;

	list_remove(&ep->wide);
	ep->window -= less;
	ep->excess += less;
	vb->spare += less;
	vb->counts.narrowed++;
}

/* Like widen, where peers share the buffers. */
static void borrow(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	uint32_t more = ep->window, kept;

	list_remove(&ep->wide);
	while (vb->spare < more && !list_empty(&vb->wide))
		narrow(list_entry(vb->wide.next, struct vb_ep, wide));
	if (vb->spare >= more) {
		kept = ep->excess < more ? ep->excess : more;
		vb->spare -= more;
		ep->window += more;
		ep->excess -= kept;
		ep->granted += more - kept;
		vb->counts.widened++;
	}
	if (ep->window > vb->window)
		list_append(&vb->wide, &ep->wide);
}

/* Doubles the window of a peer that had to wait, if the pool may grow. */
static void widen(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	uint32_t more = ep->window;

	if (ep->window + more > VB_WINDOW_MAX)
		return;
	if (vb->shares) {
		borrow(ep);
		return;
	}
	if (more > vb->spare ||
	    (vb->rx.count + more) * vb->rx.len > env.ib_pool)
		return;
	more = add(vb, more);
	vb->spare -= more;
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

	list_for_each_safe (it, &vb->owing) {
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

static void deliver(struct vb *vb, struct vb_ep *ep, const char *buf,
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
	else if (head->kind != VB_CREDIT)
		vb_relay_arrived(ep, head, data, len);
}

void vb_arrived(struct vb *vb, const struct ibv_wc *wc)
{
	uint32_t k = (uint32_t)wc->wr_id;
	struct vb_ep *ep = vb_qp_find(vb, wc->qp_num);
	const struct vb_head *head = (const void *)vb_buf(&vb->rx, k);
	bool starved;

	if (wc->status != IBV_WC_SUCCESS) {
		if (ep)
			vb_failed(ep, wc);
		return;
	}
	vb->counts.received++;
	starved = ep && wc->byte_len >= sizeof(*head) && head->starved;
	if (ep && wc->byte_len >= sizeof(*head))
		deliver(vb, ep, (const char *)head, wc->byte_len);
	else if (ep)
		vb_bad_message(ep, VB_MSG, wc->byte_len);
	if (post(vb, k))
		vb_lost(vb, "its shared receive queue takes no buffer "
			    "(ibv_post_srq_recv)");
	if (!ep)
		return;
	if (__builtin_expect(ep->excess, 0))
		ep->excess--;
	else
		ep->granted++;
	if (starved)
		widen(ep);
	if (owes_much(ep) && list_empty(&ep->owing)) {
		list_append(&vb->owing, &ep->owing);
		vb->busy++;
	}
}
