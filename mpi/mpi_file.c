/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_file.c: the error handler of MPI_FILE_NULL (MPI 4.1, 14.7), which is that
 * of all errors on files: there are no other files. */
#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

MPI_Errhandler mpi_file_errhandler = MPI_ERRORS_RETURN;

int mpi_file_result(const char *function, int error)
{
	return mpi_result_at(&mpi_file_errhandler, MPI_FILE_NULL, function,
			     error);
}
