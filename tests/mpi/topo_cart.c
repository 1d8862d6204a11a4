/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topo_cart.c compares what the functions say of Cartesian grids with the
 * row-major order that the standard asks for.
 */
#include "tests/mpi/mpi_test.h"

enum { MAX = 4 };

static void fails(int rc, int one, int other)
{
	int class = -1;

	MPI_Error_class(rc, &class);
	if (!CHECK(class == one || class == other))
		fprintf(stderr, "rank %d: class %d, not %d\n", me, class, one);
}

/* Computes the coordinates of a rank by the definition. */
static void find_coords(int d, const int *dims, int rank, int *coords)
{
	for (int i = d - 1; i >= 0; i--) {
		coords[i] = rank % dims[i];
		rank /= dims[i];
	}
}

/* Computes the rank at coords, or MPI_PROC_NULL. */
static int find_rank(int d, const int *dims, const int *periods,
		     const int *coords)
{
	int rank = 0;

	for (int i = 0; i < d; i++) {
		int at = coords[i];

		if (periods[i])
			at = ((at % dims[i]) + dims[i]) % dims[i];
		else if (at < 0 || at >= dims[i])
			return MPI_PROC_NULL;
		rank = rank * dims[i] + at;
	}
	return rank;
}

static void check_shifts(MPI_Comm c, int d, const int *dims, const int *periods,
			 const int *coords)
{
	static const int disps[] = {1, -1, 0, 2, 5, -7, 1000003};

	for (int i = 0; i < d; i++) {
		for (size_t k = 0; k < sizeof(disps) / sizeof(*disps); k++) {
			int to[MAX], from = -9, dest = -9;

			OK(MPI_Cart_shift(c, i, disps[k], &from, &dest));
			memcpy(to, coords, sizeof(to));
			to[i] = coords[i] + disps[k];
			CHECK_EQ(dest, find_rank(d, dims, periods, to));
			to[i] = coords[i] - disps[k];
			CHECK_EQ(from, find_rank(d, dims, periods, to));
		}
	}
}

/* Checks all inquiries about the grid c. */
static void check_grid(MPI_Comm c, int d, const int *dims, const int *periods)
{
	int rank, size, cells = 1, kind, ndims, r;
	int got_dims[MAX], got_periods[MAX], coords[MAX] = {0}, want[MAX];

	for (int i = 0; i < d; i++)
		cells *= dims[i];
	OK(MPI_Comm_rank(c, &rank));
	OK(MPI_Comm_size(c, &size));
	CHECK_EQ(size, cells);
	OK(MPI_Topo_test(c, &kind));
	CHECK_EQ(kind, MPI_CART);
	OK(MPI_Cartdim_get(c, &ndims));
	CHECK_EQ(ndims, d);
	OK(MPI_Cart_get(c, MAX, got_dims, got_periods, coords));
	find_coords(d, dims, rank, want);
	for (int i = 0; i < d; i++) {
		CHECK_EQ(got_dims[i], dims[i]);
		CHECK_EQ(!got_periods[i], !periods[i]);
		CHECK_EQ(coords[i], want[i]);
	}
	check_shifts(c, d, dims, periods, coords);
	for (int k = 0; k < size; k++) {
		OK(MPI_Cart_coords(c, k, d, coords));
		find_coords(d, dims, k, want);
		for (int i = 0; i < d; i++)
			CHECK_EQ(coords[i], want[i]);
		OK(MPI_Cart_rank(c, coords, &r));
		CHECK_EQ(r, k);
		for (int i = 0; i < d; i++)
			if (periods[i])
				coords[i] += (k % 5 - 2) * dims[i];
		OK(MPI_Cart_rank(c, coords, &r));
		CHECK_EQ(r, k);
	}
}

/* Checks that a message to each neighbour reaches the rank that calls itself
 * this neighbour. */
static void check_messages(MPI_Comm c, int d)
{
	int rank;

	OK(MPI_Comm_rank(c, &rank));
	for (int i = 0; i < d; i++) {
		int from, to, got = -1;

		OK(MPI_Cart_shift(c, i, 1, &from, &to));
		OK(MPI_Sendrecv(&rank, 1, MPI_INT, to, i, &got, 1, MPI_INT,
				from, i, c, MPI_STATUS_IGNORE));
		CHECK_EQ(got, from == MPI_PROC_NULL ? -1 : from);
	}
}

