/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_held.c: rank 2 holds the lock of rank 0's part of a window, for which all
 * others wait: the first half for writing, one for all parts, the rest for
 * reading.
 *
 *   win_held pause|exit|update DIR
 *
 * Rank 2 makes DIR/up, then waits for a signal, or exits as soon as DIR/now
 * exists. update: it holds the lock of an accumulate instead, since it
 * accumulates from memory that cannot be read, and its signal handler waits;
 * the others accumulate in the same place.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;
static const char *how;
static char up[512], now[512];

static void hold(void)
{
	if (creat(up, 0600) < 0)
		perror(up);
	while (strcmp(how, "exit") != 0)
		pause();
	while (access(now, F_OK))
		usleep(1000);
	_exit(0);
}

static void in_update(int unused)
{
	(void)unused;
	hold();
}

static void update(struct mrt_win *win)
{
	static const double one = 1;
	const struct mrt_target target = {.count = 1, .type = MRT_DOUBLE};
	const void *from = &one;

	if (me == 2) {
		from = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
		signal(SIGSEGV, in_update);
	}
	while (me != 2 && access(up, F_OK))
		usleep(1000);
	mrt_win_lock_all(0, win);
	mrt_accumulate(from, 1, MRT_DOUBLE, &target, MRT_SUM, win, NULL);
}

static void lock(struct mrt_win *win)
{
	if (me == 2)
		mrt_win_lock(1, 0, 0, win);
	mrt_barrier(W);
	if (me == 2)
		hold();
	else if (me == 3)
		mrt_win_lock_all(0, win);
	else
		mrt_win_lock(me < np / 2, 0, 0, win);
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
	how = argv[1];
	snprintf(up, sizeof(up), "%s/up", argv[2]);
	snprintf(now, sizeof(now), "%s/now", argv[2]);
	(strcmp(how, "update") ? lock : update)(win);
	fprintf(stderr, "rank %d has got a lock that rank 2 holds\n", me);
	return 1;
}
