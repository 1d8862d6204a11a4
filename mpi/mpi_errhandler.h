/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_errhandler.h: what the files about errors (mpi_err*.c) share. */
#ifndef MPI_MPI_ERRHANDLER_H
#define MPI_MPI_ERRHANDLER_H

#include <stdbool.h>

#include <mpi.h>

/* Calls comm's error handler, which may change *code. Returns false if the job
 * has to end. */
bool mpi_errhandler_call(MPI_Comm comm, int *code);
/* Likewise for a handler of a session or an argument; object is the handle that
 * its function is told. */
bool mpi_errhandler_invoke(MPI_Errhandler errhandler, void *object, int *code);

/* Returns where the handler of a file or of MPI_FILE_NULL is kept, or NULL if
 * fh is neither (mpi_file.c).
 */
MPI_Errhandler *mpi_file_errhandler(MPI_File fh);
/* Ends a function on a file like mpi_result_for; the handler is that of
 * MPI_FILE_NULL if it is none. */
int mpi_file_result(MPI_File fh, const char *function, int error);
/* Tells whether the request that failed in this thread's last call was of a
 * file. If so it has called the file's handler and set *rc to what the function
 * is to return. */
bool mpi_file_request_failed(const char *function, int error, int *rc);
/* Returns the cause of this thread's last error on files if that has this code,
 * or else NULL. Programs see such errors as codes, so MPI_Error_string adds the
 * cause. */
const char *mpi_file_cause(int code);
/* Makes mpi_file_cause return NULL: this thread had another error since. */
void mpi_file_forget(void);

/* Writes a sentence about an error code to text[MPI_MAX_ERROR_STRING]. */
void mpi_error_text(int code, char *text);
/* The name of a class, such as "MPI_ERR_TAG"; static storage, never NULL. */
const char *mpi_error_name(int class);
/* A sentence about a class of the standard, or NULL for other codes. */
const char *mpi_class_text(int class);
/* The class of a code, or -1 if there is no such code. */
int mpi_class_of_code(int code);
/* The largest code in use; MPI_LASTUSEDCODE points to it. */
extern int mpi_last_used_code;
#endif
