/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settle.c: the end of a job, also of one whose program has left requests
 * behind: it must not wait for what never comes. A rank may only stop waiting
 * when it knows that the others do nothing more, so all meet: a dissemination
 * barrier in log2(n) rounds of one empty message. They are of a context that
 * has no others, since a collective that only some ranks have begun would
 * count as this one.
 */
#include "coll/settle.h"

#include "coll/cells.h"
#include "coll/coll.h"
#include "p2p/bsend.h"
#include "p2p/p2p.h"
#include "runtime/base/clock.h"
#include "runtime/proc.h"
#include "runtime/wait.h"

/* Long for messages that are under way, also on a busy machine. */
#define SETTLE_NS 5000000000ull

static uint64_t end; /* clock_ns */

static int round_with(int to, int from, int tag)
{
	WAIT(w, wait_text, "mrt_finalize: the other ranks");
	/* of a communicator of one rank: no messages go between ranks there */
	uint32_t context = comm_self.context | 1;
	struct mrt_request recv;
	int rc;

	request_prepare(&recv, REQ_RECV);
	p2p_irecv(&recv, NULL, 0, from, tag, context);
	rc = p2p_send(NULL, 0, to, tag, context);
	while (!rc && !recv.complete)
		rc = wait_poll(&w);
	if (!recv.complete)
		p2p_abandon(&recv);
	return rc;
}

static int meet(void)
{
	int me = proc.job.rank, n = proc.job.size, rc = 0;

	for (int k = 0; 1 << k < n && !rc; k++)
		rc = round_with((me + (1 << k)) % n, (me - (1 << k) + n) % n,
				k);
	return rc;
}

int settle_requests(void)
{
	int rc = meet();

	end = clock_ns() + SETTLE_NS;
	if (!rc)
		rc = requests_drain(end);
	return rc ? rc : bsend_drain_until(end);
}

int settle_cells(void)
{
	struct cells *cells = coll_cells(&comm_world);
	int rc = cells_drain_until(cells, end);

	return rc || !cells ? rc : meet();
}
