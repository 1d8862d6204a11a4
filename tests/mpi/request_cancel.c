/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_cancel.c tests MPI_Cancel: a receive that nothing matches is
 * cancelled, and what is sent later goes elsewhere; either way no message is
 * lost. A send that nobody receives returns from its wait, cancelled, and its
 * message is nowhere (MPI 4.1, 3.8.4).
 */
#include "tests/mpi/mpi_test.h"

static int cancelled(const MPI_Status *s)
{
	int flag = -1;

	OK(MPI_Test_cancelled(s, &flag));
	return flag;
}

/* Cancels receives of all kinds that nobody sends to. */
static void test_receive(void)
{
	int x[3] = {1, 2, 3}, y = -1;
	MPI_Request r[3];
	MPI_Status s[3];

	OK(MPI_Irecv(&x[0], 1, MPI_INT, left_of(me), 1, W, &r[0]));
	OK(MPI_Irecv(&x[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &r[1]));
	OK(MPI_Recv_init(&x[2], 1, MPI_INT, left_of(me), 1, W, &r[2]));
	OK(MPI_Start(&r[2]));
	for (int k = 0; k < 3; k++)
		OK(MPI_Cancel(&r[k]));
	OK(MPI_Waitall(3, r, s));
	for (int k = 0; k < 3; k++) {
		CHECK_EQ(cancelled(&s[k]), 1);
		CHECK_EQ(x[k], k + 1);
	}
	CHECK(r[0] == MPI_REQUEST_NULL && r[2] != MPI_REQUEST_NULL);
	OK(MPI_Barrier(W));
	/* the next receive gets the message, and so does a new start */
	OK(MPI_Start(&r[2]));
	OK(MPI_Send(&me, 1, MPI_INT, right_of(me), 1, W));
	OK(MPI_Wait(&r[2], s));
	CHECK_EQ(cancelled(s), 0);
	CHECK_EQ(x[2], left_of(me));
	OK(MPI_Sendrecv(&me, 1, MPI_INT, right_of(me), 1, &y, 1, MPI_INT,
			left_of(me), 1, W, s));
	CHECK_EQ(cancelled(s), 0);
	CHECK_EQ(y, left_of(me));
	OK(MPI_Request_free(&r[2]));
}

/* Cancels while the message may be coming: it is received, or stays for the
 * next receive. */
static void test_race(void)
{
	int y = -1, late = -1;
	MPI_Request r, sent;
	MPI_Status s;

	for (int k = 0; k < 300; k++) {
		OK(MPI_Irecv(&y, 1, MPI_INT, left_of(me), 1, W, &r));
		OK(MPI_Isend(&k, 1, MPI_INT, right_of(me), 1, W, &sent));
		OK(MPI_Cancel(&r));
		OK(MPI_Wait(&r, &s));
		if (cancelled(&s))
			OK(MPI_Recv(&late, 1, MPI_INT, left_of(me), 1, W,
				    MPI_STATUS_IGNORE));
		else
			late = y;
		CHECK_EQ(late, k);
		OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
	}
}

/* A request is freed after cancel and is gone. */
static void test_freed(void)
{
	int y = -1;
	MPI_Request r;

	OK(MPI_Irecv(&y, 1, MPI_INT, left_of(me), 1, W, &r));
	OK(MPI_Cancel(&r));
	OK(MPI_Request_free(&r));
	CHECK(r == MPI_REQUEST_NULL);
	OK(MPI_Barrier(W));
	OK(MPI_Sendrecv(&me, 1, MPI_INT, right_of(me), 1, &y, 1, MPI_INT,
			left_of(me), 1, W, MPI_STATUS_IGNORE));
	CHECK_EQ(y, left_of(me));
}

/* Whether a send can be cancelled is up to the implementation; here all
 * messages are received first, so that none may be cancelled. */
static void test_send(void)
{
	static int x[20000], y[20000];
	MPI_Request r[2];
	MPI_Status s[2];

	x[0] = me;
	OK(MPI_Isend(x, 1, MPI_INT, right_of(me), 1, W, &r[0]));
	OK(MPI_Issend(x, 20000, MPI_INT, right_of(me), 2, W, &r[1]));
	OK(MPI_Recv(y, 1, MPI_INT, left_of(me), 1, W, MPI_STATUS_IGNORE));
	CHECK_EQ(y[0], left_of(me));
	OK(MPI_Recv(y, 20000, MPI_INT, left_of(me), 2, W, MPI_STATUS_IGNORE));
	OK(MPI_Barrier(W));
	OK(MPI_Cancel(&r[0]));
	OK(MPI_Cancel(&r[1]));
	OK(MPI_Waitall(2, r, s));
	CHECK_EQ(cancelled(&s[0]), 0);
	CHECK_EQ(cancelled(&s[1]), 0);
}

enum { LONG = 20000, HELD = 200 };

static int out[LONG], in[LONG];

static void fill(int value)
{
	for (int k = 0; k < LONG; k++)
		out[k] = value;
}

/* Starts sends of all kinds that wait for a receive. Returns how many. */
static int start_sends(MPI_Datatype column, MPI_Request r[])
{
	OK(MPI_Issend(out, 1, MPI_INT, right_of(me), 1, W, &r[0]));
	OK(MPI_Issend(out, LONG, MPI_INT, right_of(me), 2, W, &r[1]));
	OK(MPI_Isend(out, LONG, column, right_of(me), 3, W, &r[2]));
	OK(MPI_Ssend_init(out, LONG, MPI_INT, right_of(me), 4, W, &r[3]));
	OK(MPI_Start(&r[3]));
	return 4;
}

/* Nobody receives, so a wait returns only if the send is cancelled. */
static void test_unreceived(void)
{
	MPI_Datatype column;
	MPI_Request r[4];
	MPI_Status s[4];
	int n, there = -1;

	OK(MPI_Type_vector(1, 1, 1, MPI_INT, &column));
	OK(MPI_Type_commit(&column));
	fill(me);
	for (int round = 0; round < 3; round++) {
		n = start_sends(column, r);
		if (round) /* the messages have arrived */
			OK(MPI_Barrier(W));
		for (int k = 0; k < n; k++)
			OK(MPI_Cancel(&r[k]));
		OK(MPI_Cancel(&r[1])); /* once more */
		OK(MPI_Waitall(n, r, s));
		for (int k = 0; k < n; k++)
			CHECK_EQ(cancelled(&s[k]), 1);
		OK(MPI_Barrier(W));
		OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &there,
			      MPI_STATUS_IGNORE));
		CHECK_EQ(there, 0);
		OK(MPI_Barrier(W));
		/* the persistent one is started again, and received */
		OK(MPI_Start(&r[3]));
		OK(MPI_Recv(in, LONG, MPI_INT, left_of(me), 4, W,
			    MPI_STATUS_IGNORE));
		CHECK_EQ(in[LONG - 1], left_of(me));
		OK(MPI_Wait(&r[3], s));
		CHECK_EQ(cancelled(s), 0);
		OK(MPI_Request_free(&r[3]));
	}
	OK(MPI_Type_free(&column));
}

