/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_ud.c: the UD queue pair of a rank, which carries the datagrams of
 * vb_dial.c and vb_mail.c; its number is in the rank's card. Its key (Q_Key) is
 * of the nonce of that card, so that the device drops what a stranger sends. A
 * datagram that fails makes the queue pair useless; then it begins anew, and
 * what was under way is lost like any other datagram.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mrt.h"
#include "runtime/base/hash.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_conn.h"

#define UD_MAGIC 0x6d726474u /* "mrdt" */
enum {
	GRH = 40, /* bytes before each received message */
	BUF = GRH + sizeof(struct vb_datagram),
	RECVS_MIN = 32,
	RECVS_MAX = 1023,
	SENDS = 16,
	SENDS_SIGNALLED = 8, /* one in so many completes visibly */
	SLACK = 32,	     /* in the completion queue */
	UD_WAYS = 64,	     /* buckets of the table of address handles */
	RESTARTS_MAX = 16
};

/* An address handle. Peers that use one port of a node share it. */
struct way {
	struct list link;
	struct ibv_ah_attr attr;
	struct ibv_ah *ah;
};

struct vb_ud {
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	char *bufs; /* [recvs + SENDS][BUF] */
	uint32_t recvs;
	unsigned sent, completed;
	uint16_t restarts;
	struct list unsent; /* peers for whom something waits for room */
	struct list ways[UD_WAYS];
};

/* ---- the queue pair ---- */

static int post_recv(const struct vb_ud *d, uint32_t k)
{
	struct ibv_sge sge = {(uintptr_t)(d->bufs + k * BUF), BUF, d->mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = vb_wr_id(VB_WR_UD, k, d->restarts),
				 .sg_list = &sge,
				 .num_sge = 1};
	struct ibv_recv_wr *bad;

	return ibv_post_recv(d->qp, &wr, &bad);
}

/* Returns the key of the queue pair of this card. Its highest bit would ask for
 * the key of the sender's own queue pair (InfiniBand specification, 10.2.5). */
static uint32_t qkey_of(const struct vb_card *card)
{
	return (uint32_t)card->nonce & 0x7fffffff;
}

static int make_ready(struct vb *vb, struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT,
				   .pkey_index = (uint16_t)vb->dev.pkey_index,
				   .port_num = vb->dev.port,
				   .qkey = qkey_of(&vb->conn.card)};
	int err = ibv_modify_qp(qp, &attr,
				IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				    IBV_QP_QKEY);

	attr.qp_state = IBV_QPS_RTR;
	if (!err)
		err = ibv_modify_qp(qp, &attr, IBV_QP_STATE);
	attr.qp_state = IBV_QPS_RTS;
	attr.sq_psn = 0;
	if (!err)
		err = ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN);
	return err;
}

/* Creates the queue pair. Returns 0 or an errno, and the failed call in
 * *call. */
static int open_qp(struct vb *vb, struct vb_ud *d, const char **call)
{
	struct ibv_qp_init_attr init = {
	    .send_cq = vb->conn.cq,
	    .recv_cq = vb->conn.cq,
	    .cap = {.max_send_wr = SENDS - 1,
		    .max_recv_wr = d->recvs,
		    .max_send_sge = 1,
		    .max_recv_sge = 1},
	    .qp_type = IBV_QPT_UD,
	};
	size_t len = (d->recvs + SENDS) * BUF;
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*call = "mmap";
	if (p == MAP_FAILED)
		return ENOMEM;
	d->bufs = p;
	*call = "ibv_reg_mr";
	d->mr = ibv_reg_mr(vb->dev.pd, p, len, IBV_ACCESS_LOCAL_WRITE);
	if (!d->mr)
		return errno;
	*call = "ibv_create_qp";
	d->qp = ibv_create_qp(vb->dev.pd, &init);
	if (!d->qp)
		return errno;
	*call = "ibv_modify_qp";
	return make_ready(vb, d->qp);
}

static int post_recvs(const struct vb_ud *d)
{
	int err = 0;

	for (uint32_t k = 0; !err && k < d->recvs; k++)
		err = post_recv(d, k);
	return err;
}

