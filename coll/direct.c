/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.c: the protocol of collectives in shared memory.
 *
 * Every collective takes one epoch (long reductions two), in the same order on
 * all ranks. In epoch e rank r writes at most lines[e % SLOTS][r], data first,
 * the epoch last; the others wait until it reads e. When a rank needs nothing
 * more of epoch e it stores e into done[r].
 *
 * A line is free again when every rank has done the epoch that used it, SLOTS
 * ago: a root of bcasts may run ahead by so much. Having seen all ranks enter
 * epoch e, one knows that they have done e - 1 (`all_done`), so barriers and
 * allreduces never look at the done lines.
 *
 * Up to FLAT ranks everybody reads everybody's line; above, lines go up a tree
 * and rank 0 releases all through one line. Payloads above a line's lie in
 * buffers of the region, which the lines guard in the same way.
 */
#include "coll/direct.h"

#include <string.h>

#include "coll/direct_line.h"
#include "coll/plan.h"
#include "runtime/proc.h"
#include "runtime/wait.h"

enum {
	FLAT = 16,	/* ranks up to which everybody reads all lines */
	FAN = 8,	/* children in the tree */
	LOOKS = 2,	/* at a flag before pausing */
	ONE_PASS = 2048 /* bytes up to which every rank reduces all of it */
};

/* ---- Lines -------------------------------------------------------------- */

static inline struct line *line_at(const struct mrt_comm *comm,
				   const struct direct *d, int rank)
{
	return &d->lines[(d->epoch % DIRECT_SLOTS) * (size_t)comm->size +
			 (size_t)rank];
}

static inline struct line *release_at(const struct direct *d)
{
	return &d->releases[d->epoch % DIRECT_SLOTS];
}

/* A flag only grows while we wait for it. acquire: pairs with publish (data
 * of the line) and leave (reads of the others are over). */
static inline bool reached(const struct line *line, uint64_t epoch)
{
	return atomic_load_explicit(&line->epoch, memory_order_acquire) >=
	       epoch;
}

static int await_slowly(const struct line *line, uint64_t epoch)
{
	struct wait w = WAIT_INIT;

	while (!reached(line, epoch)) {
		int rc = wait_pause(&w);

		if (rc)
			return rc;
	}
	return 0;
}

static inline int await(const struct line *line, uint64_t epoch)
{
	for (int k = 0; k < LOOKS; k++)
		if (__builtin_expect(reached(line, epoch), 1))
			return 0;
	return await_slowly(line, epoch);
}

static inline void publish(struct line *line, uint64_t epoch, uint32_t call)
{
	line->call = call;
	/* release: pairs with reached; the data before the flag */
	atomic_store_explicit(&line->epoch, epoch, memory_order_release);
	if (proc.fab->ops->notify)
		proc.fab->ops->notify(proc.fab);
}

/* Makes sure that all ranks have done `epoch`. */
static int ensure_done(const struct mrt_comm *comm, struct direct *d,
		       uint64_t epoch)
{
	uint64_t least = UINT64_MAX;

	if (__builtin_expect(d->all_done >= epoch, 1))
		return 0;
	for (int r = 0; r < comm->size; r++) {
		uint64_t seen;
		int rc = r == comm->rank ? 0 : await(&d->done[r], epoch);

		if (rc)
			return rc;
		/* relaxed: the acquire that counts was in await; a larger
		 * value is only news for later */
		seen = r == comm->rank ? d->epoch - 1
				       : atomic_load_explicit(
					     &d->done[r].epoch,
					     memory_order_acquire);
		least = seen < least ? seen : least;
	}
	d->all_done = least;
	return 0;
}

/* Begins an epoch in which this rank writes its line. */
static inline int enter(const struct mrt_comm *comm, struct direct *d)
{
	uint64_t e = ++d->epoch;

	return e > DIRECT_SLOTS ? ensure_done(comm, d, e - DIRECT_SLOTS) : 0;
}

static inline void leave(const struct mrt_comm *comm, struct direct *d)
{
	/* release: pairs with reached in ensure_done; our reads of this
	 * epoch before its lines are written again */
	atomic_store_explicit(&d->done[comm->rank].epoch, d->epoch,
			      memory_order_release);
}

/* ---- What ranks call ---------------------------------------------------- */

/* A number that differs when ranks do not call the same collective with the
 * same arguments. Types do not matter to bcast. */
