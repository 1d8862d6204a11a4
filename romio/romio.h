/* SPDX-License-Identifier: Apache-2.0 */
/*
 * romio.h declares what ROMIO's sources call in romio/, and what the files of
 * romio/ share. ROMIO is compiled unchanged into libmrt_romio.so with -include
 * romio_names.h, which names its functions romio_File_* and takes MPI's as
 * PMPI_*. libmpi_abi has the handles and error handlers of files
 * (mpi/mpi_file.h), so ROMIO only returns errors.
 */
#ifndef ROMIO_ROMIO_H
#define ROMIO_ROMIO_H

#include <sys/types.h>

#include <mpi.h>

struct aiocb;

/* ---- Errors (romio_error.c) --------------------------------------------- */

/* Return a class of MPI, and keep its cause for romio_why. ROMIO names the
 * function and the line of its own, which nobody needs, and a text by a key
 * such as "**io" with one more argument, "**io %s". */
int MPIO_Err_create_code(int lastcode, int fatal, const char function[],
			 int line, int class, const char key[],
			 const char text[], ...);
int ADIOI_Err_create_code(const char *function, const char *file, int error);
/* Return the code: libmpi_abi calls the handler. */
int MPIO_Err_return_file(MPI_File fh, int code);
int MPIO_Err_return_comm(MPI_Comm comm, int code);
/* Returns the cause of this thread's last error, or "", and forgets it.
 */
const char *romio_why(void);

/* ---- Files -------------------------------------------------------------- */

/* These make, look up and free ROMIO's handles, pointers to its own structure.
 */
MPI_File MPIO_File_create(int size);
MPI_File MPIO_File_resolve(MPI_File fh);
void MPIO_File_free(MPI_File *fh);
/* Does nothing: ROMIO sets handlers when it begins and ends, but libmpi_abi has
 * them. */
int romio_File_set_errhandler(MPI_File fh, MPI_Errhandler errhandler);

/* Calls ROMIO's MPI_File_open with ROMIO's numbers of the modes. */
int romio_open(MPI_Comm comm, const char *name, int amode, MPI_Info info,
	       MPI_File *fh);

/* ---- Datatypes (romio_type.c) ------------------------------------------- */

/* ROMIO calls these as MPI_Type_get_envelope and MPI_Type_get_contents. They
 * also take types that were made with large counts. */
int romio_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses,
			    int *types, int *combiner);
int romio_Type_get_contents(MPI_Datatype type, int integers, int addresses,
			    int types, int array_of_integers[],
			    MPI_Aint array_of_addresses[],
			    MPI_Datatype array_of_types[]);
/* Sets *flag to whether elements of a type in a row are contiguous. */
void ADIOI_Datatype_iscontig(MPI_Datatype type, int *flag);

/* ---- Counts beyond int (romio_whole.c) ---------------------------------- */

/* Makes one element of a new type of `count` elements, if an int does not hold
 * the count: returns the type, or else MPI_DATATYPE_NULL. romio_whole_end frees
 * it; with keep only at the end of MPI, because ROMIO does not hold the types
 * of operations that go on. */
MPI_Datatype romio_whole(MPI_Count *count, MPI_Datatype *type);
int romio_whole_end(MPI_Datatype whole, int keep, int rc);
void romio_wholes_free(void);

/* ---- Drivers (romio_drivers.c) ------------------------------------------ */

/* Returns how many of the bytes that romio_reads takes the file has. */
MPI_Count romio_read_count(MPI_File fh, MPI_Count before, MPI_Count bytes);
/* Returns the file's communicator. */
MPI_Comm romio_comm(MPI_File fh);

/* ---- Requests (romio_request.c) ----------------------------------------- */

/* Notes that the next request that this thread starts is of this file, and
 * whether it stands for a collective. */
void romio_starts(MPI_File fh, int collective);
/* Waits until the nonblocking collectives of a file that this process has
 * started are complete. ROMIO starts collectives of MPI on the file's
 * communicator while it is polled; those of two operations would come in
 * different orders on different ranks. */
void romio_turn(MPI_File fh);
/* Notes that the collective that this thread starts next reads `bytes`, before
 * which the view has `before` bytes. */
void romio_reads(MPI_Count before, MPI_Count bytes);
/* ROMIO calls this as MPI_Grequest_complete. A collective is complete when the
 * ranks have told each other their errors. */
int romio_Grequest_complete(MPI_Request request);
/* Returns the file whose request has failed in this thread's last call, or
 * NULL, and forgets it. */
MPI_File romio_failed(void);

/* ROMIO calls this as aio_error. It would wait for ever for a transfer that has
 * failed; this returns 0 then, and MPI_Wait gets the error. */
int romio_aio_error(const struct aiocb *transfer);
/* ROMIO calls this as aio_return. It finishes a write that the system has cut
 * short, or finds the error that has cut it. */
ssize_t romio_aio_return(struct aiocb *transfer);
/* Lets the request that this thread polls, if any, end with this errno, or the
 * collective that it is a part of, whose errors ROMIO drops. */
void romio_poll_failed(int error);
#endif
