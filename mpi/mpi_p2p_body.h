/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_p2p_body.h: the functions with counts, for int and for MPI_Count;
 * compiled by mpi_p2p.c with COUNT and NAME. */

APIS(Send)(const void *buf, COUNT count, MPI_Datatype datatype, int dest,
	   int tag, MPI_Comm comm)
{
	return mpi_result(comm, __func__,
			  mrt_send(buf, (size_t)count, to_type(datatype), dest,
				   tag, to_comm(comm)));
}

APIS(Recv)(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
	   MPI_Comm comm, MPI_Status *status)
{
	return mpi_result(comm, __func__,
			  mrt_recv(buf, (size_t)count, to_type(datatype),
				   source, tag, to_comm(comm),
				   to_status(status)));
}
