/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api_error.c checks that calls with wrong arguments return their code, write
 * no output, and leave everything working (the barrier after each case).
 */
#include "tests/system/api.h"

static struct mrt_comm *const bad_comm = (struct mrt_comm *)0x77;
static struct mrt_type *const bad_type = (struct mrt_type *)0x2f0;

static void test_send(void)
{
	struct mrt_request *r = (struct mrt_request *)0x1;
	int x = 0;

	FAILS(MRT_ERR_RANK, mrt_send(&x, 1, MRT_INT, np, 0, W));
	FAILS(MRT_ERR_RANK, mrt_send(&x, 1, MRT_INT, -7, 0, W));
	FAILS(MRT_ERR_RANK, mrt_send(&x, 1, MRT_INT, MRT_ANY_SOURCE, 0, W));
	FAILS(MRT_ERR_TAG, mrt_send(&x, 1, MRT_INT, 0, -3, W));
	FAILS(MRT_ERR_TAG, mrt_send(&x, 1, MRT_INT, 0, MRT_ANY_TAG, W));
	FAILS(MRT_ERR_TYPE, mrt_send(&x, 1, bad_type, 0, 0, W));
	FAILS(MRT_ERR_TYPE, mrt_send(&x, 1, MRT_TYPE_NULL, 0, 0, W));
	FAILS(MRT_ERR_COMM, mrt_send(&x, 1, MRT_INT, 0, 0, bad_comm));
	FAILS(MRT_ERR_COMM, mrt_send(&x, 1, MRT_INT, 0, 0, MRT_COMM_NULL));
	FAILS(MRT_ERR_COUNT, mrt_send(&x, (size_t)-1, MRT_INT, 0, 0, W));
	FAILS(MRT_ERR_BUFFER, mrt_send(NULL, 1, MRT_INT, 0, 0, W));
	FAILS(MRT_ERR_RANK, mrt_ssend(&x, 1, MRT_INT, np, 0, W));
	FAILS(MRT_ERR_RANK, mrt_isend(&x, 1, MRT_INT, np, 0, W, &r));
	FAILS(MRT_ERR_TAG, mrt_issend(&x, 1, MRT_INT, 0, -9, W, &r));
	FAILS(MRT_ERR_ARG, mrt_isend(&x, 1, MRT_INT, 0, 0, W, NULL));
	CHECK(mrt_error_comm() == W);
	FAILS(MRT_ERR_COMM, mrt_isend(&x, 1, MRT_INT, 0, 0, bad_comm, &r));
	CHECK(mrt_error_comm() == MRT_COMM_NULL);
	CHECK(r == (struct mrt_request *)0x1);
}

static void test_recv(void)
{
	struct mrt_request *r = (struct mrt_request *)0x1;
	struct mrt_status s = {.source = 12345};
	int x = 7, flag = 7;

	FAILS(MRT_ERR_RANK, mrt_recv(&x, 1, MRT_INT, np, 0, W, &s));
	FAILS(MRT_ERR_TAG, mrt_recv(&x, 1, MRT_INT, 0, -1, W, &s));
	FAILS(MRT_ERR_TYPE, mrt_recv(&x, 1, bad_type, 0, 0, W, &s));
	FAILS(MRT_ERR_COMM, mrt_recv(&x, 1, MRT_INT, 0, 0, bad_comm, &s));
	FAILS(MRT_ERR_COUNT, mrt_recv(&x, (size_t)-1, MRT_INT, 0, 0, W, &s));
	FAILS(MRT_ERR_BUFFER, mrt_recv(NULL, 1, MRT_INT, 0, 0, W, &s));
	FAILS(MRT_ERR_RANK, mrt_irecv(&x, 1, MRT_INT, -9, 0, W, &r));
	FAILS(MRT_ERR_ARG, mrt_irecv(&x, 1, MRT_INT, 0, 0, W, NULL));
	FAILS(MRT_ERR_RANK, mrt_probe(np, 0, W, &s));
	FAILS(MRT_ERR_TAG, mrt_iprobe(0, -9, W, &flag, &s));
	FAILS(MRT_ERR_ARG, mrt_iprobe(0, 0, W, NULL, &s));
	CHECK(mrt_error_comm() == W);
	FAILS(MRT_ERR_RANK,
	      mrt_sendrecv(&x, 1, MRT_INT, 0, 0, &x, 1, MRT_INT, np, 0, W, &s));
	CHECK(x == 7 && flag == 7 && s.source == 12345);
	CHECK(r == (struct mrt_request *)0x1);
}

