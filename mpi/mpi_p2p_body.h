/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_p2p_body.h: point to point, for int and for MPI_Count; included by
 * mpi_p2p.c with COUNT and NAME. A ready send is a standard send.
 *
 * Functions with seven arguments ask libmrt for the communicator of an error,
 * because keeping it would cost five instructions more: the stack has to be
 * aligned.
 */

/* ---- Sends, which differ only in their mode ------------------------------ */

#ifndef SEND
#define SEND_PARAMETERS                                                        \
	const void *buf, COUNT count, MPI_Datatype datatype, int dest,         \
	    int tag, MPI_Comm comm
#define SEND_ARGUMENTS                                                         \
	buf, (size_t)count, to_type(datatype), dest, tag, to_comm(comm)
#define SEND(Name, call)                                                       \
	APIS(Name)(SEND_PARAMETERS)                                            \
	{                                                                      \
		return mpi_result(comm, __func__, call(SEND_ARGUMENTS));       \
	}
#define SEND_REQUEST(Name, call)                                               \
	APIS(Name)(SEND_PARAMETERS, MPI_Request * request)                     \
	{                                                                      \
		return mpi_request_result(                                     \
		    __func__, call(SEND_ARGUMENTS, to_requests(request)));     \
	}
#endif

/* clang-format off */
SEND(Send, mrt_send)
SEND(Rsend, mrt_send)
SEND(Ssend, mrt_ssend)
SEND(Bsend, mrt_bsend)

SEND_REQUEST(Isend, mrt_isend)
SEND_REQUEST(Irsend, mrt_isend)
SEND_REQUEST(Issend, mrt_issend)
SEND_REQUEST(Ibsend, mrt_ibsend)

SEND_REQUEST(Send_init, mrt_send_init)
SEND_REQUEST(Rsend_init, mrt_send_init)
SEND_REQUEST(Ssend_init, mrt_ssend_init)
SEND_REQUEST(Bsend_init, mrt_bsend_init)
/* clang-format on */

/* ---- Blocking receives --------------------------------------------------- */

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

/* ---- Receives with a request --------------------------------------------- */

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

APIS(Recv_init)
(void *buf, COUNT count, MPI_Datatype datatype, int source, int tag,
 MPI_Comm comm, MPI_Request *request)
{
	return mpi_result(comm, __func__,
			  mrt_recv_init(buf, (size_t)count, to_type(datatype),
					source, tag, to_comm(comm),
					to_requests(request)));
}
