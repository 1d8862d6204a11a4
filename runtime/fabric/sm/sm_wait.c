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

	/* relaxed: the membarrier or fence below orders both */
	atomic_store_explicit(&sm->card->asleep, 1, memory_order_relaxed);
	atomic_fetch_or_explicit(&sm->seg->sleepers[sm->slot / 64],
				 1ull << (sm->slot % 64), memory_order_relaxed);
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
	atomic_fetch_and_explicit(&sm->seg->sleepers[sm->slot / 64],
				  ~(1ull << (sm->slot % 64)),
				  memory_order_relaxed);
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

static inline uint64_t sleepers(const struct sm *sm, int word)
{
	/* relaxed: ordered by sm_order, as in sm_notify */
	return atomic_load_explicit(&sm->seg->sleepers[word],
				    memory_order_relaxed);
}

static __attribute__((noinline)) void wake_sleepers(struct sm *sm)
{
	for (int w = 0; w * 64 < sm->slots; w++)
		for (uint64_t bits = sleepers(sm, w); bits; bits &= bits - 1) {
			int slot = w * 64 + __builtin_ctzll(bits);

			/* a peer may have set any bit */
			if (slot < sm->slots)
				sm_notify(sm, &sm->cards[slot]);
		}
}

/* Reads a word for 64 ranks as long as nobody sleeps. */
void sm_notify_all(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	sm_order(sm);
	for (int w = 0; w * 64 < sm->slots; w++)
		if (__builtin_expect(sleepers(sm, w) != 0, 0)) {
			wake_sleepers(sm);
			return;
		}
}
