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

#include "runtime/fabric/sm/sm_wait.h"

static long wait_membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0);
}

static bool membarrier_register(void)
{
	return wait_membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) == 0;
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

static void set_bit(_Atomic uint64_t *words, int slot)
{
	/* relaxed: the membarrier or fence in sm_arm orders it */
	atomic_fetch_or_explicit(&words[slot / 64], 1ull << (slot % 64),
				 memory_order_relaxed);
}

static void clear_bit(_Atomic uint64_t *words, int slot)
{
	/* relaxed: a late wake-up does no harm */
	atomic_fetch_and_explicit(&words[slot / 64], ~(1ull << (slot % 64)),
				  memory_order_relaxed);
}

/* Returns the name that all ranks have for an address in the segment. */
static uint64_t offset_of(const struct sm *sm, const void *flags)
{
	return (uint64_t)((const char *)flags - (const char *)sm->seg);
}

void sm_disarm(struct fab *fab)
{
	struct sm *sm = (struct sm *)fab;

	/* relaxed: a late wake-up does no harm */
	atomic_store_explicit(&sm->card->asleep, 0, memory_order_relaxed);
	clear_bit(sm->seg->sleepers, sm->slot);
	if (sm->flags_armed)
		clear_bit(sm->seg->flag_sleepers, sm->slot);
	sm->flags_armed = false;
}

static bool waits_for(const struct sm_card *card, uint64_t flags)
{
	/* relaxed: like the bit that leads here */
	return atomic_load_explicit(&card->flags, memory_order_relaxed) ==
	       flags;
}

/* Whether the rank is still armed, by a sleep that nobody has ended. Peers have
 * seen that since its membarrier, and need no other. */
static bool is_armed(const struct sm *sm, const void *flags)
{
	return atomic_load_explicit(&sm->card->asleep, memory_order_relaxed) &&
	       sm->flags_armed == !!flags &&
	       (!flags || waits_for(sm->card, offset_of(sm, flags)));
}

void sm_arm(struct fab *fab, const void *flags)
{
	struct sm *sm = (struct sm *)fab;

	if (is_armed(sm, flags))
		return;
	sm_disarm(fab);
	sm->flags_armed = flags;
	/* relaxed: the membarrier or fence below orders all of them */
	atomic_store_explicit(&sm->card->asleep, 1, memory_order_relaxed);
	set_bit(sm->seg->sleepers, sm->slot);
	if (flags) {
		atomic_store_explicit(&sm->card->flags, offset_of(sm, flags),
				      memory_order_relaxed);
		set_bit(sm->seg->flag_sleepers, sm->slot);
	}
	/* seq_cst: pairs with the fence in sm_notify. The peer sees us asleep,
	 * or the progress that follows sees its line */
	if (!sm->membarrier ||
	    wait_membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0)
		atomic_thread_fence(memory_order_seq_cst);
}

void sm_wait(struct fab *fab, unsigned timeout_us)
{
	sm_sleep(&((struct sm *)fab)->card->asleep, 1, timeout_us);
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

static inline uint64_t wait_sleepers(const _Atomic uint64_t *words, int word)
{
	/* relaxed: ordered by sm_order, as in sm_notify */
	return atomic_load_explicit(&words[word], memory_order_relaxed);
}

static __attribute__((noinline)) void
wake_sleepers(struct sm *sm, const _Atomic uint64_t *words, const void *flags)
{
	uint64_t offset = flags ? offset_of(sm, flags) : 0;

	for (int w = 0; w * 64 < sm->slots; w++)
		for (uint64_t bits = wait_sleepers(words, w); bits;
		     bits &= bits - 1) {
			int slot = w * 64 + __builtin_ctzll(bits);

			/* a peer may have set any bit */
			if (slot < sm->slots &&
			    (!flags || waits_for(&sm->cards[slot], offset)))
				sm_notify(sm, &sm->cards[slot]);
		}
}

/* Reads a word for 64 ranks as long as nobody sleeps. */
void sm_notify_flags(struct fab_node *node, const void *flags)
{
	struct sm *sm = sm_of_node(node);
	const _Atomic uint64_t *words =
	    flags ? sm->seg->flag_sleepers : sm->seg->sleepers;

	sm_order(sm);
	for (int w = 0; w * 64 < sm->slots; w++)
		if (__builtin_expect(wait_sleepers(words, w) != 0, 0)) {
			wake_sleepers(sm, words, flags);
			return;
		}
}
