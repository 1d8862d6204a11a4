/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_shim.h: lets the sources of mrt-bench compile against an MPI library,
 * so that libraries are compared by the very same pattern. Included before
 * everything else (cc -include); it stands in for mrt.h.
 */
#ifndef BENCH_MPI_SHIM_H
#define BENCH_MPI_SHIM_H

#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>

#define MRT_H /* keeps the real header out */
#define BENCH_REQUEST MPI_Request

#define MRT_COMM_WORLD MPI_COMM_WORLD
#define MRT_STATUS_IGNORE MPI_STATUS_IGNORE
#define MRT_STATUSES_IGNORE MPI_STATUSES_IGNORE
#define MRT_BYTE MPI_BYTE
#define MRT_INT MPI_INT
#define MRT_LONG MPI_LONG
#define MRT_DOUBLE MPI_DOUBLE
#define MRT_INT64 MPI_INT64_T
#define MRT_SUM MPI_SUM
#define MRT_MIN MPI_MIN
#define MRT_MAX MPI_MAX
#define MRT_PROCESSOR_NAME_MAX MPI_MAX_PROCESSOR_NAME

#define mrt_init MPI_Init
#define mrt_finalize MPI_Finalize
#define mrt_wtime MPI_Wtime
#define mrt_barrier MPI_Barrier
#define mrt_send(buf, n, type, dest, tag, comm)                                \
	MPI_Send(buf, (int)(n), type, dest, tag, comm)
#define mrt_recv(buf, n, type, source, tag, comm, status)                      \
	MPI_Recv(buf, (int)(n), type, source, tag, comm, status)
#define mrt_isend(buf, n, type, dest, tag, comm, request)                      \
	MPI_Isend(buf, (int)(n), type, dest, tag, comm, request)
#define mrt_irecv(buf, n, type, source, tag, comm, request)                    \
	MPI_Irecv(buf, (int)(n), type, source, tag, comm, request)
#define mrt_waitall(n, requests, statuses)                                     \
	MPI_Waitall((int)(n), requests, statuses)
#define mrt_bcast(buf, n, type, root, comm)                                    \
	MPI_Bcast(buf, (int)(n), type, root, comm)
#define mrt_reduce(in, out, n, type, op, root, comm)                           \
	MPI_Reduce(in, out, (int)(n), type, op, root, comm)
#define mrt_allreduce(in, out, n, type, op, comm)                              \
	MPI_Allreduce(in, out, (int)(n), type, op, comm)
#define mrt_gather(in, n, type, out, m, otype, root, comm)                     \
	MPI_Gather(in, (int)(n), type, out, (int)(m), otype, root, comm)
#define mrt_scatter(in, n, type, out, m, otype, root, comm)                    \
	MPI_Scatter(in, (int)(n), type, out, (int)(m), otype, root, comm)
#define mrt_allgather(in, n, type, out, m, otype, comm)                        \
	MPI_Allgather(in, (int)(n), type, out, (int)(m), otype, comm)
#define mrt_alltoall(in, n, type, out, m, otype, comm)                         \
	MPI_Alltoall(in, (int)(n), type, out, (int)(m), otype, comm)
#define mrt_reduce_scatter_block(in, out, n, type, op, comm)                   \
	MPI_Reduce_scatter_block(in, out, (int)(n), type, op, comm)
#define mrt_scan(in, out, n, type, op, comm)                                   \
	MPI_Scan(in, out, (int)(n), type, op, comm)
#define mrt_exscan(in, out, n, type, op, comm)                                 \
	MPI_Exscan(in, out, (int)(n), type, op, comm)
#define mrt_abort(comm, code) (MPI_Abort(comm, code), exit(code))

static inline int mrt_rank(MPI_Comm comm)
{
	int rank;

	MPI_Comm_rank(comm, &rank);
	return rank;
}

static inline int mrt_size(MPI_Comm comm)
{
	int size;

	MPI_Comm_size(comm, &size);
	return size;
}

static inline int mrt_processor_name(char *name, size_t len)
{
	int length;

	return len < MPI_MAX_PROCESSOR_NAME
		   ? -1
		   : MPI_Get_processor_name(name, &length);
}

/* The first line of the library's own description. */
static inline const char *mrt_version(void)
{
	static char text[MPI_MAX_LIBRARY_VERSION_STRING];
	int length;

	MPI_Get_library_version(text, &length);
	for (char *p = text; *p; p++)
		if (*p == '\n' || *p == '\t' || *p == '"')
			*p = *p == '\n' ? '\0' : ' ';
	return text;
}

#endif
