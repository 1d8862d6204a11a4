/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid2d.h: a rectangle of cells on a 2-D grid of ranks. Each rank has a block
 * with a halo of one cell around it, and exchanges the edges of its block with
 * four neighbours. Rows are sent in place; columns are packed.
 */
#ifndef KERNELS_GRID2D_H
#define KERNELS_GRID2D_H

#include <mrt.h>
#include <stddef.h>

enum side { WEST, EAST, NORTH, SOUTH, SIDES };

struct grid2d {
	int ranks[2];	      /* columns and rows of ranks */
	int place[2];	      /* this rank's column and row */
	int cells[2];	      /* of the whole rectangle, in x and y */
	int first[2];	      /* first cell of this rank */
	int mine[2];	      /* cells of this rank; at least 1 */
	int stride;	      /* length of a row in memory: mine[0] + 2 */
	int neighbour[SIDES]; /* MRT_PROC_NULL at a wall */
	double *packed[4];    /* columns: west and east to send, west and east
				 received */
	struct mrt_request *requests[2 * SIDES];
};

/* Factors the ranks into a grid whose blocks are as square as possible, so that
 * edges are short. Returns -1 if nx x ny cells do not give each rank one. */
int grid2d_init(struct grid2d *g, int nx, int ny);
void grid2d_fini(struct grid2d *g);

/* Returns the index of cell (x, y) of the block; -1 and mine[] are the halo. */
static inline size_t grid2d_at(const struct grid2d *g, int x, int y)
{
	return (size_t)(y + 1) * (size_t)g->stride + (size_t)(x + 1);
}

/* Returns the number of cells of a block with its halo. */
size_t grid2d_field(const struct grid2d *g);

/*
 * Exchange edges. Between start and finish the field may be read but not
 * written; after finish the halo holds the neighbours' edges. At walls the halo
 * is not changed.
 */
void grid2d_start(struct grid2d *g, double *field);
void grid2d_finish(struct grid2d *g, double *field);

/* Returns how many of n cells part `i` of `parts` gets, and where
 * they begin. */
int grid2d_share(int n, int parts, int i, int *first);

#endif
