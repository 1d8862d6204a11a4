/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_graph.c: graphs that every rank knows as a whole (MPI 4.1, 8.5.3). */
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_order.h"

/* The index of a node's first edge. */
static int first_edge(const struct mpi_graph *graph, int node)
{
	return node ? graph->index[node - 1] : 0;
}

static struct mpi_topology *graph_create(const struct mpi_graph *graph,
					 int rank)
{
	size_t nnodes = (size_t)graph->nnodes, nedges = (size_t)graph->nedges;
	struct mpi_topology *t =
	    mpi_topology_create(MPI_GRAPH, nnodes + nedges);
	int first = first_edge(graph, rank), n = graph->index[rank] - first;
	int *neighbors;

	if (!t)
		return NULL;
	t->as.graph = (struct mpi_graph){graph->nnodes, graph->nedges, t->ints,
					 t->ints + nnodes};
	memcpy(t->ints, graph->index, nnodes * sizeof(int));
	if (nedges)
		memcpy(t->ints + nnodes, graph->edges, nedges * sizeof(int));
	neighbors = t->ints + nnodes + first;
	t->neighbors = (struct mrt_neighbors){n, neighbors, n, neighbors, 0};
	return t;
}

/* Checks a user's graph on a communicator of `size` ranks and completes
 * *graph. */
static int check_graph(MPI_Comm comm, const char *function, int size,
		       struct mpi_graph *graph)
{
	int last = 0;

	if (graph->nnodes < 0 || graph->nnodes > size)
		return mpi_fail(comm, function, MPI_ERR_ARG,
				"%d nodes for %d processes", graph->nnodes,
				size);
	if (graph->nnodes && !graph->index)
		return mpi_null(comm, function, "index");
	for (int i = 0; i < graph->nnodes; i++) {
		if (graph->index[i] < last)
			return mpi_fail(comm, function, MPI_ERR_ARG,
					"index[%d] is %d after %d", i,
					graph->index[i], last);
		last = graph->index[i];
	}
	if (last && !graph->edges)
		return mpi_null(comm, function, "edges");
	for (int k = 0; k < last; k++)
		if (graph->edges[k] < 0 || graph->edges[k] >= graph->nnodes)
			return mpi_fail(comm, function, MPI_ERR_ARG,
					"edge %d leads to node %d of %d", k,
					graph->edges[k], graph->nnodes);
	graph->nedges = last;
	return MPI_SUCCESS;
}

static int place_rank(MPI_Comm comm, const struct mpi_graph *graph, int *rank,
		      int *same)
{
	int *order = NULL, rc = 0;

	if (graph->nnodes)
		rc = mpi_order_graph_on(comm, graph, NULL, &order);
	if (!rc)
		mpi_order_apply(order, graph->nnodes, rank, same);
	return rc;
}

static int graph_make(MPI_Comm comm, const struct mpi_graph *graph, int rank,
		      int same, MPI_Comm *newcomm)
{
	struct mpi_topology *t = NULL;

	if (rank != MPI_UNDEFINED) {
		t = graph_create(graph, rank);
		if (!t)
			return MRT_ERR_NO_MEM;
	}
	return mpi_topology_make(comm, t, rank, same, newcomm);
}

API(Graph_create)
(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[],
 int reorder, MPI_Comm *comm_graph)
{
	struct mpi_graph graph = {nnodes, 0, indx, edges};
	int size, rank, same = 1;
	int rc = mpi_topology_base(comm_old, __func__, &size, &rank);

	if (!rc)
		rc = check_graph(comm_old, __func__, size, &graph);
	if (rc)
		return rc;
	if (reorder)
		rc = place_rank(comm_old, &graph, &rank, &same);
	else
		rank = mpi_order_find(NULL, nnodes, rank);
	if (!rc)
		rc = graph_make(comm_old, &graph, rank, same && nnodes == size,
				comm_graph);
	return mpi_result(comm_old, __func__, rc);
}

API(Graph_map)
(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank)
{
	struct mpi_graph graph = {nnodes, 0, indx, edges};
	int size, rank, same;
	int rc = mpi_topology_base(comm, __func__, &size, &rank);

	if (!rc)
		rc = check_graph(comm, __func__, size, &graph);
	if (rc)
		return rc;
	rc = place_rank(comm, &graph, &rank, &same);
	if (!rc)
		*newrank = rank;
	return mpi_result(comm, __func__, rc);
}

API(Graphdims_get)(MPI_Comm comm, int *nnodes, int *nedges)
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_GRAPH, &t);

	if (!rc && (!nnodes || !nedges))
		return mpi_null(comm, __func__, "nnodes or nedges");
	if (!rc) {
		*nnodes = t->as.graph.nnodes;
		*nedges = t->as.graph.nedges;
	}
	return rc;
}

API(Graph_get)
(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[])
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_GRAPH, &t);

	if (rc)
		return rc;
	if (maxindex < t->as.graph.nnodes || maxedges < t->as.graph.nedges)
		return mpi_fail(comm, __func__, MPI_ERR_ARG,
				"room for %d nodes and %d edges of %d and %d",
				maxindex, maxedges, t->as.graph.nnodes,
				t->as.graph.nedges);
	if ((t->as.graph.nnodes && !indx) || (t->as.graph.nedges && !edges))
		return mpi_null(comm, __func__, "indx or edges");
	for (int i = 0; i < t->as.graph.nnodes; i++)
		indx[i] = t->as.graph.index[i];
	for (int k = 0; k < t->as.graph.nedges; k++)
		edges[k] = t->as.graph.edges[k];
	return MPI_SUCCESS;
}

/* Finds comm's graph and checks that it has such a rank. */
static int graph_find(MPI_Comm comm, const char *function, int rank,
		      const struct mpi_graph **graph)
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, function, MPI_GRAPH, &t);

	if (rc)
		return rc;
	if (rank < 0 || rank >= t->as.graph.nnodes)
		return mpi_fail(comm, function, MPI_ERR_RANK, "rank %d of %d",
				rank, t->as.graph.nnodes);
	*graph = &t->as.graph;
	return MPI_SUCCESS;
}

API(Graph_neighbors_count)(MPI_Comm comm, int rank, int *nneighbors)
{
	const struct mpi_graph *graph = NULL;
	int rc = graph_find(comm, __func__, rank, &graph);

	if (!rc)
		*nneighbors = graph->index[rank] - first_edge(graph, rank);
	return rc;
}

API(Graph_neighbors)(MPI_Comm comm, int rank, int maxneighbors, int neighbors[])
{
	const struct mpi_graph *graph = NULL;
	int first, n, rc = graph_find(comm, __func__, rank, &graph);

	if (rc)
		return rc;
	first = first_edge(graph, rank);
	n = graph->index[rank] - first;
	if (maxneighbors < n)
		return mpi_fail(comm, __func__, MPI_ERR_ARG,
				"room for %d of %d neighbours", maxneighbors,
				n);
	for (int k = 0; k < n; k++)
		neighbors[k] = graph->edges[first + k];
	return MPI_SUCCESS;
}
