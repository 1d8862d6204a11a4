/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c: finds messages without receiving them. */
#include <stdio.h>

#include "p2p/args.h"
#include "p2p/describe.h"
#include "p2p/match.h"
#include "p2p/p2p.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

bool p2p_peek(int source, int tag, uint32_t context, struct mrt_status *status)
{
	struct unexpected *u = match_find(context, source, tag);

	if (!u)
		return false;
	status->source = u->source;
	status->tag = u->tag;
	status->bytes = u->bytes;
	status->error = status->cancelled = 0;
	return true;
}

struct unexpected *p2p_take(int source, int tag, uint32_t context)
{
	struct unexpected *u = match_find(context, source, tag);

	if (u)
		match_take(u);
	return u;
}

struct probed {
	int peer, tag;
	uint32_t context;
};

static int probe_describe(const struct wait *w, char *text, size_t len)
{
	const struct probed *p = w->what;
	int n = snprintf(text, len, "mrt_probe: ");

	describe_receive(p->peer, p->tag, p->context, text + n,
			 len - (size_t)n);
	return describe_needed(p->peer);
}

int probe_find(const struct args *a, int tag, bool blocking, int *found,
	       struct mrt_status *status)
{
	struct probed probed = {a->peer, tag, a->comm->context};
	WAIT(w, probe_describe, &probed);
	int rc = 0;

	*found = p2p_peek(a->peer, tag, a->comm->context, status);
	while (!*found && !rc) {
		if (blocking)
			rc = wait_poll(&w);
		else if (!wait_test())
			return progress_fault();
		*found = p2p_peek(a->peer, tag, a->comm->context, status);
		if (!blocking)
			break;
	}
	return *found ? 0 : rc;
}

static int probe(const struct args *a, int tag, bool blocking, int *found,
		 struct mrt_status *status)
{
	struct mrt_status here;
	int rc;

	if (a->peer == MRT_PROC_NULL) {
		*found = 1;
		if (status)
			status_empty(status, MRT_PROC_NULL);
		return 0;
	}
	rc = probe_find(a, tag, blocking, found, &here);
	if (*found && status) {
		status_localise(&here, a->comm);
		status_out(status, &here);
	}
	return rc;
}

int mrt_probe(int source, int tag, struct mrt_comm *comm,
	      struct mrt_status *status)
{
	struct args a;
	int found, rc = proc_enter("mrt_probe");

	if (!rc) {
		rc = args_recv(&a, NULL, 0, MRT_BYTE, source, tag, comm)
			 ?: probe(&a, tag, true, &found, status);
		proc_leave();
	}
	return comm_result(comm, "mrt_probe", rc);
}

int mrt_iprobe(int source, int tag, struct mrt_comm *comm, int *flag,
	       struct mrt_status *status)
{
	struct args a;
	int rc = proc_enter("mrt_iprobe");

	if (!rc) {
		rc = flag ? args_recv(&a, NULL, 0, MRT_BYTE, source, tag, comm)
			  : proc_fail(MRT_ERR_ARG, "flag is NULL");
		if (!rc)
			rc = probe(&a, tag, false, flag, status);
		proc_leave();
	}
	return comm_result(comm, "mrt_iprobe", rc);
}
