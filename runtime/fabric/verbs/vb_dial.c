/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_dial.c: connects at first use. Each rank has one UD queue pair, whose
 * number is in its card. A rank that wants to send creates its RC queue pair
 * and sends a CALL with its number, again and again until an ANSWER comes; the
 * called rank connects its own and answers with its number: an ANSWER says "I
 * am connected to you". The caller then tells the called the same, by the
 * message for which it has called, or by an ANSWER where it has called for a
 * one-sided operation; so a rank that has been called need not call. Two ranks
 * that call each other at once connect the same pair: the higher one answers,
 * the lower one tells. All other CALLs are answered, in any state.
 *
 *   IDLE --we call--> DIALING --ANSWER--> READY
 *   IDLE --called--> HALF --ANSWER to a call of ours, or a message--> READY
 *   DIALING --called--> HALF
 *
 * UD loses and repeats messages, so each may arrive any number of times. A
 * message shows the nonce of the receiver's card, so none from another job is
 * believed.
 *
 * The timer of repetitions is for what is lost, not for what waits: it does not
 * run while datagrams arrive, a message for which the send queue is full goes
 * out when a completion makes room, and each rank has receive buffers for a
 * CALL and an ANSWER of every other one, as far as RECVS_MAX permits. So all
 * ranks may call each other at once.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_conn.h"

#define DIAL_MAGIC 0x6d726474u /* "mrdt" */
enum {
	QKEY = 0x6d7274,
	GRH = 40, /* bytes before each received message */
	BUF = 128,
	RECVS_MIN = 64,
	RECVS_MAX = 4096,
	SENDS = 32,
	SENDS_SIGNALLED = 8, /* one in so many completes visibly */
	SLACK = 32,	     /* in the completion queue */
	PAUSE_MS = 200,	     /* before the first repetition; then doubled */
	PAUSE_MAX_MS = 1600
};

enum { CALL, ANSWER };

struct message {
	uint32_t magic;
	uint8_t kind, pad[3];
	uint32_t from, qpn;
	uint64_t nonce; /* of the receiver's card */
};

/* An address handle. Peers that use one port of a node share it. */
struct way {
	struct list link;
	struct ibv_ah_attr attr;
	struct ibv_ah *ah;
};

struct vb_dial {
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	char *bufs; /* [recvs + SENDS][BUF] */
	uint32_t recvs;
	unsigned sent, completed;
	struct list unsent; /* peers for whom something waits for room */
	struct list ways;   /* struct way */
	uint64_t next_look; /* ns: no call is to be repeated before */
	uint64_t heard;	    /* ns: last datagram of a peer */
};

/* ---- the UD queue pair ---- */

static int post_recv(struct vb_dial *d, uint32_t k)
{
	struct ibv_sge sge = {(uintptr_t)(d->bufs + k * BUF), BUF, d->mr->lkey};
	struct ibv_recv_wr wr = {
	    .wr_id = vb_wr_id(VB_WR_DIAL, k, 0), .sg_list = &sge, .num_sge = 1};
	struct ibv_recv_wr *bad;

	return ibv_post_recv(d->qp, &wr, &bad);
}

static int make_ready(struct vb *vb, struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT,
				   .pkey_index = (uint16_t)vb->dev.pkey_index,
				   .port_num = vb->dev.port,
				   .qkey = QKEY};
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
static int open_qp(struct vb *vb, struct vb_dial *d, const char **call)
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

static uint32_t count_recvs(const struct vb *vb)
{
	int64_t n = 2ll * vb->job->size;

	if (n > vb->dev.attr.max_qp_wr)
		n = vb->dev.attr.max_qp_wr;
	return n < RECVS_MIN   ? RECVS_MIN
	       : n > RECVS_MAX ? RECVS_MAX
			       : (uint32_t)n;
}

int vb_dial_completions(const struct vb *vb)
{
	return (int)count_recvs(vb) + SENDS + SLACK;
}

int vb_dial_open(struct vb *vb)
{
	struct vb_dial *d = calloc(1, sizeof(*d));
	const char *call = "calloc";
	int err = ENOMEM;

	vb->conn.dial = d;
	if (d) {
		d->recvs = count_recvs(vb);
		list_init(&d->unsent);
		list_init(&d->ways);
		err = open_qp(vb, d, &call);
	}
	if (!err)
		call = "ibv_post_recv";
	for (uint32_t k = 0; !err && k < d->recvs; k++)
		err = post_recv(d, k);
	if (err)
		return vb_refused(vb, call, "the queue pair for calls (UD)",
				  err);
	vb->conn.card.dial_qpn = d->qp->qp_num;
	return 0;
}

