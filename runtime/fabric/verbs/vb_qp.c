/* SPDX-License-Identifier: Apache-2.0 */
/* vb_qp.c: creates and connects the RC queue pairs, one per peer. Retries are
 * finite, so that a dead peer is an error: MRT_IB_RETRY without an answer, and
 * RNR_RETRY without a receive buffer, which credits prevent (vb_recv.c). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_conn.h"

enum {
	RNR_RETRY = 6,
	RNR_TIMER = 26, /* 82 ms, half a second in all */
	HOPS = 64,
	RETRY_S = 60 /* vb_qp_may_retry */
};

/* ---- table of connections by queue pair number ---- */

static uint32_t qp_bucket(const struct vb *vb, uint32_t qpn)
{
	return qpn * 0x9e3779b1u >> 7 & vb->conn.qpn_mask;
}

struct vb_ep *vb_qp_find(const struct vb *vb, uint32_t qpn)
{
	struct vb_ep *ep;

	if (!vb->conn.by_qpn)
		return NULL;
	for (uint32_t k = qp_bucket(vb, qpn); (ep = vb->conn.by_qpn[k]);
	     k = (k + 1) & vb->conn.qpn_mask)
		if (ep->qp->qp_num == qpn)
			return ep;
	return NULL;
}

static void put_in_table(struct vb *vb, struct vb_ep *ep)
{
	uint32_t k = qp_bucket(vb, ep->qp->qp_num);

	while (vb->conn.by_qpn[k])
		k = (k + 1) & vb->conn.qpn_mask;
	vb->conn.by_qpn[k] = ep;
	vb->conn.qpn_used++;
}

/* Takes an entry out, and puts those behind it in again, which may be there
 * only because its place was taken. */
static void drop_from_table(struct vb *vb, const struct vb_ep *ep)
{
	uint32_t k = qp_bucket(vb, ep->qp->qp_num);
	struct vb_ep *moved;

	while (vb->conn.by_qpn[k] != ep)
		k = (k + 1) & vb->conn.qpn_mask;
	vb->conn.by_qpn[k] = NULL;
	vb->conn.qpn_used--;
	while (k = (k + 1) & vb->conn.qpn_mask, moved = vb->conn.by_qpn[k]) {
		vb->conn.by_qpn[k] = NULL;
		vb->conn.qpn_used--;
		put_in_table(vb, moved);
	}
}

/* Makes room for one more entry; the table is at most half full. */
static int qp_reserve(struct vb *vb)
{
	uint32_t size = vb->conn.by_qpn ? vb->conn.qpn_mask + 1 : 0;
	struct vb_ep **old = vb->conn.by_qpn;

	if (vb->conn.by_qpn && (vb->conn.qpn_used + 1) * 2 <= size)
		return 0;
	vb->conn.by_qpn = calloc(size ? size * 2 : 16, sizeof(struct vb_ep *));
	if (!vb->conn.by_qpn) {
		vb->conn.by_qpn = old;
		return log_error(MRT_ERR_NO_MEM, "table of queue pairs");
	}
	vb->conn.qpn_mask = (size ? size * 2 : 16) - 1;
	vb->conn.qpn_used = 0;
	for (uint32_t k = 0; k < size; k++)
		if (old[k])
			put_in_table(vb, old[k]);
	free(old);
	return 0;
}

/* ---- creation ---- */

static struct ibv_qp *qp_create(struct vb *vb)
{
	struct ibv_qp_init_attr init = {
	    .send_cq = vb->conn.cq,
	    .recv_cq = vb->conn.cq,
	    .srq = vb->conn.srq,
	    .cap = {.max_send_wr = VB_SQ,
		    .max_send_sge = (uint32_t)vb_sge_max(vb)},
	    .qp_type = IBV_QPT_RC,
	};
	struct ibv_qp *qp;

	for (;;) {
		init.cap.max_inline_data = vb->conn.inline_max;
		qp = ibv_create_qp(vb->dev.pd, &init);
		if (qp || errno != EINVAL || !vb->conn.inline_max)
			return qp;
		/* the device allows less */
		vb->conn.inline_max /= 2;
	}
}

