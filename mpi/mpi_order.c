/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_order.c: reorders ranks for reorder = 1: computes candidate orders and
 * chooses the one with the fewest edges between nodes of the machine, then
 * between caches; the ranks stay as they are if none is better. For grids the
 * candidates are blocks (mpi_order_grid.c); for graphs, and for nodes that
 * differ in size, they are grown (mpi_order_grow.c).
 */
#include "mpi/mpi_order.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- Edges --------------------------------------------------------------- */

static void free_edges(struct mpi_edges *e)
{
	free(e->first);
	free(e->to);
	free(e->weights);
}

static void put_edge(struct mpi_edges *e, int from, int to, int weight)
{
	int k = e->first[from + 1]++;

	e->to[k] = to;
	e->weights[k] = weight;
}

static void fill_edges(struct mpi_edges *e, const struct mpi_graph *graph,
		       const int *weights)
{
	/* counted one entry too far, so that storing the edges shifts them into
	 * place */
	for (int i = 0, k = 0; i < graph->nnodes; i++)
		for (; k < graph->index[i]; k++) {
			e->first[i + 2]++;
			e->first[graph->edges[k] + 2]++;
		}
	for (int i = 0; i < graph->nnodes; i++)
		e->first[i + 2] += e->first[i + 1];
	for (int i = 0, k = 0; i < graph->nnodes; i++)
		for (; k < graph->index[i]; k++) {
			int weight = weights ? weights[k] : 1;

			put_edge(e, i, graph->edges[k], weight);
			put_edge(e, graph->edges[k], i, weight);
		}
}

static int make_edges(struct mpi_edges *e, const struct mpi_graph *graph,
		      const int *weights)
{
	size_t n = 2 * (size_t)graph->nedges + 1;

	if (n > INT_MAX)
		return MRT_ERR_NO_MEM;
	e->nnodes = graph->nnodes;
	e->first = calloc((size_t)graph->nnodes + 2, sizeof(*e->first));
	e->to = malloc(n * sizeof(*e->to));
	e->weights = malloc(n * sizeof(*e->weights));
	if (!e->first || !e->to || !e->weights) {
		free_edges(e);
		return MRT_ERR_NO_MEM;
	}
	fill_edges(e, graph, weights);
	return 0;
}

/* The weight of the edges between nodes of the machine, and between caches of
 * one node. */
struct cut {
	long long nodes, caches;
};

static struct cut cut_of(const struct mrt_place *places,
			 const struct mpi_edges *e, const int *order)
{
	struct cut cut = {0, 0};

	for (int i = 0; i < e->nnodes; i++) {
		const struct mrt_place *p = &places[order ? order[i] : i];

		for (int k = e->first[i]; k < e->first[i + 1]; k++) {
			int j = order ? order[e->to[k]] : e->to[k];

			if (p->node != places[j].node)
				cut.nodes += e->weights[k];
			else if (p->cache != places[j].cache)
				cut.caches += e->weights[k];
		}
	}
	return cut;
}

static int is_less(struct cut a, struct cut b)
{
	return a.nodes != b.nodes ? a.nodes < b.nodes : a.caches < b.caches;
}

/* ---- Choosing ------------------------------------------------------------ */

struct placed {
	struct mrt_place place;
	int rank;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->place.node != y->place.node)
		return x->place.node < y->place.node ? -1 : 1;
	if (x->place.cache != y->place.cache)
		return x->place.cache < y->place.cache ? -1 : 1;
	return x->rank < y->rank ? -1 : 1;
}

static int *sort_ranks(const struct mrt_place *places, int n)
{
	struct placed *p = malloc((size_t)n * sizeof(*p));
	int *sorted = malloc((size_t)n * sizeof(*sorted));

	if (p && sorted) {
		for (int r = 0; r < n; r++)
			p[r] = (struct placed){places[r], r};
		qsort(p, (size_t)n, sizeof(*p), by_place);
		for (int r = 0; r < n; r++)
			sorted[r] = p[r].rank;
	} else {
		free(sorted);
		sorted = NULL;
	}
	free(p);
	return sorted;
}

/* Replaces *order, whose cut is *least, by the candidate if that is better;
 * frees the other. */
static void order_choose(const struct mrt_place *places,
			 const struct mpi_edges *e, int *candidate, int **order,
			 struct cut *least)
{
	struct cut cut = cut_of(places, e, candidate);

