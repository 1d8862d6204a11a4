/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_exchange.c: collectives of one epoch in shared memory, all by one
 * pattern: a rank copies its payload into its line or its buffer, sets its
 * flag, and takes what it needs from the payloads of others as their flags are
 * set. So each byte is copied twice, whatever the number of ranks. The protocol
 * is in direct.c.
 */
#include <string.h>

#include "coll/node/direct_line.h"
#include "runtime/base/copy.h"

/* Blocks of so many bytes and more are read from the root's memory. */
enum { SCATTER_READ = 65536 };

/* ---- The pattern --------------------------------------------------------- */

/* Inlined again for bcast, where most of it is constant. */
#define INLINE static inline __attribute__((always_inline))

/* Returns where a payload lies. */
INLINE char *payload(const struct mrt_comm *comm, const struct direct *d,
		     const struct exchange *x, unsigned k, int rank)
{
	if (x->bytes <= DIRECT_LINE)
		return line_at(comm, d, rank)->data;
	return x->bytes <= DIRECT_WIDE ? wide_at(comm, d, x->bytes, rank)
				       : direct_buffer(d, k, rank);
}

/* Takes what x wants of the payload of a rank. */
INLINE void take_part(const struct exchange *x, int rank, const char *part)
{
	size_t q = (size_t)rank;

	if (!x->blocks)
		copy_bytes((char *)x->recv + q * x->stride, part, x->length);
	else if (x->blocks[q].count)
		copy_bytes((char *)x->recv + x->blocks[q].at, part,
			   x->blocks[q].count);
}

/* Returns the i-th rank whose payload x takes. */
INLINE int source(const struct mrt_comm *comm, const struct exchange *x, int i)
{
	int q = x->first + i;

	return q < comm->size ? q : q - comm->size;
}

/* Waits for the payload of each rank that x names, and copies or reduces it. */
INLINE int take_all(struct mrt_comm *comm, struct direct *d,
		    const struct exchange *x, unsigned k)
{
	const struct direct_reduce *r = x->reduce;
	const void *left = NULL;
	int rc = 0, others = 0;

	for (int i = 0; i < x->n; i++) {
		int q = source(comm, x, i);
		const char *part = payload(comm, d, x, k, q) + x->offset;

		if (q != comm->rank) {
			rc = wait_for_rank(comm, d, q, x->call);
			if (rc)
				return direct_refuse(comm, d, x->put, rc);
			others++;
		}
		if (!r)
			take_part(x, q, part);
		else if (i > 0)
			op_apply(r->op, r->type, left, part, x->recv, r->count);
		left = i > 0 ? x->recv : part;
	}
	if (r && x->n == 1)
		copy_bytes(x->recv, left, x->length);
	if (others == comm->size - 1)
		d->all_done = d->epoch - 1;
	return 0;
}

INLINE int exchange(struct mrt_comm *comm, struct direct *d,
		    const struct exchange *x)
{
	bool long_one = x->bytes > DIRECT_WIDE;
	unsigned k = 0;
	int rc = 0;

	if (long_one)
		rc = direct_take_slices(comm, d, x->bytes, x->put, &k);
	else if (x->bytes > DIRECT_LINE)
		rc = direct_map(comm, d);
	if (!rc && x->put)
		rc = line_enter(comm, d);
	else
		d->epoch++;
	if (rc)
		return rc;
	if (x->put) {
		copy_out(payload(comm, d, x, k, comm->rank), x->put,
			 x->blocks ? x->blocks[comm->rank].count : x->bytes);
		line_publish(d, line_at(comm, d, comm->rank), d->epoch,
			     x->call);
	}
	/* then take_all need not wait; who takes nothing may be ahead */
	if (x->way == ALL_TO_ALL && x->n && x->bytes <= DIRECT_WIDE &&
	    comm->size <= DIRECT_FLAT)
		rc = direct_wait_all(comm, d, x->call);
	rc = rc ? rc : take_all(comm, d, x, k);
	if (long_one)
		direct_mark_slices(d, k);
	line_leave(comm, d);
	return rc;
}

int direct_exchange(struct mrt_comm *comm, struct direct *d,
		    const struct exchange *x)
{
	return x->bytes > DIRECT_SLICE ? direct_exchange_long(comm, d, x)
				       : exchange(comm, d, x);
}

/* ---- From and to a root -------------------------------------------------- */

