/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_read.c: a scatter of long blocks. The root's line tells where they
 * are, and all others read theirs at the same time, one copy by the kernel:
 * with buffers the root alone would make half of the copies while other CPUs
 * are idle. The root stays until all have done the epoch. The protocol is in
 * direct.c.
 */
#include <string.h>

#include "coll/direct/direct_line.h"
#include "runtime/base/error.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

/* The content of the root's line. */
struct notice {
	uint64_t address;
	uint64_t bytes;
	struct fab_key key;
};
_Static_assert(sizeof(struct notice) <= DIRECT_LINE, "fits a line");

/* Waits until all ranks have read. The root makes progress meanwhile, since
 * some fabrics need its help to read its memory. */
static int wait_for_readers(const struct mrt_comm *comm, const struct direct *d)
{
	WAIT(w, wait_text, "mrt_scatter: other ranks to read their blocks");
	int rc = 0;

	for (int r = 0; r < comm->size; r++)
		while (r != comm->rank && !rc &&
		       !reached(&d->done[r], d->epoch))
			rc = wait_poll(&w);
	return rc;
}

static int offer(struct mrt_comm *comm, struct direct *d,
		 const struct exchange *x)
{
	struct notice n = {.address = (uintptr_t)x->put, .bytes = x->bytes};
	struct fab_mem *mem;
	int rc = enter(comm, d);

	if (!rc)
		rc = proc.fab->ops->mem_register(proc.fab, (void *)n.address,
						 x->bytes, true, &mem, &n.key);
	if (rc)
		return rc;
	memcpy(line_at(comm, d, comm->rank)->data, &n, sizeof(n));
	publish(d, line_at(comm, d, comm->rank), d->epoch, x->call);
	if (x->recv != (const char *)x->put + x->offset)
		memcpy(x->recv, (const char *)x->put + x->offset, x->length);
	rc = wait_for_readers(comm, d);
	proc.fab->ops->mem_deregister(proc.fab, mem);
	return rc;
}

/* The read under way; there is only one at a time, since only world has buffers
 * for long payloads. It is not on the stack: a fault ends the wait for it, not
 * the read. */
static struct reading {
	struct fab_op op;
	bool over;
	int status;
} reading;

static void read_over(struct fab_op *op, int status)
{
	struct reading *r = (struct reading *)op;

	r->status = status;
	r->over = true;
}

static int read_from(struct mrt_comm *comm, struct direct *d,
		     const struct exchange *x)
{
	struct fab_ep *ep = proc.eps[comm_world_rank(comm, x->first)];
	WAIT(w, wait_text, "mrt_scatter: the block that the root has");
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
	reading = (struct reading){.op = {read_over}};
	rc = ERR_AGAIN;
	while (rc == ERR_AGAIN) {
		rc = ep->ops->read(ep, x->recv, n.address + x->offset, n.key,
				   x->length, &reading.op);
		if (rc == ERR_AGAIN && wait_poll(&w))
			return progress_fault();
	}
	while (!rc && !reading.over)
		rc = wait_poll(&w);
	return rc ? rc : reading.status;
}

int direct_read(struct mrt_comm *comm, struct direct *d,
		const struct exchange *x)
{
	int rc = x->put ? offer(comm, d, x) : read_from(comm, d, x);

	leave(comm, d);
	/* the root may sleep */
	if (!x->put)
		notify(d);
	return rc;
}
