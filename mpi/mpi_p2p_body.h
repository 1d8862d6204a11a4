/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_p2p_body.h: point to point, for int and for MPI_Count; included by
 * mpi_p2p.c with COUNT and NAME. A ready send is a standard send.
 *
 * Functions with seven arguments ask libmrt for the communicator of an error,
 * because keeping it would cost five instructions more: the stack has to be
 * aligned.
 */

/* ---- Blocking ----------------------------------------------------------- */

APIS(Send)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm)
{
	return mpi_result(comm, __func__,
			  mrt_send(buf, (size_t)count, to_type(datatype), dest,
				   tag, to_comm(comm)));
}

APIS(Rsend)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm)
{
	return mpi_result(comm, __func__,
			  mrt_send(buf, (size_t)count, to_type(datatype), dest,
				   tag, to_comm(comm)));
}

APIS(Ssend)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm)
{
	return mpi_result(comm, __func__,
			  mrt_ssend(buf, (size_t)count, to_type(datatype), dest,
				    tag, to_comm(comm)));
}

APIS(Recv)
(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
 MPI_Comm comm, MPI_Status *status)
{
	return mpi_request_result(
	    __func__, mrt_recv(buf, (size_t)count, to_type(datatype), source,
			       tag, to_comm(comm), to_status(status)));
}

APIS(Sendrecv)
(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest,
 int sendtag, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source,
 int recvtag, MPI_Comm comm, MPI_Status *status)
{
	return mpi_result(
	    comm, __func__,
	    mrt_sendrecv(sendbuf, (size_t)sendcount, to_type(sendtype), dest,
			 sendtag, recvbuf, (size_t)recvcount, to_type(recvtype),
			 source, recvtag, to_comm(comm), to_status(status)));
}

APIS(Sendrecv_replace)
(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag,
 int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
	return mpi_result(comm, __func__,
			  mrt_sendrecv_replace(buf, (size_t)count,
					       to_type(datatype), dest, sendtag,
					       source, recvtag, to_comm(comm),
					       to_status(status)));
}

APIS(Mrecv)
(void *buf, COUNT count, MPI_Datatype datatype, MPI_Message *message,
 MPI_Status *status)
{
	return mpi_request_result(
	    __func__, mrt_mrecv(buf, (size_t)count, to_type(datatype),
				to_message(message), to_status(status)));
}

/* ---- Nonblocking -------------------------------------------------------- */

APIS(Isend)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_request_result(
	    __func__, mrt_isend(buf, (size_t)count, to_type(datatype), dest,
				tag, to_comm(comm), to_requests(request)));
}

APIS(Irsend)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_request_result(
	    __func__, mrt_isend(buf, (size_t)count, to_type(datatype), dest,
				tag, to_comm(comm), to_requests(request)));
}

APIS(Issend)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_request_result(
	    __func__, mrt_issend(buf, (size_t)count, to_type(datatype), dest,
				 tag, to_comm(comm), to_requests(request)));
}

APIS(Irecv)
(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_request_result(
	    __func__, mrt_irecv(buf, (size_t)count, to_type(datatype), source,
				tag, to_comm(comm), to_requests(request)));
}

APIS(Imrecv)
(void *buf, COUNT count, MPI_Datatype datatype, MPI_Message *message,
 MPI_Request *request)
{
	return mpi_request_result(
	    __func__, mrt_imrecv(buf, (size_t)count, to_type(datatype),
				 to_message(message), to_requests(request)));
}

APIS(Isendrecv)
(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, int dest,
 int sendtag, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int source,
 int recvtag, MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(comm, __func__,
			  mrt_isendrecv(sendbuf, (size_t)sendcount,
					to_type(sendtype), dest, sendtag,
					recvbuf, (size_t)recvcount,
					to_type(recvtype), source, recvtag,
					to_comm(comm), to_requests(request)));
}

APIS(Isendrecv_replace)
(void *buf, COUNT count, MPI_Datatype datatype, int dest, int sendtag,
 int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(
	    comm, __func__,
	    mrt_isendrecv_replace(buf, (size_t)count, to_type(datatype), dest,
				  sendtag, source, recvtag, to_comm(comm),
				  to_requests(request)));
}

/* ---- Persistent ---------------------------------------------------------- */

APIS(Send_init)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(comm, __func__,
			  mrt_send_init(buf, (size_t)count, to_type(datatype),
					dest, tag, to_comm(comm),
					to_requests(request)));
}

APIS(Rsend_init)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(comm, __func__,
			  mrt_send_init(buf, (size_t)count, to_type(datatype),
					dest, tag, to_comm(comm),
					to_requests(request)));
}

APIS(Ssend_init)
(const void *buf, COUNT count, MPI_Datatype datatype, int dest, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(comm, __func__,
			  mrt_ssend_init(buf, (size_t)count, to_type(datatype),
					 dest, tag, to_comm(comm),
					 to_requests(request)));
}

APIS(Recv_init)
(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(comm, __func__,
			  mrt_recv_init(buf, (size_t)count, to_type(datatype),
					source, tag, to_comm(comm),
					to_requests(request)));
}
