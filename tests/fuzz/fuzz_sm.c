/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_sm.c: the shared-memory fabric with two peers that write anything into
 * what they share with this rank: lines and data of rings, how far they have
 * read, doorbells, the place of their heaps; and that answer what was never
 * asked. This rank sends, reads, writes, does atomics, registers memory and
 * takes it back. Nothing outside of the ring, the buffer or the registered
 * memory may be touched, and every operation is done once. CMA is left out:
 * there the kernel checks.
 * sources: world.c
 */
#include "mrt.h"
#include "p2p/request.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/sm/sm_copy.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/world.h"

enum { RANKS = 3, OPS = 8, MEMS = 4, LONGEST = 60000 };

struct op {
	struct fab_op op;
	struct fab_packer packer; /* unpacks to buf */
	bool used, done;
	char *buf;
	size_t len;
	struct iovec iov[2];
};

struct memory {
	struct fab_mem *mem;
	struct fab_key key;
	struct fab_packer packer; /* packs from buf, if it is registered so */
	bool packed;
	char *buf;
	size_t len;
};

static struct fab *fab;
static struct sm *sm;
static struct boot_job job;
static struct input input, *in = &input;
static struct op ops[OPS];
static struct memory mems[MEMS];
static struct ring out[RANKS]; /* the peers' ends of the rings to this rank */

/* ---- what this rank is given ---- */

/* A message must lie inside its line, or inside the data of its ring. */
static void received(int peer, uint64_t hdr, const void *data, size_t len)
{
	const struct ring *r = &sm->rings.rx[peer];
	const volatile char *at = data;
	bool inside = at >= r->data && at + len <= r->data + r->data_size;

	MUST(inside ||
	     (len <= RING_INLINE && (const char *)at == r->next->data));
	for (size_t k = 0; k < len; k++)
		(void)at[k];
	(void)hdr;
}

static void done(struct fab_op *fop, int status)
{
	struct op *o = (struct op *)fop;

	MUST(o->used && !o->done && status <= 0 && status > MRT_ERR_LAST);
	o->done = true;
	/* a write after this is a finding */
	free(o->buf);
	o->buf = NULL;
}

/* ---- what the peers write ---- */

static uint64_t some_address(void)
{
	struct memory *m = &mems[in_below(in, MEMS)];
	unsigned x = in8(in);

	if (!m->mem || x > 240)
		return in64(in);
	return (m->packed ? 0 : (uintptr_t)m->buf) + (x < 128 ? x : x - 256);
}

static uint64_t some_length(void)
{
	unsigned x = in8(in);

	return x < 200 ? x : x < 250 ? (size_t)(x - 200) * 1200 : in64(in);
}

static uint32_t some_kind(void)
{
	return in_below(in, 12) << 24;
}

/* Must match the structs of sm_relay.c and sm_push.c. */
struct ask {
	uint64_t remote, len, operand[2], mem;
	uint32_t swap, pad;
};

struct fill {
	struct sm_piece piece;
	uint32_t part;
	uint64_t mem;
	uint64_t remote;
};

/* Writes the beginning of a well-formed message. */
static size_t some_payload(char *data)
{
	struct ask ask = {0};
	struct memory *m;
	struct fill fill = {0};
	int64_t status;

	switch (in_below(in, 4)) {
	case 0:
		m = &mems[in_below(in, MEMS)];
		ask.remote = some_address();
		ask.len = some_length();
		ask.operand[0] = in8(in);
		ask.mem = in_below(in, 20);
		if (m->mem && in8(in) > 60) { /* a valid request */
			ask.mem = m->key.word[0];
			ask.remote = (uintptr_t)m->buf;
			ask.len = in8(in) & 1 ? m->len : 8;
		}
		ask.swap = in_below(in, 2);
		memcpy(data, &ask, sizeof(ask));
		return sizeof(ask) + (in8(in) & 1 ? ask.len % 4000 : 0);
	case 1:
		/* a piece, with or without what it is part of */
		m = &mems[in_below(in, MEMS)];
		fill.piece.buffer = in_below(in, SM_BOUNCES + 2);
		fill.piece.offset = in8(in) & 1 ? in32(in) : 0;
		fill.piece.bytes = in8(in) & 1 ? in32(in) : in8(in);
		fill.part = in_below(in, 4);
		fill.mem = m->mem ? m->key.word[0] : in_below(in, 20);
		fill.remote = some_address();
		memcpy(data, &fill, sizeof(fill));
		return in8(in) & 1 ? sizeof(fill.piece) : sizeof(fill);
	case 2:
		status =
		    in8(in) & 1 ? (int64_t)in64(in) : -(int)in_below(in, 30);
		memcpy(data, &status, sizeof(status));
		return sizeof(status);
	default:
		in_bytes(in, data, 48);
		return some_length() % 4000;
	}
}