static void test_completion(void)
{
	struct mrt_request *wrong = (struct mrt_request *)0x5;
	int flag, index, count;

	FAILS(MRT_ERR_REQUEST, mrt_wait(&wrong, MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_REQUEST, mrt_test(&wrong, &flag, MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_REQUEST, mrt_waitall(1, &wrong, MRT_STATUSES_IGNORE));
	FAILS(MRT_ERR_REQUEST,
	      mrt_waitany(1, &wrong, &index, MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_REQUEST, mrt_cancel(&wrong));
	FAILS(MRT_ERR_ARG, mrt_wait(NULL, MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_ARG, mrt_waitall(2, NULL, MRT_STATUSES_IGNORE));
	FAILS(MRT_ERR_ARG, mrt_waitany(0, NULL, NULL, MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_ARG, mrt_waitsome(1, &wrong, &count, NULL, NULL));
	OK(mrt_waitsome(0, NULL, &count, NULL, NULL));
	CHECK(count == MRT_UNDEFINED);
}

static void test_collectives(void)
{
	int x = 0, y = 11;

	FAILS(MRT_ERR_COMM, mrt_barrier(bad_comm));
	FAILS(MRT_ERR_COMM, mrt_barrier(MRT_COMM_NULL));
	FAILS(MRT_ERR_ROOT, mrt_bcast(&x, 1, MRT_INT, np, W));
	FAILS(MRT_ERR_ROOT, mrt_bcast(&x, 1, MRT_INT, -1, W));
	FAILS(MRT_ERR_TYPE, mrt_bcast(&x, 1, bad_type, 0, W));
	FAILS(MRT_ERR_BUFFER, mrt_bcast(NULL, 1, MRT_INT, 0, W));
	FAILS(MRT_ERR_ROOT, mrt_reduce(&x, &y, 1, MRT_INT, MRT_SUM, np, W));
	FAILS(MRT_ERR_OP, mrt_allreduce(&x, &y, 1, MRT_INT, MRT_OP_NULL, W));
	FAILS(MRT_ERR_OP, mrt_allreduce(&x, &y, 1, MRT_DOUBLE, MRT_BAND, W));
	FAILS(MRT_ERR_OP, mrt_allreduce(&x, &y, 1, MRT_BYTE, MRT_SUM, W));
	FAILS(MRT_ERR_OP, mrt_allreduce(&x, &y, 1, MRT_BOOL, MRT_MAX, W));
	FAILS(MRT_ERR_TYPE, mrt_allreduce(&x, &y, 1, bad_type, MRT_SUM, W));
	FAILS(MRT_ERR_BUFFER, mrt_allreduce(NULL, &y, 1, MRT_INT, MRT_SUM, W));
	FAILS(MRT_ERR_BUFFER, mrt_allreduce(&x, NULL, 1, MRT_INT, MRT_SUM, W));
	FAILS(MRT_ERR_COMM,
	      mrt_allreduce(&x, &y, 1, MRT_INT, MRT_SUM, bad_comm));
	CHECK(y == 11);
}

static void test_overlap(void)
{
	int x[8] = {0};

	FAILS(MRT_ERR_BUFFER, mrt_allreduce(x, x, 4, MRT_INT, MRT_SUM, W));
	FAILS(MRT_ERR_BUFFER, mrt_allreduce(x, x + 2, 4, MRT_INT, MRT_SUM, W));
}

/* Computes a sum, and tries to call the library. */
static void busybody(const void *in, void *inout, size_t n,
		     struct mrt_type *type, void *context)
{
	struct mrt_request *r;
	int x = 0, flag, *found = context;

	FAILS(MRT_ERR_STATE,
	      mrt_recv(&x, 1, MRT_INT, left_of(me), 41, W, MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_STATE, mrt_irecv(&x, 1, MRT_INT, left_of(me), 41, W, &r));
	FAILS(MRT_ERR_STATE,
	      mrt_iprobe(left_of(me), 41, W, &flag, MRT_STATUS_IGNORE));
	FAILS(MRT_ERR_STATE, mrt_send(&x, 1, MRT_INT, right_of(me), 42, W));
	FAILS(MRT_ERR_STATE, mrt_barrier(W));
	FAILS(MRT_ERR_STATE, mrt_ibarrier(W, &r));
	CHECK(strstr(mrt_error_detail(), "operation of a reduction"));
	CHECK(mrt_rank(W) == me);
	OK(mrt_reduce_local(in, inout, n, type, MRT_SUM));
	++*found;
}

/* Callbacks run in messages and in collectives, short and long, while others
 * are under way. */
static void test_callbacks(void)
{
	static int in[30000], out[30000];
	const size_t counts[] = {1, 30000};
	struct mrt_request *r, *s;
	struct mrt_op *op;
	int x = me, y = -1, calls = 0, all = 0;

	for (size_t k = 0; k < 30000; k++)
		in[k] = me;
	OK(mrt_op_create(busybody, &calls, 1, &op));
	for (int k = 0; k < 2; k++) {
		OK(mrt_iallreduce(in, out, counts[k], MRT_INT, op, W, &r));
		OK(mrt_isend(&x, 1, MRT_INT, right_of(me), 41, W, &s));
		OK(mrt_wait(&r, MRT_STATUS_IGNORE));
		CHECK(out[counts[k] - 1] == np * (np - 1) / 2);
		OK(mrt_recv(&y, 1, MRT_INT, left_of(me), 41, W,
			    MRT_STATUS_IGNORE));
		CHECK(y == left_of(me));
		OK(mrt_wait(&s, MRT_STATUS_IGNORE));
		OK(mrt_allreduce(in, out, counts[k], MRT_INT, op, W));
		CHECK(out[counts[k] - 1] == np * (np - 1) / 2);
	}
	/* in some algorithms not all ranks reduce */
	OK(mrt_allreduce(&calls, &all, 1, MRT_INT, MRT_SUM, W));
	CHECK(all > 0 || np == 1);
	OK(mrt_op_free(&op));
}

const struct api_case api_error[] = {
    {"wrong arguments of sends", test_send},
    {"wrong arguments of receives and probes", test_recv},
    {"wrong arguments of tests and waits", test_completion},
    {"wrong arguments of collectives", test_collectives},
    {"overlapping buffers", test_overlap},
    {"calls from inside an operation", test_callbacks},
    {NULL, NULL},
};
