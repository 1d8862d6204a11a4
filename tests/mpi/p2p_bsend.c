/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_bsend.c tests buffered sends: they return though nobody receives, as many
 * as the buffer holds by the rule of MPI_BSEND_OVERHEAD; the space of messages
 * that have left is used again; detach waits for all.
 */
#include "tests/mpi/mpi_test.h"

enum { N = 8, LONG = 30000 };

static int out[LONG], in[LONG];
static char room[N * (LONG * sizeof(int) + MPI_BSEND_OVERHEAD) + 8];

static void detach(const void *expected, int bytes)
{
	void *at = NULL;
	int size = -1;

	OK(MPI_Buffer_detach(&at, &size));
	CHECK(at == expected);
	CHECK_EQ(size, bytes);
}

static void receive(int n, int tag, int value)
{
	in[0] = in[n - 1] = -1;
	OK(MPI_Recv(in, n, MPI_INT, left_of(me), tag, W, MPI_STATUS_IGNORE));
	CHECK_EQ(in[0], value);
	CHECK_EQ(in[n - 1], value);
}

static void set(int n, int value)
{
	for (int k = 0; k < n; k++)
		out[k] = value;
}

/* The buffer has exactly the size that N messages need, at any alignment. */
static void test_exact(void)
{
	static const int lengths[] = {1, 100, LONG};

	for (int k = 0; k < 6; k++) {
		int n = lengths[k % 3];
		int bytes = N * (n * (int)sizeof(int) + MPI_BSEND_OVERHEAD);

		OK(MPI_Buffer_attach(room + k, bytes));
		for (int j = 0; j < N; j++) {
			set(n, me * 100 + j);
			OK(MPI_Bsend(out, n, MPI_INT, right_of(me), j, W));
			set(n, -5); /* the message was copied */
		}
		OK(MPI_Barrier(W));
		for (int j = N - 1; j >= 0; j--)
			receive(n, j, left_of(me) * 100 + j);
		detach(room + k, bytes);
	}
}

/* Of long messages that nobody receives, no more are accepted than fit. */
static void test_full(void)
{
	int bytes = 2 * (LONG * (int)sizeof(int) + MPI_BSEND_OVERHEAD);
	int class, rc, fitting = 0;
	MPI_Request r;

	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Bsend(out, 1, MPI_INT, right_of(me), 0, W));
	OK(MPI_Buffer_attach(room, bytes));
	CHECK_ERROR(MPI_ERR_BUFFER, MPI_Buffer_attach(room, bytes));
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Bsend(room, bytes, MPI_BYTE, right_of(me), 0, W));
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Ibsend(room, bytes, MPI_BYTE, right_of(me), 0, W, &r));
	set(LONG, 3);
	/* the third never fits: nobody has received the first */
	for (int k = 0; k < 3; k++) {
		rc = MPI_Bsend(out, LONG, MPI_INT, right_of(me), k, W);
		MPI_Error_class(rc, &class);
		CHECK(class == MPI_SUCCESS || class == MPI_ERR_BUFFER);
		fitting += !rc;
	}
	CHECK_EQ(fitting, 2);
	OK(MPI_Barrier(W));
	receive(LONG, 0, 3);
	receive(LONG, 1, 3);
	detach(room, bytes);
}

/* A tight buffer is used over and over; lengths vary. */
static void test_reuse(void)
{
	int bytes = 3 * (1000 * (int)sizeof(int) + MPI_BSEND_OVERHEAD);

	OK(MPI_Buffer_attach(room, bytes));
	for (int k = 0; k < 200; k++) {
		int n = k * 37 % 1000 + 1;

		set(n, k);
		OK(MPI_Bsend(out, n, MPI_INT, right_of(me), 1, W));
		receive(n, 1, k);
	}
	OK(MPI_Barrier(W));
	detach(room, bytes);
}

/* Detach returns when the messages have left the buffer: it may then be
 * overwritten, whichever rank has yet to receive. */
