/* SPDX-License-Identifier: Apache-2.0 */
/* romio_file.c makes ROMIO's handles of files, translates its numbers of modes,
 * and has what ROMIO takes of MPL. */
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "romio/mpl.h"
#include "romio/romio.h"

MPI_File MPIO_File_create(int size)
{
	return calloc(1, (size_t)size);
}

MPI_File MPIO_File_resolve(MPI_File fh)
{
	return fh;
}

void MPIO_File_free(MPI_File *fh)
{
	free(*fh);
	*fh = MPI_FILE_NULL;
}

/* ROMIO gives MPI_FILE_NULL to this function when MPI_Finalize ends it: no
 * operation is under way any more that needs a type of romio_whole.c. */
int romio_File_set_errhandler(MPI_File fh, MPI_Errhandler errhandler)
{
	if (fh == MPI_FILE_NULL)
		romio_wholes_free();
	return MPI_SUCCESS;
}

/* `modes` has ROMIO's number of each mode (romio/mpio.h). */
static const struct {
	int mpi, romio;
} modes[] = {{MPI_MODE_CREATE, 1},
	     {MPI_MODE_RDONLY, 2},
	     {MPI_MODE_WRONLY, 4},
	     {MPI_MODE_RDWR, 8},
	     {MPI_MODE_DELETE_ON_CLOSE, 16},
	     {MPI_MODE_UNIQUE_OPEN, 32},
	     {MPI_MODE_EXCL, 64},
	     {MPI_MODE_APPEND, 128},
	     {MPI_MODE_SEQUENTIAL, 256}};

int romio_File_open(MPI_Comm comm, const char *name, int amode, MPI_Info info,
		    MPI_File *fh);
int romio_open(MPI_Comm comm, const char *name, int amode, MPI_Info info,
	       MPI_File *fh)
{
	int mode = 0;

	for (size_t k = 0; k < sizeof(modes) / sizeof(*modes); k++)
		if (amode & modes[k].mpi)
			mode |= modes[k].romio;
	return romio_File_open(comm, name, mode, info, fh);
}

void MPL_create_pathname(char *path, const char *folder, const char *prefix,
			 int is_folder)
{
	static atomic_uint count;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(path, PATH_MAX, "%s%s%s.%x.%lx.%d%s", folder ? folder : "",
		 folder ? "/" : "", prefix, atomic_fetch_add(&count, 1),
		 (unsigned long)now.tv_sec * 1000000000 +
		     (unsigned long)now.tv_nsec,
		 (int)getpid(), is_folder ? "/" : "");
}

int MPL_strnapp(char *text, const char *more, size_t n)
{
	size_t len = strlen(text);

	return len >= n ||
	       (size_t)snprintf(text + len, n - len, "%s", more) >= n - len;
}
