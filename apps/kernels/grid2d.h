/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid2d.h: a rectangle of cells on a 2-D grid of ranks, one block each with a
 * frame of one cell around it, and the exchange of block edges with the four
 * neighbours. Rows travel as they are; columns are packed.
 */
#ifndef KERNELS_GRID2D_H
#define KERNELS_GRID2D_H

#include <mrt.h>
#include <stddef.h>

enum side { WEST, EAST, NORTH, SOUTH, SIDES };

struct grid2d {
	int ranks[2];	      /* columns and rows of ranks */
	int place[2];	      /* this rank's column and row */
	int cells[2];	      /* of the whole, in x and y */
	int first[2];	      /* first cell here */
	int mine[2];	      /* cells here; at least 1 */
	int stride;	      /* of a row in memory: mine[0] + 2 */
	int neighbour[SIDES]; /* MRT_PROC_NULL at a wall */
	double *packed[4];    /* columns: west and east out, west and east in */
	struct mrt_request *requests[2 * SIDES];
};

/*
 * Factors the ranks into a grid whose blocks are as square as possible, so
 * that edges are short. -1 if nx x ny has not a cell for each rank.
 */
int grid2d_init(struct grid2d *g, int nx, int ny);
void grid2d_fini(struct grid2d *g);

/* Index of cell (x, y) of the block in its field; -1 and mine[] are frame. */
static inline size_t grid2d_at(const struct grid2d *g, int x, int y)
{
	return (size_t)(y + 1) * (size_t)g->stride + (size_t)(x + 1);
}

/* Cells of a field with its frame. */
size_t grid2d_field(const struct grid2d *g);

/*
 * Between start and finish the field may be read but not written; after
 * finish the frame holds the neighbours' edges. At walls it is left alone.
 */
void grid2d_start(struct grid2d *g, double *field);
void grid2d_finish(struct grid2d *g, double *field);

/* Cells that part `i` of `parts` gets of n, and where they begin. */
int grid2d_share(int n, int parts, int i, int *first);

#endif
