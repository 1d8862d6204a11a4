/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_wait.c: sleeping until a peer rings. The sender's data path has no
 * fence: the sleeper, who has time, issues membarrier(GLOBAL_EXPEDITED),
 * which puts one on every CPU that runs a registered process. Where the
 * kernel refuses that, senders fence.
 */
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/fabric/sm/sm.h"

static long membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

void sm_wait_init(struct sm *sm)
{
	sm->membarrier =
	    membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
}

void sm_arm(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	atomic_store_explicit(&sm->card->asleep, 1, memory_order_relaxed);
	/* pairs with sm_notify: seen asleep, or the line is seen by the
	 * progress that follows */
	if (!sm->membarrier ||
	    membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0)
		atomic_thread_fence(memory_order_seq_cst);
}

void sm_disarm(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	atomic_store_explicit(&sm->card->asleep, 0, memory_order_relaxed);
}

void sm_wait(struct fab *fab, unsigned timeout_us)
{
	struct sm *sm = (struct sm *)fab;
	struct timespec t = {timeout_us / 1000000,
			     (long)(timeout_us % 1000000) * 1000};

	syscall(SYS_futex, &sm->card->asleep, FUTEX_WAIT, 1, &t, NULL, 0);
	sm_disarm(fab);
}

void sm_ring_bell(struct sm_card *card)
{
	int saved = errno;

	if (atomic_exchange_explicit(&card->asleep, 0, memory_order_relaxed))
		syscall(SYS_futex, &card->asleep, FUTEX_WAKE, 1, NULL, NULL,
			0);
	errno = saved;
}

void sm_wake(struct fab *fab)
{
	sm_ring_bell(((struct sm *)fab)->card);
}

void sm_notify_all(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	for (int s = 0; s < sm->slots; s++)
		sm_notify(sm, &sm->cards[s]);
}
