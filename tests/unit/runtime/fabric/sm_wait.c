/* SPDX-License-Identifier: Apache-2.0 */
/* sm_wait.c: who publishes flags wakes the ranks that are armed for them, or
 * all that are armed, whatever their slot, and touches no other card; a rank
 * leaves no bit behind, and interrupts the CPUs of others once for a sleep that
 * nobody ends (with the linker's --wrap). */
#include "runtime/fabric/sm/sm_wait.h"

#include <sys/syscall.h>

#include "tests/tap.h"

enum { SLOTS = 70, CARDS = 128 };

static struct sm_header seg;
static struct sm_card cards[CARDS];
static struct sm ranks[SLOTS];
/* any addresses will do */
static const char flags[3][64];

static int membarriers;

long __wrap_syscall(long number, long a, long b, long c, long d, long e,
		    long f);
long __real_syscall(long number, long a, long b, long c, long d, long e,
		    long f);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	membarriers += number == SYS_membarrier;
	return __real_syscall(number, a, b, c, d, e, f);
}

static void begin(bool membarrier)
{
	for (int s = 0; s < SLOTS; s++) {
		struct sm *sm = &ranks[s];

		sm->seg = &seg;
		sm->cards = cards;
		sm->card = &cards[s];
		sm->slot = s;
		sm->slots = SLOTS;
		if (membarrier)
			sm_wait_init(sm);
		else
			sm->membarrier = false;
	}
}

static int asleep(void)
{
	int n = 0;

	for (int s = 0; s < CARDS; s++)
		n += cards[s].asleep != 0;
	return n;
}

static int bits(void)
{
	int n = 0;

	for (int w = 0; w < CARDS / 64; w++)
		n += __builtin_popcountll(seg.sleepers[w]) +
		     __builtin_popcountll(seg.flag_sleepers[w]);
	return n;
}

static void test_wake(const char *how)
{
	for (int s = 1; s < SLOTS; s += 4)
		sm_arm(&ranks[s].base, s % 3 ? flags[s % 3] : NULL);
	ok(asleep() > SLOTS / 8, "%s: ranks of all words are armed", how);
	sm_notify_flags(&ranks[0].node, NULL);
	is_int(asleep(), 0, "%s: one wakes all of them", how);
	for (int s = 1; s < SLOTS; s += 4)
		sm_disarm(&ranks[s].base);
	is_int(bits(), 0, "%s: no bit is left", how);
}

static void test_flags(void)
{
	sm_arm(&ranks[2].base, NULL);
	sm_arm(&ranks[3].base, flags[1]);
	sm_arm(&ranks[68].base, flags[2]);
	sm_arm(&ranks[69].base, flags[1]);
	sm_notify_flags(&ranks[0].node, flags[1]);
	ok(!cards[3].asleep && !cards[69].asleep,
	   "ranks that wait for these flags are woken");
	ok(cards[2].asleep && cards[68].asleep, "and no others");
	sm_disarm(&ranks[3].base);
	sm_arm(&ranks[3].base, flags[2]);
	sm_notify_flags(&ranks[0].node, flags[1]);
	ok(cards[3].asleep,
	   "a rank waits for the flags of its last sleep only");
	sm_notify_flags(&ranks[0].node, flags[2]);
	is_int(asleep(), 1, "which wake it");
	for (int s = 0; s < SLOTS; s++)
		sm_disarm(&ranks[s].base);
	is_int(bits(), 0, "no bit is left");
}

static void test_woken_again(void)
{
	sm_arm(&ranks[3].base, NULL);
	sm_notify_flags(&ranks[0].node, NULL);
	sm_wait(&ranks[3].base, 1);
	sm_arm(&ranks[3].base, NULL);
	sm_notify_flags(&ranks[69].node, NULL);
	is_int(asleep(), 0, "a rank that sleeps again is woken again");
	sm_disarm(&ranks[3].base);
}

/* Returns the membarriers of ten short sleeps. */
static int interrupts(const void *for_flags)
{
	int before = membarriers;

	for (int k = 0; k < 10; k++) {
		sm_arm(&ranks[5].base, for_flags);
		sm_wait(&ranks[5].base, 1);
	}
	return membarriers - before;
}

static void test_interrupts(void)
{
	begin(true);
	if (!ranks[5].membarrier) {
		ok(true, "# SKIP no membarrier");
		return;
	}
	is_int(interrupts(NULL), 1, "sleeps that nobody ends: one interrupt");
	is_int(interrupts(NULL), 0, "and none while that goes on");
	is_int(interrupts(flags[1]), 1, "for flags: one");
	is_int(interrupts(flags[2]), 1, "for others: one more");
	sm_notify_flags(&ranks[0].node, flags[2]);
	is_int(interrupts(flags[2]), 1, "after it was woken: one");
	sm_disarm(&ranks[5].base);
	is_int(interrupts(NULL), 1, "after it has stopped to wait: one");
	sm_disarm(&ranks[5].base);
	is_int(bits(), 0, "no bit is left");
}

static void test_spoiled(void)
{
	for (int s = 0; s < CARDS; s++)
		cards[s].asleep = 1;
	for (int w = 0; w < CARDS / 64; w++)
		seg.sleepers[w] = seg.flag_sleepers[w] = UINT64_MAX;
	sm_notify_flags(&ranks[0].node, flags[0]);
	is_int(asleep(), CARDS, "a bit of no rank touches no card");
	sm_notify_flags(&ranks[0].node, NULL);
	is_int(asleep(), CARDS - SLOTS, "nor does it when all are woken");
}

int main(void)
{
	begin(true);
	test_wake("with membarrier");
	begin(false);
	test_wake("without");
	test_flags();
	test_woken_again();
	test_interrupts();
	test_spoiled();
	return tap_done();
}
