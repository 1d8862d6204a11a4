/* SPDX-License-Identifier: Apache-2.0 */
/* sm_wait.c: sleeps until a peer wakes this rank. The sender's data path has no
 * fence: the sleeper, which has time, issues membarrier(GLOBAL_EXPEDITED),
 * which executes one on every CPU that runs a registered process. Where the
 * kernel refuses that, senders fence. */
#include <errno.h>
#include <limits.h>
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

static bool membarrier_register(void)
{
	return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
}

/* In a process with several threads the first registration waits for a grace
 * period of RCU, some 10 ms, and PMIx starts a thread. */
void sm_wait_prepare(void)
{
	membarrier_register();
}

void sm_wait_init(struct sm *sm)
{
	sm->membarrier = membarrier_register();
}

void sm_sleep(_Atomic uint32_t *word, uint32_t value, unsigned timeout_us)
{
	struct timespec t = {timeout_us / 1000000,
			     (long)(timeout_us % 1000000) * 1000};

	syscall(SYS_futex, word, FUTEX_WAIT, value, &t, NULL, 0);
}

void sm_wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void sm_arm(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	/* relaxed: the membarrier or fence below orders it */
	atomic_store_explicit(&sm->card->asleep, 1, memory_order_relaxed);
	/* seq_cst: pairs with the fence in sm_notify. The peer sees us asleep,
	 * or the progress that follows sees its line */
	if (!sm->membarrier || membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0)
		atomic_thread_fence(memory_order_seq_cst);
}

void sm_disarm(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	/* relaxed: a late wake-up does no harm */
	atomic_store_explicit(&sm->card->asleep, 0, memory_order_relaxed);
}

void sm_wait(struct fab *fab, unsigned timeout_us)
{
	struct sm *sm = (struct sm *)fab;

	sm_sleep(&sm->card->asleep, 1, timeout_us);
	sm_disarm(fab);
}

void sm_ring_bell(struct sm_card *card)
{
	int saved = errno;

	/* relaxed: publishes nothing; sm_notify has ordered the line */
	if (atomic_exchange_explicit(&card->asleep, 0, memory_order_relaxed))
		syscall(SYS_futex, &card->asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
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
