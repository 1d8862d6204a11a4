/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_environment.c: start and end, versions, time (MPI 4.1, chapters 9 and
 * 11). */
#include <string.h>

#include "mpi/mpi_impl.h"

API(Init_thread)(int *argc, char ***argv, int required, int *provided)
{
	enum mrt_thread_level level;
	int rc;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	rc = mrt_init_thread(argc, argv, (enum mrt_thread_level)required,
			     &level);
	if (!rc)
		*provided = (int)level;
	return mpi_result(MPI_COMM_SELF, __func__, rc);
}

API(Init)(int *argc, char ***argv)
{
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	return mpi_result(MPI_COMM_SELF, __func__, mrt_init(argc, argv));
}

API(Finalize)(void)
{
	return mpi_result(MPI_COMM_SELF, __func__, mrt_finalize());
}

API(Initialized)(int *flag)
{
	*flag = mrt_initialized();
	return MPI_SUCCESS;
}

API(Finalized)(int *flag)
{
	*flag = mrt_finalized();
	return MPI_SUCCESS;
}

API(Abort)(MPI_Comm comm, int errorcode)
{
	mrt_abort(to_comm(comm), errorcode);
}

API_OF(double, Wtime)(void)
{
	return mrt_wtime();
}

API_OF(double, Wtick)(void)
{
	return mrt_wtick();
}

API(Abi_get_version)(int *abi_major, int *abi_minor)
{
	*abi_major = MPI_ABI_VERSION;
	*abi_minor = MPI_ABI_SUBVERSION;
	return MPI_SUCCESS;
}
