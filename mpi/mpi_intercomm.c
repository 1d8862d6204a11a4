/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_intercomm.c: intercommunicators (MPI 4.1, sections 7.6, and 11.8.3). */
#include "mpi/mpi_impl.h"

API(Comm_test_inter)(MPI_Comm comm, int *flag)
{
	int rc = mrt_comm_is_inter(to_comm(comm));

	if (rc < 0)
		return mpi_failed(comm, __func__, rc);
	*flag = rc;
	return MPI_SUCCESS;
}

API(Comm_remote_size)(MPI_Comm comm, int *size)
{
	int rc = mrt_comm_is_inter(to_comm(comm));

	if (!rc)
		return mpi_fail(comm, __func__, MPI_ERR_COMM,
				"not an intercommunicator");
	if (rc < 0)
		return mpi_failed(comm, __func__, rc);
	*size = mrt_comm_remote_size(to_comm(comm));
	return MPI_SUCCESS;
}

API(Intercomm_create)(MPI_Comm local_comm, int local_leader,
		      MPI_Comm peer_comm, int remote_leader, int tag,
		      MPI_Comm *newintercomm)
{
	struct mrt_comm *comm;
	int rc = mrt_intercomm_create(to_comm(local_comm), local_leader,
				      to_comm(peer_comm), remote_leader, tag,
				      &comm);

	if (!rc)
		*newintercomm = from_comm(comm);
	return mpi_result(local_comm, __func__, rc);
}

API(Intercomm_merge)(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
	struct mrt_comm *comm;
	int rc = mrt_intercomm_merge(to_comm(intercomm), high, &comm);

	if (!rc)
		*newintracomm = from_comm(comm);
	return mpi_result(intercomm, __func__, rc);
}

/* No process is started by others. */
API(Comm_get_parent)(MPI_Comm *parent)
{
	*parent = MPI_COMM_NULL;
	return MPI_SUCCESS;
}
