/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_verbs.c: the fabric between nodes on a simulated device, which brings
 * whatever the fuzzer says: datagrams from anyone, right and wrong in nonce,
 * sender and length, cards of peers with any bytes changed, messages of any
 * kind, header and length on a connected queue pair, completions with and
 * without error. This rank connects, sends, reads, writes, does atomics and
 * takes memory back. Nothing outside of buffers may be touched, and every
 * operation is done once.
 * sources: device.c world.c
 */
#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"
#include "tests/fuzz/device.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/world.h"

enum { RANKS = 3, OPS = 8, MEM = 100000 };

struct op {
	struct fab_op op;
	bool used, done;
	char *buf;
	struct iovec iov[2];
};

static struct input input, *in = &input;
static struct boot_job job;
static struct vb *vb;
static struct op ops[OPS];
static struct fab_mem *mem;
static struct fab_key mem_key;
static char *mem_buf;

/* ---- what arrives ---- */

static struct vb_ep *some_peer(void)
{
	return vb_ep_get(vb, 1 + (int)in_below(in, RANKS - 1));
}

static void arrive(uint32_t k, const struct vb_datagram *d, struct ibv_wc *wc)
{
	memcpy(device_datagrams + k * DEVICE_UD_BUF + 40, d, sizeof(*d));
	wc->wr_id = vb_wr_id(VB_WR_UD, k, 0);
	vb_ud_arrived(vb, wc);
}

static void datagram(void)
{
	struct vb_datagram d = {.magic = 0x6d726474u};
	struct ibv_wc wc = {.byte_len = 40 + sizeof(d)};
	uint32_t k = in_below(in, DEVICE_UD);

	d.kind = (uint8_t)in_below(in, 6);
	d.mailed = in_below(in, 3);
	d.heard = in_below(in, 3);
	d.mail.len = in8(in) > 240 ? in32(in) : in_below(in, VB_MAIL_MAX + 2);
	d.from = in8(in) > 240 ? in32(in) : in_below(in, RANKS);
	d.qpn = in8(in);
	d.nonce = in8(in) > 230 ? in64(in) : vb->conn.card.nonce;
	if (in8(in) > 230)
		d.magic = in32(in);
	if (in8(in) > 230)
		wc.byte_len = in8(in) % DEVICE_UD_BUF;
	wc.status = in8(in) > 252 ? IBV_WC_GENERAL_ERR : IBV_WC_SUCCESS;
	arrive(k, &d, &wc);
}

/* Connects with correct datagrams, so that later states are reached more
 * often. */
static void befriend(void)
{
	struct vb_datagram d = {.magic = 0x6d726474u,
				.nonce = vb->conn.card.nonce};
	struct ibv_wc wc = {.byte_len = 40 + sizeof(d)};

	for (d.from = 1; d.from < RANKS; d.from++)
		for (d.kind = 0; d.kind < 2; d.kind++)
			arrive(0, &d, &wc);
}

/* Must match struct ask of vb_relay.c. */
struct ask {
	uint64_t remote, len, operand[2], mem;
	uint8_t op, last, pad[6];
};

static size_t some_payload(char *data, size_t room)
{
	struct ask ask = {0};
	int64_t result[2] = {0, 0};
	size_t len;

	switch (in_below(in, 3)) {
	case 0:
		ask.remote = (uintptr_t)mem_buf;
		if (in8(in) > 128)
			ask.remote =
			    in8(in) & 1 ? in64(in) : ask.remote + in8(in) - 16;
		ask.len = in8(in) > 240 ? in64(in) : in8(in) * 400u;
		ask.mem =
		    in8(in) > 60 ? (uint32_t)mem_key.word[1] : in_below(in, 8);
		ask.op = in8(in);
		ask.last = in8(in) & 1;
		memcpy(data, &ask, sizeof(ask));
		len = sizeof(ask) + (in8(in) & 1 ? ask.len % 1000 : 0);
		break;
	case 1:
		result[1] =
		    in8(in) & 1 ? (int64_t)in64(in) : -(int)in_below(in, 30);
		memcpy(data, result, sizeof(result));
		len = sizeof(result);
		break;
	default:
		len = in16(in);
	}
	return len < room ? len : room;
}

static void message(void)
{
	struct vb_ep *ep = some_peer();
	struct vb_head head = {.hdr = in_below(in, 24)};
	struct list *asked = vb->rma.relayed.next;
	struct ibv_wc wc = {.status = IBV_WC_SUCCESS};
	uint32_t k = 0;
	char *buf;
	size_t len;

	while (k < vb->conn.rx.count && !device_recvs[k])
		k++;
	if (k == vb->conn.rx.count || !ep->qp)
		return;
	if (in8(in) & 1 && asked != &vb->rma.relayed) {
		head.hdr = list_entry(asked, struct vb_op, link)->id;
		ep = list_entry(asked, struct vb_op, link)->ep;
	}
	head.kind = in8(in) > 245 ? in8(in) : (uint8_t)in_below(in, 8);
	head.limit = in8(in) > 245 ? in32(in) : ep->limit + in_below(in, 4);
	head.starved = in8(in) & 1;
	buf = vb_buf(&vb->conn.rx, k);
	memset(buf, 0, vb->conn.rx.len);
	len = sizeof(head) +
	      some_payload(buf + sizeof(head), vb->conn.rx.len - sizeof(head));
	memcpy(buf, &head, sizeof(head));
	wc.byte_len = in8(in) > 245 ? in8(in) : (uint32_t)len;
	wc.qp_num = in8(in) > 250 ? in32(in) : ep->qp->qp_num;
	wc.wr_id = vb_wr_id(VB_WR_RECV, k, 0);
	if (in8(in) > 252)
		wc.status = IBV_WC_WR_FLUSH_ERR;
	device_recvs[k] = false;
	vb_arrived(vb, &wc);
}

