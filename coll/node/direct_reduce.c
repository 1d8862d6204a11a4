/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_reduce.c: reductions in shared memory; the protocol is in direct.c.
 * Except for lines that go up the tree, the rank that reduces reads the memory
 * of the others in rank order, so that all get the same bits.
 */
#include <string.h>

#include "coll/node/direct_line.h"
#include "coll/plan/plan.h"
#include "runtime/base/copy.h"

enum {
	ONE_PASS = 2048,   /* bytes up to which every rank reduces everything */
	CHAIN_MIN = 32768, /* bytes of a scan above which ranks take turns */
	BLOCK = 8192	   /* reduced at once: it stays in L1 */
};

/* ---- Reductions of a line ----------------------------------------------- */

static size_t bytes_of(const struct direct_reduce *r)
{
	return r->count * r->type->size;
}

/* Reduces the lines of all ranks in rank order. */
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
	int rc = line_enter(comm, d);

	if (rc)
		return rc;
	mine = line_at(comm, d, comm->rank);
	memcpy(mine->data, r->send, bytes_of(r));
	if (comm->size > DIRECT_FLAT) {
		rc = direct_tree(comm, d, call, r);
		if (!rc)
			memcpy(r->recv, release_at(d)->data, bytes_of(r));
	} else {
		line_publish(d, mine, d->epoch, call);
		rc = direct_wait_all(comm, d, call);
		if (!rc)
			reduce_lines(comm, d, r);
	}
	line_leave(comm, d);
	return rc;
}

static int reduce_line(struct mrt_comm *comm, struct direct *d,
		       const struct direct_reduce *r, int root)
{
	uint32_t call = call_id(COLL_REDUCE, bytes_of(r), root, r);
	struct line *mine;
	int rc = line_enter(comm, d);

	if (rc)
		return rc;
	mine = line_at(comm, d, comm->rank);
	memcpy(mine->data, r->send, bytes_of(r));
	if (comm->rank == root) {
		for (int q = 0; q < comm->size && !rc; q++)
			if (q != root)
				rc = wait_for_rank(comm, d, q, call);
		if (rc) {
			rc = direct_refuse(comm, d, NULL, rc);
		} else {
			d->all_done = d->epoch - 1;
			reduce_lines(comm, d, r);
		}
	} else {
		line_publish(d, mine, d->epoch, call);
	}
	line_leave(comm, d);
	return rc;
}

/* ---- Reductions from buffers --------------------------------------------- */

void direct_reduce_operands(const struct mrt_comm *comm, const struct direct *d,
			    const struct operand_list *f)
{
	const struct direct_reduce *r = f->r;
	size_t size = r->type->size, step = size < BLOCK ? BLOCK / size : 1;

	for (size_t i = 0; i < f->count; i += step) {
		size_t n = f->count - i < step ? f->count - i : step;
		const char *left = NULL;
		char *to = f->to + i * size;

		for (int q = 0; q < comm->size; q++) {
			const char *part = q == comm->rank && f->own
					       ? f->own + i * size
					       : direct_buffer(d, f->slice, q) +
						     f->at + i * size;

			if (q)
				op_apply(r->op, r->type, left, part, to, n);
			left = q ? to : part;
		}
	}
}

/* Tells whether writing the result to recv would overwrite the own operand
 * before it is read. */
static bool is_apart(const struct mrt_comm *comm, const struct direct_reduce *r)
{
	return r->send == r->recv && comm->rank > 1;
}

/* ---- Reductions in one epoch --------------------------------------------- */

/* Reduces what the first n ranks send: a vector, or a block for each rank. */
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
	    .own = blocks ? r->send : NULL,
	    .way = blocks ? ALL_TO_ALL : TO_ROOT,
	};

	if (n && !blocks && bytes > DIRECT_SLICE && !is_apart(comm, r)) {
		/* nobody else takes it */
		x.own = r->send;
		x.put = NULL;
	}
	return direct_exchange(comm, d, &x);
}

