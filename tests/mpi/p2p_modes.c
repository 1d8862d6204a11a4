/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_modes.c combines every way to send with every way to receive, for
 * messages of many lengths, to the right neighbour and around the ring; and
 * also to and from MPI_PROC_NULL.
 */
#include "tests/mpi/mpi_test.h"

enum { LONGEST = 150001, PER_WAY = 4 };
static const int lengths[] = {0, 1, 2, 17, 300, 5000, LONGEST};
enum { LENGTHS = sizeof(lengths) / sizeof(*lengths) };

static int out[LONGEST], in[LONGEST + 1];
static char attached[PER_WAY * (LONGEST * 4 + MPI_BSEND_OVERHEAD)];

/* ---- Ways to send: each ends complete, or with *r to complete ------------ */

static void send_blocking(int n, int to, int tag, MPI_Request *r)
{
	*r = MPI_REQUEST_NULL;
	OK(MPI_Send(out, n, MPI_INT, to, tag, W));
}

static void send_buffered(int n, int to, int tag, MPI_Request *r)
{
	*r = MPI_REQUEST_NULL;
	OK(MPI_Bsend(out, n, MPI_INT, to, tag, W));
}

static void send_synchronous(int n, int to, int tag, MPI_Request *r)
{
	*r = MPI_REQUEST_NULL;
	OK(MPI_Ssend(out, n, MPI_INT, to, tag, W));
}

static void send_ready(int n, int to, int tag, MPI_Request *r)
{
	*r = MPI_REQUEST_NULL;
	OK(MPI_Rsend(out, n, MPI_INT, to, tag, W));
}

static void isend(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Isend(out, n, MPI_INT, to, tag, W, r));
}

static void ibsend(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Ibsend(out, n, MPI_INT, to, tag, W, r));
}

static void issend(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Issend(out, n, MPI_INT, to, tag, W, r));
}

static void irsend(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Irsend(out, n, MPI_INT, to, tag, W, r));
}

static void send_init(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Send_init(out, n, MPI_INT, to, tag, W, r));
	OK(MPI_Start(r));
}

static void bsend_init(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Bsend_init(out, n, MPI_INT, to, tag, W, r));
	OK(MPI_Start(r));
}

static void ssend_init(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Ssend_init(out, n, MPI_INT, to, tag, W, r));
	OK(MPI_Startall(1, r));
}

static void rsend_init(int n, int to, int tag, MPI_Request *r)
{
	OK(MPI_Rsend_init(out, n, MPI_INT, to, tag, W, r));
	OK(MPI_Start(r));
}

static void (*const sends[])(int n, int to, int tag, MPI_Request *r) = {
    send_blocking, send_buffered, send_synchronous, send_ready,
    isend,	   ibsend,	  issend,	    irsend,
    send_init,	   bsend_init,	  ssend_init,	    rsend_init};
enum { SENDS = sizeof(sends) / sizeof(*sends) };

/* ---- Ways to receive: posted before the send, as ready sends want -------- */

static void irecv(int n, int from, int tag, MPI_Request *r)
{
	OK(MPI_Irecv(in, n, MPI_INT, from, tag, W, r));
}

static void recv_init(int n, int from, int tag, MPI_Request *r)
{
	OK(MPI_Recv_init(in, n, MPI_INT, from, tag, W, r));
	OK(MPI_Start(r));
}

static void irecv_any(int n, int from, int tag, MPI_Request *r)
{
	(void)from;
	OK(MPI_Irecv(in, n, MPI_INT, MPI_ANY_SOURCE, tag, W, r));
}

static void (*const recvs[])(int n, int from, int tag,
			     MPI_Request *r) = {irecv, recv_init, irecv_any};
enum { RECVS = sizeof(recvs) / sizeof(*recvs) };

/* ---- All against all ----------------------------------------------------- */

static void fill(int n, int key)
{
	for (int k = 0; k < n; k++)
		out[k] = key * 31 + k;
}

static void check_in(int n, int key)
{
	int wrong = 0;

	for (int k = 0; k < n; k++)
		wrong += in[k] != key * 31 + k;
	CHECK_EQ(wrong, 0);
	CHECK_EQ(in[n], -7); /* untouched */
}

