/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_cart.c: Cartesian topologies (MPI 4.1, 8.5). Ranks are in row-major
 * order. In each dimension a rank has two neighbours, the lower and then the
 * upper one.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_order.h"

static int grid_rank(const struct mpi_grid *grid, const int *coords)
{
	int rank = 0;

	for (int i = 0; i < grid->ndims; i++)
		rank = rank * grid->dims[i] + coords[i];
	return rank;
}

/* The rank at distance `disp` in dimension i, or MPI_PROC_NULL. */
static int cart_shifted(const struct mpi_grid *grid, int i, long long disp)
{
	long long dim = grid->dims[i], at = grid->coords[i] + disp;
	int stride = 1;

	if (grid->periods[i])
		at = (at % dim + dim) % dim;
	else if (at < 0 || at >= dim)
		return MPI_PROC_NULL;
	for (int k = i + 1; k < grid->ndims; k++)
		stride *= grid->dims[k];
	return grid_rank(grid, grid->coords) +
	       (int)(at - grid->coords[i]) * stride;
}

/* Creates the topology of the grid in which the caller has `rank`. NULL if out
 * of memory. */
static struct mpi_topology *cart_create(int ndims, const int dims[],
					const int periods[], int rank)
{
	size_t n = (size_t)ndims;
	struct mpi_topology *t = mpi_topology_create(MPI_CART, 5 * n);
	int *neighbors;

	if (!t)
		return NULL;
	t->as.grid =
	    (struct mpi_grid){ndims, t->ints, t->ints + n, t->ints + 2 * n};
	for (int i = 0; i < ndims; i++) {
		t->ints[i] = dims[i];
		t->ints[ndims + i] = periods[i] != 0;
	}
	mpi_grid_coords(&t->as.grid, rank, t->ints + 2 * n);
	neighbors = t->ints + 3 * n;
	for (int i = 0; i < ndims; i++) {
		neighbors[2 * i] = cart_shifted(&t->as.grid, i, -1);
		neighbors[2 * i + 1] = cart_shifted(&t->as.grid, i, 1);
	}
	t->neighbors = (struct mrt_neighbors){2 * ndims, neighbors, 2 * ndims,
					      neighbors, 1};
	return t;
}

/* ---- Making them --------------------------------------------------------- */

/* Checks the grid on a communicator of `size` ranks; sets *cells to its number
 * of nodes. */
static int check_grid(MPI_Comm comm, const char *function, int size, int ndims,
		      const int dims[], int *cells)
{
	long long n = 1;

	if (ndims < 0)
		return mpi_fail(comm, function, MPI_ERR_DIMS, "%d dimensions",
				ndims);
	if (ndims && !dims)
		return mpi_null(comm, function, "dims");
	for (int i = 0; i < ndims; i++) {
		if (dims[i] < 1)
			return mpi_fail(comm, function, MPI_ERR_DIMS,
					"dimension %d is %d", i, dims[i]);
		n *= dims[i];
		if (n > size)
			return mpi_fail(
			    comm, function, MPI_ERR_DIMS,
			    "the grid is larger than the group of %d", size);
	}
	*cells = (int)n;
	return MPI_SUCCESS;
}

/* Replaces *rank by the caller's rank in the grid, or MPI_UNDEFINED. *same: all
 * ranks keep their number. */
static int place_rank(MPI_Comm comm, const struct mpi_grid *grid, int cells,
		      int *rank, int *same)
{
	int *order, rc = mpi_order_grid_on(comm, grid, &order);

	if (!rc)
		mpi_order_apply(order, cells, rank, same);
	return rc;
}

/* Makes a communicator of the ranks in the grid. A rank that is not in it makes
 * no topology. */
static int cart_make(MPI_Comm comm, const struct mpi_grid *grid, int rank,
		     int same, MPI_Comm *newcomm)
{
	struct mpi_topology *t = NULL;

	if (rank != MPI_UNDEFINED) {
		t = cart_create(grid->ndims, grid->dims, grid->periods, rank);
		if (!t)
			return MRT_ERR_NO_MEM;
	}
	return mpi_topology_make(comm, t, rank, same, newcomm);
}

API(Cart_create)
(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
 int reorder, MPI_Comm *comm_cart)
{
	struct mpi_grid grid = {ndims, dims, periods, NULL};
	int size, rank, cells, same = 1;
	int rc = mpi_topology_base(comm_old, __func__, &size, &rank);

	if (!rc)
		rc = check_grid(comm_old, __func__, size, ndims, dims, &cells);
	if (rc)
		return rc;
	if ((ndims && !periods) || !comm_cart)
		return mpi_null(comm_old, __func__, "periods or comm_cart");
	if (reorder)
		rc = place_rank(comm_old, &grid, cells, &rank, &same);
	else
		rank = mpi_order_find(NULL, cells, rank);
	if (!rc)
		rc = cart_make(comm_old, &grid, rank, same && cells == size,
			       comm_cart);
	return mpi_result(comm_old, __func__, rc);
}

API(Cart_map)
(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
	struct mpi_grid grid = {ndims, dims, periods, NULL};
	int size, rank, cells = 0, same;
	int rc = mpi_topology_base(comm, __func__, &size, &rank);

	if (!rc)
		rc = check_grid(comm, __func__, size, ndims, dims, &cells);
	if (rc)
		return rc;
	if ((ndims && !periods) || !newrank)
		return mpi_null(comm, __func__, "periods or newrank");
	rc = place_rank(comm, &grid, cells, &rank, &same);
	if (!rc)
		*newrank = rank;
	return mpi_result(comm, __func__, rc);
}