static uint32_t count_recvs(const struct vb *vb)
{
	int64_t n = 2ll * vb->job->size;

	if (n > vb->dev.attr.max_qp_wr)
		n = vb->dev.attr.max_qp_wr;
	return n < RECVS_MIN   ? RECVS_MIN
	       : n > RECVS_MAX ? RECVS_MAX
			       : (uint32_t)n;
}

int vb_ud_completions(const struct vb *vb)
{
	return (int)count_recvs(vb) + SENDS + SLACK;
}

int vb_ud_open(struct vb *vb)
{
	struct vb_ud *d = calloc(1, sizeof(*d));
	const char *call = "calloc";
	int err = ENOMEM;

	vb->conn.ud = d;
	if (d) {
		d->recvs = count_recvs(vb);
		list_init(&d->unsent);
		for (int k = 0; k < UD_WAYS; k++)
			list_init(&d->ways[k]);
		err = open_qp(vb, d, &call);
	}
	if (!err) {
		call = "ibv_post_recv";
		err = post_recvs(d);
	}
	if (err)
		return vb_refused(vb, call, "the queue pair for calls (UD)",
				  err);
	vb->conn.card.dial_qpn = d->qp->qp_num;
	return 0;
}

void vb_ud_close(struct vb *vb)
{
	struct vb_ud *d = vb->conn.ud;

	if (!d)
		return;
	for (int k = 0; k < UD_WAYS; k++)
		list_for_each_safe (it, &d->ways[k]) {
			struct way *way = list_entry(it, struct way, link);

			ibv_destroy_ah(way->ah);
			free(way);
		}
	if (d->qp)
		ibv_destroy_qp(d->qp);
	if (d->mr)
		ibv_dereg_mr(d->mr);
	if (d->bufs)
		munmap(d->bufs, (d->recvs + SENDS) * BUF);
	free(d);
	vb->conn.ud = NULL;
}

static bool has_room(const struct vb_ud *d)
{
	return d->sent - d->completed < SENDS - 1;
}

/* Returns the bytes that a datagram has or claims to have. */
static size_t ud_len(const struct vb_datagram *m)
{
	size_t len = offsetof(struct vb_datagram, mail);

	if (m->kind == VB_MAIL)
		len += offsetof(struct vb_mail, data) + m->mail.len;
	return len;
}

static void post_message(struct vb_ep *ep, enum vb_datagram_kind kind)
{
	struct vb *vb = vb_of(ep);
	struct vb_ud *d = vb->conn.ud;
	uint32_t k = d->recvs + d->sent % SENDS;
	struct vb_datagram m = {.magic = UD_MAGIC,
				.kind = (uint8_t)kind,
				.from = (uint32_t)vb->job->rank,
				.qpn = ep->qp ? ep->qp->qp_num : 0,
				.epoch = ep->epoch,
				.mailed = ep->mailed,
				.heard = ep->mail_heard,
				.nonce = ep->card->nonce};
	struct ibv_sge sge = {(uintptr_t)(d->bufs + k * BUF), 0, d->mr->lkey};
	struct ibv_send_wr wr = {
	    .wr_id = vb_wr_id(VB_WR_UD, k, d->restarts),
	    .sg_list = &sge,
	    .num_sge = 1,
	    .opcode = IBV_WR_SEND,
	    .wr.ud = {ep->ah, ep->card->dial_qpn, qkey_of(ep->card)}};
	struct ibv_send_wr *bad;

	if (kind == VB_MAIL && ep->mail)
		m.mail = *ep->mail;
	else if (kind == VB_MAIL)
		m.kind = VB_HEARD; /* it has been acknowledged meanwhile */
	sge.length = (uint32_t)ud_len(&m);
	memcpy(d->bufs + k * BUF, &m, sizeof(m));
	if ((d->sent + 1) % SENDS_SIGNALLED == 0)
		wr.send_flags = IBV_SEND_SIGNALED;
	if (ibv_post_send(d->qp, &wr, &bad))
		return;
	d->sent++;
	vb->counts.calls += kind == VB_CALL;
	vb->counts.answers += kind == VB_ANSWER;
}

