/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_topo.c: topologies of communicators (MPI 4.1, chapter 8): what all kinds
 * have in common. A topology is complete when created, with the caller's
 * neighbours, and never changes.
 */
#include "mpi/mpi_topology.h"

#include <stdlib.h>

struct mpi_topology *mpi_topology_create(int kind, size_t n)
{
	struct mpi_topology *t = calloc(1, sizeof(*t) + n * sizeof(int));

	if (t) {
		atomic_init(&t->users, 1);
		t->kind = kind;
	}
	return t;
}

/* Relaxed: the caller has a reference, so the count cannot reach 0
 * meanwhile. */
struct mpi_topology *mpi_topology_copy(struct mpi_topology *topology)
{
	if (topology)
		atomic_fetch_add_explicit(&topology->users, 1,
					  memory_order_relaxed);
	return topology;
}

void mpi_topology_free(struct mpi_topology *topology)
{
	/* orders all uses by other threads before the free; pairs with
	 * itself */
	if (topology && atomic_fetch_sub_explicit(&topology->users, 1,
						  memory_order_acq_rel) == 1)
		free(topology);
}

/* Returns comm's topology, or NULL. */
static struct mpi_topology *look_up(MPI_Comm comm)
{
	const struct mpi_comm *c = mrt_comm_data(to_comm(comm));

	return c ? c->topology : NULL;
}

int mpi_topology_of(MPI_Comm comm, const char *function, int kind,
		    struct mpi_topology **topology)
{
	static const char *const names[] = {[MPI_CART - MPI_CART] = "Cartesian",
					    [MPI_GRAPH - MPI_CART] = "graph",
					    [MPI_DIST_GRAPH - MPI_CART] =
						"distributed graph"};
	struct mpi_topology *t = look_up(comm);
	int rc;

	if (t && t->kind == kind) {
		*topology = t;
		return MPI_SUCCESS;
	}
	rc = mpi_check_comm(comm, function);
	return rc ? rc
		  : mpi_fail(comm, function, MPI_ERR_TOPOLOGY,
			     "the communicator has no %s topology",
			     names[kind - MPI_CART]);
}

int mpi_topology_base(MPI_Comm comm, const char *function, int *size, int *rank)
{
	int n = mrt_size(to_comm(comm));

	if (n < 0)
		return mpi_failed(comm, function, n);
	if (mrt_comm_is_inter(to_comm(comm)))
		return mpi_fail(comm, function, MPI_ERR_COMM,
				"an intercommunicator has no topology");
	*size = n;
	*rank = mrt_rank(to_comm(comm));
	return MPI_SUCCESS;
}

int mpi_topology_ranks(MPI_Comm comm, int rank, int all_same, MPI_Comm *newcomm)
{
	struct mrt_comm *c = NULL;
	int color = rank == MPI_UNDEFINED ? MRT_UNDEFINED : 0;
	int rc;

	rc = all_same ? mrt_comm_dup(to_comm(comm), &c)
		      : mrt_comm_split(to_comm(comm), color, rank, &c);
	if (!rc)
		*newcomm = from_comm(c);
	return rc;
}

int mpi_topology_attach(MPI_Comm comm, struct mpi_topology *topology,
			MPI_Comm *newcomm)
{
	struct mrt_comm *unused = to_comm(*newcomm);
	struct mpi_comm *c;

	if (*newcomm == MPI_COMM_NULL) {
		mpi_topology_free(topology);
		return 0;
	}
	c = mpi_comm_of(*newcomm);
	if (!c) {
		mpi_topology_free(topology);
		mrt_comm_free(&unused);
		return MRT_ERR_NO_MEM;
	}
	mpi_comm_inherit(comm, *newcomm, "a topology");
	c->topology = topology;
	return 0;
}

int mpi_topology_make(MPI_Comm comm, struct mpi_topology *t, int rank,
		      int all_same, MPI_Comm *newcomm)
{
	MPI_Comm made;
	int rc = mpi_topology_ranks(comm, rank, all_same, &made);

	if (rc) {
		mpi_topology_free(t);
		return rc;
	}
	rc = mpi_topology_attach(comm, t, &made);
	if (!rc)
		*newcomm = made;
	return rc;
}

int mpi_neighbors(MPI_Comm comm, const char *function,
		  struct mrt_neighbors *neighbors)
{
	const struct mpi_topology *t = look_up(comm);
	int rc;

	if (t) {
		*neighbors = t->neighbors;
		return MPI_SUCCESS;
	}
	rc = mpi_check_comm(comm, function);
	return rc ? rc
		  : mpi_fail(comm, function, MPI_ERR_TOPOLOGY,
			     "the communicator has no topology");
}

API(Topo_test)(MPI_Comm comm, int *status)
{
	const struct mpi_topology *t = look_up(comm);
	int size = mrt_size(to_comm(comm));

	if (!status)
		return mpi_null(comm, __func__, "status");
	if (size < 0)
		return mpi_failed(comm, __func__, size);
	*status = t ? t->kind : MPI_UNDEFINED;
	return MPI_SUCCESS;
}
