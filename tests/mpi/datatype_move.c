/* SPDX-License-Identifier: Apache-2.0 */
/* datatype_move.c tests messages and packing with types that have holes, and
 * what statuses say of them (MPI 4.1, chapters 3.2.5, 5.1.11, 5.2, 5.3). */
#include <limits.h>

#include "tests/mpi/mpi_test.h"

/* A matrix is sent to the right by columns and received by rows. */
static void transpose(void)
{
	enum { N = 30 };
	static double a[N][N], b[N][N];
	MPI_Datatype column, all;
	MPI_Status status;
	int count = -1;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			a[i][j] = me * 10000 + i * 100 + j;
	OK(MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column));
	OK(MPI_Type_create_hvector(N, 1, sizeof(double), column, &all));
	OK(MPI_Type_commit(&all));
	OK(MPI_Type_free(&column));
	OK(MPI_Sendrecv(a, 1, all, right_of(me), 1, b, N * N, MPI_DOUBLE,
			left_of(me), 1, W, &status));
	OK(MPI_Get_count(&status, MPI_DOUBLE, &count));
	CHECK_EQ(count, N * N);
	OK(MPI_Get_count(&status, all, &count));
	CHECK_EQ(count, 1);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			CHECK(b[j][i] == left_of(me) * 10000 + i * 100 + j);
	OK(MPI_Type_free(&all));
}

/* A type is freed while a receive with it is pending. */
static void freed(void)
{
	enum { N = 70000 };
	static int a[2 * N], b[2 * N];
	MPI_Datatype t;
	MPI_Request r[2];

	for (int i = 0; i < 2 * N; i++) {
		a[i] = i + me;
		b[i] = -1;
	}
	OK(MPI_Type_vector(N, 1, 2, MPI_INT, &t));
	OK(MPI_Type_commit(&t));
	OK(MPI_Irecv(b, 1, t, left_of(me), 2, W, &r[0]));
	OK(MPI_Isend(a, 1, t, right_of(me), 2, W, &r[1]));
	OK(MPI_Type_free(&t));
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	for (int i = 0; i < 2 * N; i++)
		if (b[i] != (i % 2 ? -1 : i + left_of(me)))
			CHECK_EQ(b[i], i);
}

static void bottom(void)
{
	int a = me, n = -1, lengths[2] = {1, 1};
	double b = me * 0.5;
	MPI_Aint at[2], lb;
	MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, t;
	MPI_Status status;
	char packed[64];
	int position = 0;

	OK(MPI_Get_address(&a, &at[0]));
	OK(MPI_Get_address(&b, &at[1]));
	OK(MPI_Type_create_struct(2, lengths, at, types, &t));
	OK(MPI_Type_commit(&t));
	OK(MPI_Sendrecv(MPI_BOTTOM, 1, t, right_of(me), 3, packed, 64,
			MPI_PACKED, left_of(me), 3, W, &status));
	OK(MPI_Get_elements(&status, t, &n));
	CHECK_EQ(n, 2);
	OK(MPI_Unpack(packed, 64, &position, MPI_BOTTOM, 1, t, W));
	CHECK(a == left_of(me) && b == left_of(me) * 0.5);
	OK(MPI_Type_free(&t));
	lb = MPI_Aint_add(at[0], 8);
	CHECK_EQ(MPI_Aint_diff(lb, at[0]), 8);
}

/* Parts of elements arrive: no whole number of elements, but a number of basic
 * ones. */
