/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h: an RDMA device that does nothing by itself: it takes what is
 * posted, and the target says what completes and what arrives. It stands behind
 * the calls of libibverbs, in place of the library (vb_lib.c).
 */
#ifndef TESTS_FUZZ_DEVICE_H
#define TESTS_FUZZ_DEVICE_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

enum {
	DEVICE_UD = 32,	     /* number of buffers of vb_ud.c for datagrams */
	DEVICE_UD_BUF = 256, /* bytes of each */
	DEVICE_RECVS = 4096,
	DEVICE_SENT = 256
};

extern struct ibv_context device_context;
extern char *device_datagrams; /* [DEVICE_UD][DEVICE_UD_BUF] */
extern bool
    device_recvs[DEVICE_RECVS]; /* receives posted to the shared queue */
extern uint64_t
    device_sent[DEVICE_SENT]; /* wr_ids of sends that are to complete */
extern unsigned device_nsent;
extern struct ibv_send_wr device_datagram; /* the last that was sent */
extern unsigned device_ndatagrams;
/* So many address handles, and steps to RTR, are refused by ETIMEDOUT. */
extern unsigned device_refusals;
extern unsigned device_qps; /* most queue pairs; 0: any number */

void device_install(void);
/* Opens the fabric of rank 0 of a job on the device, with nothing posted or
 * sent; aborts without memory. */
struct vb *device_fabric(const struct boot_job *job,
			 const struct fab_sink *sink);
void device_close(struct vb *vb);
#endif
