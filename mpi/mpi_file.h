/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_file.h: a file of MPI is a handle of ROMIO's, in libmrt_romio.so, with
 * its error handler and its name. ROMIO comes into the process with the first
 * file (mpi_files.c); libmrt may be built without it, and has no files then.
 */
#ifndef MPI_MPI_FILE_H
#define MPI_MPI_FILE_H

#include <pthread.h>

#include <mpi.h>

#include "mpi/mpi_files.h"

struct mpi_file {
	struct mpi_file *next;
	MPI_File romio;
	MPI_Errhandler errhandler; /* holds a reference */
	int amode;
	pthread_mutex_t mutex; /* held by the one call under way */
	char name[];
};

/* Returns the file of a handle, or NULL if the handle is none or closed
 * (mpi_file.c). It never reads what the handle points to. */
struct mpi_file *mpi_file_of(MPI_File fh);
/* Add an open file, and take one away. */
void mpi_file_add(struct mpi_file *file);
void mpi_file_remove(struct mpi_file *file);

/* Points to ROMIO's functions; NULL before the first file is opened. */
extern const struct mpi_files *mpi_files;

/* mpi_file_enter returns the file of a handle, which mpi_file_leave gives back,
 * or NULL; meanwhile mrt_set_outer_call has these arguments. mpi_file_told adds
 * the name of the file to the cause of an error of ROMIO's, which it returns.
 * mpi_file_leave ends a function with rc, by the handler of the file, or of
 * MPI_FILE_NULL if that is NULL. */
struct mpi_file *mpi_file_enter(MPI_File fh, const char *name, size_t read,
				size_t written);
int mpi_file_told(const struct mpi_file *file, int rc);
int mpi_file_leave(struct mpi_file *file, const char *function, int rc);
extern const char mpi_no_file[];
/* Returns the bytes of so many elements, or 0 if the arguments are wrong. */
size_t mpi_file_bytes(MPI_Count count, MPI_Datatype type);
/* Returns 0 if this is a committed type, or an error with its detail. */
int mpi_file_type(MPI_Datatype type);
#endif