int direct_reduce_scatter(struct mrt_comm *comm, struct direct *d,
			  const struct direct_reduce *r)
{
	return reduce_once(
	    comm, d, r, comm->size, true,
	    call_id(COLL_REDUCE_SCATTER_BLOCK, bytes_of(r), 0, r));
}

int direct_reduce_scatter_list(struct mrt_comm *comm, struct direct *d,
			       const struct direct_reduce *r, size_t at,
			       size_t total)
{
	size_t size = r->type->size;
	struct exchange x = {
	    .call = call_id(COLL_REDUCE_SCATTER, total * size, 0, r),
	    .put = r->send,
	    .bytes = total * size,
	    /* nothing to take: then recv may be NULL */
	    .n = r->count ? comm->size : 0,
	    .offset = at * size,
	    .length = bytes_of(r),
	    .recv = r->recv,
	    .reduce = r,
	    .way = ALL_TO_ALL,
	};

	return direct_exchange(comm, d, &x);
}

int direct_scan(struct mrt_comm *comm, struct direct *d,
		const struct direct_reduce *r)
{
	uint32_t call = call_id(COLL_SCAN, bytes_of(r), 0, r);

	if (bytes_of(r) > CHAIN_MIN)
		return direct_chain(comm, d, r, false, call);
	return reduce_once(comm, d, r, comm->rank + 1, false, call);
}

int direct_exscan(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r)
{
	uint32_t call = call_id(COLL_EXSCAN, bytes_of(r), 0, r);

	if (bytes_of(r) > CHAIN_MIN)
		return direct_chain(comm, d, r, true, call);
	return reduce_once(comm, d, r, comm->rank, false, call);
}

/* ---- Long reductions ----------------------------------------------------- */

/* A segment of an allreduce, in the buffers from slice k on. Each rank reduces
 * its share. */
struct shares {
	const struct direct_reduce *r;
	unsigned k;
	bool wanted; /* this rank gets the result */
};

static size_t share_of(const struct mrt_comm *comm, const struct shares *s,
		       int rank, size_t *bytes)
{
	struct block b = plan_block(s->r->count, comm->size, rank);

	*bytes = b.count * s->r->type->size;
	return b.at * s->r->type->size;
}

/* Writes the shares that others reduce to this rank's buffer. */
static void put_shares(const struct mrt_comm *comm, const struct direct *d,
		       const struct shares *s)
{
	char *to = direct_buffer(d, s->k, comm->rank);
	const char *from = s->r->send;
	size_t bytes, end = bytes_of(s->r);
	size_t at = share_of(comm, s, comm->rank, &bytes);

	direct_fill(to, from, at, DIRECT_LEAST);
	at += bytes;
	direct_fill(to + at, from + at, end - at, DIRECT_LEAST);
}

/* Reduces this rank's share to its buffer and, where wanted, to recv. */
static void reduce_share(const struct mrt_comm *comm, const struct direct *d,
			 const struct shares *s)
{
	const struct direct_reduce *r = s->r;
	size_t bytes, at = share_of(comm, s, comm->rank, &bytes);
	char *mine = direct_buffer(d, s->k, comm->rank) + at;
	bool there = s->wanted && !is_apart(comm, r);
	const struct operand_list f = {.r = r,
				       .slice = s->k,
				       .at = at,
				       .own = (const char *)r->send + at,
				       .to =
					   there ? (char *)r->recv + at : mine,
				       .count = bytes / r->type->size};

	direct_reduce_operands(comm, d, &f);
	if (there)
		direct_fill(mine, f.to, bytes, DIRECT_LEAST);
	else if (s->wanted)
		copy_bytes((char *)r->recv + at, mine, bytes);
}