static void completion(void)
{
	struct ibv_wc wc = {.status = IBV_WC_SUCCESS};

	if (!device_nsent)
		return;
	wc.wr_id = device_sent[0];
	memmove(device_sent, device_sent + 1,
		--device_nsent * sizeof(*device_sent));
	if (in8(in) > 250)
		wc.status = IBV_WC_RETRY_EXC_ERR;
	if (wc.wr_id >> 62 == VB_WR_SEND)
		vb_completed(vb, &wc);
	else
		vb_ud_arrived(vb, &wc);
}

/* Sets what the next rank that is looked up has published. */
static void publish(void)
{
	static char blob[sizeof(struct vb_card) + RANKS * sizeof(uint32_t)];
	static struct vb_card good;

	good = vb->conn.card;
	memset(blob, 0, sizeof(blob));
	good.nonce = 7;
	memcpy(blob, &good, sizeof(good));
	world_blob = blob;
	world_blob_len = sizeof(good);
	for (unsigned n = in8(in) > 128 ? in_below(in, 4) : 0; n; n--)
		blob[in8(in) % sizeof(blob)] = (char)in8(in);
	if (in8(in) > 230)
		world_blob_len = in8(in) % sizeof(blob);
}

/* ---- what this rank does ---- */

static void received(int peer, uint64_t hdr, const void *data, size_t len)
{
	MUST(len <= vb->conn.rx.len - sizeof(struct vb_head));
	for (size_t k = 0; k < len; k++)
		(void)((const volatile char *)data)[k];
}

static void done(struct fab_op *fop, int status)
{
	struct op *o = (struct op *)fop;

	MUST(o->used && !o->done && status <= 0 && status > MRT_ERR_LAST);
	o->done = true;
	free(o->buf);
	o->buf = NULL;
}

static void operate(struct vb_ep *ep)
{
	struct op *o = ops;
	size_t len = 1 + in8(in) * (in8(in) & 1 ? 1u : 40u);
	struct fab_key key = {{0, in_below(in, 8)}};
	uint64_t exchange[2] = {1, 2}, *word;
	int rc;

	while (o < ops + OPS && o->used && !o->done)
		o++;
	if (o == ops + OPS)
		return;
	*o = (struct op){.op.done = done, .used = true};
	o->buf = calloc(1, len < 8 ? 8 : len);
	if (!o->buf)
		abort();
	switch (in_below(in, 5)) {
	case 0:
	case 1:
		/* so short that an access to the next word is seen */
		free(o->buf);
		o->buf = calloc(1, len);
		rc = vb_read(&ep->base, o->buf, 4096, key, len, &o->op);
		break;
	case 2:
		rc = vb_write(&ep->base, o->buf, 4096, key, len, &o->op);
		break;
	case 3:
		word = (uint64_t *)(void *)o->buf;
		rc = vb_fetch_add(&ep->base, 4096, key, 1, word, &o->op);
		break;
	default:
		word = (uint64_t *)(void *)o->buf;
		rc = vb_compare_swap(&ep->base, 4096, key, exchange, word,
				     &o->op);
	}
	if (rc)
		done(&o->op, rc);
}

static void toggle_memory(void)
{
	if (mem) {
		vb_mem_deregister(&vb->base, mem);
		free(mem_buf);
		mem = NULL;
		mem_buf = NULL;
		return;
	}
	mem_buf = calloc(1, MEM);
	if (!mem_buf ||
	    vb_mem_register(&vb->base, mem_buf, MEM, FAB_KEPT, &mem, &mem_key))
		abort();
}

static void step(void)
{
	struct vb_ep *ep = some_peer();
	char data[400] = {0};
	struct iovec iov = {data, 0};

	switch (in_below(in, 12)) {
	case 0:
		publish();
		break;
	case 1:
	case 2:
		datagram();
		break;
	case 3:
	case 4:
	case 5:
		message();
		break;
	case 6:
		completion();
		break;
	case 7:
		operate(ep);
		break;
	case 8:
		toggle_memory();
		break;
	case 9:
		iov.iov_len = in16(in) % sizeof(data);
		vb_send(&ep->base, in64(in), &iov, 1);
		break;
	default:
		vb_dial_progress(vb);
		vb_relay_progress(vb);
		vb_rma_progress(vb);
		vb_credits_return(vb);
	}
}

/* ---- one input ---- */

static void begin(void)
{
	const struct fab_sink sink = {.recv = received};

	world_blob = NULL;
	vb = device_fabric(&job, &sink);
	if (in8(in) & 1) {
		publish();
		befriend();
	}
}

static void end(void)
{
	if (mem)
		toggle_memory();
	if (fault_code == MRT_ERR_PROTOCOL)
		MUST(strstr(world_fault, "rank "));
	world_heal();
	device_close(vb);
	for (int k = 0; k < OPS; k++) {
		free(ops[k].buf);
		ops[k] = (struct op){0};
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char why[256];

	setenv("MRT_MESH_MAX", "1", 1);
	setenv("MRT_REG_CACHE", "0", 1);
	world_size = RANKS;
	if (env_load(why, sizeof(why)) || boot_init(&job))
		abort();
	env.log = -1;
	device_install();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input = (struct input){data, data + size};
	begin();
	while (!in_over(in) && !fault_code)
		step();
	end();
	return 0;
}
