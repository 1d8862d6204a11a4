/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_c2f.c: MPI_Comm_c2f and its kind as functions of the library, for code
 * that was compiled with a header which declares them, and for languages that
 * look functions up by name. mpi.h defines them inline, so this file does
 * without it. libmpifort_abi has them, too: the standard ABI of C does not, so
 * the library below it may be one without.
 */
#include <string.h>

#pragma GCC visibility push(default)

#define FUNCTION_(result, name, parameter)                                     \
	result PMPI_##name parameter;                                          \
	extern __typeof__(PMPI_##name) MPI_##name                              \
	    __attribute__((weak, alias("PMPI_" #name)));                       \
	result PMPI_##name parameter

#define CONVERSIONS_(name)                                                     \
	int PMPI_##name##_toint(void *handle);                                 \
	void *PMPI_##name##_fromint(int number);                               \
	FUNCTION_(int, name##_c2f, (void *handle))                             \
	{                                                                      \
		return PMPI_##name##_toint(handle);                            \
	}                                                                      \
	FUNCTION_(void *, name##_f2c, (int number))                            \
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
	FUNCTION_(int, Status_##name, (const int *from, int *to))              \
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
