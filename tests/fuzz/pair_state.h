/* SPDX-License-Identifier: Apache-2.0 */
/* pair_state.h declares what pair_device.c keeps of each side. */
#ifndef TESTS_FUZZ_PAIR_STATE_H
#define TESTS_FUZZ_PAIR_STATE_H

#include "runtime/fabric/verbs/vb_rma.h"
#include "tests/fuzz/pair_device.h"

enum {
	QUEUE = 64,   /* work requests, and datagrams, of a side */
	RECVS = 4096, /* buffers of a shared receive queue */
	CQES = 8192,
	MRS = 128,
	PAYLOAD = 160, /* bytes inline, and of datagrams */
	GRH = 40,
	UD_RECVS = 64
};

struct work {
	struct ibv_send_wr wr;
	struct ibv_sge sge[VB_SGE];
	char data[PAYLOAD]; /* inline data */
	uint32_t len;
};

struct datagram {
	char data[PAYLOAD];
	uint32_t len;
};

struct recv {
	uint64_t id;
	struct ibv_sge sge;
};

struct completions {
	struct ibv_wc wc[CQES];
	unsigned first, end, shown;
};

struct memory {
	struct ibv_mr mr;
	int access;
	bool live;
};

struct port {
	struct pair_port base;
	struct ibv_srq srq;
	struct ibv_qp *rc;
	bool connected, broken;
	struct work work[QUEUE];
	unsigned first, end;
	struct datagram sent[QUEUE];
	unsigned nsent;
	struct recv srqs[RECVS], ud[UD_RECVS];
	unsigned srq_first, srq_end, ud_first, ud_end;
	struct completions received, done;
	struct memory mrs[MRS];
	uint32_t next_key;
};
#endif
