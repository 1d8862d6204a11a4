/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_long.c: exchanges and scans in shared memory that are longer than the
 * buffers. They go in segments of one epoch each, so that one rank fills a
 * segment while others empty those before it. Two copies through buffers that
 * stay in the cache take less time than one by the kernel, which reaches a
 * quarter of memcpy's speed there. The protocol is in direct.c.
 */
#include <string.h>

#include "coll/node/direct_line.h"
#include "coll/node/stream.h"
#include "runtime/base/clock.h"
#include "runtime/base/copy.h"

enum {
	/* bytes that a rank writes in an epoch: from or to a root; when all
	 * wait for all; in a chain */
	ROOT_PIECE = 65536,
	ALL_PIECE = DIRECT_LONG,
	CHAIN_PIECE = 32768,
	/* bytes in a ns: what a lone writer reaches while its lines are in one
	 * cache only, which they are not if its readers share its core */
	ALONE_LEAST = 16,
	FILL_MIN = 4096,      /* takes as long as reading the clock twice */
	STREAM_MIN = 16 << 20 /* received by all ranks: half of an L3 */
};

/* The part of each block from byte `at` on. */
struct segment {
	size_t at, length;
	unsigned slice;
};

static size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Returns the largest number of bytes up to `most` that are whole elements, or
 * one element. */
static size_t direct_long_whole(size_t most, const struct direct_reduce *r)
{
	size_t unit = r ? r->type->size : 64;

	return most < unit ? unit : most / unit * unit;
}

/* ---- Filling buffers ----------------------------------------------------- */

/*
 * A store to a line that another core has read last has to get the line back.
 * That takes next to nothing or, if that core is far away (as virtual CPUs may
 * be for seconds), ten times as long as a store past the caches. So each copy
 * is timed, and after two slow ones the next go past the caches.
 */
void direct_fill(char *to, const char *from, size_t bytes, unsigned least)
{
	enum { AGAIN = 256, SLOW = 2 };
	static unsigned slow, streamed;
	uint64_t begin;

	if (bytes < FILL_MIN) {
		copy_bytes(to, from, bytes);
		return;
	}
	if (streamed) {
		streamed--;
		stream_copy(to, from, bytes);
		return;
	}
	begin = clock_ns();
	copy_bytes(to, from, bytes);
	slow = bytes < (clock_ns() - begin) * least ? slow + 1 : 0;
	if (slow == SLOW) {
		slow = 0;
		streamed = AGAIN;
	}
}

/* ---- Exchanges ----------------------------------------------------------- */

static size_t blocks_of(const struct exchange *x)
{
	return x->bytes / x->length;
}

/* Tells whether all ranks together receive more than a cache may keep. */
static bool is_streamed(const struct mrt_comm *comm, const struct exchange *x)
{
	size_t n = (size_t)comm->size;
	size_t taken = x->n > 1 ? n * x->length : x->length;

	return (x->way == TO_ROOT ? taken : n * taken) >= STREAM_MIN;
}

/* Returns the bytes of a segment that a rank's block has. */
static size_t part_of(const struct exchange *x, const struct segment *p,
		      int rank)
{
	size_t bytes = x->blocks ? x->blocks[rank].count : x->length;

	return bytes > p->at ? min_size(p->length, bytes - p->at) : 0;
}

static void direct_long_copy(char *dst, const char *src, size_t bytes,
			     bool stream)
{
	if (stream)
		stream_copy(dst, src, bytes);
	else
		copy_bytes(dst, src, bytes);
}

/* Writes those of the payload's blocks that others take to this rank's
 * buffer. */
static void direct_long_put(const struct mrt_comm *comm, const struct direct *d,
			    const struct exchange *x, const struct segment *p)
{
	bool alone = x->way == FROM_ROOT && d->busy;
	unsigned least = alone ? ALONE_LEAST : DIRECT_LEAST;
	char *to = direct_buffer(d, p->slice, comm->rank);
	const char *from = (const char *)x->put + p->at;
	size_t n = blocks_of(x);

	for (size_t b = 0; b < n; b++)
		if (n == 1 || b != (size_t)comm->rank)
			direct_fill(to + b * p->length, from + b * x->length,
				    part_of(x, p, comm->rank), least);
}

/* Returns where in a buffer the block that this rank takes lies. */
static size_t block_at(const struct exchange *x, const struct segment *p)
{
	return x->offset / x->length * p->length;
}

static void direct_long_reduce(const struct mrt_comm *comm,
			       const struct direct *d, const struct exchange *x,
			       const struct segment *p)
{
	const struct operand_list f = {
	    .r = x->reduce,
	    .slice = p->slice,
	    .at = block_at(x, p),
	    .own = x->own ? (const char *)x->own + x->offset + p->at : NULL,
	    .to = (char *)x->recv + p->at,
	    .count = p->length / x->reduce->type->size,
	};

	direct_reduce_operands(comm, d, &f);
}