/* Lists the remaining dimensions and returns their number. *color: the caller's
 * place in the other dimensions; *rank: its place in these. */
static int cart_project(const struct mpi_grid *from, const int remain[],
			int *dims, int *periods, int *color, int *rank)
{
	int k = 0;

	*color = *rank = 0;
	for (int i = 0; i < from->ndims; i++) {
		int *at = remain[i] ? rank : color;

		*at = *at * from->dims[i] + from->coords[i];
		if (remain[i]) {
			dims[k] = from->dims[i];
			periods[k++] = from->periods[i];
		}
	}
	return k;
}

static int cart_sub(MPI_Comm comm, const struct mpi_grid *from,
		    const int remain[], int *room, MPI_Comm *newcomm)
{
	int *dims = room, *periods = room + from->ndims;
	struct mpi_topology *t;
	struct mrt_comm *made;
	MPI_Comm result;
	int color, rank, rc, k;

	k = cart_project(from, remain, dims, periods, &color, &rank);
	t = cart_create(k, dims, periods, rank);
	if (!t)
		return MRT_ERR_NO_MEM;
	rc = mrt_comm_split(to_comm(comm), color, rank, &made);
	if (rc) {
		mpi_topology_free(t);
		return rc;
	}
	result = from_comm(made);
	rc = mpi_topology_attach(comm, t, &result);
	if (!rc)
		*newcomm = result;
	return rc;
}

API(Cart_sub)(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm)
{
	struct mpi_topology *t;
	int *room, rc = mpi_topology_of(comm, __func__, MPI_CART, &t);

	if (rc)
		return rc;
	if ((t->as.grid.ndims && !remain_dims) || !newcomm)
		return mpi_null(comm, __func__, "remain_dims or newcomm");
	room = malloc(2 * (size_t)t->as.grid.ndims * sizeof(*room) + 1);
	rc = room ? cart_sub(comm, &t->as.grid, remain_dims, room, newcomm)
		  : MRT_ERR_NO_MEM;
	free(room);
	return mpi_result(comm, __func__, rc);
}

/* ---- Asking -------------------------------------------------------------- */

API(Cartdim_get)(MPI_Comm comm, int *ndims)
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_CART, &t);

	if (!rc && !ndims)
		return mpi_null(comm, __func__, "ndims");
	if (!rc)
		*ndims = t->as.grid.ndims;
	return rc;
}

API(Cart_get)
(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_CART, &t);

	if (rc)
		return rc;
	if (maxdims < t->as.grid.ndims)
		return mpi_fail(comm, __func__, MPI_ERR_DIMS,
				"maxdims is %d for %d dimensions", maxdims,
				t->as.grid.ndims);
	if (t->as.grid.ndims && (!dims || !periods || !coords))
		return mpi_null(comm, __func__, "an array");
	for (int i = 0; i < t->as.grid.ndims; i++) {
		dims[i] = t->as.grid.dims[i];
		periods[i] = t->as.grid.periods[i];
		coords[i] = t->as.grid.coords[i];
	}
	return MPI_SUCCESS;
}

API(Cart_rank)(MPI_Comm comm, const int coords[], int *rank)
{
	struct mpi_topology *t;
	int r = 0, rc = mpi_topology_of(comm, __func__, MPI_CART, &t);

	if (rc)
		return rc;
	if (!rank || (t->as.grid.ndims && !coords))
		return mpi_null(comm, __func__, rank ? "coords" : "rank");
	for (int i = 0; i < t->as.grid.ndims; i++) {
		int dim = t->as.grid.dims[i], at = coords[i];

		if (t->as.grid.periods[i])
			at = (at % dim + dim) % dim;
		else if (at < 0 || at >= dim)
			return mpi_fail(comm, __func__, MPI_ERR_ARG,
					"coordinate %d is %d of %d", i, at,
					dim);
		r = r * dim + at;
	}
	*rank = r;
	return MPI_SUCCESS;
}

API(Cart_coords)(MPI_Comm comm, int rank, int maxdims, int coords[])
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_CART, &t);

	if (rc)
		return rc;
	if (rank < 0 || rank >= mrt_size(to_comm(comm)))
		return mpi_fail(comm, __func__, MPI_ERR_RANK, "rank %d", rank);
	if (maxdims < t->as.grid.ndims)
		return mpi_fail(comm, __func__, MPI_ERR_DIMS,
				"maxdims is %d for %d dimensions", maxdims,
				t->as.grid.ndims);
	if (t->as.grid.ndims && !coords)
		return mpi_null(comm, __func__, "coords");
	mpi_grid_coords(&t->as.grid, rank, coords);
	return MPI_SUCCESS;
}

API(Cart_shift)
(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_CART, &t);

	if (rc)
		return rc;
	if (direction < 0 || direction >= t->as.grid.ndims)
		return mpi_fail(comm, __func__, MPI_ERR_DIMS,
				"direction %d of %d dimensions", direction,
				t->as.grid.ndims);
	if (!rank_source || !rank_dest)
		return mpi_null(comm, __func__, "rank_source or rank_dest");
	*rank_source = cart_shifted(&t->as.grid, direction, -(long long)disp);
	*rank_dest = cart_shifted(&t->as.grid, direction, disp);
	return MPI_SUCCESS;
}
