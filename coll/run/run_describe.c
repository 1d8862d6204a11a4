/* SPDX-License-Identifier: Apache-2.0 */
/* run_describe.c: describes which collective a run is and whose messages it
 * waits for. */
#include <stdio.h>

#include "coll/run/run_state.h"
#include "coll/call/check.h"

enum { NAMED = 4 }; /* ranks that are named; the others are only counted */

static bool is_send(unsigned kind)
{
	return kind == STEP_SEND;
}

static bool is_receive(unsigned kind)
{
	return kind == STEP_RECV || kind == STEP_RECV_REDUCE ||
	       step_is_load(kind);
}

static bool is_pending(const struct run *run, uint32_t step)
{
	uint32_t k = run->index[step];

	if (run->waits[step])
		return false;
	return step_is_load(run->plan.steps[step].kind)
		   ? run->loads[k].load.waits
		   : !run->message[k].req.complete;
}

/* Writes the peers of the steps that have begun, as in " 1, 2 and 3 more".
 * Returns the length of the text, 0 if there are none. */
static int list_peers(const struct run *run, bool (*wanted)(unsigned kind),
		      char *text, size_t len)
{
	int n = 0, peers = 0;

	for (uint32_t i = 0; i < run->plan.nsteps; i++) {
		if (!wanted(run->plan.steps[i].kind) || !is_pending(run, i))
			continue;
		if (peers++ >= NAMED || (size_t)n + 32 > len)
			continue;
		n += snprintf(
		    text + n, len - (size_t)n, "%s %d", peers > 1 ? "," : "",
		    comm_world_rank(run->comm, run->plan.steps[i].peer));
	}
	if (peers > NAMED && (size_t)n < len)
		n += snprintf(text + n, len - (size_t)n, " and %d more",
			      peers - NAMED);
	return n;
}

void run_describe(const struct mrt_request *req, char *text, size_t len)
{
	const struct run *run = (const struct run *)req;
	char from[96] = "", to[96] = "";
	int receives, sends;

	if (run->check) {
		check_describe_wait(run->check, text, len);
		return;
	}
	if (run->started) {
		snprintf(text, len, "mrt_%s of %d ranks: rank %d",
			 coll_tables[run->collective].name, run->comm->size,
			 direct_started_peer(run->started));
		return;
	}
	receives = list_peers(run, is_receive, from, sizeof(from));
	sends = list_peers(run, is_send, to, sizeof(to));
	snprintf(text, len, "mrt_%s of %d ranks:%s%s%s%s%s",
		 coll_tables[run->collective].name, run->comm->size,
		 receives ? " messages from rank" : "", from,
		 sends ? " messages to be taken by rank" : "", to,
		 receives || sends ? "" : " other ranks");
}

int run_describe_wait(const struct wait *w, char *text, size_t len)
{
	run_describe(w->what, text, len);
	return -1;
}
