/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fatal.c: ends the job by an error, in the default mode. fatal CASE; rank 1
 * (or 0, if alone) does it, the others wait in a barrier.
 */
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

static void aborts(void)
{
	mrt_abort(W, 42);
}

static void aborts_odd(void)
{
	mrt_abort(W, 1000);
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {{"bad_rank", bad_rank},
	     {"bad_tag", bad_tag},
	     {"truncated", truncated},
	     {"abort", aborts},
	     {"abort_odd", aborts_odd}};

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "before_init"))
		mrt_barrier(W);
	mrt_init(&argc, &argv);
	me = mrt_rank(W);
	np = mrt_size(W);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!strcmp(name, cases[i].name) && me == (np > 1))
			cases[i].run();
	mrt_barrier(W);
	return mrt_finalize();
}
