/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_mesh.c: makes connections at start. In a job of up to MRT_MESH_MAX ranks
 * each rank creates a queue pair for every other one, if it may have so many
 * and its device does not refuse one, and publishes their numbers; two ranks
 * that have one for each other are connected without a packet. All others
 * connect when one first sends to the other (vb_dial.c).
 */
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_conn.h"

static struct vb_ep *make_ep(struct vb *vb, int rank)
{
	struct vb_ep *ep = calloc(1, sizeof(*ep));

	if (!ep) {
		log_line(LOG_ERROR, MRT_ERR_NO_MEM, "connection to rank %d",
			 rank);
		return NULL;
	}
	ep->base.ops = vb->base.ops;
	ep->base.fab = &vb->base;
	ep->base.peer = rank;
	/* until its card is read: what every rank accepts */
	ep->base.send_max = VB_BUF_MIN - sizeof(struct vb_head);
	ep->base.eager_max = ep->base.send_max;
	list_init(&ep->ops);
	list_init(&ep->owing);
	list_init(&ep->dialing);
	list_init(&ep->blocked);
	list_init(&ep->unsignalled);
	list_init(&ep->base.held); /* vb_cache.c looks before p2p may */
	list_init(&ep->open);
	return ep;
}

struct vb_ep *vb_ep_get(struct vb *vb, int rank)
{
	if (!vb->conn.eps[rank])
		vb->conn.eps[rank] = make_ep(vb, rank);
	return vb->conn.eps[rank];
}

/* Whether verbs serves this rank: ranks of this node use another fabric, unless
 * verbs carries all. */
static bool is_ours(const struct vb *vb, int rank)
{
	return vb->carries_all || !boot_is_local(vb->job, rank);
}

/* Creates a queue pair for each rank, until the device refuses one. */
static int create_all(struct vb *vb)
{
	int rc = 0;

	for (int r = 0; !rc && r < vb->job->size; r++) {
		struct vb_ep *ep = is_ours(vb, r) ? vb_ep_get(vb, r) : NULL;

		if (ep)
			rc = vb_qp_create(ep);
		else if (is_ours(vb, r))
			rc = MRT_ERR_NO_MEM;
	}
	return rc == ERR_AGAIN ? 0 : rc;
}

static uint64_t draw_nonce(void)
{
	uint64_t nonce;

	if (getrandom(&nonce, sizeof(nonce), 0) < 0)
		nonce = clock_ns() ^ (uint64_t)getpid() << 40;
	return nonce;
}

int vb_mesh_open(struct vb *vb)
{
	bool all;
	int rc;

	vb->conn.card.mesh = vb->job->size <= env.mesh_max && !vb->rail;
	all = vb->conn.card.mesh && vb->conn.peers_max == vb->job->size;
	vb->conn.card.nonce = draw_nonce();
	vb->conn.eps = calloc((size_t)vb->job->size, sizeof(*vb->conn.eps));
	if (!vb->conn.eps)
		return log_error(MRT_ERR_NO_MEM, "table of %d connections",
				 vb->job->size);
	list_init(&vb->conn.open);
	if (!vb->dev.context) /* its card says why */
		return vb_card_make(vb);
	rc = vb_ud_open(vb);
	if (!rc)
		rc = vb_srq_open(vb, all);
	if (!rc && all)
		rc = create_all(vb);
	return rc ? rc : vb_card_make(vb);
}

static int mesh_connect(struct vb_ep *ep)
{
	const struct timespec pause = {0, 100000000};
	int rc;

	while ((rc = vb_qp_connect(ep, ep->peer_qpn)) == ERR_AGAIN) {
		if (fault_code)
			return fault_code;
		nanosleep(&pause, NULL);
	}
	if (!rc)
		vb_dial_done(ep);
	return rc;
}

/* Connects a rank for which this one has a queue pair, or gives that up if the
 * other has none for this rank. */
static int mesh_join(struct vb_ep *ep)
{
	int rc = vb_card_read(ep, NULL);

	if (rc)
		return rc;
	if (!ep->card->mesh)
		return log_error(MRT_ERR_PROTOCOL,
				 "rank %d connects at first use, this rank at "
				 "start: set MRT_MESH_MAX alike on all",
				 ep->base.peer);
	if (ep->peer_qpn)
		return mesh_connect(ep);
	vb_of(ep)->conn.calling--;
	vb_qp_end(ep);
	vb_srq_drop(ep);
	vb_qp_forget(ep);
	return 0;
}

int vb_mesh_wire(struct vb *vb)
{
	int rc;

	if (!vb->conn.card.mesh)
		return 0;
	list_for_each_safe (it, &vb->conn.open) {
		rc = mesh_join(list_entry(it, struct vb_ep, open));
		if (rc)
			return rc;
	}
	/* fence: a packet that arrives before the peer's queue pair is ready is
	 * lost and resent half a second later */
	return boot_fence();
}

void vb_mesh_close(struct vb *vb)
{
	vb_ud_close(vb);
	vb_card_free(vb);
	for (int r = 0; vb->conn.eps && r < vb->job->size; r++) {
		if (!vb->conn.eps[r])
			continue;
		vb_qp_destroy(vb->conn.eps[r]);
		free(vb->conn.eps[r]->mail);
		free(vb->conn.eps[r]);
	}
	free(vb->conn.eps);
	free(vb->conn.by_qpn);
}
