/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_pair.c: two ranks over verbs, both in one process, and the network
 * between them. The fuzzer says what each rank does next - sends, reads,
 * writes, does atomics, takes memory back, makes progress - and when the
 * devices carry it out, show completions, lose or repeat datagrams. Whatever
 * the order: every message arrives once, whole and in its order, every
 * operation is done once and right, no queue overflows, no message finds no
 * buffer, and when all has been carried nothing waits for anything. Where bytes
 * are changed on the way, or the connection fails, nothing outside of buffers
 * is touched, and the fault names the rank.
 * sources: pair_device.c pair_wire.c world.c
 */
#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pair_device.h"
#include "tests/fuzz/simulated_clock.h"
#include "tests/fuzz/world.h"

enum {
	OPS = 6,
	SENDS = 1024,
	LONGEST = 3000, /* length of an operation */
	COUNTER = 0,	/* COUNTER to INBOX: offsets in the memory of a side */
	WORD = 8,
	STABLE = 16,
	INBOX = STABLE + LONGEST,
	MEMORY = INBOX + OPS * LONGEST,
	ROUNDS = 600, /* within which everything must come to rest */
	BREATH_NS = 30000000
};

enum kind { READ, WRITE, WRITEV, ADD, SWAP, KINDS };

struct op {
	struct fab_op op;
	bool used, done;
	int side;
	enum kind kind;
	unsigned turn; /* the memory's turn when the operation began */
	size_t len;
	char *buf;
	struct iovec iov[3];
	uint64_t result;
};

static struct side {
	struct vb *vb;
	struct fab_mem *mem;
	struct fab_key key;
	char *memory;
	unsigned turn;
	bool direct; /* the device may access it */
	uint64_t added;
	size_t sent, received, len[SENDS];
	struct op ops[OPS];
} sides[2];

static struct input input, *in = &input;
static struct boot_job jobs[2];
static bool honest, broken;
static char bytes[2 * LONGEST]; /* messages begin somewhere in it */

static struct vb_ep *peer_of(int s)
{
	return vb_ep_get(sides[s].vb, !s);
}

/* Makes all further calls those of this rank. */
static void be(int s)
{
	const struct vb *other = sides[!s].vb;

	world_blob = other ? other->base.card : NULL;
	world_blob_len = other ? other->base.card_len : 0;
}

static const char *pattern(int side, size_t number)
{
	return bytes + (number * 7 + (size_t)side * 101) % LONGEST;
}

static void fill(char *buf, size_t len, int side, size_t number)
{
	memcpy(buf, pattern(side, number), len);
}

static bool is_filled(const char *buf, size_t len, int side, size_t number)
{
	return !memcmp(buf, pattern(side, number), len);
}

/* ---- what a side is told ---- */

static void received(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct side *from = &sides[peer];

	MUST(len <= sides[!peer].vb->conn.rx.len);
	if (!honest) {
		for (size_t k = 0; k < len; k++)
			(void)((const volatile char *)data)[k];
		return;
	}
	MUST(hdr == from->received && from->received < from->sent);
	MUST(len == from->len[hdr] && is_filled(data, len, peer, hdr));
	from->received++;
}

static char *inbox(const struct op *o)
{
	struct side *s = &sides[o->side];

	return sides[!o->side].memory + INBOX + (o - s->ops) * LONGEST;
}

static bool is_right(const struct op *o)
{
	size_t number = (size_t)(o - sides[o->side].ops);

	if (o->kind == READ)
		return is_filled(o->buf, o->len, !o->side, 0);
	if (o->kind == WRITE || o->kind == WRITEV)
		return is_filled(inbox(o), o->len, o->side, number);
	return true;
}

static void done(struct fab_op *fop, int status)
{
	struct op *o = (struct op *)fop;
	bool same = o->turn == sides[!o->side].turn;

	MUST(o->used && !o->done && status <= 0 && status > MRT_ERR_LAST);
	if (honest && same)
		MUST(!status && is_right(o));
	o->done = true;
	free(o->buf);
	o->buf = NULL;
}

/* ---- what a side does ---- */

static void send(int s)
{
	struct side *me = &sides[s];
	struct fab_ep *ep = &peer_of(s)->base;
	size_t len = in8(in) & 1 ? in8(in) : in16(in);
	char data[2048];
	struct iovec iov[2];

	if (len > ep->send_max)
		len = ep->send_max;
	MUST(len <= sizeof(data));
	if (me->sent == SENDS)
		return;
	fill(data, len, s, me->sent);
	iov[0] = (struct iovec){data, len / 3};
	iov[1] = (struct iovec){data + len / 3, len - len / 3};
	me->len[me->sent] = len;
	/* first, because it may arrive within a call that makes progress */
	me->sent++;
	if (vb_send(ep, me->sent - 1, iov, 2))
		me->sent--;
}