void vb_ud_send(struct vb_ep *ep, enum vb_datagram_kind kind)
{
	struct vb_ud *d = vb_of(ep)->conn.ud;

	if (!ep->ah && vb_ud_address(ep))
		return;
	if (!ep->unsent_kinds && has_room(d)) {
		post_message(ep, kind);
		return;
	}
	if (!ep->unsent_kinds)
		list_append(&d->unsent, &ep->unsent);
	ep->unsent_kinds |= (uint8_t)(1 << kind);
}

static void send_waiting(struct vb_ud *d)
{
	while (!list_empty(&d->unsent) && has_room(d)) {
		struct vb_ep *ep =
		    list_entry(d->unsent.next, struct vb_ep, unsent);
		enum vb_datagram_kind kind =
		    (enum vb_datagram_kind)__builtin_ctz(ep->unsent_kinds);

		ep->unsent_kinds &= (uint8_t) ~(1 << kind);
		if (!ep->unsent_kinds)
			list_remove(&ep->unsent);
		post_message(ep, kind);
	}
}

/* ---- addresses ---- */

static struct ibv_ah *create_ah(struct vb *vb, const struct ibv_ah_attr *attr,
				struct list *bucket)
{
	struct way *way = malloc(sizeof(*way));

	if (!way)
		return NULL;
	way->attr = *attr;
	way->ah = ibv_create_ah(vb->dev.pd, &way->attr);
	if (!way->ah) {
		free(way);
		return NULL;
	}
	vb->counts.ways++;
	list_append(bucket, &way->link);
	return way->ah;
}

int vb_ud_address(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	struct ibv_ah_attr attr;
	struct list *bucket;

	vb_qp_address(vb, ep->card, &attr);
	bucket =
	    &vb->conn.ud
		 ->ways[hash_bytes(HASH_BEGIN, &attr, sizeof(attr)) % UD_WAYS];
	list_for_each (it, bucket) {
		struct way *way = list_entry(it, struct way, link);

		if (memcmp(&way->attr, &attr, sizeof(attr)))
			continue;
		ep->ah = way->ah;
		return 0;
	}
	ep->ah = create_ah(vb, &attr, bucket);
	return ep->ah ? 0 : errno;
}

/* ---- what arrives ---- */

/* Lets the queue pair, which accepts nothing more after an error, begin anew.
 */
static void ud_restart(struct vb *vb, enum ibv_wc_status status)
{
	struct vb_ud *d = vb->conn.ud;
	struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};

	log_info("a call for connection has failed (UD): %s",
		 ibv_wc_status_str(status));
	d->sent = d->completed = 0;
	if (d->restarts++ < RESTARTS_MAX &&
	    !ibv_modify_qp(d->qp, &reset, IBV_QP_STATE) &&
	    !make_ready(vb, d->qp) && !post_recvs(d))
		send_waiting(d);
	else
		vb_lost(vb, "calls for connection cannot be sent (UD)");
}

void vb_ud_arrived(struct vb *vb, const struct ibv_wc *wc)
{
	uint32_t k = (uint32_t)wc->wr_id;
	struct vb_ud *d = vb->conn.ud;
	const struct vb_datagram *m;

	if ((uint16_t)(wc->wr_id >> 32) != d->restarts)
		return; /* of the queue pair before it began anew */
	if (wc->status != IBV_WC_SUCCESS) {
		ud_restart(vb, wc->status);
		return;
	}
	if (k >= d->recvs) {
		d->completed += SENDS_SIGNALLED;
		send_waiting(d);
		return;
	}
	m = (const void *)(d->bufs + k * BUF + GRH);
	if (wc->byte_len >= GRH + offsetof(struct vb_datagram, mail) &&
	    wc->byte_len >= GRH + ud_len(m) && m->magic == UD_MAGIC)
		vb_dial_handle(vb, m);
	if (post_recv(d, k))
		log_warn("a receive buffer for connections is lost");
}
