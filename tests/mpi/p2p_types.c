/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_types.c sends columns of a matrix by every kind of send and receive that
 * handles types in its own way: persistent, buffered, in one buffer, in one
 * request, matched; of few and of many elements.
 */
#include "tests/mpi/mpi_test.h"

enum { ROWS = 3000, COLUMNS = 4 };

static int out[ROWS][COLUMNS], in[ROWS][COLUMNS];
static char room[ROWS * 4 + MPI_BSEND_OVERHEAD];
static MPI_Datatype column;
static int rows;

static void fill(int (*m)[COLUMNS], int key)
{
	for (int r = 0; r < rows; r++)
		for (int c = 0; c < COLUMNS; c++)
			m[r][c] = key + r * COLUMNS + c;
}

/* Checks that column c is the sender's column 1 and that the others are
 * unchanged. */
static void check(int (*m)[COLUMNS], int c, int own, int from)
{
	for (int r = 0; r < rows; r++)
		for (int k = 0; k < COLUMNS; k++) {
			int key = k == c ? from : own;

			if (!CHECK_EQ(m[r][k] - r * COLUMNS,
				      key + (k == c ? 1 : k)))
				return;
		}
}

static void by_persistent(void)
{
	MPI_Request r[2];

	OK(MPI_Recv_init(&in[0][2], 1, column, left_of(me), 1, W, &r[0]));
	OK(MPI_Send_init(&out[0][1], 1, column, right_of(me), 1, W, &r[1]));
	for (int k = 0; k < 3; k++) {
		fill(in, -5);
		fill(out, me + k);
		OK(MPI_Startall(2, r));
		OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
		check(in, 2, -5, left_of(me) + k);
	}
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Request_free(&r[1]));
}

static void by_buffered_and_matched(void)
{
	MPI_Message m;
	MPI_Request r;
	MPI_Status s;
	void *at;
	int size, n;

	OK(MPI_Buffer_attach(room, sizeof(room)));
	for (int k = 0; k < 2; k++) {
		fill(in, -5);
		fill(out, me);
		OK(MPI_Bsend(&out[0][1], 1, column, right_of(me), 2, W));
		fill(out, 0);
		OK(MPI_Mprobe(left_of(me), 2, W, &m, &s));
		OK(MPI_Get_count(&s, column, &n));
		CHECK_EQ(n, 1);
		if (k) {
			OK(MPI_Mrecv(&in[0][3], 1, column, &m, &s));
		} else {
			OK(MPI_Imrecv(&in[0][3], 1, column, &m, &r));
			OK(MPI_Wait(&r, &s));
		}
		OK(MPI_Get_count(&s, MPI_INT, &n));
		CHECK_EQ(n, rows);
		check(in, 3, -5, left_of(me));
		OK(MPI_Barrier(W));
	}
	OK(MPI_Buffer_detach(&at, &size));
}

static void by_replacing(void)
{
	fill(in, me);
	OK(MPI_Sendrecv_replace(&in[0][1], 1, column, right_of(me), 3,
				left_of(me), 3, W, MPI_STATUS_IGNORE));
	check(in, 1, me, left_of(me));
}

#if MPI_VERSION >= 4
static void by_pairs(void)
{
	MPI_Request r;

	fill(in, me);
	OK(MPI_Isendrecv_replace(&in[0][1], 1, column, right_of(me), 4,
				 left_of(me), 4, W, &r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	check(in, 1, me, left_of(me));
	fill(in, -5);
	fill(out, me);
	OK(MPI_Isendrecv(&out[0][1], 1, column, right_of(me), 4, &in[0][0], 1,
			 column, left_of(me), 4, W, &r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	check(in, 0, -5, left_of(me));
}
#endif

/* A synchronous send waits for its receive, which comes after a barrier. */
static void by_synchronous(void)
{
	MPI_Request r;
	int flag = 0;

	fill(in, -9);
	fill(out, 3 * me);
	OK(MPI_Issend(&out[0][1], 1, column, right_of(me), 4, W, &r));
	for (int k = 0; k < 100; k++) {
		OK(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
		CHECK(!flag);
	}
	OK(MPI_Barrier(W));
	OK(MPI_Recv(&in[0][2], 1, column, left_of(me), 4, W,
		    MPI_STATUS_IGNORE));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	check(in, 2, -9, 3 * left_of(me));
}

static void test_columns(void)
{
	static const int lengths[] = {1, 2, 30, 400, ROWS};

	for (int k = 0; k < 5; k++) {
		rows = lengths[k];
		OK(MPI_Type_vector(rows, 1, COLUMNS, MPI_INT, &column));
		OK(MPI_Type_commit(&column));
		by_persistent();
		by_buffered_and_matched();
		by_replacing();
		by_synchronous();
#if MPI_VERSION >= 4
		by_pairs();
#endif
		OK(MPI_Type_free(&column));
	}
}

/* The type is freed while persistent requests use it. */
static void test_freed(void)
{
	MPI_Request r[2];

	rows = 500;
	OK(MPI_Type_vector(rows, 1, COLUMNS, MPI_INT, &column));
	OK(MPI_Type_commit(&column));
	OK(MPI_Recv_init(&in[0][2], 1, column, left_of(me), 1, W, &r[0]));
	OK(MPI_Send_init(&out[0][1], 1, column, right_of(me), 1, W, &r[1]));
	OK(MPI_Type_free(&column));
	fill(in, -5);
	fill(out, me);
	OK(MPI_Startall(2, r));
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	check(in, 2, -5, left_of(me));
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Request_free(&r[1]));
}

static const struct mpi_case cases[] = {
    {"columns", test_columns}, {"the type is freed", test_freed}, {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