static int start(struct op *o, struct fab_ep *ep, size_t len)
{
	const struct side *there = &sides[!o->side];
	uint64_t base = (uintptr_t)there->memory;
	uint64_t exchange[2] = {in_below(in, 3), in_below(in, 3)};
	size_t number = (size_t)(o - sides[o->side].ops);
	int rc;

	switch (o->kind) {
	case READ:
		return vb_read(ep, o->buf, base + STABLE, there->key, len,
			       &o->op);
	case WRITE:
		fill(o->buf, len, o->side, number);
		return vb_write(ep, o->buf, (uintptr_t)inbox(o), there->key,
				len, &o->op);
	case WRITEV:
		fill(o->buf, len, o->side, number);
		o->iov[0] = (struct iovec){o->buf, len / 4};
		o->iov[1] = (struct iovec){o->buf + len / 4, len / 8};
		o->iov[2] = (struct iovec){o->buf + len / 4 + len / 8,
					   len - len / 4 - len / 8};
		return vb_writev(ep, o->iov, 3, (uintptr_t)inbox(o), there->key,
				 &o->op);
	case ADD:
		rc = vb_fetch_add(ep, base + COUNTER, there->key, 3, &o->result,
				  &o->op);
		sides[!o->side].added += rc ? 0 : 3;
		return rc;
	default:
		return vb_compare_swap(ep, base + WORD, there->key, exchange,
				       &o->result, &o->op);
	}
}

static void operate(int s)
{
	struct op *o = sides[s].ops;
	size_t len = 1 + in16(in) % (LONGEST - 1);
	int rc;

	while (o < sides[s].ops + OPS && o->used && !o->done)
		o++;
	if (o == sides[s].ops + OPS || !sides[!s].mem)
		return;
	*o = (struct op){.op.done = done, .used = true, .side = s, .len = len};
	o->kind = (enum kind)in_below(in, KINDS);
	o->turn = sides[!s].turn;
	o->buf = calloc(1, len);
	if (!o->buf)
		abort();
	rc = start(o, &peer_of(s)->base, len);
	if (rc) {
		MUST(!honest || fault_code);
		done(&o->op, rc);
	}
}

static bool is_used(int s)
{
	for (int k = 0; k < OPS; k++)
		if (sides[!s].ops[k].used && !sides[!s].ops[k].done)
			return true;
	return false;
}

/* Buffers that the device reads stay; incoming data need none. */
static void take_back(struct side *me)
{
	vb_mem_deregister(&me->vb->base, me->mem);
	free(me->memory);
	me->mem = NULL;
	me->memory = NULL;
	me->turn++;
}

static void offer(int s, bool direct)
{
	struct side *me = &sides[s];

	me->direct = direct;
	me->added = 0;
	me->memory = calloc(1, MEMORY);
	if (!me->memory)
		abort();
	fill(me->memory + STABLE, LONGEST, s, 0);
	pair_ports[s]->refuses = !direct;
	if (vb_mem_register(&me->vb->base, me->memory, MEMORY, FAB_KEPT,
			    &me->mem, &me->key))
		abort();
	/* may also refuse buffers of this rank's own operations */
	pair_ports[s]->refuses = in8(in) & 1;
}

static void renew(int s)
{
	struct side *me = &sides[s];

	/* operations that are no longer wanted may still be under way */
	if (me->direct && (is_used(s) || !pair_idle()))
		return;
	take_back(me);
	offer(s, in8(in) & 1);
}

static void progress(int s, unsigned received, unsigned sent)
{
	be(s);
	pair_show(s, received, sent);
	verbs_ops.progress(&sides[s].vb->base);
}

static void carry(int s)
{
	uint8_t how[4] = {0};
	unsigned spoil = 0;

	if (!honest && in8(in) > 200) {
		spoil = 1 + in_below(in, 2);
		in_bytes(in, how, sizeof(how));
	}
	for (unsigned n = 1 + in_below(in, 4); n; n--)
		pair_carry(s, spoil, how);
}

/* Begins to close the connection, as for want of room. */
static void close_one(int s)
{
	struct vb_ep *ep = peer_of(s);

	if (ep->state != VB_READY)
		return;
	vb_srq_add_last(ep);
	vb_cache_close(ep);
}

static void step(void)
{
	unsigned what = in8(in);
	int s = what & 1;

	be(s);
	switch (what / 2 % 13) {
	case 0:
	case 1:
		send(s);
		break;
	case 2:
	case 3:
		operate(s);
		break;
	case 4:
		renew(s);
		break;
	case 5:
		pair_datagram(s, in8(in), (enum pair_fate)in_below(in, 3));
		break;
	case 6:
	case 7:
		carry(s);
		break;
	case 8:
		for (unsigned n = in8(in) % 32; n; n--)
			pair_carry(s, 0, NULL);
		break;
	case 9:
		now += in8(in) * 1000000u;
		break;
	case 10:
		if (broken && !in8(in))
			pair_break(s);
		pair_lose_answer(s);
		break;
	case 11:
		close_one(s);
		break;
	default:
		what = in8(in);
		progress(s, what % 16, what / 16);
	}
}

