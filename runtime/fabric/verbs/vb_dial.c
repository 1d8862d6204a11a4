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

int vb_dial_address(struct vb_ep *ep)
{
	int rc = ep->card ? 0 : vb_card_read(ep, NULL);
	int err = rc || ep->ah ? 0 : vb_ud_address(ep);

	if (err && vb_qp_may_retry(ep, err))
		return ERR_AGAIN;
	if (err)
		rc = log_error(MRT_ERR_NO_FABRIC,
			       "%s has no way to rank %d (%s, %s; "
			       "ibv_create_ah): %s",
			       vb_port_name(vb_of(ep)), ep->base.peer,
			       ep->card->host, ep->card->device, strerror(err));
	if (rc)
		vb_unconnected(ep, rc);
	return rc;
}

/* Gets a queue pair, if there is room. ERR_AGAIN: not yet, or the address is
 * not resolved yet, or a message must be acknowledged first. */
static int dial_prepare(struct vb_ep *ep)
{
	int rc;

	if (ep->mail || !vb_cache_admit(ep, ep->dial_pause > PAUSE_MS))
		return ERR_AGAIN;
	rc = vb_dial_address(ep);
	return rc ? rc : vb_qp_create(ep);
}

static uint64_t dial_ms(uint64_t n)
{
	return n * 1000000;
}

/* Gets a queue pair if there is room, and connects it to a peer that has
 * called. ERR_AGAIN: not yet. */
static int dial_begin(struct vb_ep *ep)
{
	int rc = ep->state == VB_IDLE ? dial_prepare(ep) : 0;

	if (!rc && ep->state == VB_DIALING && ep->called)
		rc = vb_qp_connect(ep, ep->called);
	if (rc && rc != ERR_AGAIN && ep->state != VB_FAILED)
		vb_unconnected(ep, rc);
	return rc;
}

/* Calls, or answers a peer that has called and waited for room, or repeats a
 * message. Returns 0, also if it is to be tried again, or MRT_ERR_*, after
 * raising the fault, as the sender may not be waiting for this send. */
static int dial_call(struct vb_ep *ep)
{
	bool waits = ep->state != VB_HALF && ep->called;
	int rc = dial_begin(ep);

	if (ep->mail)
		vb_ud_send(ep, VB_MAIL);
	if (rc)
		return rc == ERR_AGAIN ? 0 : rc;
	ep->dial_sent = clock_ns();
	vb_ud_send(ep, waits ? VB_ANSWER : VB_CALL);
	return 0;
}

void vb_dial_list(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	list_append(&vb->conn.dialing, &ep->dialing);
	vb->busy++;
	ep->dial_pause = PAUSE_MS;
	ep->dial_again = clock_ns() + dial_ms(PAUSE_MS);
	if (vb->conn.dial_look > ep->dial_again)
		vb->conn.dial_look = ep->dial_again;
	ep->dial_warn = clock_ns() + dial_ms((uint64_t)env.timeout_s * 1000);
}

void vb_dial_unlist(struct vb_ep *ep)
{
	if (list_empty(&ep->dialing))
		return;
	list_remove(&ep->dialing);
	vb_of(ep)->busy--;
}

int vb_dial(struct vb_ep *ep)
{
	int rc;

	if (ep->state == VB_FAILED) /* no fault while closing */
		return fault_code ? fault_code : MRT_ERR_PEER;
	if (!list_empty(&ep->dialing))
		return ERR_AGAIN;
	/* a peer that has called will tell */
	rc = ep->state == VB_HALF ? 0 : dial_call(ep);
	if (rc)
		return rc;
	vb_dial_list(ep);
	return ERR_AGAIN;
}

void vb_dial_done(struct vb_ep *ep)
{
	ep->state = VB_READY;
	ep->silent_since = ep->checked_before = clock_ns();
	vb_cache_connected(ep);
	vb_dial_unlist(ep);
	vb_of(ep)->up->push(ep);
}

void vb_dial_retry(struct vb *vb)
{
	vb->conn.dial_look = 0;
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
		if (now >= ep->dial_warn && !vb->rail &&
		    (ep->state != VB_IDLE || ep->mail)) {
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
		else if (ep->state == VB_IDLE && !ep->mail)
			dial_call(ep);
		if (next > ep->dial_again)
			next = ep->dial_again;
	}
	vb->conn.dial_look = next;
	return 0;
}

/* Whether a datagram is of the connection that ep has or is to have. One of the
 * next shows that the peer has ended this one, and needs nothing more; a call
 * is kept until this rank has ended it, too. */
static bool is_current(struct vb_ep *ep, const struct vb_datagram *m)
{
	if (m->epoch == ep->epoch + 1 && ep->close_sent && ep->close_heard) {
		vb_qp_stop(ep);
		ep->early = m->kind == VB_CALL ? m->qpn : ep->early;
	}
	return m->epoch == ep->epoch && m->kind < VB_BYE &&
	       ep->state != VB_CLOSING;
}

/* Whether a peer has called that this rank has called: the higher one answers,
 * the lower one tells. */
static bool is_crossed(const struct vb_ep *ep, const struct vb_datagram *m)
{
	return ep->state == VB_DIALING && ep->dial_sent && m->kind == VB_CALL &&
	       vb_of(ep)->job->rank < ep->base.peer;
}

/* Returns the endpoint of a datagram that is to be heeded, else NULL. */
static struct vb_ep *dial_find(struct vb *vb, const struct vb_datagram *m)
{
	struct vb_ep *ep;

	if (m->nonce != vb->conn.card.nonce ||
	    m->from >= (uint32_t)vb->job->size || m->kind > VB_HEARD)
		return NULL; /* from another job, or garbage */
	ep = vb_ep_get(vb, (int)m->from);
	if (!ep || ep->state == VB_FAILED)
		return NULL; /* it may have neither card nor queue pair */
	vb->conn.dial_heard = clock_ns();
	vb_mail_handle(ep, m);
	/* an answer to a call of a queue pair that has been destroyed */
	if (!is_current(ep, m) ||
	    (ep->state == VB_IDLE && m->kind == VB_ANSWER))
		return NULL;
	/* another number shows that the peer has lost its queue pair */
	if (vb->rail && ep->state >= VB_HALF && m->qpn != ep->dest_qpn) {
		vb_broken(ep, "has begun anew", 0);
		return NULL; /* it calls again */
	}
	return ep;
}

void vb_dial_handle(struct vb *vb, const struct vb_datagram *m)
{
	struct vb_ep *ep = dial_find(vb, m);
	bool crossed;
	int rc;

	if (!ep)
		return;
	crossed = is_crossed(ep, m);
	if (ep->state == VB_IDLE || ep->state == VB_DIALING)
		ep->called = m->qpn;
	rc = dial_begin(ep);
	if (rc == ERR_AGAIN && list_empty(&ep->dialing))
		vb_dial_list(ep); /* it is answered as soon as there is room */
	if (rc)
		return;
	if (m->kind == VB_ANSWER && ep->state == VB_HALF) {
		if (vb->rail || !list_empty(&ep->ops))
			vb_ud_send(ep, VB_ANSWER);
		vb_dial_done(ep);
	} else if (m->kind == VB_CALL && !crossed)
		vb_ud_send(ep, VB_ANSWER);
}
