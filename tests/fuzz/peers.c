/* SPDX-License-Identifier: Apache-2.0 */
/* peers.c implements peers.h. */
#include "tests/fuzz/peers.h"

#include "mrt.h"
#include "p2p/p2p.h"
#include "p2p/wire.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/list.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

enum {
	RANKS = 3,
	SEND_MAX = 600,
	EAGER_MAX = 256,
	OPS = 24,     /* operations under way */
	IDS = 16,     /* remembered ids of requests that were named to a peer */
	LONGEST = 700 /* length of a payload */
};

/* An operation that this rank has begun. */
struct task {
	struct fab_op *op; /* NULL: the task is free */
	void *dst;	   /* destination of a read, and results of atomics */
	size_t len;
	const struct iovec *from; /* of a writev */
	int pieces;
	const void *flat; /* of a write */
};

struct fab_mem {
	void *addr;
};

struct own {
	struct list link;
	uint64_t hdr;
	size_t len;
	char data[];
};

static const struct fab_ops ops;
static struct fab fab;
static struct fab_ep eps[RANKS];
static struct task tasks[OPS];
static uint32_t ids[IDS];
static unsigned named;
static struct list to_self = LIST_INIT(to_self);
static struct input *in;
int peers_mems;
bool peers_exhausted;

/* ---- what this rank does to its peers ---- */

/* Returns 0, or the error with which an operation is refused. */
static int mood(void)
{
	unsigned x = in8(in);

	return x < 200 ? 0 : x < 235 ? ERR_AGAIN : MRT_ERR_RESOURCE;
}

/* Reads each byte, so that a sanitizer reports those that are invalid. */
static void look_at(const void *data, size_t len)
{
	const volatile unsigned char *bytes = data;

	for (size_t i = 0; i < len; i++)
		(void)bytes[i];
}

static void remember(uint32_t id)
{
	if (id)
		ids[named++ % IDS] = id;
}

static void note_ids(uint64_t hdr, const char *data)
{
	struct wire_rts rts;
	struct wire_cts cts;
	struct wire_sync sync;

	switch (wire_kind(hdr)) {
	case WIRE_RTS:
		memcpy(&rts, data, sizeof(rts));
		remember(rts.id);
		break;
	case WIRE_CTS:
		memcpy(&cts, data, sizeof(cts));
		remember(cts.to);
		break;
	case WIRE_EAGER_SYNC:
		memcpy(&sync, data, sizeof(sync));
		remember(sync.id);
	}
}

static int send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov, int n)
{
	struct own *m = malloc(sizeof(*m) + SEND_MAX);
	int rc = in ? mood() : MRT_ERR_RESOURCE;

	if (!m)
		abort();
	m->hdr = hdr;
	m->len = 0;
	for (int i = 0; i < n; i++) {
		MUST(m->len + iov[i].iov_len <= SEND_MAX);
		if (iov[i].iov_len)
			memcpy(m->data + m->len, iov[i].iov_base,
			       iov[i].iov_len);
		m->len += iov[i].iov_len;
	}
	if (!rc)
		note_ids(hdr, m->data);
	if (!rc && ep->peer == 0)
		list_append(&to_self, &m->link);
	else
		free(m);
	return rc;
}

static int begin(const struct task *t)
{
	int rc = in ? mood() : MRT_ERR_RESOURCE;

	for (int k = 0; !rc && k < OPS; k++) {
		if (tasks[k].op)
			continue;
		tasks[k] = *t;
		return 0;
	}
	return rc ? rc : ERR_AGAIN;
}

static int read(struct fab_ep *ep, void *dst, uint64_t remote,
		struct fab_key key, size_t len, struct fab_op *op)
{
	return begin(&(struct task){.op = op, .dst = dst, .len = len});
}

static int write(struct fab_ep *ep, const void *src, uint64_t remote,
		 struct fab_key key, size_t len, struct fab_op *op)
{
	return begin(&(struct task){.op = op, .flat = src, .len = len});
}