static void test_detach_waits(void)
{
	MPI_Request r[N];

	for (int k = 0; k < N; k++)
		OK(MPI_Irecv(in + k * (LONG / N), LONG / N, MPI_INT,
			     left_of(me), k, W, &r[k]));
	OK(MPI_Buffer_attach(room, sizeof(room)));
	for (int k = 0; k < N; k++) {
		set(LONG / N, me + k);
		OK(MPI_Bsend(out, LONG / N, MPI_INT, right_of(me), k, W));
	}
	detach(room, sizeof(room));
	memset(room, 0x55, sizeof(room));
	OK(MPI_Waitall(N, r, MPI_STATUSES_IGNORE));
	for (int k = 0; k < N; k++) {
		CHECK_EQ(in[k * (LONG / N)], left_of(me) + k);
		CHECK_EQ(in[(k + 1) * (LONG / N) - 1], left_of(me) + k);
	}
}

static void test_null(void)
{
	MPI_Request r;

	/* nothing is sent, so nothing has to fit */
	OK(MPI_Bsend_init(out, 1, MPI_INT, MPI_PROC_NULL, 0, W, &r));
	OK(MPI_Start(&r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	OK(MPI_Request_free(&r));
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
static void test_large(void)
{
	MPI_Count size = -1;
	MPI_Request r;
	void *at;

	OK(MPI_Buffer_attach_c(room, (MPI_Count)sizeof(room)));
	set(10, me);
	in[9] = -1;
	/* a flush may wait for the receive */
	OK(MPI_Irecv(in, 10, MPI_INT, left_of(me), 2, W, &r));
	OK(MPI_Bsend_c(out, 10, MPI_INT, right_of(me), 2, W));
	OK(MPI_Buffer_flush());
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK_EQ(in[9], left_of(me));
	OK(MPI_Buffer_detach_c(&at, &size));
	CHECK(at == room);
	CHECK_EQ(size, sizeof(room));
}

static void test_automatic(void)
{
	MPI_Request r[20];
	void *at;
	int size;

	OK(MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0));
	for (int k = 0; k < 20; k++) {
		set(LONG, k);
		OK(MPI_Ibsend(out, k % 2 ? LONG : 2, MPI_INT, right_of(me), k,
			      W, &r[k]));
	}
	OK(MPI_Waitall(20, r, MPI_STATUSES_IGNORE));
	for (int k = 0; k < 20; k++)
		receive(k % 2 ? LONG : 2, k, k);
	OK(MPI_Barrier(W));
	OK(MPI_Buffer_detach(&at, &size));
	CHECK(at == MPI_BUFFER_AUTOMATIC);
}
#endif

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
/* A communicator's buffer serves it alone, and in place of the process's. */
static void test_comm_buffer(void)
{
	static char other[LONG * sizeof(int) + MPI_BSEND_OVERHEAD];
	MPI_Count bytes;
	MPI_Comm comm;
	void *at;
	int size;

	OK(MPI_Comm_dup(W, &comm));
	OK(MPI_Comm_attach_buffer(comm, other, sizeof(other)));
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Comm_attach_buffer(comm, room, sizeof(room)));
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Bsend(out, 1, MPI_INT, right_of(me), 0, W));
	set(LONG, me);
	OK(MPI_Bsend(out, LONG, MPI_INT, right_of(me), 1, comm));
	/* it is full, and the other one is not used */
	OK(MPI_Buffer_attach(room, sizeof(room)));
	CHECK_ERROR(MPI_ERR_BUFFER,
		    MPI_Bsend(out, LONG, MPI_INT, right_of(me), 1, comm));
	OK(MPI_Bsend(out, LONG, MPI_INT, right_of(me), 2, W));
	receive(LONG, 2, left_of(me));
	detach(room, sizeof(room));
	OK(MPI_Recv(in, LONG, MPI_INT, left_of(me), 1, comm,
		    MPI_STATUS_IGNORE));
	CHECK_EQ(in[LONG - 1], left_of(me));
	OK(MPI_Comm_flush_buffer(comm));
	OK(MPI_Comm_detach_buffer(comm, &at, &size));
	CHECK(at == other);
	CHECK_EQ(size, sizeof(other));
	CHECK_ERROR(MPI_ERR_BUFFER, MPI_Comm_detach_buffer(comm, &at, &size));
	OK(MPI_Comm_flush_buffer(comm));

	/* it may be freed while the buffer is in use */
	OK(MPI_Comm_attach_buffer_c(comm, MPI_BUFFER_AUTOMATIC, 0));
	OK(MPI_Bsend(out, LONG, MPI_INT, right_of(me), 3, comm));
	OK(MPI_Recv(in, LONG, MPI_INT, left_of(me), 3, comm,
		    MPI_STATUS_IGNORE));
	OK(MPI_Comm_detach_buffer_c(comm, &at, &bytes));
	CHECK(at == MPI_BUFFER_AUTOMATIC);
	OK(MPI_Comm_attach_buffer(comm, other, sizeof(other)));
	OK(MPI_Comm_free(&comm));
}

