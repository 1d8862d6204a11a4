/* SPDX-License-Identifier: Apache-2.0 */
/* fake.c: the misbehaving provider, see fake.h. */
#include "tests/fake/fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/list.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/fabric.h"

/* A message that came and was not delivered yet. */
struct held {
	struct list link;
	uint64_t hdr;
	size_t len;
	char data[];
};

/* Stands for a caller's operation at the real provider. */
struct fake_op {
	struct fab_op op;
	struct fab_op *user;
	struct list link;
	int status;
};

struct fake_ep {
	struct fab_ep base;
	struct fab_ep *inner;
	struct list inbox;
};

struct fake {
	struct fab base;
	struct fab *inner;
	struct fake_ep **eps;
	int size;
	int held; /* messages and completions */
	bool armed;
	struct list done; /* completions held */
};

struct fake_knobs fake_knobs = {.again = 200, .hold = 300, .skip = 100};
struct fake_counts fake_counts;
static uint64_t state = 1;
static struct fake fake;

static unsigned below(unsigned n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % n;
}

static bool chance(unsigned thousandths, unsigned long *count)
{
	bool yes = below(1000) < thousandths;

	*count += yes;
	return yes;
}

void fake_seed(uint64_t seed)
{
	state = seed * 0x9e3779b97f4a7c15u + 1;
	below(2);
	fake_knobs.again = below(2) ? below(600) : 0;
	fake_knobs.hold = below(2) ? below(900) : 0;
	fake_knobs.skip = below(2) ? below(500) : 0;
}

void fake_kill(int peer)
{
	char text[64];

	snprintf(text, sizeof(text), "rank %d has died (simulated)", peer);
	fault_raise(MRT_ERR_PEER, text);
}

static struct fab_ep *inner_ep(struct fab_ep *ep)
{
	return ((struct fake_ep *)ep)->inner;
}

/* ---- messages ---- */

static void hold_message(struct fake_ep *ep, uint64_t hdr, const void *data,
			 size_t len)
{
	struct held *h = malloc(sizeof(*h) + len);

	if (!h)
		abort();
	h->hdr = hdr;
	h->len = len;
	if (len)
		memcpy(h->data, data, len);
	list_append(&ep->inbox, &h->link);
	fake.held++;
}

static void inner_recv(int peer, uint64_t hdr, const void *data, size_t len)
{
	struct fake_ep *ep = fake.eps[peer];

	/* order per peer is the one promise that is always kept */
	if (!list_empty(&ep->inbox) ||
	    chance(fake_knobs.hold, &fake_counts.held)) {
		hold_message(ep, hdr, data, len);
		return;
	}
	fake_counts.overtaken += fake.held > 0;
	fake.base.sink.recv(peer, hdr, data, len);
}

static int release_messages(struct fake_ep *ep)
{
	int n = 0;
	struct list *it;

	while (!chance(fake_knobs.hold, &fake_counts.held) &&
	       (it = list_pop(&ep->inbox))) {
		struct held *h = list_entry(it, struct held, link);

		fake.held--;
		fake.base.sink.recv(ep->base.peer, h->hdr, h->data, h->len);
		free(h);
		n++;
	}
	return n;
}

/* ---- operations ---- */

static void finish(struct fake_op *op)
{
	struct fab_op *user = op->user;
	int status = op->status;

	free(op);
	user->done(user, status);
}

static void inner_done(struct fab_op *inner, int status)
{
	struct fake_op *op = list_entry(inner, struct fake_op, op);

	op->status = status;
	if (!chance(fake_knobs.hold, &fake_counts.held)) {
		finish(op);
		return;
	}
	list_append(&fake.done, &op->link);
	fake.held++;
}

static int release_completions(void)
{
	int n = 0;

	list_for_each_safe(it, &fake.done) {
		if (chance(fake_knobs.hold, &fake_counts.held))
			continue; /* the later ones may overtake it */
		list_remove(it);
		fake.held--;
		finish(list_entry(it, struct fake_op, link));
		n++;
		break; /* the callback may have changed the list */
	}
	return n;
}

/* Our op for the user's, or NULL with *rc: refused, or failed at once. */
static struct fake_op *wrap(struct fab_op *user, int *rc)
{
	struct fake_op *op;

