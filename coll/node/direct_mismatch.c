/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_mismatch.c: ranks that call different collectives in shared memory;
 * the protocol is in direct.c.
 *
 * A rank that reads a line with another call than its own has an error. If both
 * calls take one epoch, nothing more has to be done: all go on with the next
 * one. Otherwise the ranks are in different epochs from then on and would wait
 * for each other, so this rank breaks its part of the region: its lines get an
 * epoch that nobody waits for and a call that nobody makes, so that each rank
 * that still reads them has an error too, and breaks its own part.
 */
#include <string.h>

#include "coll/node/direct_line.h"

static void direct_mismatch_spoil(struct line *line)
{
	line->call = DIRECT_NO_CALL;
	/* release: pairs with reached */
	atomic_store_explicit(&line->epoch, UINT64_MAX, memory_order_release);
}

static void break_region(const struct mrt_comm *comm, struct direct *d)
{
	d->broken = true;
	for (unsigned s = 0; s < d->slots; s++) {
		direct_mismatch_spoil(&d->lines[(size_t)s * (size_t)comm->size +
						(size_t)comm->rank]);
		if (comm->rank == 0)
			direct_mismatch_spoil(&d->releases[s]);
	}
	/* leave stores it again */
	d->epoch = UINT64_MAX;
	line_leave(comm, d);
	line_notify(NULL);
	memset(d->short_max, 0, sizeof(d->short_max));
}

int direct_differ(const struct mrt_comm *comm, struct direct *d,
		  const struct line *line, int rank)
{
	/* relaxed: its value was there when the flag was seen */
	uint64_t epoch =
	    atomic_load_explicit(&line->epoch, memory_order_relaxed);
	const struct line *release = release_at(d);
	bool out_of_step =
	    epoch != d->epoch || line->several == (uint32_t)epoch || d->several;

	if (out_of_step && !d->broken)
		break_region(comm, d);
	return proc_fail(
	    MRT_ERR_COLLECTIVE,
	    "%s %d calls another collective, or with another count, type, "
	    "operation or root; MRT_CHECK=1 says which%s",
	    line == release ? "one of the ranks from" : "rank", rank,
	    out_of_step ? "; no more collectives of this communicator" : "");
}

int direct_refuse(const struct mrt_comm *comm, struct direct *d,
		  const void *put, int error)
{
	int rc = 0;

	if (put || d->broken || error != MRT_ERR_COLLECTIVE)
		return error;
	if (d->epoch > d->slots)
		rc = direct_ensure_done(comm, d, d->epoch - d->slots);
	if (rc)
		return rc;
	line_publish(d, line_at(comm, d, comm->rank), d->epoch, DIRECT_NO_CALL);
	return error;
}

int direct_wrong_length(int rank, size_t sent, size_t expected)
{
	return proc_fail(sent > expected ? MRT_ERR_TRUNCATE : MRT_ERR_ARG,
			 "rank %d sent %zu bytes, %zu expected: do all ranks "
			 "pass the same count, type and root?",
			 rank, sent, expected);
}

int direct_is_broken(void)
{
	return proc_fail(
	    MRT_ERR_COLLECTIVE,
	    "ranks disagreed on an earlier collective of this communicator");
}
