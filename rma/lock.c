/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock.c: passive targets. A rank takes the lock beside the memory of a rank of
 * its node itself; on other nodes the target takes it on its behalf, unless the
 * device does (device_lock.c). All wait for the same tickets. mrt_win_lock_all
 * locks the ranks of the node at once, since this rank may then load and store
 * in their memory, and the others when it first needs them.
 */
#include "rma/device.h"

#include "runtime/engine/wait.h"

void win_release(struct shared_lock *lock, bool exclusive)
{
	shared_lock_release(lock, exclusive);
	node_notify(proc.node, NULL);
}

/* Waits for a lock that is mapped here. */
static int take_here(struct mrt_win *w, struct win_peer *p, bool exclusive)
{
	bool granted = false;
	struct win_turn turn = {.lock = p->lock,
				.ticket = shared_lock_ticket(p->lock),
				.exclusive = exclusive,
				.granted = &granted};
	WAIT(wait, wait_text, "the lock of a window");
	int rc = 0;

	if (shared_lock_has(turn.lock, turn.ticket, exclusive))
		return 0;
	win_await_turn(w, &turn);
	while (!granted && !rc)
		rc = wait_poll(&wait);
	if (rc)
		list_remove(&turn.link);
	return rc;
}

/* Asks the target, whose answer completes an operation. */
static int lock_ask(struct mrt_win *w, int rank, enum message_kind kind,
		    bool exclusive)
{
	struct win_op *op = win_op_begin(w, rank);
	int rc;

	if (!op)
		return MRT_ERR_NO_MEM;
	rc = win_request_lock(op, kind, exclusive);
	win_op_end(op, rc);
	return rc;
}

static int take_there(struct mrt_win *w, int rank, bool exclusive)
{
	int rc = lock_ask(w, rank, MESSAGE_LOCK, exclusive);

	return rc ? rc : win_complete(w, rank);
}

static int lock_take(struct mrt_win *w, int rank, enum lock_kind kind)
{
	struct win_peer *p = win_peer(w, rank);
	bool exclusive = kind == LOCK_EXCLUSIVE;
	int rc;

	if (!p)
		return MRT_ERR_NO_MEM;
	if (w->loop)
		rc = win_device_lock(w, rank, exclusive);
	else if (p->lock)
		rc = take_here(w, p, exclusive);
	else
		rc = take_there(w, rank, exclusive);
	if (!rc)
		p->locked = (uint8_t)kind;
	return rc;
}

/* Completes the operations on a rank and releases its lock; a rank elsewhere is
 * told, and its answer not awaited. An operation's error does not keep the
 * lock. */
static int lock_give(struct mrt_win *w, int rank)
{
	struct win_peer *p = win_peer_used(w, rank);
	bool exclusive = p->locked == LOCK_EXCLUSIVE;
	int rc = win_complete(w, rank), failed = 0;

	if (w->loop)
		failed = win_device_unlock(w, rank, exclusive);
	else if (p->lock)
		win_release(p->lock, exclusive);
	else
		failed = lock_ask(w, rank, MESSAGE_UNLOCK, exclusive);
	p->locked = LOCK_NONE;
	return rc ? rc : failed;
}

static const char *name_of(enum epoch epoch)
{
	static const char *const names[] = {
	    [EPOCH_NONE] =
		("no epoch is open: see mrt_win_fence, mrt_win_start and "
		 "mrt_win_lock"),
	    [EPOCH_FENCE] = "the epoch is that of mrt_win_fence",
	    [EPOCH_START] = "the epoch is that of mrt_win_start",
	    [EPOCH_LOCK] = "ranks are locked by mrt_win_lock",
	    [EPOCH_LOCK_ALL] = "the epoch is that of mrt_win_lock_all"};

	return names[epoch];
}

static int wrong_epoch(const struct mrt_win *w)
{
	return proc_fail(MRT_ERR_EPOCH, "%s", name_of(w->epoch));
}

int win_enter(struct mrt_win *w, const struct win_peer *p)
{
	if (win_is_entered(w, p))
		return 0;
	switch (w->epoch) {
	case EPOCH_START:
		return proc_fail(MRT_ERR_EPOCH,
				 "rank %d is not in the group of mrt_win_start",
				 p->rank);
	case EPOCH_LOCK:
		return proc_fail(MRT_ERR_EPOCH, "rank %d is not locked",
				 p->rank);
	case EPOCH_LOCK_ALL:
		return lock_take(w, p->rank, LOCK_SHARED);
	default:
		return wrong_epoch(w);
	}
}

/* ---- Calls --------------------------------------------------------------- */

