/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_lock.c: the lock of shared_lock.h by the device's atomics, in windows
 * whose accumulates are the device's: no rank's CPU changes its words, not even
 * the owner's. A turn that has not come is asked for again and again, since
 * nothing tells a rank elsewhere that a word has changed. A rank that draws the
 * ticket after that of its last exclusive lock, which it has given back, knows
 * without asking that all before are done.
 */
#include <stddef.h>

#include "rma/device.h"
#include "runtime/base/clock.h"
#include "runtime/base/hang.h"
#include "runtime/engine/wait.h"

#define NO_TICKET UINT64_MAX
#define WORD(name) offsetof(struct shared_lock, name)

/* Completes what is under way on a rank. */
static int complete(struct mrt_win *w, int rank)
{
	WAIT(wait, wait_text, "the lock of a window");
	int rc = 0;

	while (w->peers[rank].pending && !rc)
		rc = wait_poll(&wait);
	return rc ? rc : win_complete(w, rank);
}

/* Asks for the word that shows whose turn it is, until it is this ticket's. To
 * ask is progress, and so no wait that a report of hanging ranks would show. */
static int await_turn(struct mrt_win *w, int rank, size_t word)
{
	const uint64_t note_ns = HANG_NOTE_MS * 1000000ull;
	uint64_t began = clock_ns(), noted = began, now;
	int rc = 0;

	while (!rc && w->turn != w->ticket) {
		rc = win_device_add(w, rank, word, 0, &w->turn);
		if (!rc)
			rc = complete(w, rank);
		now = clock_ns();
		if (now - noted <= note_ns)
			continue;
		noted = now;
		hang_note("the lock of a window", began, now);
	}
	if (noted != began)
		hang_clear(began);
	return rc;
}

int win_device_lock(struct mrt_win *w, int rank, bool exclusive)
{
	size_t word = exclusive ? WORD(writer) : WORD(reader);
	struct win_lock_place *lock = &w->locks[rank];
	int rc = win_device_add(w, rank, WORD(tickets), 1, &w->ticket);

	/* mostly the turn has come, but if others lock, too, only the word says
	 * so: it is asked for at once */
	w->turn = NO_TICKET;
	if (!rc && lock->others)
		rc = win_device_add(w, rank, word, 0, &w->turn);
	if (!rc)
		rc = complete(w, rank);
	if (rc)
		return rc;
	lock->others = w->ticket != lock->next;
	lock->next = exclusive ? w->ticket + 1 : NO_TICKET;
	if (lock->others)
		rc = await_turn(w, rank, word);
	if (!rc && !exclusive) /* lets the next reader in */
		rc = win_device_add(w, rank, WORD(reader), 1, NULL);
	return rc;
}

int win_device_unlock(struct mrt_win *w, int rank, bool exclusive)
{
	int rc = 0;

	if (exclusive)
		rc = win_device_add(w, rank, WORD(reader), 1, NULL);
	return rc ? rc : win_device_add(w, rank, WORD(writer), 1, NULL);
}
