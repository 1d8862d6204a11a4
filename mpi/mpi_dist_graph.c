/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_dist_graph.c: graphs of which each rank knows its own neighbours (MPI
 * 4.1, 8.5.4). To reorder ranks all edges are gathered on every rank, and the
 * neighbours of a node are sent to the rank that becomes that node.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_order.h"

struct mpi_topology *mpi_dist_create(int nsources, int ndests, int weighted)
{
	size_t n = (size_t)nsources + (size_t)ndests;
	struct mpi_topology *t =
	    mpi_topology_create(MPI_DIST_GRAPH, weighted ? 2 * n : n);

	if (!t)
		return NULL;
	t->neighbors = (struct mrt_neighbors){nsources, t->ints, ndests,
					      t->ints + nsources, 0};
	t->as.dist.weighted = weighted;
	if (weighted) {
		t->as.dist.source_weights = t->ints + n;
		t->as.dist.dest_weights = t->ints + n + nsources;
	}
	return t;
}

/* ---- Another order ------------------------------------------------------- */

/* Whether the ranks of comm have different places: 1, 0, or an error. */
static int is_spread(struct mrt_comm *comm, int size)
{
	struct mrt_place *p = malloc((size_t)size * sizeof(*p));
	int rc = p ? mrt_comm_places(comm, p) : MRT_ERR_NO_MEM;

	for (int r = 1; r < size && !rc; r++)
		rc = p[r].cache != p[0].cache;
	free(p);
	return rc;
}

/* Gathers all edges into *graph and *weights, whose storage is *room. */
static int gather_edges(struct mrt_comm *comm, int size,
			const struct mpi_topology *t, struct mpi_graph *graph,
			const int **weights, int **room)
{
	size_t n = (size_t)size, total = 0;
	size_t mine = (size_t)t->neighbors.ndests;
	size_t *counts = malloc(2 * n * sizeof(*counts));
	ptrdiff_t *displs = (ptrdiff_t *)(counts + n);
	int *index = NULL, rc = counts ? 0 : MRT_ERR_NO_MEM;

	if (!rc)
		rc = mrt_allgather(&mine, 1, MRT_UINT64, counts, 1, MRT_UINT64,
				   comm);
	for (size_t r = 0; r < n && !rc; r++) {
		displs[r] = (ptrdiff_t)total;
		total += counts[r];
	}
	if (!rc) {
		index = malloc((n + 2 * total) * sizeof(*index));
		rc = index ? 0 : MRT_ERR_NO_MEM;
	}
	for (size_t r = 0; r < n && !rc; r++)
		index[r] = (int)displs[r] + (int)counts[r];
	if (!rc)
		rc = mrt_allgatherv(t->neighbors.dests, mine, MRT_INT,
				    index + n, counts, displs, MRT_INT, comm);
	if (!rc && t->as.dist.weighted)
		rc = mrt_allgatherv(t->as.dist.dest_weights, mine, MRT_INT,
				    index + n + total, counts, displs, MRT_INT,
				    comm);
	free(counts);
	*room = index;
	if (!rc) {
		*graph = (struct mpi_graph){size, (int)total, index, index + n};
		*weights = t->as.dist.weighted ? index + n + total : NULL;
	}
	return rc;
}

static int find_order(MPI_Comm comm, int size, const struct mpi_topology *t,
		      int **order)
{
	struct mpi_graph graph;
	const int *weights;
	int *room = NULL, rc = is_spread(to_comm(comm), size);

	*order = NULL;
	if (rc <= 0)
		return rc;
	rc = gather_edges(to_comm(comm), size, t, &graph, &weights, &room)
		 ?: mpi_order_graph_on(comm, &graph, weights, order);
	free(room);
	return rc;
}

/*
 * On the new communicator: sends *t, the topology of the node that the caller
 * was in the old one, to the rank `to` that is this node now, and replaces it
 * by that of the caller's own node, from rank `from`.
 */
