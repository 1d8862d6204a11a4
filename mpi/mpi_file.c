/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_file.c keeps the open files and their error handlers (MPI 4.1, 14.7). A
 * file begins with the handler of MPI_FILE_NULL, which also gets errors without
 * a file.
 */
#include "mpi/mpi_file.h"

#include <stdio.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

const struct mpi_files *mpi_files;
static MPI_Errhandler null_errhandler = MPI_ERRORS_RETURN;
static struct mpi_file *open_files; /* guarded by mpi_lock */

struct mpi_file *mpi_file_of(MPI_File fh)
{
	struct mpi_file *file;

	mpi_lock();
	for (file = open_files; file; file = file->next)
		if ((MPI_File)file == fh)
			break;
	mpi_unlock();
	return file;
}

void mpi_file_add(struct mpi_file *file)
{
	mpi_lock();
	file->next = open_files;
	open_files = file;
	mpi_unlock();
}

void mpi_file_remove(struct mpi_file *file)
{
	struct mpi_file **at = &open_files;

	mpi_lock();
	while (*at != file)
		at = &(*at)->next;
	*at = file->next;
	mpi_unlock();
}

MPI_Errhandler *mpi_file_errhandler(MPI_File fh)
{
	struct mpi_file *file = mpi_file_of(fh);

	return file		     ? &file->errhandler
	       : fh == MPI_FILE_NULL ? &null_errhandler
				     : NULL;
}

/* `last` is this thread's last error on files. */
static _Thread_local struct {
	int code;
	char text[256];
} last;

const char *mpi_file_cause(int code)
{
	return code && code == last.code && mpi_class_text(code) ? last.text
								 : NULL;
}

void mpi_file_forget(void)
{
	last.code = MPI_SUCCESS;
}

int mpi_file_result(MPI_File fh, const char *function, int error)
{
	MPI_Errhandler *place = mpi_file_errhandler(fh);

	if (!error)
		return MPI_SUCCESS;
	last.code = mpi_error_class(error);
	snprintf(last.text, sizeof(last.text), "%s", mrt_error_detail());

	return place ? mpi_result_at(place, fh, function, error)
		     : mpi_result_at(&null_errhandler, MPI_FILE_NULL, function,
				     error);
}

int mpi_file_told(const struct mpi_file *file, int rc)
{
	const char *why = rc ? mpi_files->why() : "";
	char text[256];

	if (rc) {
		snprintf(text, sizeof(text), "%s: %s", file->name,
			 *why ? why : mpi_class_text(rc) ?: "");
		mrt_set_error_detail(text);
	}
	return rc;
}

bool mpi_file_request_failed(const char *function, int error, int *rc)
{
	MPI_File romio = mpi_files ? mpi_files->failed() : NULL;
	struct mpi_file *file;

	mpi_lock();
	for (file = open_files; file; file = file->next)
		if (romio && file->romio == romio)
			break;
	mpi_unlock();
	if (file)
		*rc = mpi_file_result(
		    (MPI_File)file, function,
		    mpi_file_told(file, mpi_error_class(error)));
	return file;
}
