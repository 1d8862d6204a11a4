/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpio.h has what ROMIO expects of mpi.h besides MPI: polled generalized
 * requests of MPICH, and its own numbers of modes.
 * ROMIO's sources include it by this name, and call the functions below, which
 * romio/ has.
 */
#ifndef MPIO_INCLUDE
#define MPIO_INCLUDE

#include <mpi.h>

/* ROMIO wants its own numbers of modes, ADIO_CREATE and so on, by MPI's names;
 * romio_open translates (romio_file.c). */
#undef MPI_MODE_CREATE
#undef MPI_MODE_RDONLY
#undef MPI_MODE_WRONLY
#undef MPI_MODE_RDWR
#undef MPI_MODE_DELETE_ON_CLOSE
#undef MPI_MODE_UNIQUE_OPEN
#undef MPI_MODE_EXCL
#undef MPI_MODE_APPEND
#undef MPI_MODE_SEQUENTIAL
#define MPI_MODE_CREATE 1
#define MPI_MODE_RDONLY 2
#define MPI_MODE_WRONLY 4
#define MPI_MODE_RDWR 8
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_UNIQUE_OPEN 32
#define MPI_MODE_EXCL 64
#define MPI_MODE_APPEND 128
#define MPI_MODE_SEQUENTIAL 256

/* ROMIO's sources still name what MPI 3 removed. No type has these values, so
 * what ROMIO does with them never runs. */
#define MPI_COMBINER_HVECTOR_INTEGER (-1)
#define MPI_COMBINER_HINDEXED_INTEGER (-2)
#define MPI_COMBINER_STRUCT_INTEGER (-3)
#define MPI_LB MPI_DATATYPE_NULL
#define MPI_UB MPI_DATATYPE_NULL

#define MPIO_Request MPI_Request
#define MPIO_USES_MPI_REQUEST

typedef int MPIX_Grequest_poll_function(void *extra_state, MPI_Status *status);
typedef int MPIX_Grequest_wait_function(int count, void **array_of_states,
					double timeout, MPI_Status *status);
typedef struct romio_class *MPIX_Grequest_class;
#define MPIX_Grequest_class_create PMPIX_Grequest_class_create
#define MPIX_Grequest_class_allocate PMPIX_Grequest_class_allocate
int MPIX_Grequest_class_create(MPI_Grequest_query_function *query_fn,
			       MPI_Grequest_free_function *free_fn,
			       MPI_Grequest_cancel_function *cancel_fn,
			       MPIX_Grequest_poll_function *poll_fn,
			       MPIX_Grequest_wait_function *wait_fn,
			       MPIX_Grequest_class *greq_class);
int MPIX_Grequest_class_allocate(MPIX_Grequest_class greq_class,
				 void *extra_state, MPI_Request *request);
#endif
