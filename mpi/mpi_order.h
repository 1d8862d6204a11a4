/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_order.h: reorders ranks so that neighbours in a grid or graph are close
 * in the machine. Pure functions of the ranks' places: every rank computes the
 * same order.
 */
#ifndef MPI_MPI_ORDER_H
#define MPI_MPI_ORDER_H

#include "mpi/mpi_topology.h"

/*
 * These set *order [nodes of the graph] to the rank for each node of the grid
 * or graph, which the caller frees, or to NULL if no order is better than the
 * ranks as they are. They return 0 or MRT_ERR_NO_MEM. places[] are those of the
 * first ranks.
 */
int mpi_order_grid(const struct mrt_place *places, const struct mpi_grid *grid,
		   int **order);
/* weights are those of the edges; NULL: all 1. */
int mpi_order_graph(const struct mrt_place *places,
		    const struct mpi_graph *graph, const int *weights,
		    int **order);

/* Like the two above, for the first ranks of comm, at their actual places. */
int mpi_order_grid_on(MPI_Comm comm, const struct mpi_grid *grid, int **order);
int mpi_order_graph_on(MPI_Comm comm, const struct mpi_graph *graph,
		       const int *weights, int **order);

/* The index of `rank` in order[size] (NULL: the identity), or MPI_UNDEFINED if
 * it is not there. */
int mpi_order_find(const int *order, int size, int rank);
/* Replaces *rank by its index in order[size], sets *same if that is NULL, and
 * frees order. */
void mpi_order_apply(int *order, int size, int *rank, int *same);

/* ---- Between the files of it --------------------------------------------- */

/* A graph in which each edge is listed at both ends: those of node i are
 * to[first[i]] .. to[first[i + 1] - 1]. */
struct mpi_edges {
	int nnodes;
	int *first; /* [nnodes + 1] */
	int *to, *weights;
};

/* Each computes one candidate order. sorted[] has the ranks by place. They
 * return 0 if they find none. */
int mpi_order_blocks(const struct mrt_place *places, const int *sorted,
		     const struct mpi_grid *grid, int *order);
int mpi_order_grown(const struct mrt_place *places, const int *sorted,
		    const struct mpi_edges *edges, int *order);
#endif