static void one_grid(int d, const int *dims, const int *periods, int reorder)
{
	MPI_Comm c = MPI_COMM_WORLD, dup;
	int cells = 1, mapped = -1;

	for (int i = 0; i < d; i++)
		cells *= dims[i];
	if (cells > np)
		return;
	OK(MPI_Cart_map(W, d, dims, periods, &mapped));
	CHECK(mapped == MPI_UNDEFINED || (mapped >= 0 && mapped < cells));
	OK(MPI_Cart_create(W, d, dims, periods, reorder, &c));
	if (!reorder)
		CHECK_EQ(c != MPI_COMM_NULL, me < cells);
	if (c == MPI_COMM_NULL)
		return;
	if (!reorder) {
		int rank;

		OK(MPI_Comm_rank(c, &rank));
		CHECK_EQ(rank, me);
	}
	check_grid(c, d, dims, periods);
	check_messages(c, d);
	OK(MPI_Comm_dup(c, &dup));
	OK(MPI_Comm_free(&c));
	check_grid(dup, d, dims, periods);
	OK(MPI_Comm_free(&dup));
}

static void test_grids(void)
{
	for (int n = 1; n <= np; n++) {
		for (int d = 1; d <= MAX; d++) {
			int dims[MAX] = {0}, periods[MAX];

			OK(MPI_Dims_create(n, d, dims));
			for (int bits = 0; bits < 1 << d; bits++) {
				for (int i = 0; i < d; i++)
					periods[i] = bits >> i & 1;
				one_grid(d, dims, periods, bits & 1);
			}
			/* the other way round, with any true value */
			for (int i = 0; i < d / 2; i++) {
				int t = dims[i];

				dims[i] = dims[d - 1 - i];
				dims[d - 1 - i] = t;
				periods[i] = -7;
			}
			one_grid(d, dims, periods, 1);
		}
	}
}

static void test_no_dimensions(void)
{
	MPI_Comm c = W;
	int d = -1, r = -1, kind, size, from, to;

	OK(MPI_Cart_create(W, 0, NULL, NULL, 0, &c));
	CHECK_EQ(c != MPI_COMM_NULL, me == 0);
	if (c == MPI_COMM_NULL)
		return;
	OK(MPI_Comm_size(c, &size));
	CHECK_EQ(size, 1);
	OK(MPI_Topo_test(c, &kind));
	CHECK_EQ(kind, MPI_CART);
	OK(MPI_Cartdim_get(c, &d));
	CHECK_EQ(d, 0);
	OK(MPI_Cart_get(c, 0, NULL, NULL, NULL));
	OK(MPI_Cart_rank(c, NULL, &r));
	CHECK_EQ(r, 0);
	OK(MPI_Cart_coords(c, 0, 0, NULL));
	CHECK(MPI_Cart_shift(c, 0, 1, &from, &to) != MPI_SUCCESS);
	OK(MPI_Comm_free(&c));
}

/* Checks the part of a grid to which this rank belongs. */
static void test_sub(void)
{
	int dims[3] = {0, 0, 0}, periods[3] = {1, 0, 1};
	MPI_Comm c, s;

	OK(MPI_Dims_create(np, 3, dims));
	OK(MPI_Cart_create(W, 3, dims, periods, 1, &c));
	for (int bits = 0; bits < 8; bits++) {
		int remain[3], sub_dims[3], sub_periods[3], coords[3], at[3];
		int d = 0, rank, sub_rank, want[3];

		for (int i = 0; i < 3; i++) {
			remain[i] = bits >> i & 1 ? 2 : 0;
			if (remain[i]) {
				sub_dims[d] = dims[i];
				sub_periods[d++] = periods[i];
			}
		}
		OK(MPI_Comm_rank(c, &rank));
		OK(MPI_Cart_coords(c, rank, 3, coords));
		OK(MPI_Cart_sub(c, remain, &s));
		/* of no dimensions; other libraries make one for rank 0
		 * alone */
		if (s == MPI_COMM_NULL && !bits && rank)
			continue;
		check_grid(s, d, sub_dims, sub_periods);
		check_messages(s, d);
		OK(MPI_Comm_rank(s, &sub_rank));
		OK(MPI_Cart_coords(s, sub_rank, d, at));
		d = 0;
		for (int i = 0; i < 3; i++)
			if (remain[i])
				want[d++] = coords[i];
		for (int i = 0; i < d; i++)
			CHECK_EQ(at[i], want[i]);
		if (!bits) {
			MPI_Comm t;

			OK(MPI_Cart_sub(s, NULL, &t));
			check_grid(t, 0, NULL, NULL);
			OK(MPI_Comm_free(&t));
		}
		OK(MPI_Comm_free(&s));
	}
	OK(MPI_Comm_free(&c));
}