static inline uint32_t call_id(enum collective collective, size_t bytes,
			       int root, const struct direct_reduce *r)
{
	uint32_t what = r ? (uint32_t)(r->op->kernel + 1) << 5 | r->type->kind
			  : 0;

	return (uint32_t)collective | what << 2 | (uint32_t)bytes << 11 |
	       (uint32_t)root << 26;
}

static int __attribute__((noinline)) differ(int rank)
{
	return proc_fail(MRT_ERR_ARG,
			 "rank %d calls another collective, or with another "
			 "count, type, operation or root",
			 rank);
}

static inline int await_rank(const struct mrt_comm *comm,
			     const struct direct *d, int rank, uint32_t call,
			     int *bad)
{
	const struct line *line = line_at(comm, d, rank);
	int rc = await(line, d->epoch);

	if (__builtin_expect(!rc && line->call != call, 0))
		*bad = differ(rank);
	return rc;
}

/* ---- Waiting for everybody ---------------------------------------------- */

static int await_all(const struct mrt_comm *comm, struct direct *d,
		     uint32_t call)
{
	int rc = 0, bad = 0;

	for (int r = 0; r < comm->size && !rc; r++)
		if (r != comm->rank)
			rc = await_rank(comm, d, r, call, &bad);
	d->all_done = d->epoch - 1;
	return rc ? rc : bad;
}

/* Up the tree, reducing the lines' data on the way (r may be NULL), and down
 * again by the release line, which then holds the result. */
static int tree(const struct mrt_comm *comm, struct direct *d, uint32_t call,
		const struct direct_reduce *r)
{
	struct line *mine = line_at(comm, d, comm->rank);
	struct line *release = release_at(d);
	int rc = 0, bad = 0, first = comm->rank * FAN + 1;

	for (int c = first; c < first + FAN && c < comm->size && !rc; c++) {
		rc = await_rank(comm, d, c, call, &bad);
		if (!rc && r)
			op_apply(r->op, r->type, mine->data,
				 line_at(comm, d, c)->data, mine->data,
				 r->count);
	}
	if (rc)
		return rc;
	if (comm->rank == 0) {
		memcpy(release->data, mine->data, sizeof(mine->data));
		publish(release, d->epoch, call);
	} else {
		publish(mine, d->epoch, call);
		rc = await(release, d->epoch);
	}
	d->all_done = d->epoch - 1;
	return rc ? rc : bad;
}

/* Everybody has entered this epoch, which stays open: leave comes later. */
static int synchronise(const struct mrt_comm *comm, struct direct *d,
		       uint32_t call)
{
	int rc = enter(comm, d);

	if (rc)
		return rc;
	if (comm->size > FLAT)
		return tree(comm, d, call, NULL);
	publish(line_at(comm, d, comm->rank), d->epoch, call);
	return await_all(comm, d, call);
}

int direct_barrier(struct mrt_comm *comm, struct direct *d)
{
	int rc = synchronise(comm, d, call_id(COLL_BARRIER, 0, 0, NULL));

	leave(comm, d);
	return rc;
}

/* ---- Buffers ------------------------------------------------------------ */

/* From slice k on. */
static char *buffer(const struct mrt_comm *comm, const struct direct *d,
		    unsigned k, int rank)
{
	size_t slice = (size_t)rank * DIRECT_SLICES + k;

	return d->buffers + slice * DIRECT_SLICE;
}

/*
 * The next slices, the same on all ranks; waits until nobody reads them any
 * more if this rank writes them.
 */
static int take_slices(const struct mrt_comm *comm, struct direct *d,
		       size_t bytes, bool write, unsigned *first)
{
	unsigned n = (unsigned)((bytes + DIRECT_SLICE - 1) / DIRECT_SLICE);
	unsigned k = d->next_slice + n > DIRECT_SLICES ? 0 : d->next_slice;
	uint64_t latest = 0;

	*first = k;
	d->next_slice = k + n;
	if (!write)
		return 0;
	for (unsigned i = k; i < k + n; i++)
		latest = d->used[i] > latest ? d->used[i] : latest;
	return ensure_done(comm, d, latest);
}

/* This epoch is the last that uses them. */
static void mark_slices(struct direct *d, unsigned first)
{
	for (unsigned i = first; i < d->next_slice; i++)
		d->used[i] = d->epoch;
}

/* ---- Bcast -------------------------------------------------------------- */