static int exchange_topology(struct mrt_comm *comm, int to, int from,
			     struct mpi_topology **t)
{
	int out[2] = {(*t)->neighbors.nsources, (*t)->neighbors.ndests}, in[2];
	int weighted = (*t)->as.dist.weighted;
	size_t factor = weighted ? 2 : 1;
	struct mpi_topology *mine;
	int rc = mrt_sendrecv(out, 2, MRT_INT, to, 0, in, 2, MRT_INT, from, 0,
			      comm, MRT_STATUS_IGNORE);

	if (rc)
		return rc;
	mine = mpi_dist_create(in[0], in[1], weighted);
	if (!mine)
		return MRT_ERR_NO_MEM;
	rc = mrt_sendrecv((*t)->ints, factor * (size_t)(out[0] + out[1]),
			  MRT_INT, to, 0, mine->ints,
			  factor * (size_t)(in[0] + in[1]), MRT_INT, from, 0,
			  comm, MRT_STATUS_IGNORE);
	mpi_topology_free(*t);
	*t = mine;
	return rc;
}

/* Makes the communicator, with the topology of the node that the caller is in
 * comm, which is freed on error. */
static int dist_graph_make(MPI_Comm comm, struct mpi_topology *t, int reorder,
			   MPI_Comm *newcomm)
{
	int size = mrt_size(to_comm(comm)), me = mrt_rank(to_comm(comm));
	int *order = NULL, rank = me, rc = 0;
	MPI_Comm made = MPI_COMM_NULL;

	if (reorder)
		rc = find_order(comm, size, t, &order);
	if (!rc) {
		rank = mpi_order_find(order, size, me);
		rc = mpi_topology_ranks(comm, rank, !order, &made);
	}
	if (!rc && order)
		rc = exchange_topology(to_comm(made), me,
				       mpi_order_find(order, size, rank), &t);
	free(order);
	if (rc) {
		mpi_topology_free(t);
		return rc;
	}
	rc = mpi_topology_attach(comm, t, &made);
	if (!rc)
		*newcomm = made;
	return rc;
}

/* ---- Making them --------------------------------------------------------- */

/* Checks a user's list of n ranks and their weights; `what` names it in
 * messages. */
static int check_list(MPI_Comm comm, const char *function, int size,
		      const char *what, int n, const int *ranks,
		      const int *weights)
{
	if (n < 0)
		return mpi_fail(comm, function, MPI_ERR_ARG, "%d %s", n, what);
	if (n && (!ranks || !weights || weights == MPI_WEIGHTS_EMPTY))
		return mpi_fail(comm, function, MPI_ERR_ARG,
				"%s or their weights are missing", what);
	for (int i = 0; i < n; i++) {
		if (ranks[i] < 0 || ranks[i] >= size)
			return mpi_fail(comm, function, MPI_ERR_RANK,
					"%s: rank %d of %d", what, ranks[i],
					size);
		if (weights != MPI_UNWEIGHTED && weights[i] < 0)
			return mpi_fail(comm, function, MPI_ERR_ARG,
					"%s: weight %d", what, weights[i]);
	}
	return MPI_SUCCESS;
}

static void dist_graph_copy(int *to, const int *from, int n)
{
	if (n)
		memcpy(to, from, (size_t)n * sizeof(*to));
}

API(Dist_graph_create_adjacent)
(MPI_Comm comm_old, int indegree, const int sources[], const int *sourceweights,
 int outdegree, const int destinations[], const int *destweights, MPI_Info info,
 int reorder, MPI_Comm *comm_dist_graph)
{
	int size, rank, rc, weighted = sourceweights != MPI_UNWEIGHTED;
	struct mpi_topology *t;

	(void)info;
	rc = mpi_topology_base(comm_old, __func__, &size, &rank);
	if (!rc)
		rc = check_list(comm_old, __func__, size, "sources", indegree,
				sources, sourceweights);
	if (!rc)
		rc = check_list(comm_old, __func__, size, "destinations",
				outdegree, destinations, destweights);
	if (rc)
		return rc;
	if (weighted != (destweights != MPI_UNWEIGHTED))
		return mpi_fail(comm_old, __func__, MPI_ERR_ARG,
				"one of two lists is weighted");
	t = mpi_dist_create(indegree, outdegree, weighted);
	if (!t)
		return mpi_result(comm_old, __func__, MRT_ERR_NO_MEM);
	dist_graph_copy(t->ints, sources, indegree);
	dist_graph_copy(t->ints + indegree, destinations, outdegree);
	if (weighted) {
		int *weights = t->ints + indegree + outdegree;

		dist_graph_copy(weights, sourceweights, indegree);
		dist_graph_copy(weights + indegree, destweights, outdegree);
	}
	return mpi_result(
	    comm_old, __func__,
	    dist_graph_make(comm_old, t, reorder, comm_dist_graph));
}

