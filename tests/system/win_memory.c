/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_memory.c prints what a window costs rank 1 of the heap of malloc: idle,
 * and for each peer that it then uses:
 *
 *   win_memory       created 4330 allocated 4370 dynamic 4320 used 56
 */
#include <malloc.h>

#include "tests/system/api.h"

int me, np, api_failures;

enum { N = 40 };

static struct mrt_win *wins[N];

/* 0: not known */
static size_t allocated(void)
{
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 33)
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
#else
	return 0;
#endif
}

static void make(enum mrt_win_flavor flavor, struct mrt_win **win)
{
	static char mem[64];
	void *base;

	if (flavor == MRT_WIN_CREATE)
		mrt_win_create(mem, sizeof(mem), 1, W, win);
	else if (flavor == MRT_WIN_ALLOCATE)
		mrt_win_allocate(sizeof(mem), 1, W, &base, win);
	else
		mrt_win_create_dynamic(W, win);
}

/* Returns what one of N windows costs; twice, since the first ones fill pools
 * that stay. */
static size_t cost(enum mrt_win_flavor flavor)
{
	size_t before, after = 0;

	for (int round = 0; round < 2; round++) {
		before = allocated();
		for (int k = 0; k < N; k++)
			make(flavor, &wins[k]);
		after = allocated() - before;
		for (int k = 0; k < N; k++)
			mrt_win_free(&wins[k]);
	}
	return after / N;
}

static size_t cost_of_peers(void)
{
	size_t before, after;

	for (int k = 0; k < N; k++)
		make(MRT_WIN_ALLOCATE, &wins[k]);
	before = allocated();
	for (int k = 0; k < N; k++) {
		mrt_win_lock_all(0, wins[k]);
		mrt_win_unlock_all(wins[k]);
	}
	after = allocated() - before;
	for (int k = 0; k < N; k++)
		mrt_win_free(&wins[k]);
	return after / (N * (size_t)np);
}

int main(int argc, char **argv)
{
	size_t costs[4];

	mrt_init(&argc, &argv);
	me = mrt_rank(W);
	np = mrt_size(W);
	costs[0] = cost(MRT_WIN_CREATE);
	costs[1] = cost(MRT_WIN_ALLOCATE);
	costs[2] = cost(MRT_WIN_DYNAMIC);
	costs[3] = cost_of_peers();
	if (me == 1 && allocated())
		printf("created %zu allocated %zu dynamic %zu used %zu\n",
		       costs[0], costs[1], costs[2], costs[3]);
	return mrt_finalize();
}
