/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_shim.h: lets mrt-cg and mrt-heat2d compile with an MPI library, so that
 * libraries are compared by the same program. It replaces mrt.h and costs
 * nothing at run time. Macros cannot change that requests are pointers in mrt.h
 * only; apps.sh edits these on the way to the compiler.
 */
#ifndef BENCH_MPI_SHIM_H
#define BENCH_MPI_SHIM_H

#include <mpi.h>
#include <stdlib.h>

#define MRT_COMM_WORLD MPI_COMM_WORLD
#define MRT_STATUS_IGNORE MPI_STATUS_IGNORE
#define MRT_STATUSES_IGNORE MPI_STATUSES_IGNORE
#define MRT_IN_PLACE MPI_IN_PLACE
#define MRT_PROC_NULL MPI_PROC_NULL
#define MRT_ANY_SOURCE MPI_ANY_SOURCE
#define MRT_INT MPI_INT
#define MRT_DOUBLE MPI_DOUBLE
#define MRT_UINT8 MPI_UINT8_T
#define MRT_UINT64 MPI_UINT64_T
#define MRT_SUM MPI_SUM
#define MRT_MIN MPI_MIN
#define MRT_MAX MPI_MAX

#define mrt_init MPI_Init
#define mrt_finalize MPI_Finalize
#define mrt_set_error_mode(mode) ((void)0)
#define mrt_wtime MPI_Wtime
#define mrt_probe MPI_Probe
#define mrt_version() "with another MPI"
#define mrt_abort(comm, code) (MPI_Abort(comm, code), exit(code))
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

static inline int mrt_get_count(const MPI_Status *status, MPI_Datatype type,
				size_t *count)
{
	int n, code = MPI_Get_count(status, type, &n);

	*count = (size_t)n;
	return code;
}

#endif
