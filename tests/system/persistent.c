/* SPDX-License-Identifier: Apache-2.0 */
/*
 * persistent.c tests persistent collectives of short vectors, which inside a
 * node have shared memory of their own.
 *
 *   persistent            all cases, for any number of ranks
 *   persistent churn      1,000 requests one after the other, and with them no
 *                         message (MRT_STATS)
 *   persistent disagree   rank 1 passes another count than the rest
 */
#include "tests/system/api.h"

int me, np, api_failures;

enum { KINDS = 5, ROUNDS = 60 };

static long sent[KINDS], got[KINDS], all[64];

static void make(struct mrt_request *q[KINDS], struct mrt_comm *comm)
{
	OK(mrt_barrier_init(comm, &q[0]));
	OK(mrt_bcast_init(&got[1], 1, MRT_LONG, np - 1, comm, &q[1]));
	OK(mrt_reduce_init(&sent[2], &got[2], 1, MRT_LONG, MRT_SUM, np / 2,
			   comm, &q[2]));
	OK(mrt_allreduce_init(&sent[3], &got[3], 1, MRT_LONG, MRT_MAX, comm,
			      &q[3]));
	OK(mrt_allgather_init(&sent[4], 1, MRT_LONG, all, 1, MRT_LONG, comm,
			      &q[4]));
}

static void fill(int round)
{
	for (int k = 0; k < KINDS; k++)
		sent[k] = 1000 * round + 10 * me + k;
	memset(got, 0, sizeof(got));
	memset(all, 0, sizeof(all));
	if (me == np - 1)
		got[1] = sent[1];
}

static void check(int round)
{
	long base = 1000 * round, sum = 0;

	for (int r = 0; r < np; r++) {
		sum += base + 10 * r + 2;
		CHECK(all[r] == base + 10 * r + 4);
	}
	CHECK(got[1] == base + 10 * (np - 1) + 1);
	CHECK(me != np / 2 || got[2] == sum);
	CHECK(got[3] == base + 10 * (np - 1) + 3);
}

/* Each rank starts and ends the requests in another order. */
static void test_orders(void)
{
	struct mrt_request *q[KINDS];

	make(q, W);
	for (int round = 0; round < ROUNDS; round++) {
		fill(round);
		for (int k = 0; k < KINDS; k++)
			OK(mrt_start(&q[(k + me) % KINDS]));
		for (int k = 0; k < KINDS; k++)
			OK(mrt_wait(&q[(k + 2 * me + round) % KINDS],
				    MRT_STATUS_IGNORE));
		check(round);
	}
	for (int k = 0; k < KINDS; k++)
		OK(mrt_request_free(&q[k]));
}

/* A rank that only sends needs nobody for its first uses, and waits for the
 * root when it is too far ahead. */
static void test_ahead(void)
{
	struct mrt_request *q;
	int value = 0, sum = 0, go = 1;

	OK(mrt_reduce_init(&value, &sum, 1, MRT_INT, MRT_SUM, 0, W, &q));
	for (int round = 0; round < ROUNDS; round++) {
		for (int r = 1; r < np && !me && round == 0; r++)
			OK(mrt_recv(&go, 1, MRT_INT, r, 1, W, NULL));
		value = round;
		OK(mrt_start(&q));
		OK(mrt_wait(&q, NULL));
		CHECK(me || sum == np * round);
		if (me && round == 2)
			OK(mrt_send(&go, 1, MRT_INT, 0, 1, W));
	}
	OK(mrt_request_free(&q));
}

/* More of them than have room in shared memory. */
static void test_many(void)
{
	enum { MANY = 400 };
	static struct mrt_request *q[MANY];
	static long mine[MANY], max[MANY];

	for (int pass = 0; pass < 2; pass++) {
		for (int k = 0; k < MANY; k++)
			OK(mrt_allreduce_init(&mine[k], &max[k], 1, MRT_LONG,
					      MRT_MAX, W, &q[k]));
		for (int k = 0; k < MANY; k++)
			mine[k] = 100 * k + me + pass;
		for (int k = 0; k < MANY; k++)
			OK(mrt_start(&q[k]));
		OK(mrt_waitall(MANY, q, MRT_STATUSES_IGNORE));
		for (int k = 0; k < MANY; k++) {
			CHECK(max[k] == 100 * k + np - 1 + pass);
			OK(mrt_request_free(&q[k]));
		}
	}
}

/* A communicator is freed before its request. */
static void test_freed(void)
{
	struct mrt_request *q[KINDS];
	struct mrt_comm *comm;

	OK(mrt_comm_dup(W, &comm));
	make(q, comm);
	OK(mrt_comm_free(&comm));
	for (int round = 0; round < 3; round++) {
		fill(round);
		OK(mrt_startall(KINDS, q));
		OK(mrt_waitall(KINDS, q, MRT_STATUSES_IGNORE));
		check(round);
	}
	for (int k = 0; k < KINDS; k++)
		OK(mrt_request_free(&q[k]));
}

static void churn(void)
{
	struct mrt_request *q;
	int x, sum;

	for (int k = 0; k < 1000; k++) {
		OK(mrt_allreduce_init(&x, &sum, 1, MRT_INT, MRT_SUM, W, &q));
		x = k;
		OK(mrt_start(&q));
		OK(mrt_wait(&q, NULL));
		CHECK(sum == np * k);
		OK(mrt_request_free(&q));
	}
}

static void disagree(void)
{
	struct mrt_request *q;
	int x[2] = {0, 0}, sum[2];

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	OK(mrt_allreduce_init(x, sum, me == 1 ? 2 : 1, MRT_INT, MRT_SUM, W,
			      &q));
	OK(mrt_start(&q));
	FAILS(MRT_ERR_COLLECTIVE, mrt_wait(&q, NULL));
	OK(mrt_request_free(&q));
}

static const struct api_case cases[] = {
    {"ranks start in different orders", test_orders},
    {"those that only send are ahead", test_ahead},
    {"many at once", test_many},
    {"the communicator is freed before", test_freed},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	OK(mrt_init(&argc, &argv));
	me = mrt_rank(W);
	np = mrt_size(W);
	if (argc > 1 && !strcmp(argv[1], "churn"))
		churn();
	else if (argc > 1)
		disagree();
	else
		api_run(cases);
	OK(mrt_finalize());
	return api_failures != 0;
}
