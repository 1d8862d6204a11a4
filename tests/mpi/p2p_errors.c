/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_errors.c checks that each wrong argument of each call gets its class, and
 * that the next right call works; a message that is a byte too long is
 * truncated, and the connection goes on, in every kind of receive and at every
 * length.
 */
#include "tests/mpi/mpi_test.h"

static int x[4], y[4];

typedef int call_fn(int count, MPI_Datatype type, int peer, int tag,
		    MPI_Comm comm);

/* Defines a call that starts a request, which must not be created. */
#define SEND(name)                                                             \
	static int name(int count, MPI_Datatype type, int peer, int tag,       \
			MPI_Comm comm)                                         \
	{                                                                      \
		return MPI_##name(x, count, type, peer, tag, comm);            \
	}
#define START(name)                                                            \
	static int name(int count, MPI_Datatype type, int peer, int tag,       \
			MPI_Comm comm)                                         \
	{                                                                      \
		MPI_Request r;                                                 \
		return MPI_##name(x, count, type, peer, tag, comm, &r);        \
	}
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)
START(Isend)
START(Ibsend)
START(Issend)
START(Irsend)
START(Send_init)
START(Bsend_init)
START(Ssend_init)
START(Rsend_init)
START(Irecv)
START(Recv_init)

static int Recv(int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm)
{
	return MPI_Recv(x, count, type, peer, tag, comm, MPI_STATUS_IGNORE);
}

static int Replace(int count, MPI_Datatype type, int peer, int tag,
		   MPI_Comm comm)
{
	return MPI_Sendrecv_replace(x, count, type, peer, tag, MPI_PROC_NULL, 0,
				    comm, MPI_STATUS_IGNORE);
}

static call_fn *const sends[] = {
    Send,   Bsend,     Ssend,	   Rsend,      Isend,	   Ibsend,  Issend,
    Irsend, Send_init, Bsend_init, Ssend_init, Rsend_init, Replace, NULL};
static call_fn *const recvs[] = {Recv, Irecv, Recv_init, NULL};

static void wrong(call_fn *call)
{
	CHECK_ERROR(MPI_ERR_COUNT, call(-1, MPI_INT, 0, 0, W));
	CHECK_ERROR(MPI_ERR_TYPE, call(1, MPI_DATATYPE_NULL, 0, 0, W));
	CHECK_ERROR(MPI_ERR_RANK, call(1, MPI_INT, np, 0, W));
	CHECK_ERROR(MPI_ERR_RANK, call(1, MPI_INT, -77, 0, W));
	CHECK_ERROR(MPI_ERR_TAG, call(1, MPI_INT, 0, -77, W));
	CHECK_ERROR(MPI_ERR_COMM, call(1, MPI_INT, 0, 0, MPI_COMM_NULL));
}

static void test_arguments(void)
{
	MPI_Datatype raw;

	OK(MPI_Type_contiguous(2, MPI_INT, &raw));
	for (int k = 0; sends[k]; k++) {
		wrong(sends[k]);
		CHECK_ERROR(MPI_ERR_RANK,
			    sends[k](1, MPI_INT, MPI_ANY_SOURCE, 0, W));
		CHECK_ERROR(MPI_ERR_TAG,
			    sends[k](1, MPI_INT, 0, MPI_ANY_TAG, W));
		CHECK_ERROR(MPI_ERR_TYPE, sends[k](1, raw, 0, 0, W));
	}
	for (int k = 0; recvs[k]; k++) {
		wrong(recvs[k]);
		CHECK_ERROR(MPI_ERR_TYPE, recvs[k](1, raw, 0, 0, W));
	}
	OK(MPI_Type_free(&raw));
	CHECK_ERROR(MPI_ERR_BUFFER, MPI_Send(NULL, 1, MPI_INT, 0, 0, W));
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Recv(NULL, 1, MPI_INT, 0, 0, W, MPI_STATUS_IGNORE));
	/* none of these calls has left anything behind */
	OK(MPI_Sendrecv(&me, 1, MPI_INT, right_of(me), 0, y, 1, MPI_INT,
			left_of(me), 0, W, MPI_STATUS_IGNORE));
	CHECK_EQ(y[0], left_of(me));
}

/* ---- Truncation -----------------------------------------------------------
 */

enum { LONG = 150000 };
static char out[LONG], in[LONG + 1];

static void check_cut(int n, int room, const MPI_Status *s)
{
	CHECK_EQ(s->MPI_SOURCE, left_of(me));
	CHECK_EQ(s->MPI_TAG, n);
	CHECK_EQ(in[room], 9); /* nothing beyond */
}

static void truncate(int n, int how)
{
	MPI_Request s, r;
	MPI_Status status;
	int room = n - 1;

	memset(in, 9, sizeof(in));
	OK(MPI_Isend(out, n, MPI_BYTE, right_of(me), n, W, &s));
	if (how == 0) {
		CHECK_ERROR(
		    MPI_ERR_TRUNCATE,
		    MPI_Recv(in, room, MPI_BYTE, left_of(me), n, W, &status));
	} else if (how == 1) {
		OK(MPI_Irecv(in, room, MPI_BYTE, MPI_ANY_SOURCE, n, W, &r));
		CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&r, &status));
		CHECK(r == MPI_REQUEST_NULL);
	} else {
		OK(MPI_Recv_init(in, room, MPI_BYTE, left_of(me), n, W, &r));
		OK(MPI_Start(&r));
		CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&r, &status));
		OK(MPI_Request_free(&r));
	}
	check_cut(n, room, &status);
	OK(MPI_Wait(&s,
		    MPI_STATUS_IGNORE)); /* the sender hears nothing of it */
	OK(MPI_Sendrecv(out, n, MPI_BYTE, right_of(me), 1, in, n, MPI_BYTE,
			left_of(me), 1, W, &status));
}

static void test_truncated(void)
{
	static const int lengths[] = {2, 8, 65, 2000, 9000, LONG};

	for (int k = 0; k < 6; k++)
		for (int how = 0; how < 3; how++)
			truncate(lengths[k], how);
}

static const struct mpi_case cases[] = {{"wrong arguments", test_arguments},
					{"longer by a byte", test_truncated},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