static int to_init(struct vb_ep *ep)
{
	struct ibv_qp_attr attr = {
	    .qp_state = IBV_QPS_INIT,
	    .pkey_index = (uint16_t)vb_of(ep)->dev.pkey_index,
	    .port_num = vb_of(ep)->dev.port,
	    .qp_access_flags = IBV_ACCESS_REMOTE_READ |
			       IBV_ACCESS_REMOTE_WRITE |
			       IBV_ACCESS_REMOTE_ATOMIC,
	};

	return ibv_modify_qp(ep->qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				 IBV_QP_ACCESS_FLAGS);
}

int vb_qp_create(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	int rc = qp_reserve(vb), err;
	char what[80];

	if (rc)
		return rc;
	ep->slots = malloc((VB_SQ + 1u) * sizeof(*ep->slots));
	ep->qp = ep->slots ? qp_create(vb) : NULL;
	err = errno;
	if (!ep->qp) {
		free(ep->slots);
		ep->slots = NULL;
	}
	if (!ep->qp && vb_cache_refused(ep, err))
		return ERR_AGAIN;
	snprintf(what, sizeof(what),
		 "a queue pair for rank %d, of %d that "
		 "the device has",
		 ep->base.peer, vb->dev.attr.max_qp);
	if (!ep->qp)
		return vb_refused(vb, "ibv_create_qp", what, err);
	put_in_table(vb, ep);
	list_append(&vb->conn.open, &ep->open);
	err = to_init(ep);
	if (err)
		return vb_refused(vb, "ibv_modify_qp", what, err);
	ep->state = VB_DIALING;
	vb->conn.calling++;
	return vb->rail ? 0 : vb_srq_add(ep); /* it gets no messages */
}

void vb_qp_stop(struct vb_ep *ep)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};

	if (ep->qp)
		ibv_modify_qp(ep->qp, &attr, IBV_QP_STATE);
}

void vb_qp_end(struct vb_ep *ep)
{
	if (!ep->qp)
		return;
	drop_from_table(vb_of(ep), ep);
	list_remove(&ep->open);
	ibv_destroy_qp(ep->qp);
	ep->qp = NULL;
}

void vb_qp_forget(struct vb_ep *ep)
{
	free(ep->slots);
	ep->slots = NULL;
	ep->head = ep->tail = ep->signalled = 0;
	ep->checked_tail = ep->nudged_tail = 0;
	ep->sent = 0;
	ep->starved = ep->close_sent = ep->close_heard = false;
	ep->called = ep->early;
	ep->early = 0;
	ep->dial_sent = ep->dial_pause = ep->mails = 0;
	ep->reads = 0;
	ep->retry_until = 0;
	ep->state = VB_IDLE;
}

/* ---- connection ---- */

void vb_qp_address(const struct vb *vb, const struct vb_card *card,
		   struct ibv_ah_attr *ah)
{
	memset(ah, 0, sizeof(*ah));
	ah->port_num = vb->dev.port;
	ah->dlid = (uint16_t)card->lid;
	ah->sl = (uint8_t)env.ib_sl;
	ah->is_global = vb_is_global(vb);
	memcpy(ah->grh.dgid.raw, card->gid, sizeof(card->gid));
	ah->grh.sgid_index = (uint8_t)vb->dev.gid_index;
	ah->grh.hop_limit = HOPS;
	ah->grh.traffic_class = vb->dev.traffic_class;
}

/* Returns the first packet number of a direction, which both ends compute from
 * both cards. It is far from that of the connection before, of which a packet
 * may be late. */
static uint32_t first_psn(const struct vb_ep *ep, const struct vb_card *from,
			  const struct vb_card *to)
{
	uint32_t drawn = (uint32_t)(from->nonce ^ to->nonce >> 24);

	return (drawn + ep->epoch * 0x9e3779u) & 0xffffff;
}

static int to_rtr(struct vb_ep *ep, uint32_t qpn)
{
	struct vb *vb = vb_of(ep);
	uint8_t mtu = (uint8_t)vb->dev.port_attr.active_mtu;
	struct ibv_qp_attr attr = {
	    .qp_state = IBV_QPS_RTR,
	    .path_mtu = ep->card->mtu < mtu ? ep->card->mtu : mtu,
	    .dest_qp_num = qpn,
	    .rq_psn = first_psn(ep, ep->card, &vb->conn.card),
	    .max_dest_rd_atomic = vb->conn.card.reads,
	    .min_rnr_timer = RNR_TIMER,
	};

	vb_qp_address(vb, ep->card, &attr.ah_attr);
	return ibv_modify_qp(ep->qp, &attr,
			     IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
				 IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
				 IBV_QP_MAX_DEST_RD_ATOMIC |
				 IBV_QP_MIN_RNR_TIMER);
}

