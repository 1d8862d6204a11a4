/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_cache.c decides which connections a rank has: at most peers_max at a time,
 * and fewer if the device refuses one. A connection that is wanted while there
 * is no room waits (vb_dial.c) until another has been closed (vb_close.c): one
 * that has done nothing since it was looked at last, as the clock algorithm
 * finds it (F. J. Corbato, A Paging Experiment with the Multics System, 1968).
 * So messages need not note when they use a connection.
 *
 * Ranks that all wait for room at each other would wait for ever. So those that
 * this rank calls and that have not answered take at most half of the room. All
 * others are connected, and can be closed in time; hence every call is
 * answered in the end, and the half of those that call becomes free.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_conn.h"

void vb_cache_init(struct vb *vb)
{
	/* a connection takes a window of receive buffers, and one more for the
	 * CLOSE of the peer */
	int fit = vb->dev.attr.max_srq_wr / (VB_WINDOW_MIN + 1) - 2;
	int offered = vb->dev.attr.max_qp / vb->job->node_size - 1;
	int ranks = vb->job->size, most = (int)env.ib_peers;

	if (!most && ranks > env.mesh_max && offered > VB_PEERS_MOST)
		most = VB_PEERS_MOST;
	else if (!most)
		most = offered;
	if (most > fit)
		most = fit;
	if (most < VB_PEERS_LEAST)
		most = VB_PEERS_LEAST;
	if (most >= ranks - 1)
		most = ranks;
	vb->conn.peers_max = most;
}

uint32_t vb_cache_closings(const struct vb *vb)
{
	return ((uint32_t)vb->conn.peers_max + 1) / 2;
}

/* Returns how many others this rank has a queue pair for. */
static int peers_of(const struct vb *vb)
{
	const struct vb_ep *self = vb->conn.eps[vb->job->rank];

	return (int)vb->conn.qpn_used - (self && self->qp);
}

/* ---- which to close ---- */

/* Returns a number that each message sent or received changes, and each
 * operation. */
static uint32_t activity_of(const struct vb_ep *ep)
{
	return ep->head + ep->granted;
}

void vb_cache_connected(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	ep->looked = activity_of(ep) - 1;
	if (peers_of(vb) >= vb->conn.peers_max)
		vb_dial_retry(vb); /* now it may be closed for others */
}

/* Whether messages or operations of this rank wait to be posted to ep. */
static bool is_wanted(const struct vb_ep *ep)
{
	return !list_empty(&ep->ops) || !list_empty(&ep->base.held);
}

/* Whether the connection may be closed; `idle`: only if nothing waits for it
 * and it has not been used since the last look. A connection that was made for
 * what waits is used once before it may be closed. */
static bool may_close(struct vb_ep *ep, bool idle)
{
	bool was_used = ep->head || activity_of(ep) != vb_of(ep)->conn.window;
	uint32_t looked = ep->looked;

	if (ep->state != VB_READY || ep->base.peer == vb_of(ep)->job->rank)
		return false;
	ep->looked = activity_of(ep);
	if (idle)
		return !is_wanted(ep) && looked == ep->looked;
	return !is_wanted(ep) || was_used;
}

/* Goes through the connections, each of which then is the last of the list:
 * twice for one that is idle, as the first look may be the first of all, and
 * once for any other. */
static struct vb_ep *choose_victim(struct vb *vb)
{
	for (int lap = 0; lap < 3; lap++)
		for (uint32_t k = 0; k < vb->conn.qpn_used; k++) {
			struct list *first = vb->conn.open.next;
			struct vb_ep *ep =
			    list_entry(first, struct vb_ep, open);

			list_remove(first);
			list_append(&vb->conn.open, first);
			if (may_close(ep, lap < 2))
				return ep;
			/* the peer of one that is half connected is asked
			 * whether it is, as only then it can be closed */
			if (ep->state == VB_HALF)
				vb_dial(ep);
		}
	return NULL;
}

void vb_cache_close(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	ep->state = VB_CLOSING;
	list_append(&vb->conn.closing, &ep->dialing);
	vb->conn.nclosing++;
	vb->busy++;
}

/* Begins to close a connection, unless many are being closed: their peers may
 * compute, and do not answer before they call libmrt. */
static void make_room(struct vb *vb, bool late)
{
	uint32_t most = vb_cache_closings(vb);
	struct vb_ep *ep = late || (uint32_t)vb->conn.nclosing < most
			       ? choose_victim(vb)
			       : NULL;

	if (!ep)
		return;
	vb_srq_add_last(ep);
	vb_cache_close(ep);
}

/* ---- room ---- */

bool vb_cache_admit(const struct vb_ep *ep, bool late)
{
	struct vb *vb = vb_of(ep);
	int calls = vb->conn.peers_max - vb->conn.peers_max / 2;
	bool self = ep->base.peer == vb->job->rank;

	if (vb->rail)
		return true;
	if (peers_of(vb) - self < vb->conn.peers_max)
		return self || ep->called || vb->conn.calling < calls;
	make_room(vb, late);
	return false;
}

bool vb_cache_refused(const struct vb_ep *ep, int err)
{
	struct vb *vb = vb_of(ep);
	int granted = peers_of(vb) - (ep->base.peer == vb->job->rank);

	if (vb->rail || granted < VB_PEERS_LEAST ||
	    (err != ENOMEM && err != ENOSPC && err != EAGAIN))
		return false;
	vb->conn.peers_max = granted;
	vb_dial_retry(vb); /* the next try closes another connection */
	log_info("%s refuses a queue pair (ibv_create_qp): %s; this rank is "
		 "connected to %d others at a time",
		 vb_port_name(vb), strerror(err), vb->conn.peers_max);
	return true;
}
