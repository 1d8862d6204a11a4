/* SPDX-License-Identifier: Apache-2.0 */
/* datatype_bounds.c tests sizes and bounds of predefined and derived types
 * (MPI 4.1, chapters 5.1.5 to 5.1.9). */
#include <stddef.h>

#include "tests/mpi/mpi_test.h"

static void check(MPI_Datatype type, int want_size, MPI_Aint want_lb,
		  MPI_Aint want_extent)
{
	MPI_Aint lb = -1, extent = -1;
	MPI_Count size_x = -1, lb_x = -1, extent_x = -1;
	int size = -1;

	OK(MPI_Type_size(type, &size));
	OK(MPI_Type_size_x(type, &size_x));
	OK(MPI_Type_get_extent(type, &lb, &extent));
	OK(MPI_Type_get_extent_x(type, &lb_x, &extent_x));
	CHECK_EQ(size, want_size);
	CHECK_EQ(size_x, want_size);
	CHECK_EQ(lb, want_lb);
	CHECK_EQ(lb_x, want_lb);
	CHECK_EQ(extent, want_extent);
	CHECK_EQ(extent_x, want_extent);
}

static void check_true(MPI_Datatype type, MPI_Aint want_lb,
		       MPI_Aint want_extent)
{
	MPI_Aint lb = -1, extent = -1;
	MPI_Count lb_x = -1, extent_x = -1;

	OK(MPI_Type_get_true_extent(type, &lb, &extent));
	OK(MPI_Type_get_true_extent_x(type, &lb_x, &extent_x));
	CHECK_EQ(lb, want_lb);
	CHECK_EQ(lb_x, want_lb);
	CHECK_EQ(extent, want_extent);
	CHECK_EQ(extent_x, want_extent);
}

static void basic(void)
{
	check(MPI_INT, sizeof(int), 0, sizeof(int));
	check(MPI_DOUBLE, sizeof(double), 0, sizeof(double));
	check(MPI_LONG_DOUBLE, sizeof(long double), 0, sizeof(long double));
	check(MPI_AINT, sizeof(MPI_Aint), 0, sizeof(MPI_Aint));
	check(MPI_OFFSET, sizeof(MPI_Offset), 0, sizeof(MPI_Offset));
	check(MPI_COUNT, sizeof(MPI_Count), 0, sizeof(MPI_Count));
	check(MPI_PACKED, 1, 0, 1);
	check(MPI_C_BOOL, sizeof(bool), 0, sizeof(bool));
	check(MPI_INT16_T, 2, 0, 2);
	check(MPI_UINT64_T, 8, 0, 8);
}

static void pairs(void)
{
	struct double_int {
		double a;
		int b;
	};
	struct short_int {
		short a;
		int b;
	};
	struct long_int {
		long a;
		int b;
	};

	check(MPI_2INT, 2 * sizeof(int), 0, 2 * sizeof(int));
	check(MPI_FLOAT_INT, sizeof(float) + sizeof(int), 0,
	      sizeof(float) + sizeof(int));
	check(MPI_DOUBLE_INT, sizeof(double) + sizeof(int), 0,
	      sizeof(struct double_int));
	check(MPI_SHORT_INT, sizeof(short) + sizeof(int), 0,
	      sizeof(struct short_int));
	check(MPI_LONG_INT, sizeof(long) + sizeof(int), 0,
	      sizeof(struct long_int));
}

static void vectors(void)
{
	MPI_Datatype t, u;

	OK(MPI_Type_vector(3, 2, 4, MPI_INT, &t));
	check(t, 24, 0, 40);
	check_true(t, 0, 40);
	OK(MPI_Type_contiguous(2, t, &u));
	check(u, 48, 0, 80);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_free(&t));
	OK(MPI_Type_vector(3, 1, -2, MPI_INT, &t));
	check(t, 12, -16, 20);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_create_hvector(2, 1, 6, MPI_SHORT, &t));
	check(t, 4, 0, 8);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_vector(0, 5, 7, MPI_INT, &t));
	check(t, 0, 0, 0);
	OK(MPI_Type_free(&t));
}

/* An extent reaches to the end of the last part, which includes what was added
 * to the extent of that, and is rounded up. */