	if (!is_less(cut, *least)) {
		free(candidate);
		return;
	}
	free(*order);
	*order = candidate;
	*least = cut;
}

/* grid is NULL for graphs. */
static int find_order(const struct mrt_place *places, const struct mpi_edges *e,
		      const struct mpi_grid *grid, int **order)
{
	struct cut least = cut_of(places, e, NULL);
	size_t bytes = (size_t)e->nnodes * sizeof(int);
	int *sorted, *candidate;

	*order = NULL;
	if (!least.nodes && !least.caches)
		return 0;
	sorted = sort_ranks(places, e->nnodes);
	if (!sorted)
		return MRT_ERR_NO_MEM;
	candidate = grid ? malloc(bytes) : NULL;
	if (candidate && mpi_order_blocks(places, sorted, grid, candidate))
		order_choose(places, e, candidate, order, &least);
	else
		free(candidate);
	candidate = malloc(bytes);
	if (candidate && mpi_order_grown(places, sorted, e, candidate))
		order_choose(places, e, candidate, order, &least);
	else
		free(candidate);
	free(sorted);
	return 0;
}

int mpi_order_graph(const struct mrt_place *places,
		    const struct mpi_graph *graph, const int *weights,
		    int **order)
{
	struct mpi_edges edges;
	int rc = make_edges(&edges, graph, weights);

	if (rc)
		return rc;
	rc = find_order(places, &edges, NULL, order);
	free_edges(&edges);
	return rc;
}

/* Lists the edges of a grid to the next node in each dimension; returns their
 * number. */
static int list_edges(const struct mpi_grid *grid, int n, int *coords,
		      int *index, int *edges)
{
	int k = 0;

	for (int r = 0; r < n; r++) {
		int stride = 1;

		mpi_grid_coords(grid, r, coords);
		for (int i = grid->ndims - 1; i >= 0; i--) {
			int dim = grid->dims[i];

			if (coords[i] + 1 < dim)
				edges[k++] = r + stride;
			else if (grid->periods[i])
				edges[k++] = r - stride * (dim - 1);
			stride *= dim;
		}
		index[r] = k;
	}
	return k;
}

int mpi_order_grid(const struct mrt_place *places, const struct mpi_grid *grid,
		   int **order)
{
	struct mpi_graph graph;
	struct mpi_edges edges;
	size_t n = 1, ndims = (size_t)grid->ndims;
	int *room, rc;

	for (int i = 0; i < grid->ndims; i++)
		n *= (size_t)grid->dims[i];
	room = malloc((n + n * ndims + ndims) * sizeof(*room));
	if (!room)
		return MRT_ERR_NO_MEM;
	graph = (struct mpi_graph){(int)n, 0, room, room + n};
	graph.nedges =
	    list_edges(grid, (int)n, room + n + n * ndims, room, room + n);
	rc = make_edges(&edges, &graph, NULL);
	if (!rc) {
		rc = find_order(places, &edges, grid, order);
		free_edges(&edges);
	}
	free(room);
	return rc;
}

/* ---- Where the ranks of a communicator are ------------------------------- */

static int find_places(MPI_Comm comm, struct mrt_place **places)
{
	int size = mrt_size(to_comm(comm)), rc;

	*places = malloc((size_t)size * sizeof(**places));
	if (!*places)
		return MRT_ERR_NO_MEM;
	rc = mrt_comm_places(to_comm(comm), *places);
	if (rc)
		free(*places);
	return rc;
}

int mpi_order_grid_on(MPI_Comm comm, const struct mpi_grid *grid, int **order)
{
	struct mrt_place *places;
	int rc = find_places(comm, &places);

	if (rc)
		return rc;
	rc = mpi_order_grid(places, grid, order);
	free(places);
	return rc;
}

int mpi_order_graph_on(MPI_Comm comm, const struct mpi_graph *graph,
		       const int *weights, int **order)
{
	struct mrt_place *places;
	int rc = find_places(comm, &places);

	if (rc)
		return rc;
	rc = mpi_order_graph(places, graph, weights, order);
	free(places);
	return rc;
}

int mpi_order_find(const int *order, int size, int rank)
{
	int at = 0;

	if (!order)
		return rank < size ? rank : MPI_UNDEFINED;
	while (at < size && order[at] != rank)
		at++;
	return at < size ? at : MPI_UNDEFINED;
}

void mpi_order_apply(int *order, int size, int *rank, int *same)
{
	*same = !order;
	*rank = mpi_order_find(order, size, *rank);
	free(order);
}
