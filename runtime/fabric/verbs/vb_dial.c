/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_dial.c: connects at first use, by datagrams (vb_ud.c). A rank that wants
 * to send creates its RC queue pair and sends a CALL with its number, again and
 * again until an ANSWER comes; the called rank connects its own and answers
 * with its number: an ANSWER says "I am connected to you". The caller then
 * tells the called the same, by the message for which it has called, or by an
 * ANSWER where it has called for a one-sided operation; so a rank that has been
 * called need not call. Two ranks that call each other at once connect the same
 * pair: the higher one answers, the lower one tells. All other CALLs are
 * answered, in any state.
 *
 *   IDLE --we call--> DIALING --ANSWER--> READY
 *   IDLE --called--> HALF --ANSWER to a call of ours, or a message--> READY
 *   DIALING --called--> HALF
 *
 * UD loses and repeats messages, so each may arrive any number of times. A
 * message shows the nonce of the receiver's card, so none from another job is
 * believed.
 *
 * The timer of repetitions is for what is lost, not for what waits: while
 * datagrams arrive it runs at a quarter of its speed, a message for which the
 * send queue is full goes out when a completion makes room, and each rank has
 * receive buffers for a CALL and an ANSWER of every other one, as far as
 * RECVS_MAX permits. So all ranks may call each other at once.
 */
#include <string.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_conn.h"

enum {
	PAUSE_MS = 200, /* before the first repetition; then doubled */
	PAUSE_MAX_MS = 1600,
	PAUSES = 4 /* that other datagrams may put a repetition off */
};

/* Prepares a connection: reads the card, gets an address handle and creates the
 * queue pair. ERR_AGAIN: the address is not resolved yet. */
static int dial_prepare(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	int rc = ep->card ? 0 : vb_card_read(ep, NULL), err;

	if (!rc && ep->peer_qpn)
		rc = log_error(MRT_ERR_PROTOCOL,
			       "rank %d connects at start, this rank at first "
			       "use: set MRT_MESH_MAX alike on all",
			       ep->base.peer);
	if (rc)
		return rc;
	err = vb_ud_address(ep);
	if (err && vb_qp_may_retry(ep, err))
		return ERR_AGAIN;
	if (err)
		return log_error(MRT_ERR_NO_FABRIC,
				 "%s has no way to rank %d (%s, %s; "
				 "ibv_create_ah): %s",
				 vb_port_name(vb), ep->base.peer,
				 ep->card->host, ep->card->device,
				 strerror(err));
	return vb_qp_create(ep);
}

static uint64_t dial_ms(uint64_t n)
{
	return n * 1000000;
}

/* Calls if the address of the peer is known yet. Returns 0 or MRT_ERR_*, after
 * raising the fault, as the sender may not be waiting for this send. */
static int dial_call(struct vb_ep *ep)
{
	int rc = ep->state == VB_IDLE ? dial_prepare(ep) : 0;

	if (rc == ERR_AGAIN)
		return 0;
	if (rc)
		vb_unconnected(ep, rc);
	if (rc)
		return rc;
	ep->dial_sent = clock_ns();
	vb_ud_send(ep, VB_CALL);
	return 0;
}

int vb_dial(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	int rc;

	if (ep->state == VB_FAILED) /* no fault while closing */
		return fault_code ? fault_code : MRT_ERR_PEER;
	if (!list_empty(&ep->dialing))
		return ERR_AGAIN;
	/* a peer that has called will tell */
	rc = ep->state == VB_HALF ? 0 : dial_call(ep);
	if (rc)
		return rc;
	list_append(&vb->conn.dialing, &ep->dialing);
	vb->busy++;
	ep->dial_pause = PAUSE_MS;
	ep->dial_again = clock_ns() + dial_ms(PAUSE_MS);
	if (vb->conn.dial_look > ep->dial_again)
		vb->conn.dial_look = ep->dial_again;
	ep->dial_warn = clock_ns() + dial_ms((uint64_t)env.timeout_s * 1000);
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

/* Repeats a call that is due. While datagrams still arrive, all are busy
 * connecting, and what is late is hardly lost: then it waits longer. */
static void dial_repeat(struct vb_ep *ep, uint64_t now)
{
	struct vb *vb = vb_of(ep);
	uint64_t pause = dial_ms(ep->dial_pause);
	uint64_t quiet = vb->conn.dial_heard + pause;

	if (now < quiet && now < ep->dial_sent + PAUSES * pause) {
		ep->dial_again = quiet;
		return;
	}
	if (ep->dial_pause < PAUSE_MAX_MS)
		ep->dial_pause *= 2;
	ep->dial_again = now + dial_ms(ep->dial_pause);
	vb->counts.repeated++;
	dial_call(ep);
}

int vb_dial_progress(struct vb *vb)
{
	uint64_t now = clock_ns(), next = UINT64_MAX;

	if (now < vb->conn.dial_look)
		return 0;
	list_for_each_safe (it, &vb->conn.dialing) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, dialing);

		if (is_cut_off(vb, now)) {
			vb_broken(ep, "cannot be called", 0);
			return 0;
		}
		if (now >= ep->dial_warn && ep->state != VB_IDLE && !vb->rail) {
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
	vb->conn.dial_look = next;
	return 0;
}

void vb_dial_handle(struct vb *vb, const struct vb_datagram *m)
{
	struct vb_ep *ep;
	bool crossed;
	int rc = 0;

	if (m->nonce != vb->conn.card.nonce ||
	    m->from >= (uint32_t)vb->job->size || m->kind > VB_ANSWER)
		return; /* from another job, or garbage */
	ep = vb_ep_get(vb, (int)m->from);
	if (!ep || ep->state == VB_FAILED)
		return; /* it may have neither card nor queue pair */
	vb->conn.dial_heard = clock_ns();
	/* it answers a call of a queue pair that has been destroyed */
	if (vb->rail && ep->state == VB_IDLE && m->kind == VB_ANSWER)
		return;
	/* another number shows that the peer has lost its queue pair */
	if (vb->rail && ep->state >= VB_HALF && m->qpn != ep->dest_qpn) {
		vb_broken(ep, "has begun anew", 0);
		return; /* it calls again */
	}
	/* both have called: the higher one answers, the lower one tells */
	crossed = ep->state == VB_DIALING && !list_empty(&ep->dialing) &&
		  m->kind == VB_CALL && vb->job->rank < ep->base.peer;
	if (ep->state == VB_IDLE)
		rc = dial_prepare(ep);
	if (!rc && ep->state == VB_DIALING)
		rc = vb_qp_connect(ep, m->qpn);
	if (rc == ERR_AGAIN)
		return; /* as if it were lost */
	if (rc) {
		vb_unconnected(ep, rc);
		return;
	}
	if (m->kind == VB_ANSWER && ep->state == VB_HALF) {
		if (vb->rail || !list_empty(&ep->ops))
			vb_ud_send(ep, VB_ANSWER);
		vb_dial_done(ep);
	} else if (m->kind == VB_CALL && !crossed)
		vb_ud_send(ep, VB_ANSWER);
}
