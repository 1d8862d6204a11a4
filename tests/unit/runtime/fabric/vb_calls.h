/* SPDX-License-Identifier: Apache-2.0 */
/* vb_calls.h: a rank that calls others and is called, on a simulated device and
 * clock. */
#ifndef UNIT_FABRIC_VB_CALLS_H
#define UNIT_FABRIC_VB_CALLS_H

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"
#include "tests/fuzz/device.h"
#include "tests/fuzz/simulated_clock.h"
#include "tests/fuzz/world.h"
#include "tests/tap.h"

enum { NONCE = 0x7eaf };

static struct boot_job job;
static struct vb *vb;

static int nreceived; /* messages from peers */

static void received(int peer, uint64_t hdr, const void *data, size_t len)
{
	(void)peer, (void)hdr, (void)data, (void)len;
	nreceived++;
}

static void begin(void)
{
	static struct vb_card card;
	const struct fab_sink sink = {.recv = received};

	vb = device_fabric(&job, &sink);
	device_ndatagrams = 0;
	nreceived = 0;
	card = vb->conn.card;
	card.nonce = NONCE;
	world_blob = &card;
	world_blob_len = sizeof(card);
}

static void end(void)
{
	world_heal();
	device_close(vb);
}

static struct vb_ep *peer(int rank)
{
	return vb_ep_get(vb, rank);
}

static int dial(int rank)
{
	char byte = 0;
	struct iovec iov = {&byte, 1};

	return vb_send(&peer(rank)->base, 0, &iov, 1);
}

/* Returns the completion of a receive by the queue pair that has begun anew so
 * many times. */
static struct ibv_wc arrival(uint16_t restarts)
{
	return (struct ibv_wc){.wr_id = vb_wr_id(VB_WR_UD, 0, restarts),
			       .byte_len = 40 + sizeof(struct vb_datagram)};
}

/* hear() lets a peer send a datagram with these: its queue pair, and the
 * numbers of the connection, of its last message, and of the last that it has
 * heard. */
static uint32_t hear_qpn = 9, hear_epoch, hear_mailed, hear_heard;

static void hear(int rank, enum vb_datagram_kind kind, uint16_t restarts)
{
	struct vb_datagram m = {.magic = 0x6d726474u,
				.kind = (uint8_t)kind,
				.from = (uint32_t)rank,
				.qpn = hear_qpn,
				.epoch = hear_epoch,
				.mailed = hear_mailed,
				.heard = hear_heard,
				.nonce = vb->conn.card.nonce};
	struct ibv_wc wc = arrival(restarts);

	memcpy(device_datagrams + 40, &m, sizeof(m));
	vb_ud_arrived(vb, &wc);
}

static inline void pass_ms(uint64_t ms)
{
	now += ms * 1000000;
	vb_dial_progress(vb);
}

/* Makes this process rank 0 of a job of so many ranks. */
static int calls_init(int ranks)
{
	char why[256];

	setenv("MRT_MESH_MAX", "1", 1);
	setenv("MRT_IB_DATAGRAMS", "0", 1);
	setenv("MRT_REG_CACHE", "0", 1);
	setenv("MRT_TIMEOUT", "20", 1);
	world_size = ranks;
	if (env_load(why, sizeof(why)) || boot_init(&job))
		return 1;
	env.log = -1;
	device_install();
	return 0;
}
#endif
