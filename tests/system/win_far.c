/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win_far.c tests operations on memory of the program itself, which ranks of
 * the node cannot map, but copy by the kernel: they need no call of the target,
 * and few system calls however many pieces there are.
 *
 *   win_far [denied|late|bad]
 *
 * denied: the job may not copy, so that only the results count. late: ranks of
 * odd numbers may not, which they learn from their first copy. bad:
 * buffers and windows of messages and windows alike are no memory, with two
 * ranks and MRT_SM_CMA=yes, as copies by the ranks themselves would crash.
 */
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;
static bool copies; /* the kernel lets ranks copy from and to each other */
static bool denied; /* not this one */

/* ---- Counting ------------------------------------------------------------ */

/* Calls of the two functions below, which take libc's place, but for those that
 * read a word to see whether its owner lives. */
static long calls;

static bool counts(const struct iovec *here)
{
	return here->iov_len != sizeof(uint64_t);
}

ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long nto,
			 const struct iovec *from, unsigned long nfrom,
			 unsigned long flags)
{
	calls += counts(to);
	errno = EPERM;
	return denied ? -1
		      : syscall(SYS_process_vm_readv, pid, to, nto, from, nfrom,
				flags);
}

ssize_t process_vm_writev(pid_t pid, const struct iovec *from,
			  unsigned long nfrom, const struct iovec *to,
			  unsigned long nto, unsigned long flags)
{
	calls += counts(from);
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

/* ---- Many pieces --------------------------------------------------------- */

enum { INTS = 1 << 20 };

/* n pieces of one int, `stride` ints apart, to and from the right neighbour. */
struct layout {
	int n, stride, shift; /* the first of them */
	long most;	      /* system calls */
};

static int value(int rank, int k)
{
	return rank * INTS + k;
}

/* Puts the pieces and gets them back, in one epoch each. */
static void move(const struct layout *l, const struct mrt_target *t, bool lock,
		 struct mrt_win *win)
{
	int *out = malloc((size_t)l->n * sizeof(int));
	int *in = calloc(2 * (size_t)l->n, sizeof(int));
	struct mrt_type *apart;
	long wrong = 0;

	OK(mrt_type_vector((size_t)l->n, 1, 2, MRT_INT, &apart));
	OK(mrt_type_commit(apart));
	for (int k = 0; k < l->n; k++)
		out[k] = value(me, k);
	calls = 0;
	OK(lock ? mrt_win_lock(0, t->rank, 0, win) : mrt_win_fence(0, win));
	OK(mrt_put(out, (size_t)l->n, MRT_INT, t, win, NULL));
	OK(lock ? mrt_win_unlock(t->rank, win) : mrt_win_fence(0, win));
	CHECK(!copies || calls <= l->most + l->n / 250);
	calls = 0;
	OK(lock ? mrt_win_lock(0, t->rank, 0, win) : mrt_win_fence(0, win));
	OK(mrt_get(in, 1, apart, t, win, NULL));
	OK(lock ? mrt_win_unlock(t->rank, win)
		: mrt_win_fence(MRT_WIN_NOSUCCEED, win));
	CHECK(!copies || calls <= l->most);
	for (int k = 0; k < l->n; k++)
		wrong += in[2 * k] != value(me, k) || in[2 * k + 1];
	CHECK(!wrong);
	OK(mrt_type_free(&apart));
	free(out);
	free(in);
}

static void move_layout(const struct layout *l, bool lock)
{
	int *mem = malloc(INTS * sizeof(int));
	struct mrt_target t = {right_of(me), l->shift, 1, NULL};
	struct mrt_win *win;
	long wrong = 0;

	for (int k = 0; k < INTS; k++)
		mem[k] = -1;
	OK(mrt_type_vector((size_t)l->n, 1, l->stride, MRT_INT, &t.type));
	OK(mrt_type_commit(t.type));
	OK(mrt_win_create(mem, INTS * sizeof(int), sizeof(int), W, &win));
	move(l, &t, lock, win);
	OK(mrt_barrier(W));
	for (int k = 0; k < l->n; k++) {
		int *at = &mem[l->shift + k * l->stride];

		wrong += *at != value(left_of(me), k);
		*at = -1;
	}
	for (int k = 0; k < INTS; k++)
		wrong += mem[k] != -1;
	CHECK(!wrong);
	OK(mrt_win_free(&win));
	OK(mrt_type_free(&t.type));
	free(mem);
}

static void pieces(void)
{
	static const struct layout layouts[] = {
	    {60000, 2, 7, 16},	       /* the holes are read, too */
	    {60000, -2, INTS - 5, 16}, /* backwards */
	    {1000, 1000, 3, 16},       /* they are too long for that */
	    {7, 100000, 0, 16},	       /* few */
	    {100, -10000, INTS - 1, 16}};

	for (size_t k = 0; k < sizeof(layouts) / sizeof(layouts[0]); k++) {
		move_layout(&layouts[k], true);
		move_layout(&layouts[k], false);
	}
}

static const struct api_case cases[] = {
    {"a target that calls nothing", passive},
    {"a target that accumulates, too", together},
    {"many pieces", pieces},
    {NULL, NULL}};

/* ---- Memory that is none ------------------------------------------------- */

enum { BYTES = 1 << 20 };
static char *good, *bad; /* bad: it can only be read, behind the first half */
static char *none;

/* Ends with the error on both ranks. */
static void send_none(void)
{
	if (me == 0)
		FAILS(MRT_ERR_BUFFER, mrt_send(none, BYTES, MRT_BYTE, 1, 0, W));
	else
		FAILS(MRT_ERR_BUFFER,
		      mrt_recv(good, BYTES, MRT_BYTE, 0, 0, W, NULL));
}

static void receive(char *to)
{
	if (me == 0)
		mrt_send(good, BYTES, MRT_BYTE, 1, 0, W);
	else
		FAILS(MRT_ERR_BUFFER,
		      mrt_recv(to, BYTES, MRT_BYTE, 0, 0, W, NULL));
}

static void receive_none(void)
{
	receive(none);
}

static void receive_constant(void)
{
	receive(bad);
}

/* Rank 1 puts, gets and accumulates on rank 0. */
static void use(char *base, char *buf, int updated)
{
	struct mrt_target t = {0, 0, BYTES, MRT_BYTE};
	const struct mrt_target word = {0, BYTES / 2, 1, MRT_INT};
	struct mrt_win *win;

	OK(mrt_win_create(base, BYTES, 1, W, &win));
	if (me == 1) {
		OK(mrt_win_lock(0, 0, 0, win));
		OK(mrt_put(buf, BYTES, MRT_BYTE, &t, win, NULL));
		FAILS(MRT_ERR_BUFFER, mrt_win_unlock(0, win));
		OK(mrt_win_lock(0, 0, 0, win));
		OK(mrt_get(buf, BYTES, MRT_BYTE, &t, win, NULL));
		FAILS(MRT_ERR_BUFFER, mrt_win_unlock(0, win));
		OK(mrt_win_lock(0, 0, 0, win));
		FAILS(updated, mrt_accumulate(&(int){1}, 1, MRT_INT, &word,
					      MRT_SUM, win, NULL));
		OK(mrt_win_unlock(0, win));
	}
	OK(mrt_win_free(&win));
}

static void use_none(void)
{
	use(good, none, 0);
}

static void expose_none(void)
{
	use(me ? good : none, good, MRT_ERR_BUFFER);
}

static const struct api_case bad_cases[] = {
    {"a send from no memory", send_none},
    {"a receive to no memory", receive_none},
    {"a receive to memory that can only be read", receive_constant},
    {"put and get of no memory", use_none},
    {"a window of no memory", expose_none},
    {NULL, NULL}};

static char *map(int access)
{
	return mmap(NULL, BYTES, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

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

static void run_bad(void)
{
	if (!can_copy()) {
		printf("ok - bad memory # SKIP copies are not allowed here\n");
		return;
	}
	good = map(PROT_READ | PROT_WRITE);
	bad = map(PROT_READ | PROT_WRITE);
	none = map(PROT_NONE);
	mprotect(bad + BYTES / 2, BYTES / 2, PROT_READ);
	api_run(bad_cases);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	mrt_init(&argc, &argv);
	me = mrt_rank(W);
	np = mrt_size(W);
	if (!strcmp(how, "bad")) {
		run_bad();
		return mrt_finalize() || api_failures;
	}
	copies = !*how && can_copy();
	denied = !strcmp(how, "late") && me % 2;
	api_run(cases);
	if (me == 0 && !*how && !copies)
		printf("ok - copies # SKIP not allowed here\n");
	return mrt_finalize() || api_failures;
}
