/* SPDX-License-Identifier: Apache-2.0 */
/* vb_srq.c: one shared receive queue for all peers, and the buffers in it and
 * for sending: as many and as large as MRT_IB_POOL, the device and the limit of
 * locked memory allow. vb_recv.c says how many a peer may fill. */
#include <errno.h>
#include <stdio.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_conn.h"

/* The number of peers for which buffers must be available when connections are
 * made at first use. */
enum { PEERS_TRIED = 16 };

int vb_srq_post(struct vb *vb, uint32_t k)
{
	struct ibv_sge sge = {(uintptr_t)vb_buf(&vb->conn.rx, k),
			      (uint32_t)vb->conn.rx.len,
			      vb_buf_lkey(&vb->conn.rx, k)};
	struct ibv_recv_wr wr = {
	    .wr_id = vb_wr_id(VB_WR_RECV, k, 0), .sg_list = &sge, .num_sge = 1};
	struct ibv_recv_wr *bad;

	return ibv_post_srq_recv(vb->conn.srq, &wr, &bad);
}

uint32_t vb_srq_grow(struct vb *vb, uint32_t n)
{
	uint32_t posted = n < vb->conn.surplus ? n : vb->conn.surplus;

	vb->conn.surplus -= posted;
	for (uint32_t i = posted; i < n; i++) {
		uint32_t k = vb_buf_get(&vb->conn.rx);

		if (k == VB_NO_BUF)
			return i;
		if (vb_srq_post(vb, k)) {
			vb_buf_put(&vb->conn.rx, k);
			return i;
		}
		vb->conn.posted++;
	}
	return n;
}

/* ---- start ---- */

static int no_buffers(const struct vb *vb, uint32_t n)
{
	char what[80];

	snprintf(what, sizeof(what), "%u receive buffers of %zu bytes", n,
		 vb->conn.rx.len);
	return vb_refused(vb, "ibv_reg_mr", what, ENOMEM);
}

/* Registers n buffers for receiving and some to send from, of len bytes. */
static int try_buffers(struct vb *vb, uint32_t n, size_t len)
{
	size_t pool = env.ib_pool / len;
	int err;

	vb_bufs_init(&vb->conn.rx, vb->dev.pd, len,
		     (uint32_t)vb->conn.srq_max + VB_CHUNK);
	vb_bufs_init(&vb->conn.tx, vb->dev.pd, len,
		     pool < VB_SEND_MIN ? VB_SEND_MIN : (uint32_t)pool);
	err = vb_bufs_grow(&vb->conn.tx);
	while (!err && vb->conn.rx.count < n)
		err = vb_bufs_grow(&vb->conn.rx);
	if (err) {
		vb_bufs_fini(&vb->conn.rx);
		vb_bufs_fini(&vb->conn.tx);
	}
	return err;
}

/* Returns the window that all may have who are connected at a time. */
static uint32_t first_window(const struct vb *vb, size_t len)
{
	uint32_t ranks = (uint32_t)vb->conn.peers_max + 1; /* and itself */
	uint32_t window = VB_WINDOW;

	while (window > VB_WINDOW_MIN &&
	       (ranks * window * len > env.ib_pool ||
		ranks * window + vb_cache_closings(vb) >
		    (uint32_t)vb->conn.srq_max))
		window--;
	return window;
}

/* Returns how many buffers to get at once. With connections at first use this
 * is only a trial, unless the ranks are few. */
static uint32_t first_buffers(const struct vb *vb, bool all)
{
	uint32_t peers = (uint32_t)vb->conn.peers_max;

	if (!all && peers > PEERS_TRIED)
		peers = PEERS_TRIED;
	return peers * vb->conn.window;
}

/* Returns the credits by which windows may grow: all that the receive queue
 * takes, or where memory is `scarce` those for which there are buffers. */
static uint32_t spare_credits(const struct vb *vb, bool scarce)
{
	uint32_t first = ((uint32_t)vb->conn.peers_max + 1) * vb->conn.window;
	uint32_t most = scarce ? vb->conn.rx.count : (uint32_t)vb->conn.srq_max;

	return most > first ? most - first : 0;
}

/* Gets buffers as large and as many as wanted, or as the limit of locked memory
 * allows. */
static int get_buffers(struct vb *vb, bool all)
{
	size_t want = env.ib_eager_max + sizeof(struct vb_head), len;

	want = want < VB_BUF_MIN ? VB_BUF_MIN : (want + 63) & ~(size_t)63;
	len = want;
	vb->conn.window = first_window(vb, len);
	while (try_buffers(vb, first_buffers(vb, all), len)) {
		if (vb->conn.window > VB_WINDOW_MIN)
			vb->conn.window = VB_WINDOW_MIN;
		else if (len / 2 >= VB_BUF_MIN)
			len = len / 2 & ~(size_t)63;
		else if (len > VB_BUF_MIN)
			len = VB_BUF_MIN;
		else
			return no_buffers(vb, first_buffers(vb, all));
	}
	vb->conn.spare = spare_credits(vb, len < want);
	if (len < want)
		/* kept, as others may take the memory meanwhile */
		log_warn("little memory may be locked (ulimit -l): messages "
			 "go eagerly only up to %zu bytes",
			 len - sizeof(struct vb_head));
	else if (!all)
		vb_bufs_fini(&vb->conn.rx);
	return 0;
}

int vb_srq_open(struct vb *vb, bool all)
{
	struct ibv_srq_init_attr init = {.attr = {.max_sge = 1}};
	int rc = get_buffers(vb, all);
	char what[64];

	if (rc)
		return rc;
	init.attr.max_wr = (uint32_t)vb->conn.srq_max;
	vb->conn.srq = ibv_create_srq(vb->dev.pd, &init);
	if (vb->conn.srq)
		return 0;
	snprintf(what, sizeof(what), "a shared receive queue of %u",
		 init.attr.max_wr);
	return vb_refused(vb, "ibv_create_srq", what, errno);
}

void vb_srq_close(struct vb *vb)
{
	if (vb->conn.srq)
		ibv_destroy_srq(vb->conn.srq);
	vb_bufs_fini(&vb->conn.rx);
	vb_bufs_fini(&vb->conn.tx);
}

int vb_srq_add(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	uint32_t wanted = vb->conn.window;

	ep->window = ep->granted = ep->announced = wanted;
	if (vb_srq_grow(vb, wanted) == wanted)
		return 0;
	if (vb->conn.rx.free == VB_NO_BUF)
		return no_buffers(vb, vb->conn.window);
	return log_error(MRT_ERR_RESOURCE,
			 "the shared receive queue of %s, of %d places, takes "
			 "no more (ibv_post_srq_recv), too few for one more "
			 "peer: connect fewer ranks",
			 vb_port_name(vb), vb->conn.srq_max);
}

void vb_srq_add_last(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	/* more connections may be closed than there are buffers for */
	uint32_t more = vb->conn.spare ? vb_srq_grow(vb, 1) : 0;

	ep->window += more;
	vb->conn.spare -= more;
	ep->granted++;
}

void vb_srq_drop(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	vb->conn.spare += ep->window - vb->conn.window;
	vb->conn.surplus += ep->window;
}
