/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_close.c: closes a connection whose place another one needs (vb_cache.c).
 * Either side begins, or both. Each waits until all that it has posted is
 * acknowledged, and sends CLOSE, its last message, which the other side answers
 * by its own. A side that has received CLOSE, and whose own is acknowledged,
 * destroys its queue pair; so everything has arrived, and nothing is cut off.
 * Messages and operations that have not been posted stay with their endpoint,
 * which connects to the peer again.
 *
 *   READY --room is needed, or CLOSE received--> CLOSING --both sent--> IDLE
 *
 * The acknowledgement may be lost when the other side has nobody left to
 * repeat it. So a side that ends says BYE (vb_ud.c); if that is lost, too, the
 * device finds nobody, which is no fault of a peer whose CLOSE has arrived.
 * Datagrams bear the number of connections that have ended, so that none is
 * taken for one of a later connection. tests/models/close.pml has all this.
 */
#include "runtime/base/error.h"
#include "runtime/fabric/verbs/vb_msg.h"

void vb_close_heard(struct vb_ep *ep)
{
	if (ep->state == VB_READY)
		vb_cache_close(ep);
	ep->close_heard = true;
}

bool vb_close_is_over(const struct vb_ep *ep)
{
	return ep->close_sent && ep->close_heard;
}

void vb_unlist(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);
	struct list *counted[] = {&ep->dialing, &ep->blocked, &ep->owing};

	for (int k = 0; k < 3; k++) {
		vb->busy -= !list_empty(counted[k]);
		list_remove(counted[k]);
	}
	if (ep->unsent_kinds)
		list_remove(&ep->unsent);
	ep->unsent_kinds = 0;
	list_remove(&ep->unsignalled);
}

/* Ends the connection of the second rail with that of the first. */
static void end_second(struct vb_ep *ep)
{
	struct vb *second = vb_of(ep)->second;
	struct vb_ep *other = second ? second->conn.eps[ep->base.peer] : NULL;

	if (other && other->qp)
		vb_of(ep)->up->lost(other, NULL);
}

static void close_end(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	end_second(ep);
	vb_unlist(ep);
	vb->conn.nclosing--;
	vb_qp_end(ep);
	vb_srq_drop(ep);
	vb_qp_forget(ep);
	ep->epoch++;
	vb->counts.closed++;
	vb_ud_send(ep, VB_BYE);
	if (ep->called || !list_empty(&ep->ops))
		vb_dial(ep);
	vb_dial_retry(vb);
}

/* Sends CLOSE as a work request that is signalled, so that its completion shows
 * that the peer has it. */
static void close_send(struct vb_ep *ep)
{
	ep->signalled = (uint16_t)(ep->head - VB_SQ);
	ep->close_sent = !vb_message(ep, VB_CLOSE, 0, NULL, 0);
	if (!ep->close_sent)
		ep->signalled = ep->head;
}

int vb_close_progress(struct vb *vb)
{
	int n = 0;

	list_for_each_safe (it, &vb->conn.closing) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, dialing);

		if (ep->state == VB_FAILED)
			continue;
		if (ep->head != ep->signalled)
			vb_probe(ep);
		if (ep->head != ep->tail)
			continue;
		if (!ep->close_sent) {
			close_send(ep);
		} else if (ep->close_heard) {
			close_end(ep);
			n++;
		}
	}
	return n;
}