/* More sends than a peer has room for: some have not left. Those that are not
 * cancelled are received, in order. */
static void test_many(void)
{
	MPI_Request r[HELD];
	MPI_Status s[HELD];

	fill(me);
	for (int k = 0; k < HELD; k++)
		OK(MPI_Issend(&out[k], 1 + k % 1000, MPI_INT, right_of(me),
			      k % 2, W, &r[k]));
	for (int k = 1; k < HELD; k += 2)
		OK(MPI_Cancel(&r[k]));
	for (int k = 0; k < HELD; k += 2) {
		OK(MPI_Recv(in, 1000, MPI_INT, left_of(me), 0, W, &s[k]));
		CHECK_EQ(in[k % 1000], left_of(me));
	}
	OK(MPI_Waitall(HELD, r, s));
	for (int k = 0; k < HELD; k++)
		CHECK_EQ(cancelled(&s[k]), k % 2);
}

/* Cancels while the receive may be starting: the message is received whole, or
 * not at all, and both sides know it. */
static void test_send_race(void)
{
	uint64_t random = mpi_test_seed + (uint64_t)me;
	int mine, theirs, lost = 0;
	MPI_Request send, recv;
	MPI_Status s;

	for (int k = 0; k < 300; k++) {
		int n = random_below(&random, 2) ? LONG : 10;
		int early = random_below(&random, 2);

		out[0] = out[n - 1] = k;
		if (early)
			OK(MPI_Irecv(in, LONG, MPI_INT, left_of(me), 9 + k, W,
				     &recv));
		OK(MPI_Issend(out, n, MPI_INT, right_of(me), 9 + k, W, &send));
		for (int j = random_below(&random, 4); j > 0; j--)
			OK(MPI_Iprobe(left_of(me), 3, W, &mine,
				      MPI_STATUS_IGNORE));
		if (!early)
			OK(MPI_Irecv(in, LONG, MPI_INT, left_of(me), 9 + k, W,
				     &recv));
		OK(MPI_Cancel(&send));
		OK(MPI_Wait(&send, &s));
		mine = cancelled(&s);
		memset(out, -1, sizeof(out));
		OK(MPI_Sendrecv(&mine, 1, MPI_INT, right_of(me), 2, &theirs, 1,
				MPI_INT, left_of(me), 2, W, MPI_STATUS_IGNORE));
		if (theirs)
			OK(MPI_Cancel(&recv));
		OK(MPI_Wait(&recv, &s));
		CHECK_EQ(cancelled(&s), theirs);
		lost += theirs;
		if (!theirs) {
			int got = -1;

			OK(MPI_Get_count(&s, MPI_INT, &got));
			CHECK(in[0] == k && in[got - 1] == k);
		}
	}
	printf("# rank %d: %d of 300 cancelled\n", me, lost);
}

