/* SPDX-License-Identifier: Apache-2.0 */
/* epoch.c: active targets: fences, and epochs of the ranks of a group, in which
 * each target says by an empty message that it is ready, and each origin that
 * it has finished. */
#include <stdlib.h>

#include "coll/call/check.h"
#include "coll/run/coll.h"
#include "p2p/group.h"
#include "p2p/p2p.h"
#include "p2p/wire.h"
#include "rma/conflict.h"
#include "runtime/engine/wait.h"

/* Messages on the communicator of the window. */
enum { TAG_POST = 1, TAG_COMPLETE = 2 };

static int epoch_fence(struct mrt_win *w, int assertion)
{
	int rc, failed, met = 0;

	if (w->epoch > EPOCH_FENCE || w->posted)
		return proc_fail(MRT_ERR_EPOCH,
				 "an epoch of locks or of a group is open");
	rc = check_call(w->comm, "mrt_win_fence", -1);
	if (!rc)
		met = win_check_epoch(w);
	failed = win_complete(w, -1);
	if (!rc)
		rc = coll_barrier(w->comm);
	if (rc)
		return rc;
	w->epoch = assertion & MRT_WIN_NOSUCCEED ? EPOCH_NONE : EPOCH_FENCE;
	return failed ?: met;
}

/* ---- Groups -------------------------------------------------------------- */

/* Stores the ranks of a group in ranks[group->size]. */
static int find_ranks(const struct mrt_win *w, const struct mrt_group *group,
		      int *ranks)
{
	for (int k = 0; k < group->size; k++) {
		ranks[k] = comm_rank_of(w->comm, group->world[k]);
		if (ranks[k] < 0)
			return proc_fail(MRT_ERR_GROUP,
					 "rank %d of the group is not in the "
					 "window",
					 k);
	}
	return 0;
}

/* Allocates *ranks for the group of a handle. */
static int list_ranks(const struct mrt_win *w, struct mrt_group *handle,
		      int **ranks, int *n)
{
	const struct mrt_group *group = group_get(handle);
	int rc;

	if (!group)
		return group_unknown(handle);
	*n = group->size;
	*ranks = malloc(((size_t)group->size + 1) * sizeof(**ranks));
	if (!*ranks)
		return proc_fail(MRT_ERR_NO_MEM, "a group of %d", group->size);
	rc = find_ranks(w, group, *ranks);
	if (rc) {
		free(*ranks);
		*ranks = NULL;
	}
	return rc;
}

static int epoch_tell(const struct mrt_win *w, int rank, int tag)
{
	return p2p_send(NULL, 0, comm_world_rank(w->comm, rank), tag,
			w->comm->context);
}

static int epoch_hear(const struct mrt_win *w, int rank, int tag)
{
	struct blocking_recv r = {
	    .hdr = wire_pack(WIRE_EAGER, w->comm->context, tag),
	    .peer = comm_world_rank(w->comm, rank)};

	return p2p_recv(&r);
}

/* Posts the receives of the messages that end the exposure, then tells the
 * origins. */
static int epoch_expose(struct mrt_win *w, const int *ranks, int n)
{
	int rc = 0;

	w->exposed = malloc(((size_t)n + 1) * sizeof(*w->exposed));
	if (!w->exposed)
		return proc_fail(MRT_ERR_NO_MEM, "a group of %d", n);
	w->nexposed = n;
	for (int k = 0; k < n; k++) {
		request_prepare(&w->exposed[k], REQ_RECV);
		p2p_irecv(&w->exposed[k], NULL, 0,
			  comm_world_rank(w->comm, ranks[k]), TAG_COMPLETE,
			  w->comm->context);
	}
	for (int k = 0; k < n && !rc; k++)
		rc = epoch_tell(w, ranks[k], TAG_POST);
	return rc;
}

static int epoch_post(struct mrt_win *w, struct mrt_group *group)
{
	int *ranks, n, rc;

	if (w->posted)
		return proc_fail(MRT_ERR_EPOCH,
				 "mrt_win_wait has not ended the exposure");
	rc = list_ranks(w, group, &ranks, &n);
	if (rc)
		return rc;
	w->posted = true;
	rc = epoch_expose(w, ranks, n);
	free(ranks);
	return rc;
}

