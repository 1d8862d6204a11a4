/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_mesh.c: decides who is connected to whom, and when. A job of up to
 * MRT_MESH_MAX ranks connects all at start, with what PMIx carries and no
 * packet sent; a larger one connects a peer when it first sends to it
 * (vb_dial.c), so that memory and start-up grow with peers used, not with
 * ranks.
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
	return rc;
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
	bool mesh = vb_cache_connects_all(vb);
	int rc;

	vb->conn.card.nonce = draw_nonce();
	vb->conn.eps = calloc((size_t)vb->job->size, sizeof(*vb->conn.eps));
	if (!vb->conn.eps)
		return log_error(MRT_ERR_NO_MEM, "table of %d connections",
				 vb->job->size);
	list_init(&vb->conn.open);
	if (!vb->dev.context) /* its card says why */
		return vb_card_make(vb);
	rc = mesh ? 0 : vb_ud_open(vb);
	if (!rc)
		rc = vb_srq_open(vb, mesh);
	vb->conn.card.mesh = mesh;
	if (!rc && mesh)
		rc = create_all(vb);
	return rc ? rc : vb_card_make(vb);
}

static int mesh_connect(struct vb_ep *ep, uint32_t qpn)
{
	const struct timespec pause = {0, 100000000};
	int rc;

	while ((rc = vb_qp_connect(ep, qpn)) == ERR_AGAIN) {
		if (fault_code)
			return fault_code;
		nanosleep(&pause, NULL);
	}
	if (!rc)
		ep->state = VB_READY;
	return rc;
}

int vb_mesh_wire(struct vb *vb)
{
	int rc = 0;

	if (!vb->conn.card.mesh)
		return 0;
	list_for_each (it, &vb->conn.open) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, open);

		if (rc)
			break;
		rc = vb_card_read(ep, NULL);
		if (!rc && !ep->peer_qpn)
			rc = log_error(MRT_ERR_PROTOCOL,
				       "rank %d connects at first use, this "
				       "rank at start: set MRT_MESH_MAX alike "
				       "on all",
				       ep->base.peer);
		if (!rc)
			rc = mesh_connect(ep, ep->peer_qpn);
	}
	/* fence: a packet that arrives before the peer's queue pair is ready is
	 * lost and resent half a second later */
	return rc ? rc : boot_fence();
}

int vb_mesh_loop(struct vb *vb)
{
	struct vb_ep *ep = vb->conn.eps[vb->job->rank];
	int rc;

	if (ep->state != VB_IDLE)
		return 0;
	rc = vb_qp_create(ep);
	if (!rc)
		rc = vb_card_read(ep, NULL);
	return rc ? rc : mesh_connect(ep, ep->qp->qp_num);
}

void vb_mesh_close(struct vb *vb)
{
	vb_ud_close(vb);
	vb_card_free(vb);
	for (int r = 0; vb->conn.eps && r < vb->job->size; r++) {
		if (!vb->conn.eps[r])
			continue;
		vb_qp_destroy(vb->conn.eps[r]);
		free(vb->conn.eps[r]);
	}
	free(vb->conn.eps);
	free(vb->conn.by_qpn);
}
