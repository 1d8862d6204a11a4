/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.c: the protocol of collectives in shared memory.
 *
 * Every collective takes one epoch (an allreduce two; long ones as many for
 * each segment), in the same order on all ranks. In epoch e rank r writes at
 * most lines[e % SLOTS][r], first the data, then the epoch; the others wait
 * until it reads e. A rank that needs nothing more of epoch e stores e into
 * done[r].
 *
 * A line is free again when every rank has done the epoch that used it, SLOTS
 * ago: that is how far a root of bcasts may run ahead. A rank that has seen all
 * ranks enter epoch e knows that they have done e - 1 (`all_done`), so barriers
 * and allreduces never read the done lines.
 *
 * Up to DIRECT_FLAT ranks every rank reads every line; above, lines go up a
 * tree and rank 0 releases all through one line. Payloads longer than a line
 * lie in buffers of the region, which the lines guard in the same way: up to
 * DIRECT_WIDE bytes there is a place for each line, and longer ones take
 * slices.
 *
 * tests/models/direct.pml is this protocol: a change here is a change there.
 */
#include "coll/node/direct.h"

#include <string.h>

#include "coll/node/direct_line.h"
#include "coll/plan/rules.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"

enum { FAN = 8 }; /* children in the tree */

int direct_ensure_done(const struct mrt_comm *comm, struct direct *d,
		       uint64_t epoch)
{
	uint64_t least = UINT64_MAX;

	if (__builtin_expect(d->all_done >= epoch, 1))
		return 0;
	for (int r = 0; r < comm->size; r++) {
		uint64_t seen = d->epoch - 1; /* true of this rank, at least */

		if (r != comm->rank) {
			int rc = wait_for_line(d, &d->done[r], epoch,
					       DIRECT_EARLIER);

			if (rc)
				return rc;
			/* acquire: as in reached; it may have grown
			 * meanwhile */
			seen = atomic_load_explicit(&d->done[r].epoch,
						    memory_order_acquire);
		}
		least = seen < least ? seen : least;
	}
	d->all_done = least;
	return 0;
}

/* ---- Waiting for everybody ---------------------------------------------- */

/* The ranks that may wait for this CPU come first. When all of them are here,
 * they wait as this rank does, and a yield to them would only take time. */
int direct_wait_all(const struct mrt_comm *comm, struct direct *d,
		    uint32_t call)
{
	int rc = 0;

	for (uint32_t same_cpu = d->same_cpu; same_cpu && !rc;
	     same_cpu &= same_cpu - 1)
		rc = wait_for_rank(comm, d, __builtin_ctz(same_cpu), call);
	for (int r = 0; r < comm->size && !rc; r++) {
		if (r == comm->rank || d->same_cpu >> r & 1)
			continue;
		line_spin(line_at(comm, d, r), d->epoch);
		rc = wait_for_rank(comm, d, r, call);
	}
	if (!rc)
		d->all_done = d->epoch - 1;
	return rc;
}

int direct_tree(const struct mrt_comm *comm, struct direct *d, uint32_t call,
		const struct direct_reduce *r)
{
	struct line *mine = line_at(comm, d, comm->rank);
	struct line *release = release_at(d);
	int rc = 0, first = comm->rank * FAN + 1;

	for (int c = first; c < first + FAN && c < comm->size && !rc; c++) {
		rc = wait_for_rank(comm, d, c, call);
		if (!rc && r)
			op_apply(r->op, r->type, mine->data,
				 line_at(comm, d, c)->data, mine->data,
				 r->count);
	}
	if (rc) {
		/* all have to learn of it */
		if (rc == MRT_ERR_COLLECTIVE && !d->broken)
			line_publish(d, comm->rank ? mine : release, d->epoch,
				     DIRECT_NO_CALL);
		return rc;
	}
	if (comm->rank == 0) {
		memcpy(release->data, mine->data, sizeof(mine->data));
		line_publish(d, release, d->epoch, call);
	} else {
		line_publish(d, mine, d->epoch, call);
		rc = wait_for_line(d, release, d->epoch, call);
		if (!rc && release->call != call)
			rc = direct_differ(comm, d, release, 0);
	}
	if (!rc)
		d->all_done = d->epoch - 1;
	return rc;
}

/* Enters an epoch and waits until all ranks have; the caller leaves it. */
static int enter_with_all(const struct mrt_comm *comm, struct direct *d,
			  uint32_t call)
{
	int rc = line_enter(comm, d);

	if (rc)
		return rc;
	if (comm->size > DIRECT_FLAT)
		return direct_tree(comm, d, call, NULL);
	line_publish(d, line_at(comm, d, comm->rank), d->epoch, call);
	return direct_wait_all(comm, d, call);
}

int direct_barrier(struct mrt_comm *comm, struct direct *d)
{
	uint32_t call = call_id(COLL_BARRIER, 0, 0, NULL);
	int rc = enter_with_all(comm, d, call);

	line_leave(comm, d);
	return rc;
}

/* ---- Buffers ------------------------------------------------------------ */

int direct_map(const struct mrt_comm *comm, struct direct *d)
{
	if (d->wide)
		return 0;
	return direct_use(comm, d, proc.node->ops->bulk(proc.node));
}