static void nested(void)
{
	const int ones[2] = {1, 1};
	const MPI_Aint places[2] = {0, 17}, odd[2] = {1, 0};
	const MPI_Datatype members[2] = {MPI_DOUBLE, MPI_CHAR};
	const MPI_Aint at[2] = {0, 8};
	MPI_Aint lb, extent;
	MPI_Datatype t, u, both[2];

	OK(MPI_Type_create_hvector(3, 4, 25, MPI_INT, &t));
	check(t, 48, 0, 68); /* from 66 */
	check_true(t, 0, 66);
	OK(MPI_Type_get_extent(t, &lb, &extent));
	/* the last part begins at 273 + 2 * 68 = 409, and its data end at 475
	 */
	OK(MPI_Type_create_hvector(2, 3, 4 * extent + 1, t, &u));
	check(u, 288, 0, 480); /* from 477 */
	check_true(u, 0, 475);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_contiguous(2, t, &u));
	check(u, 96, 0, 136); /* from 136: 2 parts of 68 */
	OK(MPI_Type_free(&u));
	OK(MPI_Type_free(&t));

	OK(MPI_Type_create_struct(2, ones, at, members, &t));
	OK(MPI_Type_create_hvector(2, 1, -17, t, &u));
	check(u, 18, -17, 40); /* from 33 */
	check_true(u, -17, 26);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_create_hindexed(2, ones, places, t, &u));
	check(u, 18, 0, 40);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_create_hindexed_block(2, 1, places, t, &u));
	check(u, 18, 0, 40);
	OK(MPI_Type_free(&u));
	both[0] = t;
	both[1] = MPI_CHAR;
	OK(MPI_Type_create_struct(2, ones, odd, both, &u));
	check(u, 10, 0, 24); /* from 17 */
	check_true(u, 0, 10);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_free(&t));
}

/* Extents are rounded up to the alignment, as in C. */
static void structures(void)
{
	struct s {
		double a;
		char b;
	};
	int lengths[2] = {1, 1};
	MPI_Aint displs[2] = {offsetof(struct s, a), offsetof(struct s, b)};
	MPI_Datatype types[2] = {MPI_DOUBLE, MPI_CHAR}, t;

	OK(MPI_Type_create_struct(2, lengths, displs, types, &t));
	check(t, sizeof(double) + 1, 0, sizeof(struct s));
	check_true(t, 0, sizeof(double) + 1);
	OK(MPI_Type_free(&t));
}

/* Explicit bounds are kept in all types made from the type. */
static void resized(void)
{
	int lengths[2] = {1, 1};
	MPI_Aint displs[2] = {0, 40};
	MPI_Datatype types[2], t, u;

	OK(MPI_Type_create_resized(MPI_INT, -3, 9, &t));
	check(t, 4, -3, 9);
	check_true(t, 0, 4);
	OK(MPI_Type_contiguous(3, t, &u));
	check(u, 12, -3, 27);
	check_true(u, 0, 22);
	OK(MPI_Type_free(&u));
	types[0] = t;
	types[1] = MPI_DOUBLE;
	OK(MPI_Type_create_struct(2, lengths, displs, types, &u));
	check(u, 12, -3, 9);
	check_true(u, 0, 48);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_create_resized(t, 0, 4, &u));
	check(u, 4, 0, 4);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_free(&t));
}

static void arrays(void)
{
	int sizes[2] = {5, 6}, subsizes[2] = {2, 3}, starts[2] = {1, 2};
	MPI_Datatype t;

	OK(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C,
				    MPI_INT, &t));
	check(t, 24, 0, 120);
	check_true(t, 32, 36);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_create_subarray(2, sizes, subsizes, starts,
				    MPI_ORDER_FORTRAN, MPI_INT, &t));
	check(t, 24, 0, 120);
	check_true(t, 44, 48);
	OK(MPI_Type_free(&t));
}

static void too_large(void)
{
	MPI_Datatype t, u;
	MPI_Count size = 0;
	int n = 0;

	OK(MPI_Type_contiguous(1 << 20, MPI_INT, &t));
	OK(MPI_Type_contiguous(1 << 20, t, &u));
	OK(MPI_Type_size(u, &n));
	CHECK_EQ(n, MPI_UNDEFINED);
	OK(MPI_Type_size_x(u, &size));
	CHECK_EQ(size, 1ll << 42);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_free(&t));
}

static void wrong(void)
{
	MPI_Datatype t = MPI_DATATYPE_NULL, i = MPI_INT;
	int x = 0;

	CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_size(MPI_DATATYPE_NULL, &x));
	CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_free(&t));
	CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_free(&i));
	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &t));
	CHECK_ERROR(MPI_ERR_TYPE, MPI_Send(&x, 1, t, MPI_PROC_NULL, 0, W));
	OK(MPI_Type_free(&t));
	CHECK(t == MPI_DATATYPE_NULL);
}

static const struct mpi_case cases[] = {
    {"predefined types", basic}, {"pairs count no holes", pairs},
    {"vectors", vectors},	 {"vectors of vectors", nested},
    {"structures", structures},	 {"resized types", resized},
    {"subarrays", arrays},	 {"larger than an int", too_large},
    {"what is wrong", wrong},	 {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