/* Writes a line as a producer does, or a damaged one. */
static void push(int peer)
{
	struct ring *r = &out[peer];
	struct ring_line *line = r->next;
	char data[5000] = {0};
	uint32_t kind = some_kind(), len = (uint32_t)some_payload(data);
	struct iovec iov = {data, len};
	unsigned how = in8(in);
	/* ids of copies are small */
	uint64_t hdr = in8(in) & 3 ? in_below(in, 24) : in64(in);
	struct list *asked = sm->copies.begun.next;

	if (in8(in) & 1 && asked != &sm->copies.begun)
		hdr = list_entry(asked, struct sm_copy, link)->id;

	if (!ring_push(r, hdr, kind, &iov, 1, len)) {
		ring_publish(&sm->rings.rx[peer]);
		return;
	}
	if (how >= 200)
		line->len = how & 1 ? in32(in) : kind | in16(in);
	if (how >= 225)
		line->end = in32(in);
}

/* Sets how far the peer claims to have read what this rank sends. */
static void read_on(int peer)
{
	struct ring *tx = &sm->eps[peer].tx;
	uint64_t head = (uint64_t)tx->pos << 32 | tx->data_pos;

	if (in8(in) > 230)
		head = in64(in);
	atomic_store(&tx->shared->head, head);
}

/* Says which part of a write is in a bounce buffer of a peer, or of this rank,
 * where a peer writes, too. */
static void claim(int slot)
{
	struct sm_claim *c =
	    sm_bounce_claim(sm, slot, in_below(in, SM_BOUNCES));

	if (c)
		atomic_store(&c->part, in_below(in, 4));
}

static void spoil_card(int peer)
{
	struct sm_card *card = &sm->cards[peer];
	struct sm_arena *a = &card->arenas[in_below(in, 2)];

	switch (in_below(in, 4)) {
	case 0:
		card->asleep = in8(in) & 1;
		break;
	case 1:
		a->len = in64(in);
		break;
	case 2:
		/* the pid of no process, so that nothing is opened */
		card->pid = -1;
		atomic_store(&a->base, in8(in) & 1 ? in64(in) : 0);
		break;
	default:
		sm->card->senders[0] = in64(in);
	}
}

/* ---- what this rank does ---- */

static struct op *open_op(size_t len)
{
	for (struct op *o = ops; o < ops + OPS; o++) {
		if (o->used && !o->done)
			continue;
		*o = (struct op){.op.done = done, .used = true};
		o->len = len;
		o->buf = malloc(len + !len);
		if (!o->buf)
			abort();
		memset(o->buf, 'x', len);
		return o;
	}
	return NULL;
}

static void unpack(struct fab_packer *packer, size_t at, size_t len, void *buf)
{
	const struct op *o = list_entry(packer, struct op, packer);

	MUST(o->used && !o->done && at <= o->len && len <= o->len - at);
	memcpy(o->buf + at, buf, len);
}

static void operate(struct fab_ep *ep)
{
	static uint64_t words[OPS];
	size_t len = 1 + in16(in) % LONGEST, half = len / 2;
	struct op *o = open_op(len);
	struct fab_key key = {{in_below(in, 8), in8(in)}};
	uint64_t remote = in32(in) & ~7u, exchange[2] = {1, 2};
	int rc = 0;

	if (!o)
		return;
	switch (in_below(in, 5)) {
	case 0:
		rc = fab->ops->read(ep, o->buf, remote, key, len, &o->op);
		break;
	case 1:
		o->packer.copy = unpack;
		rc = fab->node->ops->read_unpack(ep, &o->packer, remote, key,
						 len, &o->op);
		break;
	case 2:
		rc = fab->ops->write(ep, o->buf, remote, key, len, &o->op);
		break;
	case 3:
		if (!half)
			half = len;
		o->iov[0] = (struct iovec){o->buf, half};
		o->iov[1] = (struct iovec){o->buf + half, len - half};
		rc = fab->ops->writev(ep, o->iov, len > half ? 2 : 1, remote,
				      key, &o->op);
		break;
	default:
		rc = in8(in) & 1
			 ? fab->ops->fetch_add(ep, remote, key, 1,
					       &words[o - ops], &o->op)
			 : fab->ops->compare_swap(ep, remote, key, exchange,
						  &words[o - ops], &o->op);
	}
	if (rc)
		done(&o->op, rc);
}