int direct_bcast(struct mrt_comm *comm, struct direct *d, void *buf,
		 size_t bytes, int root)
{
	bool mine = comm->rank == root;
	struct exchange x = {
	    .call = call_id(COLL_BCAST, bytes, root, NULL),
	    .put = mine ? buf : NULL,
	    .bytes = bytes,
	    .first = root,
	    .n = !mine,
	    .length = bytes,
	    .recv = buf,
	    .way = FROM_ROOT,
	};

	return bytes > DIRECT_SLICE ? direct_exchange_long(comm, d, &x)
				    : exchange(comm, d, &x);
}

/* Copies the part of a rank's data that stays with it. */
static void copy_own(void *dst, const void *src, size_t bytes)
{
	if (dst != src)
		copy_bytes(dst, src, bytes);
}

int direct_gather(struct mrt_comm *comm, struct direct *d, const void *send,
		  size_t bytes, void *recv, int root)
{
	bool mine = comm->rank == root;
	struct exchange x = {
	    .call = call_id(COLL_GATHER, bytes, root, NULL),
	    .put = mine ? NULL : send,
	    .bytes = bytes,
	    .first = root + 1,
	    .n = mine ? comm->size - 1 : 0,
	    .length = bytes,
	    .recv = recv,
	    .stride = bytes,
	};

	if (mine)
		copy_own((char *)recv + (size_t)root * bytes, send, bytes);
	return direct_exchange(comm, d, &x);
}

int direct_scatter(struct mrt_comm *comm, struct direct *d, const void *send,
		   size_t bytes, void *recv, int root)
{
	bool mine = comm->rank == root;
	size_t at = (size_t)comm->rank * bytes;
	struct exchange x = {
	    .call = call_id(COLL_SCATTER, bytes, root, NULL),
	    .put = mine ? send : NULL,
	    .bytes = bytes * (size_t)comm->size,
	    .first = root,
	    .n = !mine,
	    .offset = at,
	    .length = bytes,
	    .recv = recv,
	    .way = FROM_ROOT,
	};

	if (bytes >= SCATTER_READ && comm->size > 3)
		return direct_read(comm, d, &x);
	if (mine)
		copy_own(recv, (const char *)send + at, bytes);
	return direct_exchange(comm, d, &x);
}

/* ---- From all to all ----------------------------------------------------- */

int direct_allgather(struct mrt_comm *comm, struct direct *d, const void *send,
		     size_t bytes, void *recv)
{
	struct exchange x = {
	    .call = call_id(COLL_ALLGATHER, bytes, 0, NULL),
	    .put = send,
	    .bytes = bytes,
	    .first = comm->rank + 1,
	    .n = comm->size - 1,
	    .length = bytes,
	    .recv = recv,
	    .stride = bytes,
	    .way = ALL_TO_ALL,
	};

	copy_own((char *)recv + (size_t)comm->rank * bytes, send, bytes);
	return direct_exchange(comm, d, &x);
}

size_t direct_longest(const struct mrt_comm *comm, const struct block *blocks)
{
	size_t longest = 0;

	for (int q = 0; q < comm->size; q++)
		if (blocks[q].count > longest)
			longest = blocks[q].count;
	return longest;
}

int direct_allgatherv(struct mrt_comm *comm, struct direct *d, const void *send,
		      void *recv, const struct block *blocks)
{
	const struct block *own = &blocks[comm->rank];
	size_t longest = direct_longest(comm, blocks);
	struct exchange x = {
	    .call = call_id(COLL_ALLGATHERV, longest, 0, NULL),
	    /* all have something to write, be it nothing */
	    .put = own->count ? send : "",
	    .bytes = longest,
	    .first = comm->rank + 1,
	    .n = comm->size - 1,
	    .length = longest,
	    .recv = recv,
	    .blocks = blocks,
	    .way = ALL_TO_ALL,
	};

	if (own->count)
		copy_own((char *)recv + own->at, send, own->count);
	return direct_exchange(comm, d, &x);
}

int direct_alltoall(struct mrt_comm *comm, struct direct *d, const void *send,
		    size_t bytes, void *recv)
{
	size_t at = (size_t)comm->rank * bytes;
	struct exchange x = {
	    .call = call_id(COLL_ALLTOALL, bytes, 0, NULL),
	    .put = send,
	    .bytes = bytes * (size_t)comm->size,
	    .first = comm->rank + 1,
	    .n = comm->size - 1,
	    .offset = at,
	    .length = bytes,
	    .recv = recv,
	    .stride = bytes,
	    .way = ALL_TO_ALL,
	};

	copy_own((char *)recv + at, (const char *)send + at, bytes);
	return direct_exchange(comm, d, &x);
}
