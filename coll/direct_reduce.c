/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_reduce.c: reductions in shared memory; the protocol is in direct.c.
 * Whoever reduces does it in the order of ranks, from the memory of the others,
 * so that all get the same bits; but for lines that go up the tree.
 */
#include <string.h>

#include "coll/direct_line.h"
#include "coll/plan.h"

/* Bytes up to which every rank reduces all of the vector. */
enum { ONE_PASS = 2048 };

/* ---- Reductions of a line ----------------------------------------------- */

static size_t bytes_of(const struct direct_reduce *r)
{
	return r->count * r->type->size;
}

/* All ranks' lines in their order. */
static void reduce_lines(const struct mrt_comm *comm, const struct direct *d,
			 const struct direct_reduce *r)
{
	const struct line *line = line_at(comm, d, 0);

	op_apply(r->op, r->type, line[0].data, line[1].data, r->recv, r->count);
	for (int k = 2; k < comm->size; k++)
		op_apply(r->op, r->type, r->recv, line[k].data, r->recv,
			 r->count);
}

static int allreduce_line(struct mrt_comm *comm, struct direct *d,
			  const struct direct_reduce *r)
{
	uint32_t call = call_id(COLL_ALLREDUCE, bytes_of(r), 0, r);
	struct line *mine;
	int rc = enter(comm, d);

	if (rc)
		return rc;
	mine = line_at(comm, d, comm->rank);
	memcpy(mine->data, r->send, bytes_of(r));
	if (comm->size > DIRECT_FLAT) {
		rc = direct_tree(comm, d, call, r);
		if (!rc)
			memcpy(r->recv, release_at(d)->data, bytes_of(r));
	} else {
		publish(mine, d->epoch, call);
		rc = direct_await_all(comm, d, call);
		if (!rc)
			reduce_lines(comm, d, r);
	}
	leave(comm, d);
	return rc;
}

static int reduce_line(struct mrt_comm *comm, struct direct *d,
		       const struct direct_reduce *r, int root)
{
	uint32_t call = call_id(COLL_REDUCE, bytes_of(r), root, r);
	struct line *mine;
	int rc = enter(comm, d);

	if (rc)
		return rc;
	mine = line_at(comm, d, comm->rank);
	memcpy(mine->data, r->send, bytes_of(r));
	if (comm->rank == root) {
		rc = direct_await_all(comm, d, call);
		if (!rc)
			reduce_lines(comm, d, r);
	} else {
		publish(mine, d->epoch, call);
	}
	leave(comm, d);
	return rc;
}

/* ---- Reductions in one epoch --------------------------------------------- */

/* Of what the first n ranks send: a vector, or a block for each rank. */
static int reduce_once(struct mrt_comm *comm, struct direct *d,
		       const struct direct_reduce *r, int n, bool blocks,
		       uint32_t call)
{
	size_t bytes = bytes_of(r);
	struct exchange x = {
	    .call = call,
	    .put = r->send,
	    .bytes = blocks ? bytes * (size_t)comm->size : bytes,
	    .n = n,
	    .offset = blocks ? bytes * (size_t)comm->rank : 0,
	    .length = bytes,
	    .recv = r->recv,
	    .reduce = r,
	};

	return direct_exchange(comm, d, &x);
}

int direct_reduce_scatter(struct mrt_comm *comm, struct direct *d,
			  const struct direct_reduce *r)
{
	return reduce_once(comm, d, r, comm->size, true,
			   call_id(COLL_REDUCE_SCATTER_BLOCK, bytes_of(r), 0, r));
}

int direct_scan(struct mrt_comm *comm, struct direct *d,
		const struct direct_reduce *r)
{
	return reduce_once(comm, d, r, comm->rank + 1, false,
			   call_id(COLL_SCAN, bytes_of(r), 0, r));
}

int direct_exscan(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r)
{
	return reduce_once(comm, d, r, comm->rank, false,
			   call_id(COLL_EXSCAN, bytes_of(r), 0, r));
}