/* Packs a part of registered memory. A part that reaches beyond its end is a
 * finding. */
static void pack(struct fab_packer *packer, size_t at, size_t len, void *buf)
{
	const struct memory *m = list_entry(packer, struct memory, packer);

	MUST(m->mem && m->packed && at <= m->len && len <= m->len - at);
	memcpy(buf, m->buf + at, len);
}

static void close_memory(struct memory *m)
{
	if (m->mem)
		fab->ops->mem_deregister(fab, m->mem);
	free(m->buf);
	*m = (struct memory){0};
}

static void toggle_memory(struct memory *m)
{
	if (m->mem) {
		close_memory(m);
		return;
	}
	m->len = 8 + in16(in) * 8u;
	m->buf = calloc(1, m->len);
	m->packer.copy = pack;
	m->packed = in8(in) % 4 == 0 &&
		    !fab->node->ops->pack_register(&sm->eps[1].base, &m->packer,
						   m->len, &m->mem, &m->key);
	if (!m->buf || (!m->packed && fab->ops->mem_register(
					  fab, m->buf, m->len, FAB_READ_ONCE,
					  &m->mem, &m->key)))
		abort();
}

static void step(void)
{
	int peer = 1 + (int)in_below(in, 2);
	struct fab_ep *ep = &sm->eps[peer].base;
	char data[600] = {0};
	struct iovec iov = {data, 0};

	switch (in_below(in, 13)) {
	case 0:
	case 1:
	case 2:
	case 3:
		push(peer);
		break;
	case 12:
		claim((int)in_below(in, RANKS));
		break;
	case 4:
		read_on(peer);
		break;
	case 5:
		spoil_card(peer);
		break;
	case 6:
		operate(ep);
		break;
	case 7:
		toggle_memory(&mems[in_below(in, MEMS)]);
		break;
	case 8:
		iov.iov_len = in16(in) % sizeof(data);
		fab->ops->send(ep, in64(in), &iov, 1);
		break;
	case 9:
		fab->ops->take(ep, in_below(in, 24), data,
			       in16(in) % sizeof(data));
		break;
	default:
		fab->ops->progress(fab);
	}
}

/* ---- one input ---- */

static void begin(void)
{
	for (int s = 0; s < RANKS; s++) {
		struct ring *tx = &sm->eps[s].tx;

		sm_ring_attach(sm, &sm->rings.rx[s], s, 0);
		sm_ring_attach(sm, &out[s], s, 0);
		sm_ring_attach(sm, tx, 0, s);
		memset(tx->shared, 0, ring_bytes(sm->rings.data_size));
		memset(out[s].shared, 0, ring_bytes(sm->rings.data_size));
		memset(&sm->cards[s].arenas, 0, sizeof(sm->cards[s].arenas));
		sm->cards[s].asleep = 0;
	}
	sm->copies.next_id = 0;
	sm->buffers.used = sm->buffers.next = sm->buffers.round = 0;
}

static void end(void)
{
	struct list *it;
	unsigned left = 0;

	for (int k = 0; k < MEMS; k++)
		close_memory(&mems[k]);
	while ((it = list_pop(&sm->copies.begun)))
		left++;
	while ((it = list_pop(&sm->copies.serves)))
		left++;
	MUST(sm->copies.busy == left);
	sm->copies.busy = 0;
	for (int k = 0; k < SM_MEMS; k++)
		MUST(list_empty(&sm->copies.mems[k]));
	MUST(!sm->copies.open_offers);
	sm_copy_fini(sm);
	sm_copy_init(sm);
	for (int k = 0; k < OPS; k++) {
		free(ops[k].buf);
		ops[k] = (struct op){0};
	}
	/* the fault must name the peer that was refused */
	if (fault_code)
		MUST(strstr(world_fault, "rank "));
	world_heal();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const struct fab_sink sink = {.recv = received};
	char why[256];

	setenv("MRT_SM_CMA", "no", 1);
	setenv("MRT_SM_RING", "16K", 1);
	world_size = RANKS;
	if (env_load(why, sizeof(why)) || boot_init(&job))
		abort();
	env.log = -1;
	if (sm_ops.open(&job, &sink, &fab))
		abort();
	sm = (struct sm *)fab;
	sm->seg->attached = RANKS - 1;
	if (sm_ops.wire(fab))
		abort();
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
