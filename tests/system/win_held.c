/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_held.c: rank 2 holds the lock of rank 0's part of a window, for which all
 * others wait: the first half for writing, one for all parts, the rest for
 * reading.
 *
 *   win_held pause|exit DIR   rank 2 makes DIR/up, then waits for a signal, or
 *                             exits as soon as DIR/now exists
 */
#include <fcntl.h>
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;

static void hold(const char *how, const char *dir)
{
	char up[512], now[512];

	snprintf(up, sizeof(up), "%s/up", dir);
	snprintf(now, sizeof(now), "%s/now", dir);
	if (creat(up, 0600) < 0)
		perror(up);
	while (!strcmp(how, "pause"))
		pause();
	while (access(now, F_OK))
		usleep(1000);
	_exit(0);
}

int main(int argc, char **argv)
{
	struct mrt_win *win;
	void *mem;

	mrt_init(&argc, &argv);
	me = mrt_rank(W);
	np = mrt_size(W);
	mrt_win_allocate(64, 1, W, &mem, &win);
	if (argc < 3)
		mrt_abort(W, 64);
	if (me == 2)
		mrt_win_lock(1, 0, 0, win);
	mrt_barrier(W);
	if (me == 2)
		hold(argv[1], argv[2]);
	else if (me == 3)
		mrt_win_lock_all(0, win);
	else
		mrt_win_lock(me < np / 2, 0, 0, win);
	fprintf(stderr, "rank %d has got a lock that rank 2 holds\n", me);
	return 1;
}