static void take_shares(const struct mrt_comm *comm, const struct direct *d,
			const struct shares *s)
{
	for (int i = 1; i < comm->size; i++) {
		int q = (comm->rank + i) % comm->size;
		size_t bytes, at = share_of(comm, s, q, &bytes);

		copy_bytes((char *)s->r->recv + at,
			   direct_buffer(d, s->k, q) + at, bytes);
	}
}

static int direct_reduce_pass(struct mrt_comm *comm, struct direct *d,
			      uint32_t call)
{
	int rc = line_enter(comm, d);

	if (rc)
		return rc;
	mark_several(line_at(comm, d, comm->rank), d->epoch);
	if (comm->size > DIRECT_FLAT)
		return direct_tree(comm, d, call, NULL);
	line_publish(d, line_at(comm, d, comm->rank), d->epoch, call);
	return direct_wait_all(comm, d, call);
}

/* Every rank reduces its share, then all take those of the others. */
static int two_passes(struct mrt_comm *comm, struct direct *d,
		      const struct shares *s, uint32_t call)
{
	int rc;

	put_shares(comm, d, s);
	rc = direct_reduce_pass(comm, d, call);
	if (!rc)
		reduce_share(comm, d, s);
	line_leave(comm, d);
	if (rc)
		return rc;
	rc = direct_reduce_pass(comm, d, call);
	if (!rc && s->wanted)
		take_shares(comm, d, s);
	line_leave(comm, d);
	return rc;
}

/* root < 0: all ranks get the result. */
static int reduce_shares(struct mrt_comm *comm, struct direct *d,
			 const struct direct_reduce *r, int root, uint32_t call)
{
	struct shares s = {r, 0, root < 0 || comm->rank == root};
	int rc = direct_take_slices(comm, d, bytes_of(r), true, &s.k);

	if (rc)
		return rc;
	rc = two_passes(comm, d, &s, call);
	direct_mark_slices(d, s.k);
	return rc;
}

/* Like reduce_shares, in segments that fit the buffers. */
static int reduce_segments(struct mrt_comm *comm, struct direct *d,
			   const struct direct_reduce *r, int root,
			   uint32_t call)
{
	size_t most = DIRECT_LONG / r->type->size, left = r->count;
	size_t step = most * r->type->size;
	struct direct_reduce segment = *r;
	int rc = 0;

	d->several = true;
	while (left && !rc) {
		segment.count = left < most ? left : most;
		rc = reduce_shares(comm, d, &segment, root, call);
		left -= segment.count;
		segment.send = (const char *)segment.send + step;
		if (segment.recv)
			segment.recv = (char *)segment.recv + step;
	}
	d->several = false;
	return rc;
}

int direct_allreduce(struct mrt_comm *comm, struct direct *d,
		     const struct direct_reduce *r)
{
	uint32_t call;

	if (bytes_of(r) <= DIRECT_LINE)
		return allreduce_line(comm, d, r);
	call = call_id(COLL_ALLREDUCE, bytes_of(r), 0, r);
	if (bytes_of(r) <= ONE_PASS && comm->size <= DIRECT_FLAT)
		return reduce_once(comm, d, r, comm->size, false, call);
	return reduce_segments(comm, d, r, -1, call);
}

int direct_reduce(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r, int root)
{
	char unused[DIRECT_LINE] __attribute__((aligned(16)));
	struct direct_reduce all = *r;
	uint32_t call = call_id(COLL_REDUCE, bytes_of(r), root, r);
	bool flat = comm->size <= DIRECT_FLAT;
	int n = comm->rank == root ? comm->size : 0;

	/* a root that reduces alone need not wait for others to do their
	 * share */
	if (bytes_of(r) > DIRECT_LINE)
		return flat ? reduce_once(comm, d, r, n, false, call)
			    : reduce_segments(comm, d, r, root, call);
	if (flat)
		return reduce_line(comm, d, r, root);
	if (comm->rank != root)
		all.recv = unused;
	return allreduce_line(comm, d, &all);
}
