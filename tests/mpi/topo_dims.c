/* SPDX-License-Identifier: Apache-2.0 */
/* topo_dims.c compares MPI_Dims_create with brute force. */
#include "tests/mpi/mpi_test.h"

enum { DIMS = 4, NODES = 500 };

/* Returns the least difference between the largest and the smallest of d
 * factors of n, each at most `cap`, the largest of which is `top`. */
static int least_spread(int n, int d, int cap, int top)
{
	int best = -1;

	if (d == 1)
		return n <= cap ? (top ? top : n) - n : -1;
	for (int f = 1; f <= cap && f <= n; f++) {
		int spread;

		if (n % f)
			continue;
		spread = least_spread(n / f, d - 1, f, top ? top : f);
		if (spread >= 0 && (best < 0 || spread < best))
			best = spread;
	}
	return best;
}

static int product(const int *dims, int d)
{
	int p = 1;

	for (int i = 0; i < d; i++)
		p *= dims[i];
	return p;
}

static bool descends(const int *dims, int d)
{
	for (int i = 1; i < d; i++)
		if (dims[i] > dims[i - 1])
			return false;
	return true;
}

static void test_all_free(void)
{
	/* rank 0 alone: other ranks would compute the same */
	for (int n = 1; n <= NODES && !me; n++) {
		for (int d = 1; d <= DIMS; d++) {
			int dims[DIMS] = {0};

			OK(MPI_Dims_create(n, d, dims));
			CHECK_EQ(product(dims, d), n);
			CHECK(descends(dims, d));
			CHECK_EQ(dims[0] - dims[d - 1],
				 least_spread(n, d, n, 0));
		}
	}
}

static void is_grid(int n, int d, const int *want)
{
	int dims[DIMS] = {0};

	OK(MPI_Dims_create(n, d, dims));
	for (int i = 0; i < d; i++)
		CHECK_EQ(dims[i], want[i]);
}

static void test_known(void)
{
	is_grid(6, 2, (int[]){3, 2});
	is_grid(7, 2, (int[]){7, 1});
	is_grid(12, 2, (int[]){4, 3});
	is_grid(16, 3, (int[]){4, 2, 2});
	is_grid(96, 2, (int[]){12, 8});
	is_grid(96, 3, (int[]){6, 4, 4});
	is_grid(2 * 3 * 5 * 7, 2, (int[]){15, 14});
	is_grid(2 * 3 * 5 * 7, 3, (int[]){7, 6, 5});
	is_grid(2 * 3 * 5 * 7, 4, (int[]){7, 5, 3, 2});
	is_grid(1000, 3, (int[]){10, 10, 10});
	is_grid(6480, 4, (int[]){10, 9, 9, 8});
}

/* Given dimensions stay, the others are filled in descending order. */
static void test_fixed(void)
{
	int a[] = {0, 3, 0}, b[] = {2, 0, 0}, c[] = {2, 3}, d[] = {0, 1, 0, 5};

	OK(MPI_Dims_create(6, 3, a));
	CHECK(a[0] == 2 && a[1] == 3 && a[2] == 1);
	OK(MPI_Dims_create(24, 3, b));
	CHECK(b[0] == 2 && b[1] == 4 && b[2] == 3);
	OK(MPI_Dims_create(6, 2, c));
	CHECK(c[0] == 2 && c[1] == 3);
	OK(MPI_Dims_create(60, 4, d));
	CHECK(d[0] == 4 && d[1] == 1 && d[2] == 3 && d[3] == 5);
}

/* Many divisors and many dimensions give the right result in no time. */
static void test_large(void)
{
	static const int nodes[] = {1 << 30,	2095133040, 2147483647,
				    1102701600, 1073741789, 223092870};
	int dims[40];

	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes) && !me; i++) {
		for (int d = 1; d <= 40; d++) {
			memset(dims, 0, sizeof(dims));
			OK(MPI_Dims_create(nodes[i], d, dims));
			CHECK_EQ(product(dims, d), nodes[i]);
			CHECK(descends(dims, d));
		}
	}
}

static void fails(int rc, int one, int other)
{
	int class = -1;

	MPI_Error_class(rc, &class);
	CHECK(class == one || class == other);
}

static void test_errors(void)
{
	int a[] = {0, 3, 0}, b[] = {-1, 0}, c[] = {2, 2}, d[] = {0, 0};

	fails(MPI_Dims_create(7, 3, a), MPI_ERR_DIMS, MPI_ERR_ARG);
	CHECK(a[0] == 0 && a[1] == 3 && a[2] == 0);
	fails(MPI_Dims_create(4, 2, b), MPI_ERR_DIMS, MPI_ERR_ARG);
	fails(MPI_Dims_create(8, 2, c), MPI_ERR_DIMS, MPI_ERR_ARG);
	fails(MPI_Dims_create(-2, 2, d), MPI_ERR_DIMS, MPI_ERR_ARG);
	CHECK(d[0] == 0 && d[1] == 0);
}

static const struct mpi_case cases[] = {
    {"known grids", test_known},      {"as close as can be", test_all_free},
    {"fixed dimensions", test_fixed}, {"large", test_large},
    {"errors", test_errors},	      {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