/* ---- one input ---- */

static void open_side(int s)
{
	const struct fab_sink sink = {.recv = received};
	struct vb *vb = calloc(1, sizeof(*vb));

	if (!vb)
		abort();
	sides[s] = (struct side){.vb = vb};
	be(s);
	vb->base.ops = &verbs_ops;
	vb->base.sink = sink;
	vb->job = &jobs[s];
	vb->dev.context = &pair_ports[s]->context;
	vb->dev.pd = &pair_ports[s]->pd;
	vb->conn.cq = &pair_ports[s]->cq;
	vb->conn.srq_max = 60;
	vb->conn.cq_room = pair_ports[s]->sends = 4 + (int)in_below(in, 64);
	pair_ports[s]->cqe =
	    vb->conn.srq_max + vb->conn.cq_room + VB_PROBES + 128;
	vb->conn.inline_max = VB_INLINE;
	vb->dev.attr.max_qp = vb->dev.attr.max_srq_wr = 1000;
	vb->dev.attr.max_sge = 4;
	vb->dev.attr.max_qp_rd_atom = 4;
	vb->dev.attr.max_qp_init_rd_atom = 4;
	vb->dev.attr.atomic_cap = IBV_ATOMIC_HCA;
	vb->dev.port = 1;
	vb->dev.port_attr.active_mtu = IBV_MTU_1024;
	vb->dev.port_attr.max_msg_sz = 1500;
	vb_init(vb);
	vb_cache_init(vb);
	if (vb_mr_open(vb) || vb_mesh_open(vb))
		abort();
	offer(s, in8(in) & 1);
}

static bool at_rest(void)
{
	return pair_idle() && !sides[0].vb->busy && !sides[1].vb->busy &&
	       !is_used(0) && !is_used(1);
}

/* Checks that all comes to an end when everything is carried and nothing new
 * is started. */
static void come_to_rest(void)
{
	int round = 0;

	for (; !fault_code && !at_rest() && round < ROUNDS; round++) {
		for (int s = 0; s < 2; s++) {
			while (pair_carry(s, 0, NULL))
				;
			while (pair_datagram(s, 0, PAIR_ARRIVES))
				;
			progress(s, 64, 64);
		}
		now += BREATH_NS;
	}
	if (!honest)
		return;
	MUST(!fault_code && at_rest());
	for (int s = 0; s < 2; s++) {
		MUST(sides[s].received == sides[s].sent);
		MUST(*(uint64_t *)(void *)(sides[s].memory + COUNTER) ==
		     sides[s].added);
	}
}

/* A fault would end the process, so nobody frees what operations hold. */
static void forget_operations(struct vb_ep *ep)
{
	for (uint16_t k = ep->tail; ep->slots && k != ep->head; k++) {
		struct vb_op *op = ep->slots[k & VB_SQ].op;

		if (op)
			vb_op_release(op);
	}
	list_for_each (it, &ep->ops)
		vb_op_release(list_entry(it, struct vb_op, link));
}

static void close_side(int s)
{
	struct side *me = &sides[s];

	be(s);
	forget_operations(peer_of(s));
	if (me->mem)
		take_back(me);
	vb_mesh_close(me->vb);
	vb_srq_close(me->vb);
	vb_mr_close(me->vb);
	pool_fini(&me->vb->rma.op_pool);
	pool_fini(&me->vb->rma.serve_pool);
	free(me->vb);
	me->vb = NULL;
	for (int k = 0; k < OPS; k++)
		free(me->ops[k].buf);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char why[256];

	setenv("MRT_MESH_MAX", "1", 1);
	setenv("MRT_REG_CACHE", "0", 1);
	setenv("MRT_IB_EAGER_MAX", "900", 1);
	setenv("MRT_IB_POOL", "65536", 1);
	world_size = 2;
	if (env_load(why, sizeof(why)) || boot_init(&jobs[0]))
		abort();
	jobs[1] = jobs[0];
	jobs[1].rank = jobs[1].node_rank = 1;
	env.log = -1;
	for (int k = 0; k < 2 * LONGEST; k++)
		bytes[k] = (char)(k * 3 + k / 251);
	pair_install();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned how;

	input = (struct input){data, data + size};
	how = in8(in);
	honest = how % 4 != 0;
	broken = how % 8 == 0;
	pair_begin(honest);
	open_side(0);
	open_side(1);
	while (!in_over(in) && !fault_code)
		step();
	MUST(!honest || !fault_code);
	come_to_rest();
	if (fault_code == MRT_ERR_PROTOCOL || fault_code == MRT_ERR_PEER)
		MUST(strstr(world_fault, "rank "));
	close_side(0);
	close_side(1);
	MUST(!honest || !pair_registered());
	world_heal();
	return 0;
}