static int epoch_start(struct mrt_win *w, struct mrt_group *group)
{
	int rc;

	if (w->epoch > EPOCH_FENCE)
		return proc_fail(MRT_ERR_EPOCH, "an epoch is open");
	rc = list_ranks(w, group, &w->started, &w->nstarted);
	for (int k = 0; k < w->nstarted && !rc; k++) {
		struct win_peer *p = win_peer(w, w->started[k]);

		rc = p ? epoch_hear(w, p->rank, TAG_POST) : MRT_ERR_NO_MEM;
		if (p)
			p->started = true;
	}
	if (!rc)
		w->epoch = EPOCH_START;
	return rc;
}

static int epoch_complete(struct mrt_win *w)
{
	int rc, failed = 0;

	if (w->epoch != EPOCH_START)
		return proc_fail(MRT_ERR_EPOCH, "no mrt_win_start before");
	rc = win_complete(w, -1);
	for (int k = 0; k < w->nstarted; k++) {
		win_peer_used(w, w->started[k])->started = false;
		if (!failed)
			failed = epoch_tell(w, w->started[k], TAG_COMPLETE);
	}
	free(w->started);
	w->started = NULL;
	w->nstarted = 0;
	w->epoch = EPOCH_NONE;
	return rc ? rc : failed;
}

/* Ends the exposure if all origins have finished; *flag tells. */
static int end_exposure(struct mrt_win *w, bool blocking, int *flag)
{
	int rc = 0;

	if (!w->posted)
		return proc_fail(MRT_ERR_EPOCH, "no mrt_win_post before");
	if (!flag)
		return proc_fail(MRT_ERR_ARG, "flag is NULL");
	if (!blocking)
		wait_test();
	*flag = 1;
	for (int k = 0; k < w->nexposed && !rc; k++) {
		if (blocking)
			rc = p2p_wait(&w->exposed[k]);
		*flag &= w->exposed[k].complete;
	}
	if (!*flag)
		return rc ? rc : progress_fault();
	free(w->exposed);
	w->exposed = NULL;
	w->nexposed = 0;
	w->posted = false;
	return rc;
}

/* ---- Calls --------------------------------------------------------------- */

int mrt_win_fence(int assertion, struct mrt_win *win)
{
	struct mrt_win *w;

	return proc_result("mrt_win_fence",
			   win_begin(proc_enter("mrt_win_fence"), win, &w)
			       ?: proc_leave_with(epoch_fence(w, assertion)));
}

int mrt_win_post(struct mrt_group *group, int assertion, struct mrt_win *win)
{
	struct mrt_win *w;

	(void)assertion;
	return proc_result("mrt_win_post",
			   win_begin(proc_enter("mrt_win_post"), win, &w)
			       ?: proc_leave_with(epoch_post(w, group)));
}

int mrt_win_start(struct mrt_group *group, int assertion, struct mrt_win *win)
{
	struct mrt_win *w;

	(void)assertion;
	return proc_result("mrt_win_start",
			   win_begin(proc_enter("mrt_win_start"), win, &w)
			       ?: proc_leave_with(epoch_start(w, group)));
}

int mrt_win_complete(struct mrt_win *win)
{
	struct mrt_win *w;

	return proc_result("mrt_win_complete",
			   win_begin(proc_enter("mrt_win_complete"), win, &w)
			       ?: proc_leave_with(epoch_complete(w)));
}

static int epoch_end(const char *call, bool blocking, int *flag,
		     struct mrt_win *win)
{
	struct mrt_win *w;

	return proc_result(
	    call, win_begin(proc_enter(call), win, &w)
		      ?: proc_leave_with(end_exposure(w, blocking, flag)));
}

int mrt_win_wait(struct mrt_win *win)
{
	return epoch_end("mrt_win_wait", true, &(int){0}, win);
}

int mrt_win_test(struct mrt_win *win, int *flag)
{
	return epoch_end("mrt_win_test", false, flag, win);
}

int mrt_win_sync(struct mrt_win *win)
{
	int rc = proc_enter("mrt_win_sync");

	if (!rc) {
		rc = win_get(win) ? 0 : MRT_ERR_WIN;
		wait_test();
		/* orders plain loads and stores with those of other ranks */
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		proc_leave();
	}
	return proc_result("mrt_win_sync", rc);
}
