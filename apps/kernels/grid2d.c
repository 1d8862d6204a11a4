/* SPDX-License-Identifier: Apache-2.0 */
/* grid2d.c: blocks of cells on a grid of ranks (see grid2d.h). */
#include "apps/kernels/grid2d.h"

#include "apps/common/app.h"

#include <stdlib.h>
#include <string.h>

/* Returns the edge length of a block of nx/px x ny/py cells, which is what a
 * rank exchanges. */
static double grid2d_edge(int nx, int ny, int px, int py)
{
	return (double)nx / px + (double)ny / py;
}

/* Chooses the best pair of divisors; returns 0 if there are too few cells for
 * any. */
static int choose_ranks(int size, int nx, int ny, int ranks[2])
{
	int found = 0;

	for (int px = 1; px <= size; px++) {
		int py = size / px;

		if (px * py != size || px > nx || py > ny)
			continue;
		if (found && grid2d_edge(nx, ny, px, py) >=
				 grid2d_edge(nx, ny, ranks[0], ranks[1]))
			continue;
		ranks[0] = px;
		ranks[1] = py;
		found = 1;
	}
	return found;
}

int grid2d_share(int n, int parts, int i, int *first)
{
	int from = (int)((long)n * i / parts);

	*first = from;
	return (int)((long)n * (i + 1) / parts) - from;
}

static int rank_at(const struct grid2d *g, int column, int row)
{
	if (column < 0 || column >= g->ranks[0] || row < 0 ||
	    row >= g->ranks[1])
		return MRT_PROC_NULL;
	return row * g->ranks[0] + column;
}

int grid2d_init(struct grid2d *g, int nx, int ny)
{
	int me = mrt_rank(MRT_COMM_WORLD), column, row;

	memset(g, 0, sizeof(*g));
	if (!choose_ranks(mrt_size(MRT_COMM_WORLD), nx, ny, g->ranks))
		return -1;
	column = me % g->ranks[0];
	row = me / g->ranks[0];
	g->place[0] = column;
	g->place[1] = row;
	g->cells[0] = nx;
	g->cells[1] = ny;
	for (int d = 0; d < 2; d++)
		g->mine[d] = grid2d_share(g->cells[d], g->ranks[d], g->place[d],
					  &g->first[d]);
	g->stride = g->mine[0] + 2;
	g->neighbour[WEST] = rank_at(g, column - 1, row);
	g->neighbour[EAST] = rank_at(g, column + 1, row);
	g->neighbour[NORTH] = rank_at(g, column, row - 1);
	g->neighbour[SOUTH] = rank_at(g, column, row + 1);
	for (int i = 0; i < 4; i++)
		g->packed[i] = app_alloc((size_t)g->mine[1], sizeof(double));
	return 0;
}

void grid2d_fini(struct grid2d *g)
{
	for (int i = 0; i < 4; i++)
		free(g->packed[i]);
}

size_t grid2d_field(const struct grid2d *g)
{
	return (size_t)g->stride * (size_t)(g->mine[1] + 2);
}

static void grid2d_pack(const struct grid2d *g, const double *field, int x,
			double *column)
{
	for (int y = 0; y < g->mine[1]; y++)
		column[y] = field[grid2d_at(g, x, y)];
}

static void grid2d_unpack(const struct grid2d *g, double *field, int x,
			  const double *column)
{
	for (int y = 0; y < g->mine[1]; y++)
		field[grid2d_at(g, x, y)] = column[y];
}

/* A message is tagged with the side that it leaves by, so it arrives at the
 * opposite side. */
static void grid2d_exchange(struct grid2d *g, enum side side, double *out,
			    double *in)
{
	size_t n = (size_t)(side < NORTH ? g->mine[1] : g->mine[0]);

	mrt_irecv(in, n, MRT_DOUBLE, g->neighbour[side], (int)(side ^ 1),
		  MRT_COMM_WORLD, &g->requests[2 * side]);
	mrt_isend(out, n, MRT_DOUBLE, g->neighbour[side], (int)side,
		  MRT_COMM_WORLD, &g->requests[2 * side + 1]);
}

void grid2d_start(struct grid2d *g, double *field)
{
	int right = g->mine[0] - 1, bottom = g->mine[1] - 1;

	grid2d_pack(g, field, 0, g->packed[0]);
	grid2d_pack(g, field, right, g->packed[1]);
	grid2d_exchange(g, WEST, g->packed[0], g->packed[2]);
	grid2d_exchange(g, EAST, g->packed[1], g->packed[3]);
	grid2d_exchange(g, NORTH, field + grid2d_at(g, 0, 0),
			field + grid2d_at(g, 0, -1));
	grid2d_exchange(g, SOUTH, field + grid2d_at(g, 0, bottom),
			field + grid2d_at(g, 0, bottom + 1));
}

void grid2d_finish(struct grid2d *g, double *field)
{
	mrt_waitall(2 * SIDES, g->requests, MRT_STATUSES_IGNORE);
	if (g->neighbour[WEST] != MRT_PROC_NULL)
		grid2d_unpack(g, field, -1, g->packed[2]);
	if (g->neighbour[EAST] != MRT_PROC_NULL)
		grid2d_unpack(g, field, g->mine[0], g->packed[3]);
}