static void end(MPI_Request *r, MPI_Status *status)
{
	OK(MPI_Wait(r, status));
	if (*r != MPI_REQUEST_NULL)
		OK(MPI_Request_free(r));
	CHECK(*r == MPI_REQUEST_NULL);
}

/* The receiver says by a message of its own when it is ready. */
static void one(int s, int v, int n, int tag)
{
	MPI_Request r[2];
	MPI_Status status;
	int key = tag + s * 7 + v, none = 0;

	fill(n, key + me);
	in[n] = -7;
	recvs[v](n, left_of(me), tag, &r[0]);
	OK(MPI_Sendrecv(&none, 1, MPI_INT, left_of(me), 999, &none, 1, MPI_INT,
			right_of(me), 999, W, MPI_STATUS_IGNORE));
	sends[s](n, right_of(me), tag, &r[1]);
	end(&r[0], &status);
	end(&r[1], MPI_STATUS_IGNORE);
	CHECK_EQ(status.MPI_SOURCE, left_of(me));
	CHECK_EQ(status.MPI_TAG, tag);
	check_in(n, key + left_of(me));
}

static void test_all(void)
{
	void *at;
	int size;

	OK(MPI_Buffer_attach(attached, sizeof(attached)));
	for (int k = 0; k < LENGTHS; k++)
		for (int s = 0; s < SENDS; s++)
			for (int v = 0; v < RECVS; v++)
				one(s, v, lengths[k], 100 + k);
	OK(MPI_Buffer_detach(&at, &size));
	CHECK(at == attached);
	CHECK_EQ(size, sizeof(attached));
}

/* Rank 0 receives what all others send, blocking, in the order of ranks and of
 * lengths; standard sends may wait for it. */
static void test_blocking(void)
{
	for (int k = 0; k < LENGTHS; k++) {
		int n = lengths[k];

		fill(n, me + k);
		if (me)
			OK(MPI_Send(out, n, MPI_INT, 0, k, W));
		for (int r = 1; r < np && !me; r++) {
			MPI_Status status;

			in[n] = -7;
			OK(MPI_Recv(in, n, MPI_INT, r, k, W, &status));
			CHECK_EQ(status.MPI_SOURCE, r);
			check_in(n, r + k);
		}
	}
}

/* ---- MPI_PROC_NULL ------------------------------------------------------- */

static void check_null(const MPI_Status *status)
{
	int cancelled = 1;

	CHECK_EQ(status->MPI_SOURCE, MPI_PROC_NULL);
	CHECK_EQ(status->MPI_TAG, MPI_ANY_TAG);
	OK(MPI_Test_cancelled(status, &cancelled));
	CHECK_EQ(cancelled, 0);
}

static void test_null(void)
{
	MPI_Request r;
	MPI_Status status;
	int x = 5;

	for (int s = 0; s < SENDS; s++) {
		sends[s](1, MPI_PROC_NULL, 3, &r);
		end(&r, MPI_STATUS_IGNORE);
	}
	in[0] = 4;
	OK(MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 3, W, &status));
	check_null(&status);
	for (int v = 0; v < 2; v++) {
		recvs[v](1, MPI_PROC_NULL, MPI_ANY_TAG, &r);
		end(&r, &status);
		check_null(&status);
	}
	OK(MPI_Probe(MPI_PROC_NULL, 3, W, &status));
	check_null(&status);
	OK(MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, W, &x, &status));
	CHECK(x);
	check_null(&status);
	OK(MPI_Sendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, in, 1, MPI_INT,
			MPI_PROC_NULL, 0, W, &status));
	check_null(&status);
	OK(MPI_Sendrecv_replace(in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_PROC_NULL,
				0, W, &status));
	check_null(&status);
#if MPI_VERSION >= 4
	OK(MPI_Isendrecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, in, 1, MPI_INT,
			 MPI_PROC_NULL, 0, W, &r));
	end(&r, &status);
	check_null(&status);
	OK(MPI_Isendrecv_replace(in, 1, MPI_INT, MPI_PROC_NULL, 0,
				 MPI_PROC_NULL, 0, W, &r));
	end(&r, &status);
	check_null(&status);
#endif
	CHECK_EQ(in[0], 4);
}

static const struct mpi_case cases[] = {
    {"every send and every receive", test_all},
    {"blocking, to rank 0", test_blocking},
    {"MPI_PROC_NULL", test_null},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