static void test_set(void)
{
	MPI_Status s;

	memset(&s, 0, sizeof(s));
	OK(MPI_Status_set_cancelled(&s, 1));
	CHECK_EQ(cancelled(&s), 1);
	OK(MPI_Status_set_cancelled(&s, 0));
	CHECK_EQ(cancelled(&s), 0);
}

/* The functions and the fields of a status are the same. */
static void test_fields(void)
{
	MPI_Status s;
	int value;

	memset(&s, 0, sizeof(s));
	OK(MPI_Status_set_source(&s, 3));
	OK(MPI_Status_set_tag(&s, 4));
	OK(MPI_Status_set_error(&s, MPI_ERR_TRUNCATE));
	CHECK_EQ(s.MPI_SOURCE, 3);
	CHECK_EQ(s.MPI_TAG, 4);
	CHECK_EQ(s.MPI_ERROR, MPI_ERR_TRUNCATE);
	OK(MPI_Sendrecv(&me, 1, MPI_INT, right_of(me), 7, &value, 1, MPI_INT,
			left_of(me), 7, W, &s));
	OK(MPI_Status_get_source(&s, &value));
	CHECK_EQ(value, left_of(me));
	OK(MPI_Status_get_tag(&s, &value));
	CHECK_EQ(value, 7);
	OK(MPI_Status_set_error(&s, MPI_ERR_TAG));
	OK(MPI_Status_get_error(&s, &value));
	CHECK_EQ(value, MPI_ERR_TAG);
}

static const struct mpi_case cases[] = {
    {"receives", test_receive},
    {"while the message comes", test_race},
    {"freed", test_freed},
    {"sends", test_send},
    {"sends nobody receives", test_unreceived},
    {"many sends", test_many},
    {"sends while the receive starts", test_send_race},
    {"status_set_cancelled", test_set},
    {"fields of a status", test_fields},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
