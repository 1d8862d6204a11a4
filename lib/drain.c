/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drain.c: the end of a job, also if its program has left requests behind: it
 * must not wait for what never comes. A rank may only stop waiting when it
 * knows that the others do nothing more, so all meet in a dissemination barrier
 * of log2(n) rounds of one message. Its messages have a context of their own,
 * since a collective that only some ranks have begun would count as this one.
 */
#include "lib/drain.h"

#include "coll/cells/cells.h"
#include "coll/call/coll_state.h"
#include "coll/run/coll.h"
#include "p2p/bsend.h"
#include "p2p/p2p.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

/* Long for messages under way, even on a busy machine. */
#define QUIET_NS 5000000000ull
#define MOST_NS 60000000000ull

static struct idle_timeout limit;

/* The barrier reduces these to the largest of each over all ranks. */
struct words {
	uint64_t want;
	uint64_t calls, no_calls; /* collectives on world; their complement, for
				     the least */
};

/* The number of barriers so far; a rank may be one ahead. */
static int meeting;

static void take_larger(uint64_t *word, uint64_t theirs)
{
	if (theirs > *word)
		*word = theirs;
}

static int round_with(int to, int from, int tag, struct words *words)
{
	WAIT(w, wait_text, "mrt_finalize: the other ranks");
	struct words theirs = {0};
	struct mrt_request recv;
	int rc;

	request_prepare(&recv, REQ_RECV);
	p2p_irecv(&recv, &theirs, sizeof(theirs), from, tag, CONTEXT_END);
	rc = p2p_send(words, sizeof(*words), to, tag, CONTEXT_END);
	while (!rc && !recv.complete)
		rc = wait_poll(&w);
	if (!recv.complete)
		p2p_abandon(&recv);
	else if (!rc)
		rc = recv.status.error;
	take_larger(&words->want, theirs.want);
	take_larger(&words->calls, theirs.calls);
	take_larger(&words->no_calls, theirs.no_calls);
	return rc;
}

/* Reduces words over all ranks. Some values are counted twice, which does not
 * change a maximum. */
static int drain_meet(struct words *words)
{
	int me = proc.job.rank, n = proc.job.size, rc = 0;

	for (int k = 0; 1 << k < n && !rc; k++)
		rc = round_with((me + (1 << k)) % n, (me - (1 << k) + n) % n,
				meeting * 32 + k, words);
	meeting++;
	return rc;
}

int drain_barrier(uint64_t *word)
{
	uint64_t calls = coll_calls(&comm_world);
	struct words words = {*word, calls, ~calls};
	int rc = drain_meet(&words);

	*word = words.want;
	if (!rc && meeting == 1 && calls == words.calls &&
	    calls != ~words.no_calls)
		log_warn("mrt_finalize: this rank has taken part in more "
			 "collectives of the world than another one: do all "
			 "pass the same counts? MRT_CHECK=1 says which differ");
	return rc;
}

int drain_requests(void)
{
	int rc;

	idle_timeout_begin(&limit, QUIET_NS, MOST_NS);
	rc = requests_drain(&limit);
	return rc ? rc : bsend_drain(NULL, &limit);
}

int drain_cells(void)
{
	struct cells *cells = comm_world.coll->cells;
	struct words words = {0};
	int rc = cells_drain_until(cells, &limit);

	return rc || !cells ? rc : drain_meet(&words);
}
