/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_file.c: the error handler of MPI_FILE_NULL (MPI 4.1, 14.7), which is that
 * of all errors on files: there are no other files. */
#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

static MPI_Errhandler of_null = MPI_ERRORS_RETURN;

int mpi_file_result(const char *function, int error)
{
	return mpi_result_at(&of_null, MPI_FILE_NULL, function, error);
}

static int file_check(const char *function, MPI_File file)
{
	return file == MPI_FILE_NULL
		   ? MPI_SUCCESS
		   : mpi_file_result(
			 function, mpi_detailed(MPI_ERR_FILE, "it is no file"));
}

API(File_set_errhandler)(MPI_File file, MPI_Errhandler errhandler)
{
	int code = file_check(__func__, file);

	if (code)
		return code;
	if (!mpi_errhandler_fits(errhandler, MPI_HANDLER_OF_FILE))
		return mpi_file_result(
		    __func__, mpi_detailed(MPI_ERR_ERRHANDLER,
					   "no error handler for files"));
	mpi_errhandler_attach(&of_null, errhandler);
	return MPI_SUCCESS;
}

API(File_get_errhandler)(MPI_File file, MPI_Errhandler *errhandler)
{
	int code = file_check(__func__, file);

	if (code)
		return code;
	if (!errhandler)
		return mpi_file_result(
		    __func__, mpi_detailed(MPI_ERR_ARG, "errhandler is NULL"));
	*errhandler = mpi_errhandler_at(&of_null);
	return MPI_SUCCESS;
}

API(File_call_errhandler)(MPI_File file, int errorcode)
{
	int code = file_check(__func__, file);

	if (!code)
		mpi_file_result(
		    __func__, mpi_detailed(errorcode, "called by the program"));
	return code;
}
