/* SPDX-License-Identifier: Apache-2.0 */
/* file_name.h chooses the file that a test of files writes. */
#ifndef TESTS_FILE_NAME_H
#define TESTS_FILE_NAME_H

#include <unistd.h>

#include "tests/mpi/mpi_test.h"

static char file_name[512]; /* the same on all ranks; no such file at first */

/* Chooses a name; false, and the case is skipped, if there are no files. */
static inline bool file_begin(void)
{
	const char *folder = getenv("TMPDIR");
	MPI_File file;
	int class;

	if (me == 0) {
		snprintf(file_name, sizeof(file_name), "%s/mrt_file.XXXXXX",
			 folder ? folder : "/tmp");
		CHECK(mkdtemp(file_name) != NULL);
		rmdir(file_name);
	}
	MPI_Bcast(file_name, sizeof(file_name), MPI_CHAR, 0, W);
	MPI_Error_class(MPI_File_open(MPI_COMM_SELF, "", MPI_MODE_RDONLY,
				      MPI_INFO_NULL, &file),
			&class);
	if (class == MPI_ERR_UNSUPPORTED_OPERATION)
		mpi_test_skip("this MPI was built without files");
	return class != MPI_ERR_UNSUPPORTED_OPERATION;
}

/* Opens the file anew on all ranks. */
static inline MPI_File file_open(void)
{
	MPI_File file = MPI_FILE_NULL;

	OK(MPI_File_open(W, file_name,
			 MPI_MODE_CREATE | MPI_MODE_RDWR |
			     MPI_MODE_DELETE_ON_CLOSE,
			 MPI_INFO_NULL, &file));
	return file;
}

static inline void file_close(MPI_File *file)
{
	OK(MPI_File_close(file));
	CHECK(*file == MPI_FILE_NULL);
}

static inline int count_of(const MPI_Status *status, MPI_Datatype type)
{
	int count = -1;

	OK(MPI_Get_count(status, type, &count));
	return count;
}
#endif