void vb_dial_close(struct vb *vb)
{
	struct vb_dial *d = vb->conn.dial;

	if (!d)
		return;
	list_for_each_safe (it, &d->ways) {
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
	vb->conn.dial = NULL;
}

static bool has_room(const struct vb_dial *d)
{
	return d->sent - d->completed < SENDS - 1;
}

static void post_message(struct vb_ep *ep, int kind)
{
	struct vb *vb = vb_of(ep);
	struct vb_dial *d = vb->conn.dial;
	uint32_t k = d->recvs + d->sent % SENDS;
	struct message m = {.magic = DIAL_MAGIC,
			    .kind = (uint8_t)kind,
			    .from = (uint32_t)vb->job->rank,
			    .qpn = ep->qp->qp_num,
			    .nonce = ep->card->nonce};
	struct ibv_sge sge = {(uintptr_t)(d->bufs + k * BUF), sizeof(m),
			      d->mr->lkey};
	struct ibv_send_wr wr = {.wr_id = vb_wr_id(VB_WR_DIAL, k, 0),
				 .sg_list = &sge,
				 .num_sge = 1,
				 .opcode = IBV_WR_SEND,
				 .wr.ud = {ep->ah, ep->card->dial_qpn, QKEY}};
	struct ibv_send_wr *bad;

	memcpy(d->bufs + k * BUF, &m, sizeof(m));
	if ((d->sent + 1) % SENDS_SIGNALLED == 0)
		wr.send_flags = IBV_SEND_SIGNALED;
	if (ibv_post_send(d->qp, &wr, &bad))
		return;
	d->sent++;
	kind == CALL ? vb->counts.calls++ : vb->counts.answers++;
}

/* Sends a message now or when there is room. */
static void send_message(struct vb_ep *ep, int kind)
{
	struct vb_dial *d = vb_of(ep)->conn.dial;

	if (!ep->ah)
		return;
	if (!ep->unsent_kinds && has_room(d)) {
		post_message(ep, kind);
		return;
	}
	if (!ep->unsent_kinds)
		list_append(&d->unsent, &ep->unsent);
	ep->unsent_kinds |= (uint8_t)(1 << kind);
}

static void send_waiting(struct vb_dial *d)
{
	while (!list_empty(&d->unsent) && has_room(d)) {
		struct vb_ep *ep =
		    list_entry(d->unsent.next, struct vb_ep, unsent);
		int kind = ep->unsent_kinds & 1 << CALL ? CALL : ANSWER;

		ep->unsent_kinds &= (uint8_t) ~(1 << kind);
		if (!ep->unsent_kinds)
			list_remove(&ep->unsent);
		post_message(ep, kind);
	}
}

/* ---- connecting ---- */

static struct ibv_ah *create_ah(struct vb *vb, const struct ibv_ah_attr *attr)
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
	list_append(&vb->conn.dial->ways, &way->link);
	return way->ah;
}

/* Returns an address handle; NULL with errno. */
static struct ibv_ah *get_ah(struct vb *vb, const struct vb_card *card)
{
	struct ibv_ah_attr attr;

	vb_qp_address(vb, card, &attr);
	list_for_each (it, &vb->conn.dial->ways) {
		struct way *way = list_entry(it, struct way, link);

		if (!memcmp(&way->attr, &attr, sizeof(attr)))
			return way->ah;
	}
	return create_ah(vb, &attr);
}

/* Prepares a connection: reads the card, gets an address handle and creates the
 * queue pair. */
static int dial_prepare(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	int rc = ep->card ? 0 : vb_card_read(ep, NULL);

	if (!rc && ep->peer_qpn)
		rc = log_error(MRT_ERR_PROTOCOL,
			       "rank %d connects at start, this rank at first "
			       "use: set MRT_MESH_MAX alike on all",
			       ep->base.peer);
	if (rc)
		return rc;
	ep->ah = get_ah(vb, ep->card);
	if (!ep->ah)
		return log_error(MRT_ERR_NO_FABRIC,
				 "%s has no way to rank %d (%s, %s; "
				 "ibv_create_ah): %s",
				 vb_port_name(vb), ep->base.peer,
				 ep->card->host, ep->card->device,
				 strerror(errno));
	return vb_qp_create(ep);
}

static uint64_t dial_ms(uint64_t n)
{
	return n * 1000000;
}

int vb_dial(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	int rc = 0;

	if (ep->state == VB_FAILED) /* no fault while closing */
		return fault_code ? fault_code : MRT_ERR_PEER;
	if (!list_empty(&ep->dialing))
		return ERR_AGAIN;
	if (ep->state == VB_IDLE)
		rc = dial_prepare(ep);
	if (rc) {
		/* a fault, as the sender may not be waiting for this send */
		vb_unconnected(ep, rc);
		return rc;
	}
	list_append(&vb->conn.dialing, &ep->dialing);
	vb->busy++;
	ep->dial_pause = PAUSE_MS;
	ep->dial_again = clock_ns() + dial_ms(PAUSE_MS);
	if (vb->conn.dial->next_look > ep->dial_again)
		vb->conn.dial->next_look = ep->dial_again;
	ep->dial_warn = clock_ns() + dial_ms((uint64_t)env.timeout_s * 1000);
	/* a peer that has called will tell */
	if (ep->state == VB_DIALING)
		send_message(ep, CALL);
	return ERR_AGAIN;
}

