/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_device.h: the lowest room of verbs: the device and port of a rank.
 *
 *   vb_lib.c     libibverbs, loaded when it is needed
 *   vb_ports.c   the ports of this node, with GID and network
 *   vb_rails.c   the choice among them, pure
 *   vb_device.c  opens the device and port chosen
 *   vb_fault.c   errors of the device in words
 *   vb_events.c  what it tells of itself
 */
#ifndef VERBS_VB_DEVICE_H
#define VERBS_VB_DEVICE_H

#include "runtime/fabric/verbs/verbs.h"

/* vb_lib.c: returns 0, or -1 without libibverbs after logging why at level
 * info. */
int vb_lib_open(void);

/* vb_device.c: finds the ports of this node and guesses vb->dev.net; opens the
 * port of this rank in that network. MRT_ERR_NO_FABRIC (logged). */
int vb_device_scan(struct vb *vb);
int vb_device_open(struct vb *vb);
/* Whether the open port is that of this rank in vb->dev.net. */
bool vb_device_is_open(const struct vb *vb);
void vb_device_close(struct vb *vb);
/* Whether the device's work is done by CPUs of this node: Soft-RoCE, siw. */
bool vb_device_is_software(const struct vb *vb);
/* Whether packets of the port have a global header, with both addresses. */
bool vb_is_global(const struct vb *vb);
/* Returns "rxe0 port 1", valid until the next call on this thread. */
const char *vb_port_name(const struct vb *vb);

/* vb_fault.c: logs that a call of the set-up has failed with an errno, what it
 * was for ("completion queue of 400") and what to do about it. Returns
 * MRT_ERR_*. */
int vb_refused(const struct vb *vb, const char *call, const char *what,
	       int err);
/* Returns how long the device resends a packet, at most, before the connection
 * fails. */
uint64_t vb_retry_ns(void);
/* Whether the device should have given up this silent peer but has not, as it
 * does when the port goes down. */
bool vb_is_cut_off(const struct vb_ep *ep, uint64_t now);
/* Returns what helps against an errno of libibverbs; "" if unknown. */
const char *vb_advice(int err);
/* These end the job with a message; ep is not used again. */
void vb_failed(struct vb_ep *ep, const struct ibv_wc *wc);
void vb_broken(struct vb_ep *ep, const char *what, int err);
void vb_unconnected(struct vb_ep *ep, int code); /* cause already logged */
/* Ends the job because of an impossible message. */
void vb_bad_message(const struct vb_ep *ep, unsigned kind, size_t len);

/* vb_events.c: ends the job, for all peers, or the use of a second rail. */
void vb_lost(struct vb *vb, const char *what);
/* Handles an event of the device; on the watching thread. */
void vb_async(struct vb *vb, const struct ibv_async_event *event);
#endif
