/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_order_grid.c: divides a grid into blocks, one for each node of the
 * machine, and these into blocks for its caches (after W. Gropp, "Using node
 * and socket information to implement MPI Cartesian topologies", 2019). Of all
 * shapes of a block, which the divisors of the dimensions give, the one with
 * the fewest edges across its sides is chosen.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_order.h"

void mpi_grid_coords(const struct mpi_grid *grid, int rank, int *coords)
{
	for (int i = grid->ndims - 1; i >= 0; i--) {
		coords[i] = rank % grid->dims[i];
		rank /= grid->dims[i];
	}
}

/* A search for the shape of blocks of `volume` nodes in a grid. */
struct shapes {
	const struct mpi_grid *grid;
	int size;	 /* of the grid */
	long long least; /* edges cut by best; -1: none yet */
	int *now, *best; /* [ndims] */
};

/* The number of edges between blocks with side `inner` in dimension i. */
static long long edges_cut(const struct shapes *s, int i, int inner)
{
	int dim = s->grid->dims[i], outer = dim / inner;

	if (outer == 1)
		return 0;
	return (long long)(s->size / dim) *
	       (s->grid->periods[i] ? outer : outer - 1);
}

/* Tries all sides from dimension i down, long ones first: ranks of a block are
 * then neighbours in rank order where that costs no more. */
static void try_shapes(struct shapes *s, int i, int volume, long long cut)
{
	if (s->least >= 0 && cut >= s->least)
		return;
	if (i < 0) {
		if (volume != 1)
			return;
		s->least = cut;
		memcpy(s->best, s->now,
		       (size_t)s->grid->ndims * sizeof(*s->now));
		return;
	}
	for (int side = s->grid->dims[i]; side >= 1; side--) {
		if (s->grid->dims[i] % side || volume % side)
			continue;
		s->now[i] = side;
		try_shapes(s, i - 1, volume / side,
			   cut + edges_cut(s, i, side));
	}
}

/* Sets best[ndims] for blocks of `volume` nodes; returns 0 if there are
 * none. */
static int find_shape(const struct mpi_grid *grid, int size, int volume,
		      int *now, int *best)
{
	struct shapes s = {grid, size, -1, now, best};

	try_shapes(&s, grid->ndims - 1, volume, 0);
	return s.least >= 0;
}

/* The number of ranks of each node (by_cache: each cache); 0 if they differ. */
static int group_size(const struct mrt_place *places, const int *sorted, int n,
		      int by_cache)
{
	int group = 0;

	for (int i = 0, k; i < n; i = k) {
		const struct mrt_place *p = &places[sorted[i]], *q = p;

		for (k = i; k < n && q->node == p->node &&
			    (!by_cache || q->cache == p->cache);)
			q = ++k < n ? &places[sorted[k]] : q;
		if (group && k - i != group)
			return 0;
		group = k - i;
	}
	return group;
}

/* The index of the q-th cell in block order: blocks of side[i], divided into
 * blocks of part[i], row-major on each level. */
static int order_grid_cell(const struct mpi_grid *grid, const int *side,
			   const int *part, int q)
{
	int at = 0, stride = 1, coord[3];

	/* from the last dimension up: the digits of a row-major number */
	int volume = 1, within = 1;

	for (int i = 0; i < grid->ndims; i++) {
		volume *= side[i];
		within *= part[i];
	}
	int block = q / volume, sub = q % volume / within, rest = q % within;

	for (int i = grid->ndims - 1; i >= 0; i--) {
		int outer = grid->dims[i] / side[i], inner = side[i] / part[i];

		coord[0] = block % outer;
		coord[1] = sub % inner;
		coord[2] = rest % part[i];
		block /= outer;
		sub /= inner;
		rest /= part[i];
		at += stride *
		      (coord[0] * side[i] + coord[1] * part[i] + coord[2]);
		stride *= grid->dims[i];
	}
	return at;
}

static int order_grid_fill(const struct mrt_place *places, const int *sorted,
			   const struct mpi_grid *grid, int *room, int *order)
{
	int *side = room, *part = side + grid->ndims;
	int *now = part + grid->ndims, *periods = now + grid->ndims;
	int size = 1, volume, caches;
	struct mpi_grid inside = {grid->ndims, side, periods, NULL};

	for (int i = 0; i < grid->ndims; i++)
		size *= grid->dims[i];
	volume = group_size(places, sorted, size, 0);
	if (!volume || !find_shape(grid, size, volume, now, side))
		return 0;
	/* a side as long as the grid stays periodic */
	for (int i = 0; i < grid->ndims; i++)
		periods[i] = grid->periods[i] && side[i] == grid->dims[i];
	caches = group_size(places, sorted, size, 1);
	if (!caches || !find_shape(&inside, volume, caches, now, part))
		memcpy(part, side, (size_t)grid->ndims * sizeof(*part));
	for (int q = 0; q < size; q++)
		order[order_grid_cell(grid, side, part, q)] = sorted[q];
	return 1;
}

int mpi_order_blocks(const struct mrt_place *places, const int *sorted,
		     const struct mpi_grid *grid, int *order)
{
	int *room = malloc((size_t)grid->ndims * 4 * sizeof(*room) + 1);
	int found = room && order_grid_fill(places, sorted, grid, room, order);

	free(room);
	return found;
}
