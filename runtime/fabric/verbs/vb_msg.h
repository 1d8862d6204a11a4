/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_msg.h: messages over connections (vb_conn.h).
 *
 *   vb_post.c   work requests: sending messages, probes, completions
 *   vb_recv.c   arrival, and credits
 *   vb_close.c  the end of a connection
 *   vb_watch.c  the thread that sleeps on the device's events
 */
#ifndef VERBS_VB_MSG_H
#define VERBS_VB_MSG_H

#include "runtime/fabric/verbs/vb_conn.h"

/* vb_post.c */
int vb_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n);
/* Sends a message of any kind; ERR_AGAIN like send. */
int vb_message(struct vb_ep *ep, enum vb_kind kind, uint64_t hdr,
	       const struct iovec *iov, int n);
/* Gives wr a slot and its wr_id. Slots must be posted in the order taken. */
struct vb_slot *vb_slot_take(struct vb_ep *ep, struct ibv_send_wr *wr,
			     bool signal);
/* Retires all slots as failed, after the end of their queue pair. */
void vb_slots_drop(struct vb_ep *ep);
/* Posts a chain of work requests. Returns 0, or MRT_ERR_PEER after a fault. */
int vb_post(struct vb_ep *ep, struct ibv_send_wr *first);
/* Requests completions where sends without one hold buffers and places in the
 * completion queue. */
void vb_reclaim(struct vb *vb);
/* Posts an empty WRITE with completion, which fails if the peer is gone. False:
 * the completion queue has no place for one more. vb_probe_idle probes each
 * peer that has been silent once a second, not all at one moment. */
bool vb_probe(struct vb_ep *ep);
void vb_probe_idle(struct vb *vb);
/* Handles the completion of a send. */
void vb_completed(struct vb *vb, const struct ibv_wc *wc);
/* Waits until all that was sent is acknowledged; before close. */
void vb_drain(struct vb *vb);

/* vb_recv.c: handles the completion of a receive. */
void vb_arrived(struct vb *vb, const struct ibv_wc *wc);
/* Sends CREDIT messages that are due; returns their number. */
int vb_credits_return(struct vb *vb);

/* vb_close.c */
/* Handles CLOSE of the peer. */
void vb_close_heard(struct vb_ep *ep);
/* Advances what is being closed; returns how many connections have ended. */
int vb_close_progress(struct vb *vb);
/* Whether both sides have sent CLOSE, so that the peer may be gone. */
bool vb_close_is_over(const struct vb_ep *ep);
/* Takes an endpoint off all lists of what there is to do. */
void vb_unlist(struct vb_ep *ep);

/* vb_watch.c */
int vb_watch_open(struct vb *vb);
void vb_watch_close(struct vb *vb);
void vb_arm(struct fab *fab, const void *flags);
void vb_disarm(struct fab *fab);
void vb_wait(struct fab *fab, unsigned timeout_us);
void vb_wake(struct fab *fab);
#endif