static int write_list(struct fab_ep *ep, const struct iovec *iov, int n,
		      uint64_t remote, struct fab_key key, struct fab_op *op)
{
	return begin(&(struct task){.op = op, .from = iov, .pieces = n});
}

static int fetch_add(struct fab_ep *ep, uint64_t remote, struct fab_key key,
		     uint64_t add, uint64_t *result, struct fab_op *op)
{
	return begin(&(struct task){.op = op, .dst = result, .len = 8});
}

static int compare_swap(struct fab_ep *ep, uint64_t remote, struct fab_key key,
			const uint64_t exchange[2], uint64_t *result,
			struct fab_op *op)
{
	return begin(&(struct task){.op = op, .dst = result, .len = 8});
}

static int mem_register(struct fab *f, void *addr, size_t len, enum fab_use use,
			struct fab_mem **mem, struct fab_key *key)
{
	if (in && in8(in) > 240)
		return MRT_ERR_RESOURCE;
	*mem = malloc(sizeof(**mem));
	if (!*mem)
		abort();
	(*mem)->addr = addr;
	*key = (struct fab_key){{(uintptr_t)addr, len}};
	peers_mems++;
	return 0;
}

static void mem_deregister(struct fab *f, struct fab_mem *mem)
{
	free(mem);
	peers_mems--;
}

/* ---- what the peers do to this rank ---- */

static void finish(struct task *t, int status)
{
	struct task done = *t;

	t->op = NULL;
	if (!status && done.dst)
		memset(done.dst, 0x5a, done.len);
	if (!status && done.flat)
		look_at(done.flat, done.len);
	for (int i = 0; !status && i < done.pieces; i++)
		look_at(done.from[i].iov_base, done.from[i].iov_len);
	done.op->done(done.op, status);
}

static int finish_one(int status)
{
	struct task *t = &tasks[in_below(in, OPS)];

	for (int k = 0; k < OPS && !t->op; k++)
		t = &tasks[k];
	if (t->op)
		finish(t, status);
	return t->op != NULL;
}

static uint32_t some_id(void)
{
	unsigned x = in8(in);

	return x < 200 ? ids[x % IDS] : x < 250 ? x - 200 : in32(in);
}

static uint64_t some_length(void)
{
	unsigned x = in8(in);

	return x < 240 ? x * 16 : in64(in);
}

static int some_status(void)
{
	unsigned x = in8(in);

	return x < 128 ? 0 : x < 240 ? -(int)(x % 30) : (int)in32(in);
}

static uint64_t some_header(unsigned kind)
{
	unsigned where = in_below(in, 8);
	uint32_t context = where < 5	? comm_world.context
			   : where == 5 ? comm_world.context | CONTEXT_COLL
					: in32(in) & 0xffffff;
	unsigned x = in8(in);
	int tag = x < 240 ? (int)(x % 4) : (int)in32(in);

	return (uint64_t)kind | (uint64_t)context << 8 |
	       (uint64_t)(uint32_t)tag << 32;
}

/* Writes the payload of a message of this kind, as far as it follows the
 * rules. */
static size_t some_payload(unsigned kind, char *data)
{
	struct wire_rts rts = {0};
	struct wire_cts cts = {0};
	struct wire_end end;
	struct wire_sync sync = {0};

	switch (kind) {
	case WIRE_RTS:
		rts.len = some_length();
		rts.id = in32(in);
		rts.push = in_below(in, 3);
		memcpy(data, &rts, sizeof(rts));
		return sizeof(rts);
	case WIRE_CTS:
		cts.len = some_length();
		cts.id = some_id();
		cts.to = in32(in);
		memcpy(data, &cts, sizeof(cts));
		return sizeof(cts);
	case WIRE_EAGER_SYNC:
		sync.id = in32(in);
		memcpy(data, &sync, sizeof(sync));
		return sizeof(sync) + some_length() % (LONGEST - 8);
	case WIRE_EAGER:
		return some_length() % LONGEST;
	default:
		end.id = some_id();
		end.status = some_status();
		memcpy(data, &end, sizeof(end));
		return sizeof(end);
	}
}

