/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_errhandler.h: what the files about errors (mpi_err*.c) know of each
 * other. */
#ifndef MPI_MPI_ERRHANDLER_H
#define MPI_MPI_ERRHANDLER_H

#include <stdbool.h>

#include <mpi.h>

/* Tells the handler of comm. false: the job is to end. */
bool mpi_errhandler_call(MPI_Comm comm, int *code);

/* text[MPI_MAX_ERROR_STRING] gets a sentence about an error code. */
void mpi_error_text(int code, char *text);
/* "MPI_ERR_TAG"; static storage, never NULL. */
const char *mpi_error_name(int class);
/* A sentence about a class of the standard; NULL if it is none. */
const char *mpi_class_text(int class);
/* The class of a code, -1 if there is no such code. */
int mpi_class_of_code(int code);
/* The largest code; what MPI_LASTUSEDCODE points to. */
extern int mpi_last_used_code;
#endif
