/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overlap.c FILE [calls]: what goes on while no rank is inside a call. Each
 * case starts operations, and then the ranks watch memory without calling
 * libmrt. With MRT_PROGRESS=thread what they watch for must come to be; with
 * the argument "calls" nothing of it may, before they call again. FILE, on the
 * node of all ranks, is what they tell each other by meanwhile.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tests/system/api.h"

enum { LONG = 1 << 18, WAIT_S = 60 };

int me, np, api_failures;

static bool thread; /* makes progress */
/* In FILE: the ranks that have left the calls of each step. */
static _Atomic int *left;
static int step;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Computes until *word is at least the value, but no longer than some seconds.
 * ThreadSanitizer does not look, since the thread of progress may write to it
 * meanwhile. */
__attribute__((no_sanitize("thread"))) static bool
comes(const volatile int *word, int value, double seconds)
{
	double end = now() + seconds;

	while (*word < value && now() < end)
		sched_yield();
	return *word >= value;
}

/* Watches for what only progress can bring; to rank 0, which starts last, its
 * own call may bring it. */
static bool as_expected(const volatile int *word, int value)
{
	if (!thread && me == 0)
		return true;
	return comes(word, value, thread ? WAIT_S : 0.2) == thread;
}

/* Says that this rank is outside of all calls, and waits for others. */
static void leave(int ranks)
{
	atomic_fetch_add(&left[step], 1);
	CHECK(comes((const volatile int *)&left[step], ranks, WAIT_S));
}

static void next_step(void)
{
	OK(mrt_barrier(W));
	step++;
}

/* ---- Cases --------------------------------------------------------------- */

/* Rank 0 sends when all others, who receive, compute. */
static void rendezvous(void)
{
	static int buf[LONG];
	struct mrt_request *r[64];
	int n = 0;

	buf[LONG - 1] = 0;
	if (me)
		OK(mrt_irecv(buf, LONG, MRT_INT, 0, 1, W, &r[n++]));
	next_step();
	if (me)
		atomic_fetch_add(&left[step], 1);
	else
		CHECK(comes((const volatile int *)&left[step], np - 1, WAIT_S));
	if (me == 0) {
		buf[LONG - 1] = 7;
		for (int k = 1; k < np; k++)
			OK(mrt_isend(buf, LONG, MRT_INT, k, 1, W, &r[n++]));
	} else {
		CHECK(as_expected(&buf[LONG - 1], 7));
	}
	/* no rank helps another one before all have seen it */
	next_step();
	leave(np);
	OK(mrt_waitall((size_t)n, r, NULL));
}

/* A collective that rank 0 starts last, when all others compute. */
static void begin_last(void)
{
	if (me == 0)
		CHECK(comes((const volatile int *)&left[step], np - 1, WAIT_S));
}

static void begun(void)
{
	if (me)
		atomic_fetch_add(&left[step], 1);
}

static void iallreduce(void)
{
	static int in[LONG], out[LONG];
	struct mrt_request *r;

	for (size_t count = 1; count <= LONG; count *= LONG) {
		for (size_t k = 0; k < count; k++)
			in[k] = 1;
		out[count - 1] = 0;
		next_step();
		begin_last();
		OK(mrt_iallreduce(in, out, count, MRT_INT, MRT_SUM, W, &r));
		begun();
		CHECK(as_expected(&out[count - 1], np));
		leave(2 * np - 1);
		OK(mrt_wait(&r, NULL));
	}
}

static void ialltoall(void)
{
	static int in[64 * 64], out[64 * 64];
	int from = me ? 0 : 1; /* the others watch for the last */
	struct mrt_request *r;

	for (int k = 0; k < 64 * np; k++)
		in[k] = me + 1;
	memset(out, 0, sizeof(out));
	next_step();
	begin_last();
	OK(mrt_ialltoall(in, 64, MRT_INT, out, 64, MRT_INT, W, &r));
	begun();
	CHECK(as_expected(&out[64 * from], from + 1));
	leave(2 * np - 1);
	OK(mrt_wait(&r, NULL));
}

/* Rank 0 accumulates into the dynamic window of the last rank, which has to
 * apply it itself. */
static void passive_target(void)
{
	static int word;
	struct mrt_win *win;
	uintptr_t addr = (uintptr_t)&word;
	int one = 1, last = np - 1;

	word = 0;
	OK(mrt_win_create_dynamic(W, &win));
	OK(mrt_win_attach(win, &word, sizeof(word)));
	OK(mrt_bcast(&addr, sizeof(addr), MRT_BYTE, last, W));
	next_step();
	if (me == last) {
		atomic_fetch_add(&left[step], 1);
		CHECK(as_expected(&word, 1));
	} else if (me == 0) {
		const struct mrt_target target = {last, (ptrdiff_t)addr, 1,
						  MRT_INT};

		CHECK(comes((const volatile int *)&left[step], 1, WAIT_S));
		OK(mrt_win_lock(1, last, 0, win));
		OK(mrt_accumulate(&one, 1, MRT_INT, &target, MRT_SUM, win,
				  NULL));
		OK(mrt_win_unlock(last, win));
	}
	next_step();
	CHECK(me != last || word == 1);
	OK(mrt_win_detach(win, &word));
	OK(mrt_win_free(&win));
}

/* Returns how often the thread of progress has gone to sleep; -1: there is
 * none. */
static long naps(void)
{
	DIR *tasks = opendir("/proc/self/task");
	long found = -1;

	for (struct dirent *d; tasks && (d = readdir(tasks));) {
		char path[300], line[200];
		bool named = false;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/status",
			 d->d_name);
		f = fopen(path, "r");
		while (f && fgets(line, sizeof(line), f)) {
			named |= !strcmp(line, "Name:\tmrt-progress\n");
			if (named)
				sscanf(line, "voluntary_ctxt_switches: %ld",
				       &found);
		}
		if (f)
			fclose(f);
	}
	if (tasks)
		closedir(tasks);
	return found;
}

/* Where nothing is under way the thread sleeps: some ten times a second it
 * looks whether it has missed something. */
static void idle(void)
{
	long before, after;
	int never = 0;

	next_step();
	leave(np);
	CHECK(!comes(&never, 1, 0.1));
	before = naps();
	CHECK(!comes(&never, 1, 0.5));
	after = naps();
	CHECK(thread ? before > 0 && after - before < 40 : before == -1);
	if (after - before >= 40)
		fprintf(stderr, "rank %d: %ld naps\n", me, after - before);
}

static const struct api_case cases[] = {
    {"a long message", rendezvous},
    {"allreduce, short and long", iallreduce},
    {"alltoall", ialltoall},
    {"accumulate into a dynamic window", passive_target},
    {"the thread sleeps when nothing is under way", idle},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
	int bad = 0, all, fd;

	if (mrt_init(&argc, &argv) || argc < 2)
		return 2;
	me = mrt_rank(W);
	np = mrt_size(W);
	thread = argc < 3;
	fd = open(argv[1], O_RDWR);
	left = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd < 0 || left == MAP_FAILED || np > 64)
		return 2;
	for (const struct api_case *c = cases; c->name; c++) {
		api_failures = 0;
		c->run();
		OK(mrt_allreduce(&api_failures, &all, 1, MRT_INT, MRT_SUM, W));
		if (me == 0)
			printf("%sok - %s\n", all ? "not " : "", c->name);
		bad += all;
	}
	mrt_finalize();
	return bad != 0;
}