static int deliver(void)
{
	int peer = 1 + (int)in_below(in, 2);
	unsigned how = in8(in), kind = how % 10 == 9 ? in8(in) : how % 10;
	uint64_t hdr = some_header(kind);
	char room[LONGEST + 64] = {0}, *exact;
	size_t len = some_payload(kind, room);

	if (how >= 220) /* truncated, or longer than it should be */
		len = in8(in);
	exact = malloc(len + !len);
	if (!exact)
		abort();
	memcpy(exact, room, len);
	p2p_deliver(peer, hdr, exact, len);
	free(exact);
	return 1;
}

static int deliver_own(void)
{
	struct list *it = list_pop(&to_self);
	struct own *m = it ? list_entry(it, struct own, link) : NULL;

	if (!m)
		return 0;
	p2p_deliver(0, m->hdr, m->data, m->len);
	free(m);
	return 1;
}

static int progress(struct fab *f)
{
	if (!in)
		return 0;
	if (in_over(in)) {
		peers_exhausted = true;
		fault_raise(MRT_ERR_PEER, "the input is over");
		return 1;
	}
	switch (in_below(in, 8)) {
	case 0:
	case 1:
	case 2:
	case 3:
		return deliver();
	case 4:
		return deliver_own();
	case 5:
		return finish_one(0);
	case 6:
		return finish_one(in_below(in, 2) ? 0 : MRT_ERR_RESOURCE);
	default:
		return 0;
	}
}

/* ---- the rest of the contract ---- */

static const char *unfit(const struct boot_job *job)
{
	return NULL;
}

static int open_it(const struct boot_job *job, const struct fab_sink *sink,
		   struct fab **made)
{
	fab = (struct fab){.ops = &ops, .sink = *sink, .node_cpus = RANKS};
	for (int r = 0; r < RANKS; r++)
		eps[r] = (struct fab_ep){.ops = &ops,
					 .fab = &fab,
					 .peer = r,
					 .send_max = SEND_MAX,
					 .eager_max = EAGER_MAX};
	*made = &fab;
	return 0;
}

static int wire(struct fab *f)
{
	return 0;
}

static void close_it(struct fab *f)
{
}

static int connect(struct fab *f, int peer, struct fab_ep **ep)
{
	*ep = &eps[peer];
	return 0;
}

static void arm(struct fab *f, const void *flags)
{
	(void)f;
	(void)flags;
}

static void nothing(struct fab *f)
{
}

static void wait_a_little(struct fab *f, unsigned timeout_us)
{
}

static int heap_alloc(struct fab *f, size_t len, bool zeroed, void **ptr)
{
	*ptr = calloc(1, len);
	return *ptr ? 0 : MRT_ERR_NO_MEM;
}

static int heap_free(struct fab *f, void *ptr)
{
	free(ptr);
	return 0;
}

static int heap_map(struct fab_ep *ep, uint64_t remote, size_t len,
		    void **local)
{
	return MRT_ERR_NO_FABRIC;
}

/* clang-format off */
static const struct fab_ops ops = {
    .name = "peers", .unfit = unfit, .open = open_it, .wire = wire,
    .close = close_it, .connect = connect, .send = send,
    .mem_register = mem_register, .mem_deregister = mem_deregister,
    .read = read, .write = write, .writev = write_list, .fetch_add = fetch_add,
    .compare_swap = compare_swap, .progress = progress, .arm = arm,
    .disarm = nothing, .wait = wait_a_little, .wake = nothing,
    .heap_alloc = heap_alloc, .heap_free = heap_free, .heap_map = heap_map,
};
/* clang-format on */

static const struct fab_ops *const list[] = {&ops, NULL};

void peers_install(void)
{
	fab_list = list;
}

void peers_begin(struct input *input)
{
	in = input;
	named = 0;
	memset(ids, 0, sizeof(ids));
	peers_exhausted = false;
}

void peers_end(void)
{
	struct list *it;

	in = NULL;
	memset(tasks, 0, sizeof(tasks));
	while ((it = list_pop(&to_self)))
		free(list_entry(it, struct own, link));
}
