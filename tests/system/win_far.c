/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_far.c tests operations on memory of the program itself, which ranks of
 * the node cannot map, but copy by the kernel: they need no call of the target,
 * and few system calls however many pieces there are.
 *
 *   win_far [denied|late]
 *
 * denied: the job may not copy, so that only the results count. late: ranks of
 * odd numbers may not, which they learn from their first copy.
 */
#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;
static bool copies; /* the kernel lets ranks copy from and to each other */
static bool denied; /* not this one */

/* ---- Counting ------------------------------------------------------------ */

static long calls; /* of the two functions below, which take libc's place */

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long nto,
			 const struct iovec *from, unsigned long nfrom,
			 unsigned long flags)
{
	calls++;
	errno = EPERM;
	return denied ? -1
		      : syscall(SYS_process_vm_readv, pid, to, nto, from, nfrom,
				flags);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *from,
			  unsigned long nfrom, const struct iovec *to,
			  unsigned long nto, unsigned long flags)
{
	calls++;
	errno = EPERM;
	return denied ? -1
		      : syscall(SYS_process_vm_writev, pid, from, nfrom, to,
				nto, flags);
}

/* ---- A target that calls nothing ----------------------------------------- */

struct words {
	int64_t sum, swapped, replaced, seen;
	double number;
	int32_t half, arrived;
};
#define AT(member) ((ptrdiff_t)offsetof(struct words, member))

enum { ROUNDS = 100 };

/* Adds five to a word by compare-and-swap. */
static void swap_up(struct mrt_win *win)
{
	int64_t expected, next, former = 0;

	do {
		expected = former;
		next = former + 5;
		OK(mrt_compare_swap(&next, &expected, &former, MRT_INT64, 0,
				    AT(swapped), win));
		OK(mrt_win_flush(0, win));
	} while (former != expected && !api_failures);
}

static void add(const void *value, ptrdiff_t disp, struct mrt_type *type,
		struct mrt_op *op, struct mrt_win *win)
{
	const struct mrt_target t = {0, disp, 1, type};

	OK(mrt_accumulate(value, 1, type, &t, op, win, NULL));
}

static void update(struct mrt_win *win)
{
	const struct mrt_target sum = {0, AT(sum), 1, MRT_INT64};
	const int64_t one = 1, two = 2;
	const double half = 0.5;
	const int32_t three = 3, arrived = 1;
	int64_t before, last = -1;

	for (int k = 0; k < ROUNDS; k++) {
		add(&one, AT(sum), MRT_INT64, MRT_SUM, win);
		OK(mrt_get_accumulate(&two, 1, MRT_INT64, &before, 1, MRT_INT64,
				      &sum, MRT_SUM, win, NULL));
		add(&half, AT(number), MRT_DOUBLE, MRT_SUM, win);
		add(&three, AT(half), MRT_INT32, MRT_SUM, win);
		add(&two, AT(replaced), MRT_INT64, MRT_REPLACE, win);
		swap_up(win);
		CHECK(before > last && before < ROUNDS * 3 * np);
		last = before;
	}
	add(&arrived, AT(arrived), MRT_INT32, MRT_SUM, win);
	OK(mrt_win_flush(0, win));
}

static void check(const struct words *w, int origins)
{
	CHECK(w->sum == ROUNDS * 3 * origins);
	CHECK(w->number == ROUNDS * 0.5 * origins);
	CHECK(w->half == ROUNDS * 3 * origins);
	CHECK(w->swapped == ROUNDS * 5 * origins);
	CHECK(w->replaced == (origins ? 2 : 0));
	CHECK(w->arrived == origins);
}

/* Rank 0 looks for the results without a call. */
static void passive(void)
{
	static struct words mem;
	const volatile struct words *seen = &mem;
	time_t limit = time(NULL) + 20;
	struct mrt_win *win;

	OK(mrt_win_create(&mem, sizeof(mem), 1, W, &win));
	OK(mrt_win_lock_all(0, win));
	OK(mrt_barrier(W));
	if (me)
		update(win);
	while (!me && copies && seen->arrived < np - 1 && time(NULL) < limit)
		;
	if (me == 0 && copies)
		CHECK(seen->arrived == np - 1);
	OK(mrt_barrier(W));
	if (me == 0)
		check(&mem, np - 1);
	OK(mrt_win_unlock_all(win));
	OK(mrt_win_free(&win));
}

/* The owner accumulates, too. */
static void together(void)
{
	static struct words mem;
	struct mrt_win *win;

	OK(mrt_win_create(&mem, sizeof(mem), 1, W, &win));
	OK(mrt_win_lock_all(0, win));
	update(win);
	OK(mrt_barrier(W));
	if (me == 0)
		check(&mem, np);
	OK(mrt_win_unlock_all(win));
	OK(mrt_win_free(&win));
}

static const struct api_case cases[] = {
    {"a target that calls nothing", passive},
    {"a target that accumulates, too", together},
    {NULL, NULL}};

/* Whether the left neighbour's memory can be copied. */
static bool can_copy(void)
{
	static int word;
	struct {
		pid_t pid;
		void *at;
	} mine = {getpid(), &word}, his;
	struct iovec to = {&(int){0}, sizeof(int)}, from;
	int can, all;

	OK(mrt_sendrecv(&mine, sizeof(mine), MRT_BYTE, right_of(me), 0, &his,
			sizeof(his), MRT_BYTE, left_of(me), 0, W, NULL));
	from = (struct iovec){his.at, sizeof(int)};
	can = process_vm_readv(his.pid, &to, 1, &from, 1, 0) == sizeof(int);
	OK(mrt_allreduce(&can, &all, 1, MRT_INT, MRT_MIN, W));
	return all;
}

int main(int argc, char **argv)
{
	mrt_init(&argc, &argv);
	me = mrt_rank(W);
	np = mrt_size(W);
	copies = argc < 2 && can_copy();
	denied = argc > 1 && !strcmp(argv[1], "late") && me % 2;
	api_run(cases);
	if (me == 0 && argc < 2 && !copies)
		printf("ok - copies # SKIP not allowed here\n");
	return mrt_finalize() || api_failures;
}
