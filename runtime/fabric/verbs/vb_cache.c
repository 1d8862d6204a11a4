/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_cache.c: which connections a rank has. Where not all are connected at
 * start, it has at most peers_max at a time, and fewer if the device refuses
 * one. A connection that is wanted while there is no room waits (vb_dial.c)
 * until another has been closed (vb_close.c): one that has done nothing since
 * it was looked at last, as the clock algorithm finds it (F. J. Corbato, A
 * Paging Experiment with the Multics System, 1968). So messages need not note
 * when they use a connection.
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

bool vb_cache_connects_all(const struct vb *vb)
{
	int ranks = vb->job->size;

	return ranks <= env.mesh_max && !vb->rail &&
	       (!env.ib_peers || env.ib_peers >= ranks - 1);
}

void vb_cache_init(struct vb *vb)
{
	/* each has a window of buffers, and one for its CLOSE */
	int fit = vb->dev.attr.max_srq_wr / (VB_WINDOW_MIN + 1) - 2;
	int offered = vb->dev.attr.max_qp / vb->job->node_size - 1;
	int most = (int)env.ib_peers;

	if (!most)
		most = offered < VB_PEERS_MOST ? offered : VB_PEERS_MOST;
	if (most > fit)
		most = fit;
	if (most < VB_PEERS_LEAST)
		most = VB_PEERS_LEAST;
	if (most >= vb->job->size || vb_cache_connects_all(vb))
		most = vb->job->size;
	vb->conn.peers_max = most;
}

uint32_t vb_cache_closings(const struct vb *vb)
{
	return vb_cache_connects_all(vb)
		   ? 0
		   : ((uint32_t)vb->conn.peers_max + 1) / 2;
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
	ep->looked = activity_of(ep) - 1;
}

/* Whether this rank has something to send or to do that may go at once. */
static bool is_wanted(const struct vb_ep *ep)
{
	return !list_empty(&ep->ops) || !list_empty(&ep->base.held);
}

/* Whether the connection may be closed; `early`: if it is better than others.
 * One for which something has waited is used once at least. */
static bool may_close(struct vb_ep *ep, bool early)
{
	bool was_used = ep->head || activity_of(ep) != vb_of(ep)->conn.window;
	uint32_t looked = ep->looked;

	if (ep->state != VB_READY || ep->base.peer == vb_of(ep)->job->rank)
		return false;
	ep->looked = activity_of(ep);
	if (early)
		return !is_wanted(ep) && looked == ep->looked;
	return !is_wanted(ep) || was_used;
}

static struct vb_ep *choose_idle(struct vb *vb)
{
	for (int early = 2, k = 0; early >= 0; k = 0, early--)
		while (k++ < vb->conn.peers + 1) {
			struct list *first = vb->conn.open.next;
			struct vb_ep *ep =
			    list_entry(first, struct vb_ep, open);

			list_remove(first);
			list_append(&vb->conn.open, first);
			if (may_close(ep, early))
				return ep;
			/* it is asked whether it is connected */
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
	struct vb_ep *ep =
	    late || (uint32_t)vb->conn.nclosing < most ? choose_idle(vb) : NULL;

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

	if (vb->rail || ep->base.peer == vb->job->rank ||
	    (vb->conn.peers < vb->conn.peers_max &&
	     (ep->called || vb->conn.calling < calls)))
		return true;
	if (vb->conn.peers >= vb->conn.peers_max)
		make_room(vb, late);
	return false;
}

bool vb_cache_refused(struct vb *vb, int err)
{
	if (vb->rail || vb_cache_connects_all(vb) ||
	    vb->conn.peers < VB_PEERS_LEAST ||
	    (err != ENOMEM && err != ENOSPC && err != EAGAIN))
		return false;
	vb->conn.peers_max = vb->conn.peers;
	vb_dial_retry(vb); /* which makes room */
	log_info("%s refuses a queue pair (ibv_create_qp): %s; this rank is "
		 "connected to %d others at a time",
		 vb_port_name(vb), strerror(err), vb->conn.peers_max);
	return true;
}

void vb_cache_count(const struct vb_ep *ep, int more)
{
	struct vb *vb = vb_of(ep);

	if (ep->base.peer != vb->job->rank)
		vb->conn.peers += more;
}
