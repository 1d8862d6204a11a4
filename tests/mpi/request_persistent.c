/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_persistent.c tests persistent requests that are started again and
 * again with other data, in all modes and of all lengths, and freed while they
 * are under way; and what they must not do.
 */
#include "tests/mpi/mpi_test.h"

enum { LONG = 20000, ROUNDS = 100, KINDS = 4 };

static int out[KINDS][LONG], in[KINDS][LONG];
static char room[LONG * sizeof(int) * 2 + 2 * MPI_BSEND_OVERHEAD];

static void make(int n, MPI_Request *r)
{
	int to = right_of(me);

	for (int k = 0; k < KINDS; k++)
		OK(MPI_Recv_init(in[k], n, MPI_INT,
				 k ? left_of(me) : MPI_ANY_SOURCE, k, W,
				 &r[k]));
	OK(MPI_Send_init(out[0], n, MPI_INT, to, 0, W, &r[KINDS]));
	OK(MPI_Ssend_init(out[1], n, MPI_INT, to, 1, W, &r[KINDS + 1]));
	OK(MPI_Bsend_init(out[2], n, MPI_INT, to, 2, W, &r[KINDS + 2]));
	OK(MPI_Rsend_init(out[3], n, MPI_INT, to, 3, W, &r[KINDS + 3]));
}

/* Starts the ready send when the neighbour says that its receive has
 * started. */
static void start(MPI_Request *r)
{
	int go = 0;

	OK(MPI_Startall(KINDS, r));
	OK(MPI_Sendrecv(&go, 0, MPI_INT, left_of(me), 9, &go, 0, MPI_INT,
			right_of(me), 9, W, MPI_STATUS_IGNORE));
	for (int k = KINDS; k < 2 * KINDS; k++)
		OK(MPI_Start(&r[k]));
}

static void complete(int round, MPI_Request *r, MPI_Status *s)
{
	int k, flag = 0;

	if (round % 3 == 0) {
		OK(MPI_Waitall(2 * KINDS, r, s));
	} else if (round % 3 == 1) {
		while (!flag)
			OK(MPI_Testall(2 * KINDS, r, &flag, s));
	} else {
		MPI_Status one;

		for (int left = 2 * KINDS; left; left--) {
			OK(MPI_Waitany(2 * KINDS, r, &k, &one));
			s[k] = one;
		}
	}
	for (k = 0; k < 2 * KINDS; k++)
		CHECK(r[k] != MPI_REQUEST_NULL);
}

static void rounds(int n)
{
	MPI_Request r[2 * KINDS];
	MPI_Status s[2 * KINDS];

	make(n, r);
	for (int round = 0; round < ROUNDS; round++) {
		for (int k = 0; k < KINDS; k++)
			for (int j = 0; j < n; j++)
				out[k][j] = me * 1000 + round * 10 + k;
		start(r);
		complete(round, r, s);
		for (int k = 0; k < KINDS; k++) {
			int value = left_of(me) * 1000 + round * 10 + k;

			CHECK_EQ(s[k].MPI_SOURCE, left_of(me));
			CHECK_EQ(s[k].MPI_TAG, k);
			CHECK_EQ(in[k][0], value);
			CHECK_EQ(in[k][n - 1], value);
		}
	}
	for (int k = 0; k < 2 * KINDS; k++)
		OK(MPI_Request_free(&r[k]));
}

static void test_rounds(void)
{
	void *at;
	int size;

	OK(MPI_Buffer_attach(room, sizeof(room)));
	rounds(1);
	rounds(200);
	rounds(LONG);
	OK(MPI_Buffer_detach(&at, &size));
}

