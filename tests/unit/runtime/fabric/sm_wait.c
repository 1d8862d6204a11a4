/* SPDX-License-Identifier: Apache-2.0 */
/* sm_wait.c: who publishes a flag wakes all ranks that are armed, whatever
 * their slot, and touches no other card; a rank leaves no bit behind. */
#include "runtime/fabric/sm/sm.h"

#include "tests/tap.h"

enum { SLOTS = 70, CARDS = 128 };

static struct sm_header seg;
static struct sm_card cards[CARDS];
static struct sm ranks[SLOTS];

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
		n += __builtin_popcountll(seg.sleepers[w]);
	return n;
}

static void test_wake(const char *how)
{
	for (int s = 1; s < SLOTS; s += 4)
		sm_arm(&ranks[s].base);
	ok(asleep() > SLOTS / 8, "%s: ranks of all words are armed", how);
	sm_notify_all(&ranks[0].base);
	is_int(asleep(), 0, "%s: one wakes all of them", how);
	for (int s = 1; s < SLOTS; s += 4)
		sm_disarm(&ranks[s].base);
	is_int(bits(), 0, "%s: no bit is left", how);
}

static void test_woken_again(void)
{
	sm_arm(&ranks[3].base);
	sm_notify_all(&ranks[0].base);
	sm_wait(&ranks[3].base, 1);
	sm_arm(&ranks[3].base);
	sm_notify_all(&ranks[69].base);
	is_int(asleep(), 0, "a rank that sleeps again is woken again");
	sm_disarm(&ranks[3].base);
}

static void test_spoiled(void)
{
	for (int s = 0; s < CARDS; s++)
		cards[s].asleep = 1;
	for (int w = 0; w < CARDS / 64; w++)
		seg.sleepers[w] = UINT64_MAX;
	sm_notify_all(&ranks[0].base);
	is_int(asleep(), CARDS - SLOTS, "a bit of no rank touches no card");
}

int main(void)
{
	begin(true);
	test_wake("with membarrier");
	begin(false);
	test_wake("without");
	test_woken_again();
	test_spoiled();
	return tap_done();
}
