/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_intercomm.c: intercommunicators (MPI 4.1, sections 7.6, and 11.8.3). */
#include "mpi/mpi_impl.h"

/* Returns 0, or what `function` has to return if comm is no
 * intercommunicator. */
static int intercomm_check(MPI_Comm comm, const char *function)
{
	int rc = mrt_comm_is_inter(to_comm(comm));

	if (rc > 0)
		return MPI_SUCCESS;
	return rc ? mpi_failed(comm, function, rc)
		  : mpi_fail(comm, function, MPI_ERR_COMM,
			     "not an intercommunicator");
}

API(Comm_remote_size)(MPI_Comm comm, int *size)
{
	int rc = intercomm_check(comm, __func__);

	if (!size)
		return mpi_null(comm, __func__, "size");
	if (!rc)
		*size = mrt_comm_remote_size(to_comm(comm));
	return rc;
}

API(Comm_remote_group)(MPI_Comm comm, MPI_Group *group)
{
	int rc = intercomm_check(comm, __func__);

	if (rc)
		return rc;
	return mpi_result(
	    comm, __func__,
	    mrt_comm_remote_group(to_comm(comm), to_groups(group)));
}

/* Ends a function that makes a communicator from comm. */
static int intercomm_made(MPI_Comm comm, const char *function, int mrt_error,
			  struct mrt_comm *c, MPI_Comm *newcomm)
{
	if (mrt_error)
		return mpi_failed(comm, function, mrt_error);
	*newcomm = from_comm(c);
	mpi_comm_inherit(comm, *newcomm, function + 1);
	return MPI_SUCCESS;
}

API(Intercomm_create)
(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
 int tag, MPI_Comm *newintercomm)
{
	struct mrt_comm *comm = MRT_COMM_NULL;
	int rc =
	    mrt_intercomm_create(to_comm(local_comm), local_leader,
				 to_comm(peer_comm), remote_leader, tag, &comm);

	return intercomm_made(local_comm, __func__, rc, comm, newintercomm);
}

API(Intercomm_merge)(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
	struct mrt_comm *comm = MRT_COMM_NULL;
	int rc = mrt_intercomm_merge(to_comm(intercomm), high, &comm);

	return intercomm_made(intercomm, __func__, rc, comm, newintracomm);
}

/* No process is spawned by another. */
API(Comm_get_parent)(MPI_Comm *parent)
{
	if (!parent)
		return mpi_null(MPI_COMM_NULL, __func__, "parent");
	*parent = MPI_COMM_NULL;
	return MPI_SUCCESS;
}
