/* SPDX-License-Identifier: Apache-2.0 */
/* api.c runs the tables of api_*.c; errors return here, none is fatal. */
#include "tests/system/api.h"

int me, np, api_failures;

/* Adds up the failures of all ranks at rank 0, which prints the result. */
static int collect(const char *name)
{
	int sum = api_failures, one;

	/* the wildcards of a case must not match what follows */
	OK(mrt_barrier(W));
	if (me != 0) {
		mrt_send(&sum, 1, MRT_INT, 0, 77, W);
		return sum;
	}
	for (int r = 1; r < np; r++) {
		mrt_recv(&one, 1, MRT_INT, r, 77, W, MRT_STATUS_IGNORE);
		sum += one;
	}
	printf("%sok - %s\n", sum ? "not " : "", name);
	fflush(stdout);
	return sum;
}

int main(int argc, char **argv)
{
	const struct api_case *const tables[] = {api_misc, api_p2p, api_request,
						 api_comm, api_error};
	struct mrt_comm *left;
	int failed = 0;

	CHECK(!mrt_initialized() && !mrt_finalized());
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	FAILS(MRT_ERR_STATE, mrt_barrier(W));
	CHECK(mrt_counters(NULL, 0) == 0);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	collect("before init");
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (const struct api_case *c = tables[t]; c->name; c++) {
			/* one case alone, by its name */
			if (argc > 1 && strcmp(argv[1], c->name))
				continue;
			api_failures = 0;
			c->run();
			failed += collect(c->name);
		}
	}
	OK(mrt_comm_dup(W, &left));
	OK(mrt_finalize());
	CHECK(mrt_initialized() && mrt_finalized());
	CHECK(mrt_counters(NULL, 0) == 0);
	FAILS(MRT_ERR_STATE, mrt_barrier(W));
	/* the communicator's memory is gone: a sanitizer sees any access to
	 * it */
	FAILS(MRT_ERR_STATE, mrt_barrier(left));
	FAILS(MRT_ERR_STATE, mrt_comm_free(&left));
	return failed || api_failures ? 1 : 0;
}