void vb_dial_done(struct vb_ep *ep)
{
	ep->state = VB_READY;
	if (!list_empty(&ep->dialing)) {
		list_remove(&ep->dialing);
		vb_of(ep)->busy--;
	}
	vb_of(ep)->up->push(ep);
}

/* Whether calls fail for good. UD gets no acknowledgement, and the called rank
 * may compute for long; but while our own port stays down no call is heard. */
static bool is_cut_off(const struct vb *vb, uint64_t now)
{
	/* relaxed: pairs with the watcher's stores in vb_fault.c; it stands
	 * alone */
	uint64_t down =
	    atomic_load_explicit(&vb->dev.port_down, memory_order_relaxed);

	return down && now > down && now - down > vb_retry_ns();
}

/* Repeats a call that is due, unless datagrams still arrive: then all are busy
 * connecting, and what is late is not lost. */
static void dial_repeat(struct vb_ep *ep, uint64_t now)
{
	struct vb *vb = vb_of(ep);
	uint64_t quiet = vb->conn.dial->heard + dial_ms(ep->dial_pause);

	if (now < quiet) {
		ep->dial_again = quiet;
		return;
	}
	if (ep->dial_pause < PAUSE_MAX_MS)
		ep->dial_pause *= 2;
	ep->dial_again = now + dial_ms(ep->dial_pause);
	vb->counts.repeated++;
	send_message(ep, CALL);
}

int vb_dial_progress(struct vb *vb)
{
	uint64_t now = clock_ns(), next = UINT64_MAX;

	if (now < vb->conn.dial->next_look)
		return 0;
	list_for_each_safe (it, &vb->conn.dialing) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, dialing);

		if (is_cut_off(vb, now)) {
			vb_broken(ep, "cannot be called", 0);
			return 0;
		}
		if (now >= ep->dial_warn) {
			/* it answers only inside calls of libmrt, and may
			 * compute */
			log_warn("rank %d on %s (%s) has not answered calls "
				 "for connection for %ld s",
				 ep->base.peer, ep->card->host,
				 ep->card->device, env.timeout_s);
			ep->dial_warn = UINT64_MAX;
		}
		if (now >= ep->dial_again)
			dial_repeat(ep, now);
		if (next > ep->dial_again)
			next = ep->dial_again;
	}
	vb->conn.dial->next_look = next;
	return 0;
}

static void dial_handle(struct vb *vb, const struct message *m)
{
	struct vb_ep *ep;
	bool crossed;
	int rc = 0;

	if (m->magic != DIAL_MAGIC || m->nonce != vb->conn.card.nonce ||
	    m->from >= (uint32_t)vb->job->size || m->kind > ANSWER)
		return; /* from another job, or garbage */
	ep = &vb->conn.eps[m->from];
	if (ep->state == VB_FAILED)
		return; /* it may have neither card nor queue pair */
	vb->conn.dial->heard = clock_ns();
	/* both have called: the higher one answers, the lower one tells */
	crossed = ep->state == VB_DIALING && m->kind == CALL &&
		  vb->job->rank < ep->base.peer;
	if (ep->state == VB_IDLE)
		rc = dial_prepare(ep);
	if (!rc && ep->state == VB_DIALING)
		rc = vb_qp_connect(ep, m->qpn);
	if (rc) {
		vb_unconnected(ep, rc);
		return;
	}
	if (m->kind == ANSWER && ep->state == VB_HALF) {
		if (!list_empty(&ep->ops))
			send_message(ep, ANSWER);
		vb_dial_done(ep);
	} else if (m->kind == CALL && !crossed)
		send_message(ep, ANSWER);
}

void vb_dial_arrived(struct vb *vb, const struct ibv_wc *wc)
{
	uint32_t k = (uint32_t)wc->wr_id;
	struct vb_dial *d = vb->conn.dial;

	if (wc->status != IBV_WC_SUCCESS) {
		/* the queue pair accepts nothing more, for any peer */
		vb_lost(vb, "calls for connection cannot be sent (UD)");
		return;
	}
	if (k >= d->recvs) {
		d->completed += SENDS_SIGNALLED;
		send_waiting(d);
		return;
	}
	if (wc->byte_len >= GRH + sizeof(struct message))
		dial_handle(vb, (const void *)(d->bufs + k * BUF + GRH));
	if (post_recv(d, k))
		log_warn("a receive buffer for connections is lost");
}