static int to_rts(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	struct ibv_qp_attr attr = {
	    .qp_state = IBV_QPS_RTS,
	    .timeout = vb->dev.timeout,
	    .retry_cnt = vb->dev.retries,
	    .rnr_retry = RNR_RETRY,
	    .sq_psn = first_psn(ep, &vb->conn.card, ep->card),
	    .max_rd_atomic = ep->reads_max,
	};

	return ibv_modify_qp(ep->qp, &attr,
			     IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
				 IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
				 IBV_QP_MAX_QP_RD_ATOMIC);
}

static void take_limits(struct vb_ep *ep)
{
	const struct vb *vb = vb_of(ep);
	uint32_t len = ep->card->buf_len;
	int reads = vb->dev.attr.max_qp_init_rd_atom;

	if (len > vb->conn.rx.len)
		len =
		    (uint32_t)vb->conn.rx.len; /* our own buffers are shorter */
	ep->base.send_max = len - sizeof(struct vb_head);
	ep->base.eager_max = env.ib_eager_max < ep->base.send_max
				 ? env.ib_eager_max
				 : ep->base.send_max;
	if (reads > ep->card->reads)
		reads = ep->card->reads;
	ep->reads_max = (uint8_t)(reads < VB_READS ? reads : VB_READS);
	ep->limit = ep->card->window;
}

/* Fails if no network joins the two ports, as when ranks of a node are allowed
 * different devices. */
static int check_net(const struct vb_ep *ep)
{
	const struct vb *vb = vb_of(ep);
	char own[VB_NET_TEXT], other[VB_NET_TEXT];

	if (vb_net_may_reach(&vb->conn.card.net, &ep->card->net))
		return 0;
	return log_error(MRT_ERR_NO_FABRIC,
			 "%s of %s does not reach rank %d on %s, which uses %s "
			 "of %s: let MRT_IB_DEVICE and MRT_IB_PORT allow both "
			 "ranks ports of one network",
			 vb_port_name(vb), vb_net_text(&vb->conn.card.net, own),
			 ep->base.peer, ep->card->host, ep->card->device,
			 vb_net_text(&ep->card->net, other));
}

bool vb_qp_may_retry(struct vb_ep *ep, int err)
{
	const long limit_s = env.timeout_s < RETRY_S ? env.timeout_s : RETRY_S;
	uint64_t now = clock_ns();

	if (err != ETIMEDOUT && err != EAGAIN)
		return false;
	if (!ep->retry_until) {
		ep->retry_until = now + (uint64_t)limit_s * 1000000000u;
		log_info("%s has no way to rank %d (%s, %s) yet: %s; tries "
			 "again for %ld s",
			 vb_port_name(vb_of(ep)), ep->base.peer, ep->card->host,
			 ep->card->device, strerror(err), limit_s);
	}
	return now < ep->retry_until;
}

int vb_qp_connect(struct vb_ep *ep, uint32_t qpn)
{
	int err = check_net(ep);

	if (err)
		return err;
	take_limits(ep);
	err = to_rtr(ep, qpn);
	if (err && vb_qp_may_retry(ep, err))
		return ERR_AGAIN;
	if (!err)
		err = to_rts(ep);
	if (err)
		return log_error(MRT_ERR_NO_FABRIC,
				 "cannot connect %s to rank %d (%s, %s; "
				 "ibv_modify_qp): %s; is its address reachable "
				 "from here?",
				 vb_port_name(vb_of(ep)), ep->base.peer,
				 ep->card->host, ep->card->device,
				 strerror(err));
	vb_of(ep)->conn.calling--;
	ep->state = VB_HALF;
	ep->dest_qpn = qpn;
	return 0;
}

void vb_qp_destroy(struct vb_ep *ep)
{
	if (ep->qp)
		ibv_destroy_qp(ep->qp);
	ep->qp = NULL;
	free(ep->slots);
	ep->slots = NULL;
	free(ep->card);
	ep->card = NULL;
}
