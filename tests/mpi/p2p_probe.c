/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_probe.c tests probes and matched probes: what they report, that a matched
 * message belongs to nobody else, and that MPI_MESSAGE_NO_PROC is received as
 * from MPI_PROC_NULL.
 */
#include "tests/mpi/mpi_test.h"

enum { LONG = 40000 };

static int out[LONG], in[LONG];

static void check_status(const MPI_Status *s, int tag, int n)
{
	int count = -1;

	CHECK_EQ(s->MPI_SOURCE, left_of(me));
	CHECK_EQ(s->MPI_TAG, tag);
	OK(MPI_Get_count(s, MPI_INT, &count));
	CHECK_EQ(count, n);
}

/* A probe reports the message that the receive gets, and leaves it. */
static void test_probe(void)
{
	static const int lengths[] = {0, 1, 500, LONG};
	MPI_Request r;
	MPI_Status s;

	for (int k = 0; k < 4; k++) {
		int n = lengths[k], flag = 0, any = k % 2;

		out[0] = me + k;
		OK(MPI_Isend(out, n, MPI_INT, right_of(me), k, W, &r));
		if (k < 2)
			OK(MPI_Probe(left_of(me), any ? MPI_ANY_TAG : k, W,
				     &s));
		else
			while (!flag)
				OK(MPI_Iprobe(any ? MPI_ANY_SOURCE
						  : left_of(me),
					      k, W, &flag, &s));
		check_status(&s, k, n);
		OK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, W,
			     MPI_STATUS_IGNORE));
		in[0] = -1;
		OK(MPI_Recv(in, n, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, W, &s));
		check_status(&s, k, n);
		CHECK_EQ(in[0], n ? left_of(me) + k : -1);
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
		OK(MPI_Barrier(W));
		OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag, &s));
		CHECK_EQ(flag, 0);
		OK(MPI_Barrier(W));
	}
}

static void find(int from, int tag, int how, MPI_Message *m, MPI_Status *s)
{
	int flag = 0;

	if (how) {
		OK(MPI_Mprobe(from, tag, W, m, s));
		return;
	}
	while (!flag)
		OK(MPI_Improbe(from, tag, W, &flag, m, s));
}

static void take(int n, int how, MPI_Message *m, MPI_Status *s)
{
	MPI_Request r;

	if (how) {
		OK(MPI_Mrecv(in, n, MPI_INT, m, s));
	} else {
		OK(MPI_Imrecv(in, n, MPI_INT, m, &r));
		OK(MPI_Wait(&r, s));
		CHECK(r == MPI_REQUEST_NULL);
	}
	CHECK(*m == MPI_MESSAGE_NULL);
}

/* Messages of all lengths and modes are found and received in both ways. */
static void test_matched(void)
{
	static const int lengths[] = {0, 1, 500, LONG};
	MPI_Message m = MPI_MESSAGE_NULL;
	MPI_Request r;
	MPI_Status s;

	for (int k = 0; k < 16; k++) {
		int n = lengths[k / 4];

		for (int j = 0; j < n; j++)
			out[j] = me * 7 + j + k;
		if (k % 3)
			OK(MPI_Isend(out, n, MPI_INT, right_of(me), k, W, &r));
		else
			OK(MPI_Issend(out, n, MPI_INT, right_of(me), k, W, &r));
		find(k % 5 ? left_of(me) : MPI_ANY_SOURCE, k, k & 1, &m, &s);
		check_status(&s, k, n);
		CHECK(m != MPI_MESSAGE_NULL && m != MPI_MESSAGE_NO_PROC);
		memset(in, 0, sizeof(in));
		take(LONG, k & 2, &m, &s);
		check_status(&s, k, n);
		for (int j = 0; j < n; j++)
			if (!CHECK_EQ(in[j], left_of(me) * 7 + j + k))
				break;
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
		OK(MPI_Barrier(
		    W)); /* the next wildcard is for the next message */
	}
}

/* Receives and probes cannot match a message again; matched messages may be
 * received in any order. */