static int check_rank(const struct mrt_win *w, int rank)
{
	return rank >= 0 && rank < w->comm->size
		   ? 0
		   : proc_fail(MRT_ERR_RANK, "rank %d of a window of %d", rank,
			       w->comm->size);
}

static bool is_locked(const struct mrt_win *w, int rank)
{
	const struct win_peer *p = win_peer_used(w, rank);

	return p && p->locked;
}

static int lock(struct mrt_win *w, int exclusive, int rank)
{
	int rc = check_rank(w, rank);

	if (rc)
		return rc;
	if (w->epoch == EPOCH_START || w->epoch == EPOCH_LOCK_ALL)
		return wrong_epoch(w);
	if (is_locked(w, rank))
		return proc_fail(MRT_ERR_EPOCH, "rank %d is locked already",
				 rank);
	rc = lock_take(w, rank, exclusive ? LOCK_EXCLUSIVE : LOCK_SHARED);
	if (rc)
		return rc;
	w->epoch = EPOCH_LOCK;
	w->nlocks++;
	return 0;
}

static int lock_unlock(struct mrt_win *w, int rank)
{
	int rc = check_rank(w, rank);

	if (rc)
		return rc;
	if (w->epoch != EPOCH_LOCK)
		return wrong_epoch(w);
	if (!is_locked(w, rank))
		return proc_fail(MRT_ERR_EPOCH, "rank %d is not locked", rank);
	rc = lock_give(w, rank);
	if (--w->nlocks == 0)
		w->epoch = EPOCH_NONE;
	return rc;
}

static int lock_all(struct mrt_win *w, int assertion)
{
	int rc = 0;

	if (w->epoch > EPOCH_FENCE)
		return wrong_epoch(w);
	w->unchecked = assertion & MRT_WIN_NOCHECK;
	for (int r = 0; r < w->comm->size && !rc && !w->unchecked; r++)
		if (win_is_near(w, r))
			rc = lock_take(w, r, LOCK_SHARED);
	w->epoch = EPOCH_LOCK_ALL;
	return rc;
}

static int unlock_all(struct mrt_win *w)
{
	int rc, failed;

	if (w->epoch != EPOCH_LOCK_ALL)
		return wrong_epoch(w);
	rc = win_complete(w, -1);
	for (int r = 0; r < w->comm->size; r++) {
		failed = is_locked(w, r) ? lock_give(w, r) : 0;
		rc = rc ? rc : failed;
	}
	w->epoch = EPOCH_NONE;
	return rc;
}

static int lock_flush(struct mrt_win *w, int rank)
{
	int rc = rank == MRT_ANY_SOURCE ? 0 : check_rank(w, rank);

	if (rc)
		return rc;
	if (w->epoch < EPOCH_LOCK)
		return wrong_epoch(w);
	if (rank == MRT_ANY_SOURCE)
		return win_complete(w, -1);
	if (w->epoch == EPOCH_LOCK && !is_locked(w, rank))
		return proc_fail(MRT_ERR_EPOCH, "rank %d is not locked", rank);
	return win_complete(w, rank);
}

int mrt_win_lock(int exclusive, int rank, int assertion, struct mrt_win *win)
{
	struct mrt_win *w;

	(void)assertion;
	return proc_result("mrt_win_lock",
			   win_begin(proc_enter("mrt_win_lock"), win, &w)
			       ?: proc_leave_with(lock(w, exclusive, rank)));
}

int mrt_win_unlock(int rank, struct mrt_win *win)
{
	struct mrt_win *w;

	return proc_result("mrt_win_unlock",
			   win_begin(proc_enter("mrt_win_unlock"), win, &w)
			       ?: proc_leave_with(lock_unlock(w, rank)));
}

int mrt_win_lock_all(int assertion, struct mrt_win *win)
{
	struct mrt_win *w;

	return proc_result("mrt_win_lock_all",
			   win_begin(proc_enter("mrt_win_lock_all"), win, &w)
			       ?: proc_leave_with(lock_all(w, assertion)));
}

int mrt_win_unlock_all(struct mrt_win *win)
{
	struct mrt_win *w;

	return proc_result("mrt_win_unlock_all",
			   win_begin(proc_enter("mrt_win_unlock_all"), win, &w)
			       ?: proc_leave_with(unlock_all(w)));
}

int mrt_win_flush(int rank, struct mrt_win *win)
{
	struct mrt_win *w;

	return proc_result("mrt_win_flush",
			   win_begin(proc_enter("mrt_win_flush"), win, &w)
			       ?: proc_leave_with(lock_flush(w, rank)));
}