static void elements(void)
{
	int x[10] = {0}, y[10], n = -1;
	MPI_Datatype t;
	MPI_Status status;
	MPI_Count large = -1;

	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &t));
	OK(MPI_Type_commit(&t));
	OK(MPI_Sendrecv(x, 3, MPI_INT, right_of(me), 4, y, 3, t, left_of(me), 4,
			W, &status));
	OK(MPI_Get_count(&status, t, &n));
	CHECK_EQ(n, MPI_UNDEFINED);
	OK(MPI_Get_elements(&status, t, &n));
	CHECK_EQ(n, 3);
	OK(MPI_Get_elements_x(&status, t, &large));
	CHECK_EQ(large, 3);
	OK(MPI_Sendrecv(x, 0, t, right_of(me), 4, y, 3, t, left_of(me), 4, W,
			&status));
	OK(MPI_Get_count(&status, t, &n));
	CHECK_EQ(n, 0);
	OK(MPI_Status_set_elements(&status, t, 6));
	OK(MPI_Get_count(&status, t, &n));
	CHECK_EQ(n, 3);
	OK(MPI_Status_set_elements_x(&status, MPI_BYTE, 1ll << 40));
	OK(MPI_Get_count(&status, MPI_BYTE, &n));
	CHECK_EQ(n, MPI_UNDEFINED);
	OK(MPI_Get_elements(&status, MPI_BYTE, &n));
	CHECK_EQ(n, MPI_UNDEFINED);
	OK(MPI_Get_elements_x(&status, MPI_BYTE, &large));
	CHECK_EQ(large, 1ll << 40);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_contiguous(INT_MAX, MPI_INT, &t));
	OK(MPI_Status_set_elements_x(&status, t, INT_MAX));
	OK(MPI_Get_elements_x(&status, t, &large));
	CHECK_EQ(large, INT_MAX);
	OK(MPI_Get_count(&status, t, &n));
	CHECK_EQ(n, 1);
	OK(MPI_Type_free(&t));
}

static void truncated(void)
{
	int x[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, y[10];
	MPI_Datatype t;
	MPI_Request r;

	memset(y, 0, sizeof(y));
	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &t));
	OK(MPI_Type_commit(&t));
	OK(MPI_Irecv(y, 1, t, me, 5, W, &r));
	OK(MPI_Send(x, 3, MPI_INT, me, 5, W));
	CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK(y[1] == 0 && y[3] == 0);
	OK(MPI_Type_free(&t));
}

static void pack(void)
{
	double a[8], b[8];
	int n = 3, m = 0, position = 0, size = 0, more = 0;
	char buf[200];
	MPI_Datatype t;

	for (int i = 0; i < 8; i++) {
		a[i] = i;
		b[i] = -1;
	}
	OK(MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &t));
	OK(MPI_Type_commit(&t));
	OK(MPI_Pack_size(1, MPI_INT, W, &size));
	OK(MPI_Pack_size(1, t, W, &more));
	CHECK(size >= 4 && more >= 32 && size + more <= 200);
	OK(MPI_Pack(&n, 1, MPI_INT, buf, 200, &position, W));
	OK(MPI_Pack(a, 1, t, buf, 200, &position, W));
	CHECK(position <= size + more);
	position = 0;
	OK(MPI_Unpack(buf, 200, &position, &m, 1, MPI_INT, W));
	OK(MPI_Unpack(buf, 200, &position, b, 4, MPI_DOUBLE, W));
	CHECK_EQ(m, 3);
	for (int i = 0; i < 4; i++)
		CHECK(b[i] == 2 * i);
	OK(MPI_Type_free(&t));
}

/* The external format is big-endian, with the sizes of the standard. */
static void external(void)
{
	static const unsigned char want[12] = {
	    0, 0, 1, 2, 0x40, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18};
	int n = 0x102, m = 0;
	double pi = 3.14159265358979323846, d = 0;
	unsigned char buf[40];
	MPI_Aint position = 0, size = 0;

	OK(MPI_Pack_external_size("external32", 1, MPI_DOUBLE, &size));
	CHECK_EQ(size, 8);
	OK(MPI_Pack_external("external32", &n, 1, MPI_INT, buf, 40, &position));
	OK(MPI_Pack_external("external32", &pi, 1, MPI_DOUBLE, buf, 40,
			     &position));
	CHECK_EQ(position, 12);
	CHECK(!memcmp(buf, want, 12));
	position = 0;
	OK(MPI_Unpack_external("external32", buf, 40, &position, &m, 1,
			       MPI_INT));
	OK(MPI_Unpack_external("external32", buf, 40, &position, &d, 1,
			       MPI_DOUBLE));
	CHECK(m == n && d == pi);
}

static const struct mpi_case cases[] = {
    {"columns become rows", transpose},
    {"types are freed before their messages come", freed},
    {"absolute addresses", bottom},
    {"parts of elements", elements},
    {"messages that are too long", truncated},
    {"packing", pack},
    {"external32", external},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