static int check_edge_list(MPI_Comm comm, const char *function, int size,
			   const struct mpi_edge_list *g)
{
	long long edges = 0;
	int rc;

	rc = check_list(comm, function, size, "sources", g->n, g->sources,
			MPI_UNWEIGHTED);
	if (rc)
		return rc;
	if (g->n && !g->degrees)
		return mpi_null(comm, function, "degrees");
	for (int i = 0; i < g->n; i++) {
		if (g->degrees[i] < 0)
			return mpi_fail(comm, function, MPI_ERR_ARG,
					"degree %d", g->degrees[i]);
		edges += g->degrees[i];
	}
	if (edges > INT_MAX)
		return mpi_fail(comm, function, MPI_ERR_ARG, "%lld edges",
				edges);
	return check_list(comm, function, size, "destinations", (int)edges,
			  g->dests, g->weights);
}

API(Dist_graph_create)
(MPI_Comm comm_old, int n, const int sources[], const int degrees[],
 const int destinations[], const int *weights, MPI_Info info, int reorder,
 MPI_Comm *comm_dist_graph)
{
	struct mpi_edge_list g = {n, sources, degrees, destinations, weights};
	struct mpi_topology *t;
	int size, rank, rc;

	(void)info;
	rc = mpi_topology_base(comm_old, __func__, &size, &rank)
		 ?: check_edge_list(comm_old, __func__, size, &g);
	if (rc)
		return rc;
	rc = mpi_dist_distribute(to_comm(comm_old), size, &g, &t)
		 ?: dist_graph_make(comm_old, t, reorder, comm_dist_graph);
	return mpi_result(comm_old, __func__, rc);
}

/* ---- Asking -------------------------------------------------------------- */

API(Dist_graph_neighbors_count)
(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_DIST_GRAPH, &t);

	if (!rc) {
		*indegree = t->neighbors.nsources;
		*outdegree = t->neighbors.ndests;
		*weighted = t->as.dist.weighted;
	}
	return rc;
}

/* Copies as many neighbours as there is room for. */
static void copy_neighbors(int room, int n, const int *ranks,
			   const int *weights, int *to, int *to_weights)
{
	if (n > room)
		n = room;
	dist_graph_copy(to, ranks, n);
	if (weights && to_weights != MPI_UNWEIGHTED &&
	    to_weights != MPI_WEIGHTS_EMPTY)
		dist_graph_copy(to_weights, weights, n);
}

API(Dist_graph_neighbors)
(MPI_Comm comm, int maxindegree, int sources[], int *sourceweights,
 int maxoutdegree, int destinations[], int *destweights)
{
	struct mpi_topology *t;
	int rc = mpi_topology_of(comm, __func__, MPI_DIST_GRAPH, &t);

	if (rc)
		return rc;
	if (maxindegree < 0 || maxoutdegree < 0)
		return mpi_fail(comm, __func__, MPI_ERR_ARG,
				"room for %d and %d neighbours", maxindegree,
				maxoutdegree);
	copy_neighbors(maxindegree, t->neighbors.nsources, t->neighbors.sources,
		       t->as.dist.source_weights, sources, sourceweights);
	copy_neighbors(maxoutdegree, t->neighbors.ndests, t->neighbors.dests,
		       t->as.dist.dest_weights, destinations, destweights);
	return MPI_SUCCESS;
}