/* ---- Long reductions ----------------------------------------------------- */

/* Elements at .. at + count - 1 of all ranks' buffers, in the order of ranks,
 * into dst. */
static void reduce_buffers(const struct mrt_comm *comm, const struct direct *d,
			   const struct direct_reduce *r, unsigned k,
			   struct block b, void *dst)
{
	size_t at = b.at * r->type->size;

	op_apply(r->op, r->type, direct_buffer(comm, d, k, 0) + at,
		 direct_buffer(comm, d, k, 1) + at, dst, b.count);
	for (int q = 2; q < comm->size; q++)
		op_apply(r->op, r->type, dst, direct_buffer(comm, d, k, q) + at, dst,
			 b.count);
}

/* Every rank reduces its share into rank 0's buffer, then those who want the
 * result take it from there. */
static int two_passes(struct mrt_comm *comm, struct direct *d,
		      const struct direct_reduce *r, unsigned k, int root,
		      uint32_t call)
{
	struct block share = plan_block(r->count, comm->size, comm->rank);
	char *result = direct_buffer(comm, d, k, 0);
	int rc, bad;

	memcpy(direct_buffer(comm, d, k, comm->rank), r->send, bytes_of(r));
	bad = direct_synchronise(comm, d, call);
	if (!bad)
		reduce_buffers(comm, d, r, k, share,
			       result + share.at * r->type->size);
	leave(comm, d);
	rc = direct_synchronise(comm, d, call);
	if (!rc && !bad && (root < 0 || comm->rank == root))
		memcpy(r->recv, result, bytes_of(r));
	leave(comm, d);
	return rc ? rc : bad;
}

/* root < 0: all. */
static int reduce_long(struct mrt_comm *comm, struct direct *d,
		       const struct direct_reduce *r, int root)
{
	uint32_t call = root < 0
			    ? call_id(COLL_ALLREDUCE, bytes_of(r), 0, r)
			    : call_id(COLL_REDUCE, bytes_of(r), root, r);
	int n = root < 0 || comm->rank == root ? comm->size : 0;
	unsigned k;
	int rc;

	/* a root alone need not wait for others to do their share */
	if ((bytes_of(r) <= ONE_PASS || root >= 0) && comm->size <= DIRECT_FLAT)
		return reduce_once(comm, d, r, n, false, call);
	rc = direct_take_slices(comm, d, bytes_of(r), true, &k);
	if (rc)
		return rc;
	rc = two_passes(comm, d, r, k, root, call);
	direct_mark_slices(d, k);
	return rc;
}

/* Calls reduce_long for pieces that fit the buffers. */
static int reduce_pieces(struct mrt_comm *comm, struct direct *d,
			 const struct direct_reduce *r, int root)
{
	size_t most = DIRECT_LONG / r->type->size, left = r->count;
	size_t step = most * r->type->size;
	struct direct_reduce piece = *r;
	int rc = 0;

	while (left && !rc) {
		piece.count = left < most ? left : most;
		rc = reduce_long(comm, d, &piece, root);
		left -= piece.count;
		piece.send = (const char *)piece.send + step;
		if (piece.recv)
			piece.recv = (char *)piece.recv + step;
	}
	return rc;
}

int direct_allreduce(struct mrt_comm *comm, struct direct *d,
		     const struct direct_reduce *r)
{
	if (bytes_of(r) <= DIRECT_LINE)
		return allreduce_line(comm, d, r);
	return reduce_pieces(comm, d, r, -1);
}

int direct_reduce(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r, int root)
{
	char unused[DIRECT_LINE] __attribute__((aligned(16)));
	struct direct_reduce all = *r;

	if (bytes_of(r) > DIRECT_LINE)
		return reduce_pieces(comm, d, r, root);
	if (comm->size <= DIRECT_FLAT)
		return reduce_line(comm, d, r, root);
	if (comm->rank != root)
		all.recv = unused;
	return allreduce_line(comm, d, &all);
}
