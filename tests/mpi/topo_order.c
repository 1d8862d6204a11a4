/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topo_order.c tests what reorder may do: the functions that map agree with
 * those that create, and neighbours are not farther apart than without reorder.
 * The ranks of a node are put into groups of four, which libmrt takes for
 * places.
 */
#include "tests/mpi/mpi_test.h"

enum { GROUP = 4, MAX = 64 };

/* Finds on all ranks the world ranks of the ranks of c. */
static void find_world(MPI_Comm c, int *world)
{
	int size, rank;

	OK(MPI_Comm_size(c, &size));
	OK(MPI_Comm_rank(c, &rank));
	for (int r = 0; r < size; r++) {
		world[r] = me;
		OK(MPI_Bcast(&world[r], 1, MPI_INT, r, c));
	}
}

/* Counts neighbours of a grid in different groups; with world NULL, ranks are
 * as they are. */
static int count_apart(int rows, int columns, const int *world)
{
	int apart = 0;

	for (int r = 0; r < rows * columns; r++) {
		int right = r + 1, below = r + columns;
		int own = (world ? world[r] : r) / GROUP;

		if (right % columns)
			apart += (world ? world[right] : right) / GROUP != own;
		if (below < rows * columns)
			apart += (world ? world[below] : below) / GROUP != own;
	}
	return apart;
}

static bool is_libmrt(void)
{
	char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int len;

	OK(MPI_Get_library_version(version, &len));
	return !strncmp(version, "libmrt", 6);
}

static void one_grid(int rows, int columns)
{
	int dims[2] = {rows, columns}, periods[2] = {0, 0};
	int mapped, rank, world[MAX], apart;
	MPI_Comm c;

	OK(MPI_Cart_map(W, 2, dims, periods, &mapped));
	OK(MPI_Cart_create(W, 2, dims, periods, 1, &c));
	CHECK_EQ(mapped == MPI_UNDEFINED, c == MPI_COMM_NULL);
	if (c == MPI_COMM_NULL)
		return;
	OK(MPI_Comm_rank(c, &rank));
	CHECK_EQ(mapped, rank);
	find_world(c, world);
	apart = count_apart(rows, columns, world);
	CHECK(apart <= count_apart(rows, columns, NULL));
	if (rows == 2 && columns == 4 && is_libmrt())
		CHECK_EQ(apart, 2);
	OK(MPI_Comm_free(&c));
}

static void test_grids(void)
{
	for (int rows = 1; rows <= np; rows++)
		for (int columns = 1; rows * columns <= np; columns++)
			one_grid(rows, columns);
}

/* Even nodes are connected to even ones, odd to odd, all with all. */
static void test_graph(void)
{
	int index[MAX], edges[MAX * MAX], n = 0, mapped, rank, world[MAX];
	int apart = 0, before = 0;
	MPI_Comm c;

	for (int r = 0; r < np; r++) {
		for (int k = r % 2; k < np; k += 2)
			if (k != r)
				edges[n++] = k;
		index[r] = n;
	}
	OK(MPI_Graph_map(W, np, index, edges, &mapped));
	OK(MPI_Graph_create(W, np, index, edges, 1, &c));
	OK(MPI_Comm_rank(c, &rank));
	CHECK_EQ(mapped, rank);
	find_world(c, world);
	for (int r = 0, k = 0; r < np; r++)
		for (; k < index[r]; k++) {
			apart += world[r] / GROUP != world[edges[k]] / GROUP;
			before += r / GROUP != edges[k] / GROUP;
		}
	CHECK(apart <= before);
	if (np == 2 * GROUP && is_libmrt())
		CHECK_EQ(apart, 0);
	OK(MPI_Comm_free(&c));
}

/* Like test_graph, but each rank knows its own neighbours, one of which weighs
 * more than all others. */
static void test_dist_graph(void)
{
	int dest = (me + np / 2) % np, source = (me + np - np / 2) % np;
	int in[2] = {left_of(me), source}, out[2] = {right_of(me), dest};
	int weights[2] = {1, 100}, w[2], world[MAX], rank;
	MPI_Comm c;

	OK(MPI_Dist_graph_create_adjacent(W, 2, in, weights, 2, out, weights,
					  MPI_INFO_NULL, 1, &c));
	OK(MPI_Comm_rank(c, &rank));
	OK(MPI_Dist_graph_neighbors(c, 2, in, w, 2, out, w));
	CHECK_EQ(in[0], left_of(rank));
	CHECK_EQ(out[0], right_of(rank));
	CHECK_EQ(out[1], (rank + np / 2) % np);
	CHECK_EQ(w[1], 100);
	find_world(c, world);
	if (np == 2 * GROUP && is_libmrt())
		CHECK_EQ(world[rank] / GROUP, world[out[1]] / GROUP);
	OK(MPI_Comm_free(&c));
}

static const struct mpi_case cases[] = {
    {"grids", test_grids},
    {"a graph of two parts", test_graph},
    {"a distributed graph with weights", test_dist_graph},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	setenv("MRT_COLL_GROUP", "4", 1);
	return mpi_test_run(argc, argv, cases);
}
