/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_dist_ends.c: for MPI_Dist_graph_create: each edge, contributed by any
 * rank, is sent to both its ends by an alltoallv. A rank's neighbours are in
 * the order of the ranks that contributed the edges, and of these in the order
 * given.
 */
#include <stdlib.h>

#include "mpi/mpi_topology.h"

/* An edge as one of its ends sees it. */
struct end {
	int is_dest; /* else `other` is the source */
	int other, weight;
};
enum { END_INTS = sizeof(struct end) / sizeof(int) };

/* The arguments of the alltoallv, in ints. */
struct exchange {
	size_t *sendcounts, *senddispls, *recvcounts, *recvdispls;
	struct end *out, *in;
	size_t nin; /* number of ends */
};

/* Counts both ends of each edge by receiver, or (put) stores them for
 * sending. */
static void for_ends(const struct mpi_edge_list *g, struct exchange *x, int put)
{
	for (int i = 0, k = 0; i < g->n; i++) {
		for (int last = k + g->degrees[i]; k < last; k++) {
			int s = g->sources[i], d = g->dests[k];
			int w =
			    g->weights == MPI_UNWEIGHTED ? 1 : g->weights[k];

			if (put) {
				x->out[x->senddispls[s]++] =
				    (struct end){1, d, w};
				x->out[x->senddispls[d]++] =
				    (struct end){0, s, w};
			} else {
				x->sendcounts[s]++;
				x->sendcounts[d]++;
			}
		}
	}
}

static size_t sum_up(const size_t *counts, size_t *displs, int n)
{
	size_t sum = 0;

	for (int r = 0; r < n; r++) {
		displs[r] = sum;
		sum += counts[r];
	}
	return sum;
}

static void dist_ends_scale(size_t *list, int n)
{
	for (int i = 0; i < n; i++)
		list[i] *= END_INTS;
}

/* Sets x->in to the ends that are the caller's. The tables must be zero. */
static int exchange_ends(struct mrt_comm *comm, int size,
			 const struct mpi_edge_list *g, struct exchange *x)
{
	size_t nout;
	int rc;

	for_ends(g, x, 0);
	rc = mrt_alltoall(x->sendcounts, 1, MRT_UINT64, x->recvcounts, 1,
			  MRT_UINT64, comm);
	if (rc)
		return rc;
	nout = sum_up(x->sendcounts, x->senddispls, size);
	x->nin = sum_up(x->recvcounts, x->recvdispls, size);
	x->out = malloc(nout * sizeof(*x->out) + 1);
	x->in = malloc(x->nin * sizeof(*x->in) + 1);
	if (!x->out || !x->in)
		return MRT_ERR_NO_MEM;
	for_ends(g, x, 1);
	sum_up(x->sendcounts, x->senddispls, size);
	dist_ends_scale(x->sendcounts, 4 * size);
	return mrt_alltoallv(x->out, x->sendcounts,
			     (const ptrdiff_t *)x->senddispls, MRT_INT, x->in,
			     x->recvcounts, (const ptrdiff_t *)x->recvdispls,
			     MRT_INT, comm);
}

static struct mpi_topology *from_ends(const struct exchange *x, int weighted)
{
	int n[2] = {0, 0}, at[2] = {0, 0}, total = (int)x->nin;
	struct mpi_topology *t;

	for (size_t k = 0; k < x->nin; k++)
		n[x->in[k].is_dest]++;
	t = mpi_dist_create(n[0], n[1], weighted);
	if (!t)
		return NULL;
	at[1] = n[0];
	for (size_t k = 0; k < x->nin; k++) {
		int i = at[x->in[k].is_dest]++;

		t->ints[i] = x->in[k].other;
		if (weighted)
			t->ints[total + i] = x->in[k].weight;
	}
	return t;
}

int mpi_dist_distribute(struct mrt_comm *comm, int size,
			const struct mpi_edge_list *g, struct mpi_topology **t)
{
	size_t n = (size_t)size;
	struct exchange x = {NULL, NULL, NULL, NULL, NULL, NULL, 0};
	int rc = MRT_ERR_NO_MEM;

	x.sendcounts = calloc(4 * n, sizeof(*x.sendcounts));
	if (x.sendcounts) {
		x.senddispls = x.sendcounts + n;
		x.recvcounts = x.sendcounts + 2 * n;
		x.recvdispls = x.sendcounts + 3 * n;
		rc = exchange_ends(comm, size, g, &x);
	}
	if (!rc) {
		*t = from_ends(&x, g->weights != MPI_UNWEIGHTED);
		rc = *t ? 0 : MRT_ERR_NO_MEM;
	}
	free(x.in);
	free(x.out);
	free(x.sendcounts);
	return rc;
}