static int direct_long_take(struct mrt_comm *comm, struct direct *d,
			    const struct exchange *x, const struct segment *p,
			    bool stream)
{
	int rc = 0, others = 0;

	for (int i = 0; i < x->n; i++) {
		int q = (x->first + i) % comm->size;
		size_t at = x->blocks ? x->blocks[q].at : (size_t)q * x->stride;
		char *to = (char *)x->recv + at + p->at;

		if (q != comm->rank) {
			rc = wait_for_rank(comm, d, q, x->call);
			if (rc)
				return direct_refuse(comm, d, x->put, rc);
			others++;
		}
		if (!x->reduce)
			direct_long_copy(
			    to, direct_buffer(d, p->slice, q) + block_at(x, p),
			    part_of(x, p, q), stream);
	}
	if (x->reduce && x->n)
		direct_long_reduce(comm, d, x, p);
	if (others == comm->size - 1)
		d->all_done = d->epoch - 1;
	return 0;
}

static int exchange_segment(struct mrt_comm *comm, struct direct *d,
			    const struct exchange *x, struct segment *p,
			    bool stream)
{
	size_t bytes = blocks_of(x) * p->length;
	int rc = direct_take_slices(comm, d, bytes, x->put, &p->slice);

	if (!rc && x->put)
		rc = line_enter(comm, d);
	else
		d->epoch++;
	if (rc)
		return rc;
	if (x->put) {
		direct_long_put(comm, d, x, p);
		if (d->several)
			mark_several(line_at(comm, d, comm->rank), d->epoch);
		line_publish(d, line_at(comm, d, comm->rank), d->epoch,
			     x->call);
	}
	rc = direct_long_take(comm, d, x, p, stream);
	direct_mark_slices(d, p->slice);
	line_leave(comm, d);
	return rc;
}

int direct_exchange_long(struct mrt_comm *comm, struct direct *d,
			 const struct exchange *x)
{
	size_t most = x->way == ALL_TO_ALL ? ALL_PIECE : ROOT_PIECE;
	size_t step = direct_long_whole(most / blocks_of(x), x->reduce);
	bool stream = is_streamed(comm, x);
	int rc = 0;

	d->several = x->length > step;
	for (size_t at = 0; at < x->length && !rc; at += step) {
		struct segment p = {at, min_size(step, x->length - at), 0};

		rc = exchange_segment(comm, d, x, &p, stream);
	}
	d->several = false;
	return rc;
}

/* ---- Scans: from each rank to the next ----------------------------------- */

/* before: what came from the rank below, or NULL; next: where to put what goes
 * to the rank above, or NULL. */
static void scan_segment(const struct direct_reduce *r, const char *before,
			 char *next)
{
	size_t bytes = r->count * r->type->size;

	if (before)
		op_apply(r->op, r->type, before, r->send, r->recv, r->count);
	else if (r->recv != r->send)
		copy_bytes(r->recv, r->send, bytes);
	if (next)
		direct_fill(next, r->recv, bytes, DIRECT_LEAST);
}

static void exscan_segment(const struct direct_reduce *r, const char *before,
			   char *next)
{
	size_t bytes = r->count * r->type->size;

	if (before && next)
		op_apply(r->op, r->type, before, r->send, r->recv, r->count);
	if (next)
		direct_fill(next, before ? r->recv : r->send, bytes,
			    DIRECT_LEAST);
	if (before)
		copy_bytes(r->recv, before, bytes);
}

static int chain_segment(struct mrt_comm *comm, struct direct *d,
			 const struct direct_reduce *r, bool exclusive,
			 uint32_t call)
{
	int me = comm->rank, rc;
	bool first = me == 0, last = me == comm->size - 1;
	unsigned k;

	rc = direct_take_slices(comm, d, r->count * r->type->size, !last, &k);
	if (!rc && !last)
		rc = line_enter(comm, d);
	else
		d->epoch++;
	if (!rc && !first)
		rc = wait_for_rank(comm, d, me - 1, call);
	if (rc && rc != MRT_ERR_COLLECTIVE)
		return rc;
	if (!rc)
		(exclusive ? exscan_segment : scan_segment)(
		    r, first ? NULL : direct_buffer(d, k, me - 1),
		    last ? NULL : direct_buffer(d, k, me));
	/* the ranks above wait, and learn of it */
	if (!last && !d->broken) {
		mark_several(line_at(comm, d, me), d->epoch);
		line_publish(d, line_at(comm, d, me), d->epoch,
			     rc ? DIRECT_NO_CALL : call);
	}
	direct_mark_slices(d, k);
	line_leave(comm, d);
	return rc;
}

int direct_chain(struct mrt_comm *comm, struct direct *d,
		 const struct direct_reduce *r, bool exclusive, uint32_t call)
{
	size_t step = direct_long_whole(CHAIN_PIECE, r);
	struct direct_reduce segment = *r;
	int rc = 0;

	d->several = true;
	for (size_t left = r->count; left && !rc; left -= segment.count) {
		segment.count = min_size(step / r->type->size, left);
		rc = chain_segment(comm, d, &segment, exclusive, call);
		segment.send = (const char *)segment.send + step;
		segment.recv = (char *)segment.recv + step;
	}
	d->several = false;
	return rc;
}
