/* SPDX-License-Identifier: Apache-2.0 */
/*
 * board_ahead.c: ranks that are ahead of others in calls on boards
 * (MRT_REDUCE=board). AHEAD short calls do not wait for a root that is late;
 * and whoever is ahead, in calls of all lengths, overwrites nothing that others
 * have yet to read.
 */
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;

enum { AHEAD = 8, ROUNDS = 200, LONGEST = 500000 };

static long in[LONGEST], out[LONGEST];

static void reduce(int round, size_t count)
{
	long sum = (long)np * round + np * (np - 1L) / 2;
	bool good = true;

	for (size_t i = 0; i < count; i++)
		in[i] = round + me + (long)i;
	OK(mrt_reduce(in, out, count, MRT_LONG, MRT_SUM, 0, W));
	for (size_t i = 0; i < count && me == 0; i++)
		good &= out[i] == sum + np * (long)i;
	CHECK(good);
}

static void test_short(void)
{
	OK(mrt_barrier(W));
	for (int r = 1; r < np && me == 0; r++)
		OK(mrt_recv(NULL, 0, MRT_BYTE, r, 0, W, MRT_STATUS_IGNORE));
	for (int i = 0; i < AHEAD; i++)
		reduce(i, 1);
	if (me)
		OK(mrt_send(NULL, 0, MRT_BYTE, 0, 0, W));
}

static void test_lengths(void)
{
	static const size_t counts[] = {1, 3, 40, 700, 30000, LONGEST};
	unsigned random = 1, late = 7 * (unsigned)me + 1;

	for (int round = 0; round < ROUNDS; round++) {
		random = random * 1103515245 + 12345;
		late = late * 1103515245 + 12345;
		if ((late >> 16) % 16 == 0)
			usleep(500);
		reduce(round, counts[(random >> 16) % 6]);
	}
	OK(mrt_barrier(W));
}

static const struct api_case cases[] = {
    {"eight short calls wait for nobody", test_short},
    {"short calls and long ones, by ranks that are late in turn", test_lengths},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	OK(mrt_init(&argc, &argv));
	me = mrt_rank(W);
	np = mrt_size(W);
	reduce(0, 1); /* makes the boards */
	api_run(cases);
	OK(mrt_finalize());
	return api_failures != 0;
}
