/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_c2f.c: MPI_Comm_c2f and its kind as functions of the library, for code
 * that was compiled with a header which declares them, and for languages that
 * look functions up by name. mpi.h defines them inline, so this file does
 * without it. libmpifort_abi has them, too: the standard ABI of C does not, so
 * the library below it may be one without.
 */
#include <stdint.h>

#ifndef MPI_ABI_Fint
#define MPI_ABI_Fint int
#endif
typedef MPI_ABI_Fint fint;

#pragma GCC visibility push(default)

#define FUNCTION_(result, name, parameter)                                     \
	result PMPI_##name parameter;                                          \
	extern __typeof__(PMPI_##name) MPI_##name                              \
	    __attribute__((weak, alias("PMPI_" #name)));                       \
	result PMPI_##name parameter

#define CONVERSIONS_(name)                                                     \
	int PMPI_##name##_toint(void *handle);                                 \
	void *PMPI_##name##_fromint(int number);                               \
	FUNCTION_(fint, name##_c2f, (void *handle))                            \
	{                                                                      \
		return PMPI_##name##_toint(handle);                            \
	}                                                                      \
	FUNCTION_(void *, name##_f2c, (fint number))                           \
	{                                                                      \
		return PMPI_##name##_fromint((int)number);                     \
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

/* A status is 8 ints in C, and 8 INTEGERs in mpif.h and in mpi_f08. */
#define STATUS_(name, from_type, to_type)                                      \
	FUNCTION_(int, Status_##name, (const from_type *from, to_type *to))    \
	{                                                                      \
		for (int k = 0; k < 8; k++)                                    \
			to[k] = (to_type)from[k];                              \
		return 0;                                                      \
	}
STATUS_(c2f, int, fint)
STATUS_(f2c, fint, int)
STATUS_(c2f08, int, fint)
STATUS_(f082c, fint, int)
STATUS_(f2f08, fint, fint)
STATUS_(f082f, fint, fint)
