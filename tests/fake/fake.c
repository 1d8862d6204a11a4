/* SPDX-License-Identifier: Apache-2.0 */
/* fake.c is the misbehaving provider of fake.h. */
#include "tests/fake/fake_state.h"

#include <stdlib.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/boot/boot.h"
#include "p2p/protocol.h"

/* ---- the contract, after fabric.h ---- */

/* A message that is held back, as the code sees it that frees it. */
struct item {
	struct list link;
};

static struct fab_ep *inner_ep(struct fab_ep *ep)
{
	return ((struct fake_ep *)ep)->inner;
}

static const struct fab_ops *real(void)
{
	return fab_providers[0];
}

static const char *fake_unfit(const struct boot_job *job)
{
	return real()->unfit(job);
}

static const struct node_ops fake_node_ops;

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
	struct fab_sink own = *sink;
	int rc = make_endpoints(job->size);

	own.recv = fake_recv;
	list_init(&fake.done);
	if (!rc)
		rc = real()->open(job, &own, &fake.inner);
	if (rc)
		return rc;
	fake.base = *fake.inner;
	fake.base.ops = fab_list[0];
	fake.base.node = getenv("FAKE_PLAIN") ? NULL : &fake.node;
	fake.base.sink = *sink;
	*fab = &fake.base;
	return 0;
}

static int fake_wire(struct fab *fab)
{
	int rc = real()->wire(fake.inner);

	fab->node_cpus = fake.inner->node_cpus;
	fab->software = fake.inner->software;
	fab->crowded = fake.inner->crowded;
	fab->metered = fake.inner->metered;
	fake.node =
	    (struct fab_node){.ops = &fake_node_ops,
			      .shared = fake.inner->node->shared,
			      .shared_len = fake.inner->node->shared_len};
	return rc;
}

