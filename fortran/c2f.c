/* SPDX-License-Identifier: Apache-2.0 */
/*
 * c2f.c: MPI_Comm_c2f and its kind as functions of the library, for C code that
 * was compiled with a header which declares them. mpi.h defines them inline, so
 * this file does without it.
 */
#include <string.h>

#define CONVERSIONS_(name)                                                     \
	int PMPI_##name##_toint(void *handle);                                 \
	void *PMPI_##name##_fromint(int number);                               \
	int MPI_##name##_c2f(void *handle);                                    \
	void *MPI_##name##_f2c(int number);                                    \
	int MPI_##name##_c2f(void *handle)                                     \
	{                                                                      \
		return PMPI_##name##_toint(handle);                            \
	}                                                                      \
	void *MPI_##name##_f2c(int number)                                     \
	{                                                                      \
		return PMPI_##name##_fromint(number);                          \
	}
CONVERSIONS_(Comm)
CONVERSIONS_(Errhandler)
CONVERSIONS_(File)
CONVERSIONS_(Group)
CONVERSIONS_(Info)
CONVERSIONS_(Message)
CONVERSIONS_(Op)
CONVERSIONS_(Request)
CONVERSIONS_(Session)
CONVERSIONS_(Type)
CONVERSIONS_(Win)

/* A status is 8 ints in C, in mpif.h and in mpi_f08. */
#define STATUS_(name)                                                          \
	int MPI_Status_##name(const int *from, int *to);                       \
	int MPI_Status_##name(const int *from, int *to)                        \
	{                                                                      \
		memcpy(to, from, 8 * sizeof(*to));                             \
		return 0;                                                      \
	}
STATUS_(c2f)
STATUS_(f2c)
STATUS_(c2f08)
STATUS_(f082c)
STATUS_(f2f08)
STATUS_(f082f)