int direct_bcast(struct mrt_comm *comm, struct direct *d, void *buf,
		 size_t bytes, int root)
{
	uint32_t call = call_id(COLL_BCAST, bytes, root, NULL);
	bool long_one = bytes > DIRECT_LINE, mine = comm->rank == root;
	struct line *line;
	int rc = 0, bad = 0;
	unsigned k = 0;
	char *data;

	if (long_one)
		rc = take_slices(comm, d, bytes, mine, &k);
	if (!rc && mine)
		rc = enter(comm, d);
	else
		d->epoch++;
	if (rc)
		return rc;
	line = line_at(comm, d, root);
	data = long_one ? buffer(comm, d, k, root) : line->data;
	if (mine) {
		memcpy(data, buf, bytes);
		publish(line, d->epoch, call);
	} else {
		rc = await_rank(comm, d, root, call, &bad);
		if (!rc && !bad)
			memcpy(buf, data, bytes);
	}
	if (long_one)
		mark_slices(d, k);
	leave(comm, d);
	return rc ? rc : bad;
}

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
	if (comm->size > FLAT) {
		rc = tree(comm, d, call, r);
		if (!rc)
			memcpy(r->recv, release_at(d)->data, bytes_of(r));
	} else {
		publish(mine, d->epoch, call);
		rc = await_all(comm, d, call);
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
		rc = await_all(comm, d, call);
		if (!rc)
			reduce_lines(comm, d, r);
	} else {
		publish(mine, d->epoch, call);
	}
	leave(comm, d);
	return rc;
}

/* ---- Reductions through the buffers ------------------------------------- */

/* Elements at .. at + count - 1 of all ranks' buffers, in the order of ranks,
 * into dst. */
static void reduce_buffers(const struct mrt_comm *comm, const struct direct *d,
			   const struct direct_reduce *r, unsigned k,
			   struct block b, void *dst)
{
	size_t at = b.at * r->type->size;

	op_apply(r->op, r->type, buffer(comm, d, k, 0) + at,
		 buffer(comm, d, k, 1) + at, dst, b.count);
	for (int q = 2; q < comm->size; q++)
		op_apply(r->op, r->type, dst, buffer(comm, d, k, q) + at, dst,
			 b.count);
}

/* Every rank of `all`, or the root, reduces everything. */
static int one_pass(struct mrt_comm *comm, struct direct *d,
		    const struct direct_reduce *r, unsigned k, int root,
		    uint32_t call)
{
	bool all = root < 0;
	int rc = enter(comm, d);

	if (rc)
		return rc;
	memcpy(buffer(comm, d, k, comm->rank), r->send, bytes_of(r));
	publish(line_at(comm, d, comm->rank), d->epoch, call);
	if (all || comm->rank == root) {
		rc = await_all(comm, d, call);
		if (!rc)
			reduce_buffers(comm, d, r, k,
				       (struct block){0, r->count}, r->recv);
	}
	leave(comm, d);
	return rc;
}

/* Every rank reduces its share into rank 0's buffer, then those who want the
 * result take it from there. */
static int two_passes(struct mrt_comm *comm, struct direct *d,
		      const struct direct_reduce *r, unsigned k, int root,
		      uint32_t call)
{
	struct block share = plan_block(r->count, comm->size, comm->rank);
	char *result = buffer(comm, d, k, 0);
	int rc, bad;

	memcpy(buffer(comm, d, k, comm->rank), r->send, bytes_of(r));
	bad = synchronise(comm, d, call);
	if (!bad)
		reduce_buffers(comm, d, r, k, share,
			       result + share.at * r->type->size);
	leave(comm, d);
	rc = synchronise(comm, d, call);
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
	bool once = bytes_of(r) <= ONE_PASS && comm->size <= FLAT;
	unsigned k;
	int rc = take_slices(comm, d, bytes_of(r), true, &k);

	if (rc)
		return rc;
	rc = once ? one_pass(comm, d, r, k, root, call)
		  : two_passes(comm, d, r, k, root, call);
	mark_slices(d, k);
	return rc;
}

int direct_allreduce(struct mrt_comm *comm, struct direct *d,
		     const struct direct_reduce *r)
{
	if (bytes_of(r) <= DIRECT_LINE)
		return allreduce_line(comm, d, r);
	return reduce_long(comm, d, r, -1);
}

int direct_reduce(struct mrt_comm *comm, struct direct *d,
		  const struct direct_reduce *r, int root)
{
	char unused[DIRECT_LINE] __attribute__((aligned(16)));
	struct direct_reduce all = *r;

	if (bytes_of(r) > DIRECT_LINE)
		return reduce_long(comm, d, r, root);
	if (comm->size <= FLAT)
		return reduce_line(comm, d, r, root);
	if (comm->rank != root)
		all.recv = unused;
	return allreduce_line(comm, d, &all);
}
