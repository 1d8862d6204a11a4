/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_second.c: the connections of the second rail come and go while the job
 * goes on. They are made by datagrams (vb_dial.c) at the first long read of a
 * peer. One that fails is stopped, so that all that is posted completes with an
 * error, and then made anew: a call with the number of another queue pair shows
 * the peer that it has lost its own, too.
 */
#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"

enum { FAILURES_MAX = 6 };
/* A peer is not called for so long after a failure, and for twice as long after
 * each further one. */
#define REST_NS 1000000000ull
/* A device that completes nothing for so long after a stop never will. */
#define FLUSH_NS 5000000000ull

bool vb_second_is_ready(struct vb_ep *ep)
{
	struct vb *vb = vb_of(ep);

	if (ep->state == VB_READY) {
		vb->second_told = false;
		ep->failures = 0;
		return true;
	}
	if (ep->state != VB_FAILED && list_empty(&ep->dialing) &&
	    !vb->second_gone && clock_ns() >= ep->resting)
		vb_dial(ep);
	return false;
}

/* Ends the operations of which nothing is posted. The others post no more, and
 * end when what is posted has flushed. */
static void second_fail_waiting(struct vb_ep *ep)
{
	list_for_each_safe (it, &ep->ops) {
		struct vb_op *op = list_entry(it, struct vb_op, link);

		op->status = MRT_ERR_PEER;
		op->len = op->posted;
		if (op->done == op->posted)
			vb_rma_finish(op, op->status);
		else
			list_remove(&op->link);
	}
}

static void second_failed(struct vb_ep *ep, const char *text)
{
	struct vb *vb = vb_of(ep);

	if (!vb->first->closing && !vb->second_told)
		log_warn("%s; the job goes on without this rail until it is "
			 "connected again",
			 text);
	vb->second_told = true;
	ep->resting = ep->stopped + (REST_NS << ep->failures);
	ep->failures += ep->failures < FAILURES_MAX;
}

void vb_second_lost(struct vb_ep *ep, const char *text)
{
	struct vb *vb = vb_of(ep);

	ep->state = VB_FAILED;
	ep->stopped = clock_ns();
	if (text)
		second_failed(ep, text);
	vb_unlist(ep);
	vb_qp_stop(ep);
	list_append(&vb->leaving, &ep->dialing);
	vb->busy++;
	second_fail_waiting(ep);
}

/* Leaves a rail whose device or address is lost. */
static void second_leave(struct vb *vb)
{
	vb->second_gone = true;
	list_for_each (it, &vb->conn.open) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, open);

		if (ep->state != VB_IDLE)
			vb_broken(ep, "is out of reach", 0);
	}
}

/* Destroys the queue pair. If it has not flushed, its completions may still
 * come, so the peer is never connected again. */
static void second_end(struct vb_ep *ep)
{
	bool flushed = ep->head == ep->tail;

	/* from here on the device touches no memory of its operations */
	vb_qp_end(ep);
	if (!flushed)
		vb_slots_drop(ep);
	list_remove(&ep->unsignalled);
	vb_qp_forget(ep);
	if (!flushed)
		ep->state = VB_FAILED;
}

int vb_second_progress(struct vb *vb)
{
	uint64_t now;
	int n = 0;

	/* relaxed: it is set once, on the watching thread */
	if (atomic_load_explicit(&vb->dev.gone, memory_order_relaxed) &&
	    !vb->second_gone)
		second_leave(vb);
	if (list_empty(&vb->leaving))
		return 0;
	now = clock_ns();

	list_for_each_safe (it, &vb->leaving) {
		struct vb_ep *ep = list_entry(it, struct vb_ep, dialing);

		if (ep->head != ep->tail && now < ep->stopped + FLUSH_NS)
			continue;
		list_remove(&ep->dialing);
		vb->busy--;
		second_end(ep);
		n++;
	}
	return n;
}