int direct_use(const struct mrt_comm *comm, struct direct *d, char *memory)
{
	size_t wide = d->slots * (size_t)comm->size * DIRECT_WIDE;

	d->wide = memory;
	/* the others, who wait for this rank, know nothing of it */
	if (!d->wide)
		return fault_raise_text(MRT_ERR_NO_MEM,
					"no memory for the buffers of "
					"collectives in shared memory");
	d->started_wide = d->wide + wide;
	d->buffers = d->started_wide + wide;
	return 0;
}

char *direct_buffer(const struct direct *d, unsigned k, int rank)
{
	return d->buffers + k * d->slice_step + (size_t)rank * d->rank_step;
}

/* Lays payloads of many ranks one behind the other; with few ranks each has its
 * slices together, so that the segments of a long bcast are one stream, which
 * takes a tenth less time with two. */
static void lay_out(const struct mrt_comm *comm, struct direct *d, size_t bytes)
{
	if (comm->size > DIRECT_FLAT) {
		d->slice_step = (size_t)comm->size * DIRECT_SLICE;
		d->rank_step = direct_step(bytes);
	} else {
		d->slice_step = DIRECT_SLICE;
		d->rank_step = d->slices * (size_t)DIRECT_SLICE;
	}
}

/* Begins with the first slice again. To touch a slice for the first time takes
 * ten times as long as to copy into it later. So the first calls use as many as
 * two payloads need, which become more by and by, until ranks can be ahead of
 * others by all that there are. */
static void begin_round(struct direct *d, unsigned n)
{
	enum { ROUNDS = 4 };

	d->next_slice = 0;
	if (d->open_slices < 2 * n)
		d->open_slices = 2 * n;
	else if (++d->rounds % ROUNDS == 0)
		d->open_slices *= 2;
	if (d->open_slices > d->slices)
		d->open_slices = d->slices;
}

int direct_take_slices(const struct mrt_comm *comm, struct direct *d,
		       size_t bytes, bool write, unsigned *first)
{
	unsigned n = (unsigned)((bytes + DIRECT_SLICE - 1) / DIRECT_SLICE);
	uint64_t latest = 0;
	int rc = direct_map(comm, d);
	unsigned k;

	if (rc)
		return rc;
	if (d->next_slice + n > d->open_slices)
		begin_round(d, n);
	k = d->next_slice;
	lay_out(comm, d, bytes);
	*first = k;
	d->next_slice = k + n;
	if (!write)
		return 0;
	for (unsigned i = k; i < k + n; i++)
		latest = d->used[i] > latest ? d->used[i] : latest;
	return direct_ensure_done(comm, d, latest);
}

void direct_mark_slices(struct direct *d, unsigned first)
{
	for (unsigned i = first; i < d->next_slice; i++)
		d->used[i] = d->epoch;
}

/* ---- Limits ------------------------------------------------------------- */

static size_t limit_of(const struct mrt_comm *comm, enum collective collective,
		       bool buffers)
{
	/* measured: two copies through the buffers beat one by the kernel and
	 * the messages for it */
	static const size_t limits[COLLECTIVES] = {
	    /* missing ones never go this way */
	    [COLL_BARRIER] = 1,
	    [COLL_BCAST] = SIZE_MAX,
	    [COLL_REDUCE] = SIZE_MAX,
	    [COLL_ALLREDUCE] = SIZE_MAX,
	    [COLL_GATHER] = SIZE_MAX,
	    /* the choice must not depend on lengths */
	    [COLL_GATHERV] = SIZE_MAX,
	    [COLL_SCATTER] = SIZE_MAX,
	    [COLL_ALLGATHER] = SIZE_MAX,
	    [COLL_ALLGATHERV] = SIZE_MAX,
	    [COLL_ALLTOALL] = SIZE_MAX,
	    [COLL_REDUCE_SCATTER_BLOCK] = SIZE_MAX,
	    [COLL_REDUCE_SCATTER] = DIRECT_SLICE,
	    [COLL_SCAN] = SIZE_MAX,
	    [COLL_EXSCAN] = SIZE_MAX,
	};
	size_t most = limits[collective];

	if (!buffers && most > DIRECT_LINE)
		most = collective == COLL_GATHERV ? 0 : DIRECT_LINE;
	/* messages between two ranks take less time */
	if (collective == COLL_ALLGATHERV && comm->size == 2)
		return 0;
	/* a rank writes a block for each */
	if (rules[collective].send.holds == HOLDS_EACH)
		most /= (size_t)comm->size;
	return most;
}

size_t direct_max(const struct mrt_comm *comm, const struct direct *d,
		  enum collective collective)
{
	return d->lines ? limit_of(comm, collective, d->slices) : 0;
}

size_t direct_widest(const struct mrt_comm *comm, enum collective collective)
{
	return limit_of(comm, collective, true);
}

void direct_set_limits(const struct mrt_comm *comm, struct direct *d)
{
	for (int k = 0; k < COLLECTIVES; k++) {
		d->max[k] = direct_max(comm, d, k);
		d->sizes[k] = d->max[k] ? select_free_sizes(k, comm->size) : 0;
		d->short_max[k] = 0;
		while (d->short_max[k] < DIRECT_LINE &&
		       is_direct(d, k, d->short_max[k] + 1))
			d->short_max[k]++;
	}
	d->short_max[COLL_BARRIER] = is_direct(d, COLL_BARRIER, 0);
	/* the short cuts do not compare calls, as MRT_CHECK demands */
	if (env.check)
		memset(d->short_max, 0, sizeof(d->short_max));
}