	*rc = ERR_AGAIN;
	if (chance(fake_knobs.again, &fake_counts.refused))
		return NULL;
	op = malloc(sizeof(*op));
	if (!op)
		abort();
	op->op.done = inner_done;
	op->user = user;
	list_init(&op->link);
	if (chance(fake_knobs.fail, &fake_counts.failed)) {
		op->status = fake_knobs.fail_code;
		list_append(&fake.done, &op->link);
		fake.held++;
		*rc = 0;
		return NULL;
	}
	return op;
}

/* The real provider took the operation, or did not. */
static int wrapped(struct fake_op *op, int rc)
{
	if (rc)
		free(op);
	return rc;
}

/* ---- the contract, after fabric.h ---- */

static const struct fab_ops *real(void)
{
	return fab_providers[0];
}

static const char *fake_unfit(const struct boot_job *job)
{
	return real()->unfit(job);
}

static int fake_connect(struct fab *fab, int peer, struct fab_ep **ep)
{
	struct fake_ep *e = fake.eps[peer];
	int rc = real()->connect(fake.inner, peer, &e->inner);

	if (rc)
		return rc;
	e->base.send_max = e->inner->send_max;
	e->base.eager_max = e->inner->eager_max;
	*ep = &e->base;
	return 0;
}

static int make_endpoints(int size)
{
	fake.size = size;
	fake.eps = calloc((size_t)size, sizeof(*fake.eps));
	for (int r = 0; fake.eps && r < size; r++) {
		fake.eps[r] = calloc(1, sizeof(**fake.eps));
		if (!fake.eps[r])
			return MRT_ERR_NO_MEM;
		fake.eps[r]->base.ops = fab_list[0];
		fake.eps[r]->base.fab = &fake.base;
		fake.eps[r]->base.peer = r;
		list_init(&fake.eps[r]->inbox);
	}
	return fake.eps ? 0 : MRT_ERR_NO_MEM;
}

static int fake_open(const struct boot_job *job, const struct fab_sink *sink,
		     struct fab **fab)
{
	const struct fab_sink own = {inner_recv, sink->wake,
				     sink->threads};
	int rc = make_endpoints(job->size);

	list_init(&fake.done);
	if (!rc)
		rc = real()->open(job, &own, &fake.inner);
	if (rc)
		return rc;
	fake.base = *fake.inner;
	fake.base.ops = fab_list[0];
	fake.base.sink = *sink;
	*fab = &fake.base;
	return 0;
}

static int fake_wire(struct fab *fab)
{
	int rc = real()->wire(fake.inner);

	fab->node_cpus = fake.inner->node_cpus;
	fab->crowded = fake.inner->crowded;
	fab->metered = fake.inner->metered;
	fab->bulk_len = fake.inner->bulk_len;
	return rc;
}

static void fake_close(struct fab *fab)
{
	struct list *it;

	if (!fab)
		return;
	for (int r = 0; r < fake.size; r++) {
		while ((it = list_pop(&fake.eps[r]->inbox)))
			free(list_entry(it, struct held, link));
		free(fake.eps[r]);
	}
	while ((it = list_pop(&fake.done)))
		free(list_entry(it, struct fake_op, link));
	free(fake.eps);
	real()->close(fake.inner);
}

static int fake_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov,
		     int n)
{
	if (chance(fake_knobs.again, &fake_counts.refused))
		return ERR_AGAIN;
	return real()->send(inner_ep(ep), hdr, iov, n);
}

static int fake_register(struct fab *fab, void *addr, size_t len,
			 struct fab_mem **mem, struct fab_key *key)
{
	return real()->mem_register(fake.inner, addr, len, mem, key);
}

static void fake_deregister(struct fab *fab, struct fab_mem *mem)
{
	real()->mem_deregister(fake.inner, mem);
}

static int fake_read(struct fab_ep *ep, void *dst, uint64_t remote,
		     struct fab_key key, size_t len, struct fab_op *user)
{
	int rc;
	struct fake_op *op = wrap(user, &rc);

	return !op ? rc
		   : wrapped(op, real()->read(inner_ep(ep), dst, remote, key,
					      len, &op->op));
}

static int fake_write(struct fab_ep *ep, const void *src, uint64_t remote,
		      struct fab_key key, size_t len, struct fab_op *user)
{
	int rc;
	struct fake_op *op = wrap(user, &rc);

