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
	PAYLOAD = 256, /* bytes inline, and of datagrams */
	GRH = 40,
	UD_RECVS = 64
};

struct work {
	struct ibv_send_wr wr;
	struct ibv_sge sge[VB_SGE];
	char data[PAYLOAD]; /* inline data */
	uint32_t len;
	bool carried; /* its answer was lost */
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
	uint32_t dest; /* the other side's queue pair */
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
extern struct port ports[2];
extern bool strict; /* nothing is changed on the way */

static inline struct port *other(const struct port *p)
{
	return &ports[p == &ports[0]];
}

/* Whether a registration of p allows this access. */
bool may(const struct port *p, uint32_t key, uint64_t at, uint64_t len,
	 int access);
void complete(struct port *p, struct completions *c, const struct ibv_wc *wc);
void copy_pieces(const struct ibv_send_wr *wr, char *to);
/* Completes all that is posted with an error. */
void pair_flush(struct port *p);
#endif