/* A flush is over when the messages that it found have left, whatever comes
 * later, and those in other buffers. */
static void test_iflush(void)
{
	MPI_Request early, flush, none;
	MPI_Comm comm;
	void *at;
	int size, over = -1;

	OK(MPI_Comm_dup(W, &comm));
	OK(MPI_Buffer_attach(room, sizeof(room)));
	OK(MPI_Comm_attach_buffer(comm, MPI_BUFFER_AUTOMATIC, 0));
	OK(MPI_Buffer_iflush(&early));
	OK(MPI_Wait(&early, MPI_STATUS_IGNORE));
	set(LONG, me);
	for (int k = 0; k < 3; k++)
		OK(MPI_Bsend(out, LONG, MPI_INT, right_of(me), k, W));
	OK(MPI_Buffer_iflush(&flush));
	OK(MPI_Comm_iflush_buffer(comm, &none));
	OK(MPI_Bsend(out, LONG, MPI_INT, right_of(me), 3, W));
	OK(MPI_Bsend(out, LONG, MPI_INT, right_of(me), 4, comm));
	OK(MPI_Wait(&none, MPI_STATUS_IGNORE));
	for (int k = 2; k >= 0; k--) {
		OK(MPI_Test(&flush, &over, MPI_STATUS_IGNORE));
		CHECK_EQ(over, 0);
		OK(MPI_Barrier(W));
		receive(LONG, k, left_of(me));
	}
	/* two messages are still in the buffers */
	OK(MPI_Wait(&flush, MPI_STATUS_IGNORE));
	CHECK(flush == MPI_REQUEST_NULL);
	OK(MPI_Barrier(W));
	receive(LONG, 3, left_of(me));
	OK(MPI_Recv(in, LONG, MPI_INT, left_of(me), 4, comm,
		    MPI_STATUS_IGNORE));
	OK(MPI_Comm_detach_buffer(comm, &at, &size));
	detach(room, sizeof(room));
	OK(MPI_Comm_free(&comm));
}
#endif

/* Must run last: MPI_Finalize sends what is in the buffer. */
static void test_finalize(void)
{
	static MPI_Request r;

	OK(MPI_Irecv(in, 1, MPI_INT, left_of(me), 5, W, &r));
	OK(MPI_Buffer_attach(room, sizeof(room)));
	OK(MPI_Bsend(out, 1, MPI_INT, right_of(me), 5, W));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

static const struct mpi_case cases[] = {
    {"exactly full", test_exact},
    {"no more fits", test_full},
    {"the space is used again", test_reuse},
    {"detach waits", test_detach_waits},
    {"MPI_PROC_NULL", test_null},
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    {"large counts, flush", test_large},
    {"MPI_BUFFER_AUTOMATIC", test_automatic},
    {"a communicator's buffer", test_comm_buffer},
    {"nonblocking flushes", test_iflush},
#endif
    {"finalize with a buffer", test_finalize},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