	return !op ? rc
		   : wrapped(op, real()->write(inner_ep(ep), src, remote, key,
					       len, &op->op));
}

static int fake_writev(struct fab_ep *ep, const struct iovec *iov, int n,
		       uint64_t remote, struct fab_key key,
		       struct fab_op *user)
{
	int rc;
	struct fake_op *op = wrap(user, &rc);

	return !op ? rc
		   : wrapped(op, real()->writev(inner_ep(ep), iov, n, remote,
						key, &op->op));
}

static int fake_fetch_add(struct fab_ep *ep, uint64_t remote,
			  struct fab_key key, uint64_t add, uint64_t *result,
			  struct fab_op *user)
{
	int rc;
	struct fake_op *op = wrap(user, &rc);

	return !op ? rc
		   : wrapped(op, real()->fetch_add(inner_ep(ep), remote, key,
						   add, result, &op->op));
}

static int fake_compare_swap(struct fab_ep *ep, uint64_t remote,
			     struct fab_key key, const uint64_t exchange[2],
			     uint64_t *result, struct fab_op *user)
{
	int rc;
	struct fake_op *op = wrap(user, &rc);

	return !op ? rc
		   : wrapped(op, real()->compare_swap(inner_ep(ep), remote, key,
						      exchange, result,
						      &op->op));
}

static int fake_progress(struct fab *fab)
{
	int n, first;

	/* not when armed: the caller sleeps if this says "nothing" */
	if (!fake.armed && chance(fake_knobs.skip, &fake_counts.skipped))
		return 0;
	n = real()->progress(fake.inner);
	first = (int)below((unsigned)fake.size);
	for (int k = 0; fake.held && k < fake.size; k++)
		n += release_messages(fake.eps[(first + k) % fake.size]);
	return n + release_completions();
}

static void fake_arm(struct fab *fab)
{
	fake.armed = true;
	real()->arm(fake.inner);
}

static void fake_disarm(struct fab *fab)
{
	fake.armed = false;
	real()->disarm(fake.inner);
}

static void fake_wait(struct fab *fab, unsigned timeout_us)
{
	fake.armed = false;
	if (fake.held)
		real()->disarm(fake.inner);
	else
		real()->wait(fake.inner, timeout_us);
}

static void fake_wake(struct fab *fab)
{
	real()->wake(fake.inner);
}

static void *fake_shared(struct fab *fab, size_t *len)
{
	return real()->shared(fake.inner, len);
}

static void fake_notify(struct fab *fab)
{
	real()->notify(fake.inner);
}

static int fake_heap_alloc(struct fab *fab, size_t len, void **ptr)
{
	return real()->heap_alloc(fake.inner, len, ptr);
}

static int fake_heap_free(struct fab *fab, void *ptr)
{
	return real()->heap_free(fake.inner, ptr);
}

static int fake_heap_map(struct fab_ep *ep, uint64_t remote, size_t len,
			 void **local)
{
	return real()->heap_map(inner_ep(ep), remote, len, local);
}

#define EVERYWHERE                                                             \
	.name = "fake", .unfit = fake_unfit, .open = fake_open,                \
	.node_only = true, .wire = fake_wire,                                  \
	.close = fake_close, .connect = fake_connect, .send = fake_send,       \
	.mem_register = fake_register, .mem_deregister = fake_deregister,      \
	.read = fake_read, .write = fake_write, .writev = fake_writev,         \
	.fetch_add = fake_fetch_add,                                           \
	.compare_swap = fake_compare_swap, .progress = fake_progress,          \
	.arm = fake_arm, .disarm = fake_disarm, .wait = fake_wait,             \
	.wake = fake_wake, .heap_alloc = fake_heap_alloc,                      \
	.heap_free = fake_heap_free, .heap_map = fake_heap_map

static const struct fab_ops fake_ops = {
    EVERYWHERE,
    .shared = fake_shared,
    .notify = fake_notify,
};

/* Without what only fabrics inside a node offer, like a NIC: collectives then
 * go by messages. */
static const struct fab_ops plain_ops = {EVERYWHERE};

static const struct fab_ops *const fake_list[] = {&fake_ops, NULL};
static const struct fab_ops *const plain_list[] = {&plain_ops, NULL};

static void __attribute__((constructor)) take_over(void)
{
	fab_list = getenv("FAKE_PLAIN") ? plain_list : fake_list;
}
