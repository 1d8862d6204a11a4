/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_p2p.c: point to point (MPI 4.1, chapter 3). A negative count becomes a
 * size_t beyond any bound, which libmrt rejects. */
#include "mpi/mpi_impl.h"

#define COUNT int
#define NAME(name) name
#include "mpi/mpi_p2p_body.h"
#undef COUNT
#undef NAME

#define COUNT MPI_Count
#define NAME(name) name##_c
#include "mpi/mpi_p2p_body.h"

/* ---- Probes ------------------------------------------------------------- */

API(Probe)(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
	return mpi_result(
	    comm, __func__,
	    mrt_probe(source, tag, to_comm(comm), to_status(status)));
}

API(Iprobe)(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
	return mpi_result(
	    comm, __func__,
	    mrt_iprobe(source, tag, to_comm(comm), flag, to_status(status)));
}

API(Mprobe)
(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
	return mpi_result(comm, __func__,
			  mrt_mprobe(source, tag, to_comm(comm),
				     to_message(message), to_status(status)));
}

API(Improbe)
(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
 MPI_Status *status)
{
	return mpi_result(comm, __func__,
			  mrt_improbe(source, tag, to_comm(comm), flag,
				      to_message(message), to_status(status)));
}
