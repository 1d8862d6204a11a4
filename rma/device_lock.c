/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_lock.c: the lock of shared_lock.h by the device's atomics, in windows
 * whose accumulates are the device's: no rank's CPU changes its words, not even
 * the owner's. A turn that has not come is asked for again and again, since
 * nothing tells a rank elsewhere that a word has changed. A rank that draws the
 * ticket after that of its last exclusive lock, which it has given back, knows
 * without asking that all before are done: it takes and gives such a lock by an
 * atomic each.
 */
#include <stddef.h>

#include "rma/device.h"
#include "runtime/base/clock.h"
#include "runtime/base/hang.h"
#include "runtime/engine/wait.h"

#define NO_TICKET UINT64_MAX

/* Adds to `turns` of a rank's lock. */
static int add_turns(struct mrt_win *w, int rank, uint64_t add,
		     uint64_t *former)
{
	return win_device_add(w, rank, offsetof(struct shared_lock, turns), add,
			      former);
}

/* Completes what is under way on a rank. */
static int device_lock_complete(struct mrt_win *w, int rank)
{
	WAIT(wait, wait_text, "the lock of a window");
	int rc = 0;

	while (win_peer_used(w, rank)->pending && !rc)
		rc = wait_poll(&wait);
	return rc ? rc : win_complete(w, rank);
}

/* Waits for the turn of w->ticket; with `asked`, w->seen is known already. To
 * ask is progress, and so no wait that a report of hanging ranks would show. */
static int await_turn(struct mrt_win *w, int rank, bool exclusive, bool asked)
{
	const uint64_t note_ns = HANG_NOTE_MS * 1000000ull;
	uint64_t began = clock_ns(), noted = began, now;
	int rc = 0;

	while (!rc && !(asked && shared_lock_turn(w->seen, (uint32_t)w->ticket,
						  exclusive))) {
		asked = true;
		rc = add_turns(w, rank, 0, &w->seen)
			 ?: device_lock_complete(w, rank);
		now = clock_ns();
		if (now - noted <= note_ns)
			continue;
		noted = now;
		hang_note("the lock of a window", -1, began, now);
	}
	if (noted != began)
		hang_clear(began, true);
	return rc;
}

int win_device_lock(struct mrt_win *w, int rank, bool exclusive)
{
	struct win_peer *lock = win_peer_used(w, rank);
	/* mostly the turn has come, but if others lock, too, only the word says
	 * so: it is asked for at once */
	bool ask = lock->others;
	int rc = win_device_add(w, rank, offsetof(struct shared_lock, tickets),
				1, &w->ticket);
	uint32_t ticket;

	if (!rc && ask)
		rc = add_turns(w, rank, 0, &w->seen);
	if (!rc)
		rc = device_lock_complete(w, rank);
	if (rc)
		return rc;
	ticket = (uint32_t)w->ticket;
	lock->others = ticket != lock->next;
	lock->next = exclusive ? ticket + 1 : NO_TICKET;
	if (lock->others)
		rc = await_turn(w, rank, exclusive, ask);
	if (!rc && !exclusive)
		rc = add_turns(w, rank, shared_lock_read_on(ticket), NULL);
	return rc;
}

int win_device_unlock(struct mrt_win *w, int rank, bool exclusive)
{
	uint64_t add = SHARED_LOCK_DONE;

	if (exclusive)
		add += shared_lock_read_on(
		    (uint32_t)win_peer_used(w, rank)->next - 1);
	return add_turns(w, rank, add, NULL);
}