/* One receive gets messages of different lengths. */
static void test_lengths(void)
{
	MPI_Request r;
	MPI_Status s;
	int count;

	OK(MPI_Recv_init(in[0], LONG, MPI_INT, left_of(me), MPI_ANY_TAG, W,
			 &r));
	for (int n = 0; n <= LONG; n = n * 3 + 1) {
		OK(MPI_Start(&r));
		OK(MPI_Send(out[0], n, MPI_INT, right_of(me), n, W));
		OK(MPI_Wait(&r, &s));
		OK(MPI_Get_count(&s, MPI_INT, &count));
		CHECK_EQ(count, n);
		CHECK_EQ(s.MPI_TAG, n);
	}
	OK(MPI_Request_free(&r));
}

/* An error of one start is gone at the next. */
static void test_error(void)
{
	MPI_Request r;
	MPI_Status s;

	OK(MPI_Recv_init(in[0], 1, MPI_INT, left_of(me), 1, W, &r));
	for (int k = 0; k < 4; k++) {
		OK(MPI_Start(&r));
		OK(MPI_Send(out[0], 1 + k % 2, MPI_INT, right_of(me), 1, W));
		CHECK_ERROR(k % 2 ? MPI_ERR_TRUNCATE : MPI_SUCCESS,
			    MPI_Wait(&r, &s));
		CHECK(r != MPI_REQUEST_NULL);
	}
	OK(MPI_Request_free(&r));
	CHECK(r == MPI_REQUEST_NULL);
}

/* A synchronous send is not complete before its receive has begun. */
static void test_synchronous(void)
{
	MPI_Request r;

	OK(MPI_Ssend_init(out[0], 1, MPI_INT, right_of(me), 1, W, &r));
	for (int k = 0; k < 3; k++) {
		int flag = 1;

		out[0][0] = me + k;
		OK(MPI_Start(&r));
		OK(MPI_Barrier(W));
		OK(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
		CHECK_EQ(flag, 0);
		OK(MPI_Barrier(W));
		OK(MPI_Recv(in[0], 1, MPI_INT, left_of(me), 1, W,
			    MPI_STATUS_IGNORE));
		CHECK_EQ(in[0][0], left_of(me) + k);
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	}
	OK(MPI_Request_free(&r));
}

/* A request freed while under way completes all the same. */
static void test_freed(void)
{
	MPI_Request r[2];

	out[0][0] = me;
	in[0][0] = -1;
	OK(MPI_Recv_init(in[0], LONG, MPI_INT, left_of(me), 1, W, &r[0]));
	OK(MPI_Send_init(out[0], LONG, MPI_INT, right_of(me), 1, W, &r[1]));
	OK(MPI_Startall(2, r));
	OK(MPI_Request_free(&r[1]));
	OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
	CHECK_EQ(in[0][0], left_of(me));
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Barrier(W)); /* only now may out[0] change */
}

static void test_wrong(void)
{
	MPI_Request r;

	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_Send_init(out[0], -1, MPI_INT, 0, 0, W, &r));
	CHECK_ERROR(MPI_ERR_RANK,
		    MPI_Ssend_init(out[0], 1, MPI_INT, np, 0, W, &r));
	CHECK_ERROR(MPI_ERR_TAG,
		    MPI_Bsend_init(out[0], 1, MPI_INT, 0, -1, W, &r));
	CHECK_ERROR(MPI_ERR_TYPE,
		    MPI_Recv_init(in[0], 1, MPI_DATATYPE_NULL, 0, 0, W, &r));
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_Recv_init(in[0], 1, MPI_INT, 0, 0, MPI_COMM_NULL, &r));
	/* a request that is not persistent */
	OK(MPI_Irecv(in[0], 1, MPI_INT, left_of(me), 2, W, &r));
	CHECK(MPI_Start(&r) != MPI_SUCCESS);
	OK(MPI_Send(out[0], 1, MPI_INT, right_of(me), 2, W));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

static const struct mpi_case cases[] = {
    {"many rounds in all modes", test_rounds},
    {"of any length", test_lengths},
    {"after an error", test_error},
    {"synchronous", test_synchronous},
    {"freed under way", test_freed},
    {"wrong use", test_wrong},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
