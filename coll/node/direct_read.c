/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_read.c: blocks that stay in the memory of the rank that has them until
 * others have read them. A line tells where they are. A scatter of long blocks
 * goes this way: all ranks read theirs at the same time, one copy by the
 * kernel, while with buffers the root alone would make half of the copies. So
 * do the long blocks of a gatherv, of which only the two ranks concerned know
 * the length (direct_gatherv.c). The protocol is in direct.c.
 */
#include "coll/node/direct_read.h"

#include <string.h>

#include "runtime/base/copy.h"
#include "runtime/base/error.h"
#include "runtime/base/pool.h"
#include "runtime/engine/progress.h"

/* Not on the stack: a fault ends the wait for a read, not the read. */
struct reading {
	struct fab_op op;
	struct reading *next;
	bool over;
	int status;
};
static struct pool readings = POOL_INIT(struct reading, 16);

int direct_offer(const void *at, size_t bytes, struct notice *n,
		 struct fab_mem **mem)
{
	n->bytes = bytes;
	n->address = (uintptr_t)at;
	return proc.fab->ops->mem_register(proc.fab, (void *)n->address, bytes,
					   FAB_READ_ONCE, mem, &n->key);
}

/* This rank makes progress meanwhile, since some fabrics need its help to read
 * its memory. */
int direct_wait_done(const struct direct *d, int rank, struct wait *w)
{
	int rc = 0;

	while (!rc && !line_reached(&d->done[rank], d->epoch))
		rc = wait_poll(w);
	return rc;
}

static void read_over(struct fab_op *op, int status)
{
	struct reading *r = (struct reading *)op;

	r->status = status;
	r->over = true;
}

int direct_read_begin(struct fab_ep *ep, const struct notice *n,
		      const struct read *read, struct reading **list,
		      struct wait *w)
{
	struct reading *r = pool_get(&readings);
	int rc = ERR_AGAIN;

	if (!r)
		return MRT_ERR_NO_MEM;
	*r = (struct reading){.op = {read_over}, .next = *list};
	while (rc == ERR_AGAIN) {
		rc = ep->ops->read(ep, read->to, n->address + read->offset,
				   n->key, read->bytes, &r->op);
		if (rc == ERR_AGAIN && wait_poll(w))
			rc = progress_fault();
	}
	if (rc)
		pool_put(&readings, r);
	else
		*list = r;
	return rc;
}

int direct_read_end(struct reading *list, struct wait *w)
{
	int error = 0;

	while (list) {
		struct reading *r = list;

		list = r->next;
		while (!r->over) {
			int rc = wait_poll(w);

			if (rc)
				return rc;
		}
		if (r->status)
			error = r->status;
		pool_put(&readings, r);
	}
	return error;
}

/* ---- A scatter of long blocks -------------------------------------------- */

static int direct_read_offer(struct mrt_comm *comm, struct direct *d,
			     const struct exchange *x)
{
	WAIT(w, wait_text, "mrt_scatter: other ranks to read their blocks");
	struct notice n;
	struct fab_mem *mem;
	int rc = line_enter(comm, d);

	if (!rc)
		rc = direct_offer(x->put, x->bytes, &n, &mem);
	if (rc)
		return rc;
	memcpy(line_at(comm, d, comm->rank)->data, &n, sizeof(n));
	line_publish(d, line_at(comm, d, comm->rank), d->epoch, x->call);
	if (x->recv != (const char *)x->put + x->offset)
		copy_bytes(x->recv, (const char *)x->put + x->offset,
			   x->length);
	for (int r = 0; r < comm->size && !rc; r++)
		if (r != comm->rank)
			rc = direct_wait_done(d, r, &w);
	proc.fab->ops->mem_deregister(proc.fab, mem);
	return rc;
}

static int read_from(struct mrt_comm *comm, struct direct *d,
		     const struct exchange *x)
{
	const struct read read = {x->recv, x->offset, x->length};
	WAIT(w, wait_text, "mrt_scatter: the block that the root has");
	struct reading *list = NULL;
	struct notice n;
	int rc;

	d->epoch++;
	rc = wait_for_rank(comm, d, x->first, x->call);
	if (rc)
		return direct_refuse(comm, d, NULL, rc);
	memcpy(&n, line_at(comm, d, x->first)->data, sizeof(n));
	/* call_id may be the same for lengths that differ much */
	if (n.bytes != x->bytes)
		return direct_differ(comm, d, line_at(comm, d, x->first),
				     x->first);
	rc = direct_read_begin(proc_ep(comm_world_rank(comm, x->first)), &n,
			       &read, &list, &w);
	return rc ? rc : direct_read_end(list, &w);
}

int direct_read(struct mrt_comm *comm, struct direct *d,
		const struct exchange *x)
{
	int rc = x->put ? direct_read_offer(comm, d, x) : read_from(comm, d, x);

	line_leave(comm, d);
	/* the root may sleep */
	if (!x->put)
		line_notify(d->lines);
	return rc;
}
