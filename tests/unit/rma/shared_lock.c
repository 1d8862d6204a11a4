/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared_lock.c tests rma/shared_lock.h: the order of turns, halves of the word
 * that are full, and threads that read and write (also built with TSan, make
 * check-threads).
 */
#include "rma/shared_lock.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "tests/tap.h"

enum { THREADS = 3, ROUNDS = 5000 };

static struct shared_lock lock;
static long pair[2]; /* writers keep both alike */

/* Frees the lock as it is after so many tickets. */
static void start_at(uint32_t tickets)
{
	lock = (struct shared_lock){.tickets = tickets,
				    .turns = (uint64_t)tickets << 32 | tickets};
}

static void test_turns(uint32_t first, const char *name)
{
	uint32_t write, read[2], last;

	start_at(first);
	write = shared_lock_ticket(&lock);
	read[0] = shared_lock_ticket(&lock);
	read[1] = shared_lock_ticket(&lock);
	last = shared_lock_ticket(&lock);
	ok(!shared_lock_has(&lock, read[0], false), "%s: no reader first",
	   name);
	ok(shared_lock_has(&lock, write, true), "%s: the writer", name);
	ok(!shared_lock_has(&lock, read[0], false), "%s: no reader beside it",
	   name);
	shared_lock_release(&lock, true);
	ok(!shared_lock_has(&lock, read[1], false),
	   "%s: no reader before its turn", name);
	ok(shared_lock_has(&lock, read[0], false) &&
	       shared_lock_has(&lock, read[1], false),
	   "%s: two readers at once", name);
	shared_lock_release(&lock, false);
	ok(!shared_lock_has(&lock, last, true), "%s: no writer beside one",
	   name);
	shared_lock_release(&lock, false);
	ok(shared_lock_has(&lock, last, true), "%s: the last writer", name);
	shared_lock_release(&lock, true);
	is_int(lock.turns, (uint64_t)(first + 4) << 32 | (uint32_t)(first + 4),
	       "%s: all turns are over", name);
}

/* Takes turns as reader and writer; returns how often a pair was torn. */
static void *use(void *arg)
{
	unsigned seed = *(const unsigned *)arg;
	long torn = 0;

	for (int k = 0; k < ROUNDS; k++) {
		bool exclusive = (seed = seed * 1103515245 + 12345) >> 30 == 0;
		uint32_t ticket = shared_lock_ticket(&lock);

		while (!shared_lock_has(&lock, ticket, exclusive))
			sched_yield();
		torn += pair[0] != pair[1];
		if (exclusive)
			pair[0]++;
		if (k % 8 == 0)
			sched_yield();
		if (exclusive)
			pair[1]++;
		shared_lock_release(&lock, exclusive);
	}
	return (void *)torn;
}

static void test_threads(uint32_t first)
{
	unsigned seed[THREADS];
	pthread_t thread[THREADS];
	long torn = 0;

	start_at(first);
	for (unsigned t = 0; t < THREADS; t++) {
		seed[t] = 7 * t + 1;
		pthread_create(&thread[t], NULL, use, &seed[t]);
	}
	for (int t = 0; t < THREADS; t++) {
		void *result;

		pthread_join(thread[t], &result);
		torn += (long)result;
	}
	is_int(torn, 0, "from ticket %u: nobody is beside a writer", first);
	is_int(shared_lock_ticket(&lock), first + THREADS * ROUNDS,
	       "from ticket %u: all came in", first);
}

int main(void)
{
	alarm(60); /* a lock that is lost is waited for */
	test_turns(0, "new");
	for (uint32_t before = 1; before <= 4; before++)
		test_turns(0 - before, "full");
	test_threads(0);
	test_threads(0 - (uint32_t)(THREADS * ROUNDS / 2));
	return tap_done();
}