static void fake_close(struct fab *fab)
{
	struct list *it;

	if (!fab)
		return;
	for (int r = 0; r < fake.size; r++) {
		while ((it = list_pop(&fake.eps[r]->inbox)))
			free(list_entry(it, struct item, link));
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
	bool answer = wire_kind(hdr) > WIRE_RTS;
	/* a user's message that fails after it has been queued is a fault */
	bool spared = !answer && !list_empty(&p2p_blocked) &&
		      !context_is_internal(wire_context(hdr));

	fake_step();
	if (fake_jammed((struct fake_ep *)ep))
		return ERR_AGAIN;
	if (fake_chance(answer	 ? fake_knobs.fail_answer
			: spared ? 0
				 : fake_knobs.fail_send,
			ep->peer, &fake_counts.unsent))
		return fake_knobs.fail_code;
	return real()->send(inner_ep(ep), hdr, iov, n);
}

static int fake_register(struct fab *fab, void *addr, size_t len,
			 enum fab_use use, struct fab_mem **mem,
			 struct fab_key *key)
{
	int rc = MRT_ERR_RESOURCE;

	if (!list_empty(&p2p_blocked) ||
	    !fake_chance(fake_knobs.fail_register, 0,
			 &fake_counts.unregistered))
		rc = real()->mem_register(fake.inner, addr, len, use, mem, key);
	fake_counts.registered += !rc;
	return rc;
}

static int fake_pack_register(struct fab_ep *ep, struct fab_packer *from,
			      size_t len, struct fab_mem **mem,
			      struct fab_key *key)
{
	int rc = fake.inner->node->ops->pack_register(inner_ep(ep), from, len,
						      mem, key);

	fake_counts.registered += !rc;
	return rc;
}

static void fake_deregister(struct fab *fab, struct fab_mem *mem)
{
	fake_counts.registered--;
	real()->mem_deregister(fake.inner, mem);
}

static int fake_read(struct fab_ep *ep, void *dst, uint64_t remote,
		     struct fab_key key, size_t len, struct fab_op *user)
{
	int rc;
	struct fake_op *op = fake_wrap((struct fake_ep *)ep, user, &rc);

	return !op ? rc
		   : fake_wrapped(op, real()->read(inner_ep(ep), dst, remote,
						   key, len, &op->op));
}

static int fake_read_unpack(struct fab_ep *ep, struct fab_packer *to,
			    uint64_t remote, struct fab_key key, size_t len,
			    struct fab_op *user)
{
	int rc;
	struct fake_op *op = fake_wrap((struct fake_ep *)ep, user, &rc);

	return !op ? rc
		   : fake_wrapped(
			 op, fake.inner->node->ops->read_unpack(
				 inner_ep(ep), to, remote, key, len, &op->op));
}

static int fake_copy_pieces(struct fab_ep *ep, bool back, void *here,
			    struct pieces *there, size_t len)
{
	return fake.inner->node->ops->copy_pieces(inner_ep(ep), back, here,
						  there, len);
}

static int fake_write(struct fab_ep *ep, const void *src, uint64_t remote,
		      struct fab_key key, size_t len, struct fab_op *user)
{
	int rc;
	struct fake_op *op = fake_wrap((struct fake_ep *)ep, user, &rc);

	return !op ? rc
		   : fake_wrapped(op, real()->write(inner_ep(ep), src, remote,
						    key, len, &op->op));
}

static int fake_writev(struct fab_ep *ep, const struct iovec *iov, int n,
		       uint64_t remote, struct fab_key key, struct fab_op *user)
{
	int rc;
	struct fake_op *op = fake_wrap((struct fake_ep *)ep, user, &rc);

	return !op ? rc
		   : fake_wrapped(op, real()->writev(inner_ep(ep), iov, n,
						     remote, key, &op->op));
}

static int fake_fetch_add(struct fab_ep *ep, uint64_t remote,
			  struct fab_key key, uint64_t add, uint64_t *result,
			  struct fab_op *user)
{
	int rc;
	struct fake_op *op = fake_wrap((struct fake_ep *)ep, user, &rc);

	return !op ? rc
		   : fake_wrapped(op,
				  real()->fetch_add(inner_ep(ep), remote, key,
						    add, result, &op->op));
}

static int fake_compare_swap(struct fab_ep *ep, uint64_t remote,
			     struct fab_key key, const uint64_t exchange[2],
			     uint64_t *result, struct fab_op *user)
{
	int rc;
	struct fake_op *op = fake_wrap((struct fake_ep *)ep, user, &rc);

	return !op ? rc
		   : fake_wrapped(op, real()->compare_swap(inner_ep(ep), remote,
							   key, exchange,
							   result, &op->op));
}

static int fake_progress(struct fab *fab)
{
	int n, first;

	/* not when armed: the caller sleeps if this returns 0 */
	if (!fake.armed &&
	    fake_chance(fake_knobs.skip, 0, &fake_counts.skipped))
		return 0;
	n = real()->progress(fake.inner);
	first = (int)fake_below((unsigned)fake.size);
	for (int k = 0; fake.held && k < fake.size; k++)
		n += fake_release_messages(fake.eps[(first + k) % fake.size]);
	return n + fake_release_completions();
}

static void fake_arm(struct fab *fab, const void *flags)
{
	fake.armed = true;
	real()->arm(fake.inner, flags);
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

static void fake_notify(struct fab_node *node, const void *flags)
{
	fake.inner->node->ops->notify(fake.inner->node, flags);
}

/* A test kills peers by fake_kill. */
static void fake_check_peers(struct fab_node *node)
{
}

static const struct fab_home *fake_home_of(const struct fab_node *node,
					   int rank)
{
	return fake.inner->node->ops->home_of(fake.inner->node, rank);
}

static const struct node_ops fake_node_ops = {
    .pack_register = fake_pack_register,
    .read_unpack = fake_read_unpack,
    .copy_pieces = fake_copy_pieces,
    .notify = fake_notify,
    .check_peers = fake_check_peers,
    .home_of = fake_home_of,
};

static int fake_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr)
{
	if (fake_chance(fake_knobs.fail_heap, 0, &fake_counts.heapless))
		return MRT_ERR_NO_MEM;
	return real()->heap_alloc(fake.inner, len, zeroed, ptr);
}

static int fake_heap_free(struct fab *fab, void *ptr)
{
	return real()->heap_free(fake.inner, ptr);
}

static int fake_heap_map(struct fab_ep *ep, uint64_t remote, size_t len,
			 void **local)
{
	if (fake_chance(fake_knobs.fail_heap, 0, &fake_counts.heapless))
		return MRT_ERR_NO_FABRIC;
	return real()->heap_map(inner_ep(ep), remote, len, local);
}

static const struct fab_ops fake_ops = {
    .name = "fake",
    .unfit = fake_unfit,
    .open = fake_open,
    .node_only = true,
    .wire = fake_wire,
    .close = fake_close,
    .connect = fake_connect,
    .send = fake_send,
    .mem_register = fake_register,
    .mem_deregister = fake_deregister,
    .read = fake_read,
    .write = fake_write,
    .writev = fake_writev,
    .fetch_add = fake_fetch_add,
    .compare_swap = fake_compare_swap,
    .progress = fake_progress,
    .arm = fake_arm,
    .disarm = fake_disarm,
    .wait = fake_wait,
    .wake = fake_wake,
    .heap_alloc = fake_heap_alloc,
    .heap_free = fake_heap_free,
    .heap_map = fake_heap_map,
};

static const struct fab_ops *const fake_list[] = {&fake_ops, NULL};

static void __attribute__((constructor)) take_over(void)
{
	fab_list = fake_list;
}