static void test_taken(void)
{
	MPI_Message m[3], none;
	MPI_Request r[4];
	MPI_Status s;
	int flag = 1;

	for (int k = 0; k < 4; k++) {
		out[k] = me * 10 + k;
		OK(MPI_Issend(&out[k], 1, MPI_INT, right_of(me), 8, W, &r[k]));
	}
	for (int k = 0; k < 3; k++)
		OK(MPI_Mprobe(left_of(me), 8, W, &m[k], &s));
	OK(MPI_Recv(in, 1, MPI_INT, left_of(me), MPI_ANY_TAG, W, &s));
	CHECK_EQ(in[0], left_of(me) * 10 + 3);
	OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag, &s));
	CHECK_EQ(flag, 0);
	flag = 1;
	OK(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag, &none, &s));
	CHECK_EQ(flag, 0);
	OK(MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE));
	CHECK_EQ(flag, 0); /* matched, but not received */
	OK(MPI_Barrier(W));
	for (int k = 2; k >= 0; k--) {
		take(1, k % 2, &m[k], &s);
		CHECK_EQ(in[0], left_of(me) * 10 + k);
	}
	OK(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
}

/* A matched message holds the communicator on which it came. */
static void test_comm_freed(void)
{
	MPI_Request r[2];
	MPI_Message m[2];
	MPI_Status s;
	MPI_Comm c;

	out[0] = me;
	OK(MPI_Comm_dup(W, &c));
	for (int k = 0; k < 2; k++)
		OK(MPI_Isend(out, 1, MPI_INT, right_of(me), k, c, &r[k]));
	for (int k = 0; k < 2; k++)
		OK(MPI_Mprobe(left_of(me), k, c, &m[k], &s));
	OK(MPI_Comm_free(&c));
	for (int k = 0; k < 2; k++) {
		in[0] = -1;
		take(1, k, &m[k], &s);
		check_status(&s, k, 1);
		CHECK_EQ(in[0], left_of(me));
	}
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
}

static void check_no_proc(const MPI_Status *s)
{
	CHECK_EQ(s->MPI_SOURCE, MPI_PROC_NULL);
	CHECK_EQ(s->MPI_TAG, MPI_ANY_TAG);
}

static void test_no_proc(void)
{
	MPI_Message m = MPI_MESSAGE_NULL;
	MPI_Status s;

	for (int k = 0; k < 4; k++) {
		find(MPI_PROC_NULL, k, k & 1, &m, &s);
		check_no_proc(&s);
		CHECK(m == MPI_MESSAGE_NO_PROC);
		in[0] = 77;
		take(1, k & 2, &m, &s);
		check_no_proc(&s);
		CHECK_EQ(in[0], 77);
	}
}

static void test_errors(void)
{
	MPI_Message m = MPI_MESSAGE_NULL;
	MPI_Request r;
	MPI_Status s;

	CHECK_ERROR(MPI_ERR_RANK, MPI_Mprobe(np, 0, W, &m, &s));
	CHECK_ERROR(MPI_ERR_TAG, MPI_Mprobe(0, -5, W, &m, &s));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Mprobe(0, 0, MPI_COMM_NULL, &m, &s));
	CHECK_ERROR(MPI_ERR_RANK, MPI_Probe(-7, 0, W, &s));
	CHECK(MPI_Mrecv(in, 1, MPI_INT, &m, &s) != MPI_SUCCESS);
	/* too long by one byte */
	OK(MPI_Isend(out, 5, MPI_BYTE, right_of(me), 4, W, &r));
	OK(MPI_Mprobe(left_of(me), 4, W, &m, &s));
	CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Mrecv(in, 4, MPI_BYTE, &m, &s));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

static const struct mpi_case cases[] = {
    {"probe and iprobe", test_probe},
    {"mprobe, improbe, mrecv, imrecv", test_matched},
    {"a matched message is taken", test_taken},
    {"the communicator of a matched message is freed", test_comm_freed},
    {"MPI_MESSAGE_NO_PROC", test_no_proc},
    {"errors", test_errors},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
