/* SPDX-License-Identifier: Apache-2.0 */
/*
 * absent.c: rank 0 puts into and gets from memory of rank 1, which most of the
 * time computes and is in the library in between, for a moment or until all is
 * done. Whatever rank 1 does not copy in time rank 0 copies itself, and what
 * rank 1 finds late must not change the memory any more. In the end rank 0
 * prints its counters. With an argument rank 1 first waits until it has copied
 * something, as it can if the ranks have CPUs of their own and may use CMA.
 */
#include <time.h>

#include "tests/system/api.h"

int me, np, api_failures;

enum {
	MEMORY = 1 << 20,
	TURNS = 10000,
	ROUNDS = 20,
	PUTS = 4,
	LATE_US = 300,
	LONG_US = 30000000
};

static char memory[MEMORY], mirror[MEMORY], got[MEMORY];
static struct mrt_win *win;
static unsigned state;

static size_t below(size_t n)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % n;
}

static size_t some_length(size_t most)
{
	static const size_t orders[] = {1, 64, 5000, 70000, MEMORY};
	size_t order = orders[below(5)];

	return 1 + below(order < most ? order : most);
}

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static struct mrt_target at(size_t offset, size_t bytes)
{
	return (struct mrt_target){1, (ptrdiff_t)offset, bytes, MRT_BYTE};
}

/* Puts into disjoint parts at once, one in each quarter of all but the last
 * byte. */
static void put_some(int turn)
{
	const size_t quarter = (MEMORY - 1) / PUTS;

	for (size_t k = 0; k < PUTS; k++) {
		size_t bytes = some_length(quarter);
		size_t offset = k * quarter + below(quarter - bytes + 1);
		struct mrt_target there = at(offset, bytes);

		memset(mirror + offset, turn + (int)k, bytes);
		mirror[offset] = (char)bytes;
		OK(mrt_put(mirror + offset, bytes, MRT_BYTE, &there, win,
			   NULL));
	}
	OK(mrt_win_flush(1, win));
}

static void get_some(void)
{
	size_t bytes = some_length(MEMORY), offset = below(MEMORY - bytes + 1);
	struct mrt_target there = at(offset, bytes);

	OK(mrt_get(got, bytes, MRT_BYTE, &there, win, NULL));
	OK(mrt_win_flush(1, win));
	CHECK(!memcmp(got, mirror + offset, bytes));
}

static void put_and_get(int turns)
{
	for (int turn = 0; turn < turns && !api_failures; turn++) {
		put_some(turn);
		get_some();
	}
}

static void compute(uint64_t us)
{
	uint64_t until = now_us() + us;

	while (now_us() < until)
		;
}

static void sends_mirror(void)
{
	OK(mrt_send(mirror, MEMORY, MRT_BYTE, 1, 0, W));
}

static void has_mirror(void)
{
	OK(mrt_recv(got, MEMORY, MRT_BYTE, 0, 0, W, MRT_STATUS_IGNORE));
	CHECK(!memcmp(got, memory, MEMORY));
}

/* Returns a counter of the fabric of this rank. */
static uint64_t counter(const char *name)
{
	static struct mrt_counter counters[500];
	int n = mrt_counters(counters, 500);

	for (int k = 0; k < n; k++)
		if (!strcmp(counters[k].group, "sm") &&
		    !strcmp(counters[k].name, name))
			return counters[k].value;
	return 0;
}

/* Rank 1 waits in the library until it has copied something, or for long. */
static void test_always(void)
{
	uint64_t end = now_us() + LONG_US;

	while (me == 0 && now_us() < end && !api_failures) {
		put_and_get(10);
		if (counter("relayed copies and atomics"))
			break;
	}
	OK(mrt_barrier(W));
}

/* Rank 1 computes and looks for messages in turn, until one has come. */
static void test_sometimes(void)
{
	int over = 0;

	if (me == 0) {
		put_and_get(TURNS);
		sends_mirror();
		return;
	}
	while (!over) {
		compute(below(LATE_US));
		for (size_t k = below(3000); k && !over; k--)
			OK(mrt_iprobe(0, 0, W, &over, MRT_STATUS_IGNORE));
	}
	has_mirror();
}

/* Rank 1 waits outside of the library for what rank 0 writes last. */
static void test_never(void)
{
	const volatile char *last = memory + MEMORY - 1;
	struct mrt_target there = at(MEMORY - 1, 1);

	for (int round = 1; round <= ROUNDS; round++) {
		OK(mrt_barrier(W));
		if (me == 0) {
			put_and_get(TURNS / ROUNDS);
			mirror[MEMORY - 1] = (char)round;
			OK(mrt_put(&mirror[MEMORY - 1], 1, MRT_BYTE, &there,
				   win, NULL));
			OK(mrt_win_flush(1, win));
			sends_mirror();
			continue;
		}
		while (*last != round)
			compute(10);
		has_mirror();
	}
}

static void report(const char *name)
{
	printf("# %s: %llu\n", name, (unsigned long long)counter(name));
}

static const struct api_case always[] = {
    {"a target that waits in the library", test_always}, {NULL, NULL}};

static const struct api_case cases[] = {
    {"a target that is there now and then", test_sometimes},
    {"a target that is not there", test_never},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	OK(mrt_init(&argc, &argv));
	me = mrt_rank(W);
	np = mrt_size(W);
	state = (unsigned)(me + 1) * 7919;
	OK(mrt_win_create(memory, MEMORY, 1, W, &win));
	OK(mrt_win_lock_all(0, win));
	if (argc > 1)
		api_run(always);
	api_run(cases);
	if (me == 0) {
		report("CMA copies");
		report("relayed copies and atomics");
		report("copies not relayed in time");
	}
	OK(mrt_win_unlock_all(win));
	OK(mrt_win_free(&win));
	OK(mrt_finalize());
	return api_failures != 0;
}
