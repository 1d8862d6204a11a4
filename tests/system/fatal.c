/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fatal.c ends the job by an error in the default mode, or by the end of a
 * rank. `fatal CASE`: rank 1 (or 0, if alone) makes the error, the others wait
 * in a barrier.
 */
#include <signal.h>
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;

static void bad_rank(void)
{
	mrt_send(&me, 1, MRT_INT, 99, 0, W);
}

static void bad_tag(void)
{
	mrt_send(&me, 1, MRT_INT, 0, -5, W);
}

static void truncated(void)
{
	int two[2] = {0};
	struct mrt_request *r;

	mrt_isend(two, 2, MRT_INT, me, 0, W, &r);
	mrt_recv(two, 1, MRT_INT, me, 0, W, MRT_STATUS_IGNORE);
}

static void bad_buffer(void)
{
	struct mrt_request *r;
	int all[3];

	mrt_igather(NULL, 1, MRT_INT, all, 1, MRT_INT, me, W, &r);
}

static void bad_displs(void)
{
	const size_t counts[3] = {0};
	int x = 0, y = 0;

	mrt_allgatherv(&x, 0, MRT_INT, &y, counts, NULL, MRT_INT, W);
}

static void aborts(void)
{
	mrt_abort(W, 42);
}

static void aborts_odd(void)
{
	mrt_abort(W, 1000);
}

static void is_killed(void)
{
	raise(SIGKILL);
}

static void exits(void)
{
	_exit(3);
}

/* Not static, so that the lines of a crash name them. */
void crash_null(void);
void crash_abort(void);
int crash_overflow(int depth);

__attribute__((noinline, visibility("default"))) void crash_null(void)
{
	volatile int *volatile nowhere = NULL;

	*nowhere = 1;
}

__attribute__((noinline, visibility("default"))) void crash_abort(void)
{
	abort();
}

__attribute__((noinline, visibility("default"))) int crash_overflow(int depth)
{
	volatile char frame[4096] = {(char)depth};

	return depth < 0 ? 0 : crash_overflow(depth + 1) + frame[depth & 4095];
}

static void overflows(void)
{
	me = crash_overflow(0);
}

static void handler(int sig)
{
	static const char text[] = "the program's own handler\n";

	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1);
	_exit(sig);
}

static void handles(void)
{
	signal(SIGSEGV, handler);
	crash_null();
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {{"bad_rank", bad_rank},
	     {"bad_tag", bad_tag},
	     {"truncated", truncated},
	     {"bad_buffer", bad_buffer},
	     {"bad_displs", bad_displs},
	     {"abort", aborts},
	     {"abort_odd", aborts_odd},
	     {"killed", is_killed},
	     {"exit", exits},
	     {"crash_null", crash_null},
	     {"crash_abort", crash_abort},
	     {"crash_overflow", overflows},
	     {"crash_handled", handles},
	     {"crash_handled_before", crash_null}};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "before_init"))
		mrt_barrier(W);
	if (!strcmp(name, "crash_handled_before"))
		signal(SIGSEGV, handler);
	mrt_init(&argc, &argv);
	me = mrt_rank(W);
	np = mrt_size(W);
	if (!strcmp(name, "crash_all"))
		crash_null();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(name, cases[i].name) && me == (np > 1))
			cases[i].run();
	mrt_barrier(W);
	return mrt_finalize();
}