static void test_create_errors(void)
{
	int one = 1, zero = 0, minus = -1, large = np + 1, r;
	int huge[3] = {1 << 20, 1 << 20, 1 << 20}, p[3] = {0, 0, 0};
	MPI_Comm c = W;

	fails(MPI_Cart_create(W, 1, &zero, p, 0, &c), MPI_ERR_DIMS,
	      MPI_ERR_ARG);
	fails(MPI_Cart_create(W, 1, &minus, p, 0, &c), MPI_ERR_DIMS,
	      MPI_ERR_ARG);
	fails(MPI_Cart_create(W, -1, &one, p, 0, &c), MPI_ERR_DIMS,
	      MPI_ERR_ARG);
	fails(MPI_Cart_create(W, 1, &large, p, 0, &c), MPI_ERR_DIMS,
	      MPI_ERR_ARG);
	CHECK(c == W);
	fails(MPI_Cart_create(MPI_COMM_NULL, 1, &one, p, 0, &c), MPI_ERR_COMM,
	      MPI_ERR_COMM);
	fails(MPI_Cart_map(W, 1, &zero, p, &r), MPI_ERR_DIMS, MPI_ERR_ARG);
	fails(MPI_Cart_map(W, -1, &one, p, &r), MPI_ERR_DIMS, MPI_ERR_ARG);
	fails(MPI_Cart_map(W, 1, &large, p, &r), MPI_ERR_DIMS, MPI_ERR_ARG);
	fails(MPI_Cart_map(MPI_COMM_NULL, 1, &one, p, &r), MPI_ERR_COMM,
	      MPI_ERR_COMM);
	/* the product is 2^60 */
	fails(MPI_Cart_create(W, 3, huge, p, 0, &c), MPI_ERR_DIMS, MPI_ERR_ARG);
}

static void test_errors(void)
{
	int dims[2] = {np, 1}, p[2] = {0, 1}, v[2], x[2], y[2], r, s;
	MPI_Comm c;

	OK(MPI_Cart_create(W, 2, dims, p, 0, &c));
	fails(MPI_Cart_coords(c, np, 2, v), MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Cart_coords(c, -1, 2, v), MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Cart_coords(c, 0, 1, v), MPI_ERR_DIMS, MPI_ERR_ARG);
	fails(MPI_Cart_get(c, 1, v, x, y), MPI_ERR_DIMS, MPI_ERR_ARG);
	v[0] = np;
	v[1] = 0;
	fails(MPI_Cart_rank(c, v, &r), MPI_ERR_RANK, MPI_ERR_ARG);
	v[0] = -1;
	fails(MPI_Cart_rank(c, v, &r), MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Cart_shift(c, 2, 1, &r, &s), MPI_ERR_DIMS, MPI_ERR_ARG);
	fails(MPI_Cart_shift(c, -1, 1, &r, &s), MPI_ERR_DIMS, MPI_ERR_ARG);
	OK(MPI_Comm_free(&c));
}

static void test_no_grid(void)
{
	MPI_Comm c;
	int v[2] = {0, 0}, x[2], y[2], r, s, kind = 0, one = 1;

	OK(MPI_Topo_test(W, &kind));
	CHECK_EQ(kind, MPI_UNDEFINED);
	fails(MPI_Cartdim_get(W, &r), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Cart_get(W, 2, v, x, y), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Cart_rank(W, v, &r), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Cart_coords(W, 0, 2, v), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Cart_shift(W, 0, 1, &r, &s), MPI_ERR_TOPOLOGY,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Cart_sub(W, &one, &c), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Topo_test(MPI_COMM_NULL, &kind), MPI_ERR_COMM, MPI_ERR_COMM);
	fails(MPI_Cartdim_get(MPI_COMM_NULL, &r), MPI_ERR_COMM, MPI_ERR_COMM);
	fails(MPI_Cart_rank(MPI_COMM_NULL, v, &r), MPI_ERR_COMM, MPI_ERR_COMM);
}

static const struct mpi_case cases[] = {
    {"grids of all sizes", test_grids},
    {"no dimensions", test_no_dimensions},
    {"parts of a grid", test_sub},
    {"errors of making", test_create_errors},
    {"errors of asking", test_errors},
    {"no grid", test_no_grid},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	/* this gives libmrt a reason to reorder ranks */
	setenv("MRT_COLL_GROUP", "2", 0);
	return mpi_test_run(argc, argv, cases);
}
