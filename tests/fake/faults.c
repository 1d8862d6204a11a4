/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.c checks how p2p handles failing completions and a dead peer, over the
 * provider of tests/fake. It runs on two ranks.
 */
#include "tests/fake/fake.h"
#include "tests/system/api.h"

int me, np, api_failures;

enum { LONG = 1000000 };
static char buf[LONG];

static void say(const char *name)
{
	int other = 0;

	if (me == 1)
		mrt_send(&api_failures, 1, MRT_INT, 0, 9, W);
	if (me == 0) {
		mrt_recv(&other, 1, MRT_INT, 1, 9, W, MRT_STATUS_IGNORE);
		printf("%sok - %s\n", api_failures + other ? "not " : "", name);
		fflush(stdout);
	}
	api_failures = 0;
}

/* The read of a long message fails: both ends learn of it, and go on. */
static void test_failed_read(void)
{
	struct mrt_status s;

	fake_knobs = (struct fake_knobs){.hold = 300};
	if (me == 0)
		fake_knobs = (struct fake_knobs){.fail = 1000,
						 .fail_code = MRT_ERR_RESOURCE};
	if (me == 0) {
		FAILS(MRT_ERR_RESOURCE,
		      mrt_recv(buf, LONG, MRT_BYTE, 1, 0, W, &s));
		CHECK(fake_counts.failed == 1);
	} else {
		FAILS(MRT_ERR_RESOURCE, mrt_send(buf, LONG, MRT_BYTE, 0, 0, W));
	}
	fake_knobs = (struct fake_knobs){0};
	if (me == 0)
		OK(mrt_recv(buf, LONG, MRT_BYTE, 1, 0, W, &s));
	else
		OK(mrt_send(buf, LONG, MRT_BYTE, 0, 0, W));
	say("a failed read is an error at both ends, and the next is fine");
}

/* Everything goes through, though operations are refused again and again. */
static void test_refused(void)
{
	fake_knobs = (struct fake_knobs){.again = 950, .skip = 500};
	for (int k = 0; k < 200; k++) {
		size_t n = k % 20 ? (size_t)k : 30000;

		memset(buf, k, n);
		if (me == 0) {
			OK(mrt_send(buf, n, MRT_BYTE, 1, k, W));
		} else {
			memset(buf, 0, n);
			OK(mrt_recv(buf, n, MRT_BYTE, 0, k, W,
				    MRT_STATUS_IGNORE));
			CHECK(n == 0 ||
			      (buf[0] == (char)k && buf[n - 1] == (char)k));
		}
	}
	CHECK(me || fake_counts.refused > 500);
	fake_knobs = (struct fake_knobs){0};
	say("back-pressure on 95 of 100 sends");
}

/* A rank that waits for a dead one gets an error that names it. */
static void test_death(void)
{
	fake_kill(1 - me);
	mrt_recv(buf, 10, MRT_BYTE, 1 - me, 3, W, MRT_STATUS_IGNORE);
}

/* `faults death` runs the case that ends the job; without an argument all
 * other cases run. */
int main(int argc, char **argv)
{
	fake_knobs = (struct fake_knobs){0};
	mrt_init(&argc, &argv);
	me = mrt_rank(W);
	np = mrt_size(W);
	if (argc > 1)
		test_death();
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	test_failed_read();
	test_refused();
	return mrt_finalize();
}
