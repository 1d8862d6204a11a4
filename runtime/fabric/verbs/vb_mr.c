/* SPDX-License-Identifier: Apache-2.0 */
/* vb_mr.c: memory that peers may access and that the device reads and writes.
 * Registrations are kept (mr_cache.h) as long as the memory behind them is the
 * same (memwatch.h). What cannot be registered, when little memory may be
 * locked, is copied instead, and one line says so. */
#include <errno.h>
#include <stdlib.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/base/memwatch.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"

/* Registered memory that peers may access. */
struct fab_mem {
	struct list link;
	uintptr_t start, end;
	uint64_t id;
	struct mr_entry *entry; /* NULL: accessible by messages only */
};

enum {
	ACCESS_ALL = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
		     IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC
};

/* ---- the cache ---- */

static void mr_deregister(void *ctx, void *handle)
{
	struct vb_regs *regs = handle;

	for (int k = 0; k < VB_RAILS; k++)
		if (regs->mr[k])
			ibv_dereg_mr(regs->mr[k]);
	free(regs);
}

static int register_range(void *ctx, void *addr, size_t len, bool writes,
			  void **handle)
{
	struct vb *vb = ctx;
	struct vb *const rails[] = {vb, len < VB_STRIPE_MIN ? NULL : vb->second,
				    NULL};
	struct vb_regs *regs = calloc(1, sizeof(*regs));
	int access = writes ? ACCESS_ALL : IBV_ACCESS_REMOTE_READ, err = 0;

	if (!regs)
		return MRT_ERR_NO_MEM;
	for (int k = 0; !err && rails[k]; k++) {
		regs->mr[k] = ibv_reg_mr(rails[k]->dev.pd, addr, len, access);
		err = regs->mr[k] ? 0 : errno;
	}
	if (!err) {
		*handle = regs;
		return 0;
	}
	mr_deregister(ctx, regs);
	return err == EFAULT ? MRT_ERR_BUFFER : error_from_errno(err);
}

int vb_mr_open(struct vb *vb)
{
	static const struct mr_ops ops = {register_range, mr_deregister};
	struct mr_config config = {&ops, vb, NULL, env.reg_cache,
				   (size_t)env.reg_cache_entries};
	const char *why =
	    env.reg_cache ? memwatch_open(vb->base.sink.threads) : NULL;
	int rc;

	pool_init(&vb->rma.mem_pool, sizeof(struct fab_mem), 64);
	if (env.reg_cache && !why)
		config.watch = &mr_watch_memory;
	else if (why)
		log_info("registrations are not kept: %s", why);
	rc = mr_cache_init(&vb->rma.cache, &config);
	if (rc)
		return log_error(rc, "registration cache");
	vb->rma.caching = true;
	return 0;
}

void vb_mr_close(struct vb *vb)
{
	own_heap_fini(&vb->rma.heap);
	if (vb->rma.caching)
		mr_cache_fini(&vb->rma.cache);
	vb->rma.caching = false;
	memwatch_close();
	pool_fini(&vb->rma.mem_pool);
}

struct mr_entry *vb_mr_get(struct vb *vb, const void *addr, size_t len,
			   bool writes)
{
	static bool warned;
	struct mr_entry *entry;
	int rc = mr_cache_get(&vb->rma.cache, addr, len, writes, &entry);

	if (!rc)
		return entry;
	if (!warned)
		log_warn("%zu bytes cannot be registered with %s (%s); they "
			 "are copied, which is slower%s",
			 len, vb_port_name(vb),
			 rc == MRT_ERR_BUFFER ? "the kernel pins no such memory"
					      : error_text(rc),
			 rc == MRT_ERR_BUFFER ? ""
					      : ": raise the limit of locked "
						"memory (ulimit -l)");
	warned = true;
	return NULL;
}

/* ---- memory of peers' reads and writes ---- */

/* Returns the keys by which peers name a registration: that of the second rail,
 * or 0, is the upper half. */
static uint64_t regs_rkeys(const struct vb_regs *regs)
{
	uint64_t rkeys = 0;

	for (int k = 0; k < VB_RAILS; k++)
		if (regs->mr[k])
			rkeys |= (uint64_t)regs->mr[k]->rkey << 32 * k;
	return rkeys;
}

int vb_mem_register(struct fab *fab, void *addr, size_t len, enum fab_use use,
		    struct fab_mem **mem, struct fab_key *key)
{
	struct vb *vb = (struct vb *)fab;
	struct fab_mem *m = pool_get(&vb->rma.mem_pool);

	if (!m)
		return log_error(MRT_ERR_NO_MEM, "registration of %zu bytes",
				 len);
	m->start = (uintptr_t)addr;
	m->end = m->start + len;
	m->id = ++vb->rma.next_id;
	m->entry = len ? vb_mr_get(vb, addr, len, use != FAB_READ_ONCE) : NULL;
	list_append(&vb->rma.mems, &m->link);
	/* no rkey is 0: then the peer uses messages */
	key->word[0] = m->entry ? regs_rkeys(m->entry->handle) : 0;
	key->word[1] = m->id;
	*mem = m;
	return 0;
}

void vb_mem_deregister(struct fab *fab, struct fab_mem *mem)
{
	struct vb *vb = (struct vb *)fab;

	if (mem->entry)
		mr_cache_put(&vb->rma.cache, mem->entry);
	if (!list_empty(&vb->rma.serves))
		vb_relay_drop(vb, mem->id);
	list_remove(&mem->link);
	pool_put(&vb->rma.mem_pool, mem);
}

bool vb_mem_is_registered(const struct fab_mem *mem)
{
	return mem->entry;
}

void *vb_mem_find(struct vb *vb, uint64_t id, uint64_t addr, uint64_t len)
{
	list_for_each (it, &vb->rma.mems) {
		const struct fab_mem *m = list_entry(it, struct fab_mem, link);

		if (m->id == id)
			return addr >= m->start && addr <= m->end &&
				       len <= m->end - addr
				   ? (void *)(uintptr_t)addr
				   : NULL;
	}
	return NULL;
}

/* ---- mrt_alloc ---- */

int vb_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr)
{
	return own_heap_alloc(&((struct vb *)fab)->rma.heap, len, ptr);
}

int vb_heap_free(struct fab *fab, void *ptr)
{
	return own_heap_free(&((struct vb *)fab)->rma.heap, ptr);
}

int vb_heap_map(struct fab_ep *ep, uint64_t remote, size_t len, void **local)
{
	struct vb *vb = (struct vb *)ep->fab;

	return own_heap_map(&vb->rma.heap, ep->peer == vb->job->rank, remote,
			    len, local);
}
