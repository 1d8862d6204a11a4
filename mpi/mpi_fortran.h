/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_fortran.h: conversions of Fortran handles and statuses (MPI 5.0, 19.3.4
 * and 19.3.5), for C code called from Fortran; a part of mpi.h. The INTEGER of
 * a handle is that of MPI_Comm_toint and the like. These functions are not part
 * of the C ABI: a program that uses the header runs with a library that has
 * none of them.
 */
#ifndef MPI_H
#error "include mpi.h"
#endif
#define MPI_CONVERSION_(prefix, name, type)                                    \
	static __inline__ MPI_Fint prefix##name##_c2f(type handle)             \
	{                                                                      \
		return prefix##name##_toint(handle);                           \
	}                                                                      \
	static __inline__ type prefix##name##_f2c(MPI_Fint number)             \
	{                                                                      \
		return prefix##name##_fromint(number);                         \
	}
#define MPI_CONVERSIONS_(name, type)                                           \
	MPI_CONVERSION_(MPI_, name, type)                                      \
	MPI_CONVERSION_(PMPI_, name, type)
MPI_CONVERSIONS_(Comm, MPI_Comm)
MPI_CONVERSIONS_(Errhandler, MPI_Errhandler)
MPI_CONVERSIONS_(File, MPI_File)
MPI_CONVERSIONS_(Group, MPI_Group)
MPI_CONVERSIONS_(Info, MPI_Info)
MPI_CONVERSIONS_(Message, MPI_Message)
MPI_CONVERSIONS_(Op, MPI_Op)
MPI_CONVERSIONS_(Request, MPI_Request)
MPI_CONVERSIONS_(Session, MPI_Session)
MPI_CONVERSIONS_(Type, MPI_Datatype)
MPI_CONVERSIONS_(Win, MPI_Win)
#undef MPI_CONVERSIONS_
#undef MPI_CONVERSION_

/* The TYPE(MPI_Status) of mpi_f08. mpif.h has an array of the same INTEGERs. */
typedef struct {
	MPI_Fint MPI_SOURCE;
	MPI_Fint MPI_TAG;
	MPI_Fint MPI_ERROR;
	MPI_Fint MPI_internal[5];
} MPI_F08_status;

/* The common blocks that all interfaces of Fortran pass to ignore a status.
 * Their addresses are NULL in a program that has no Fortran. */
extern MPI_F08_status MPI_status_ignore_ __asm__("mpi_status_ignore_")
    __attribute__((weak));
extern MPI_F08_status MPI_statuses_ignore_ __asm__("mpi_statuses_ignore_")
    __attribute__((weak));
#define MPI_F_STATUS_IGNORE (&MPI_status_ignore_.MPI_SOURCE)
#define MPI_F_STATUSES_IGNORE (&MPI_statuses_ignore_.MPI_SOURCE)
#define MPI_F08_STATUS_IGNORE (&MPI_status_ignore_)
#define MPI_F08_STATUSES_IGNORE (&MPI_statuses_ignore_)

#define MPI_STATUS_FIELDS_(name, from_type, to_type)                           \
	static __inline__ int name(const from_type *from, to_type *to)         \
	{                                                                      \
		int k;                                                         \
		to->MPI_SOURCE = from->MPI_SOURCE;                             \
		to->MPI_TAG = from->MPI_TAG;                                   \
		to->MPI_ERROR = from->MPI_ERROR;                               \
		for (k = 0; k < 5; k++)                                        \
			to->MPI_internal[k] = from->MPI_internal[k];           \
		return MPI_SUCCESS;                                            \
	}
#define MPI_STATUS_BYTES_(name, from_type, to_type)                            \
	static __inline__ int name(const from_type *from, to_type *to)         \
	{                                                                      \
		__builtin_memcpy(to, from, sizeof(MPI_F08_status));            \
		return MPI_SUCCESS;                                            \
	}
#define MPI_STATUSES_(prefix)                                                  \
	MPI_STATUS_FIELDS_(prefix##c2f08, MPI_Status, MPI_F08_status)          \
	MPI_STATUS_FIELDS_(prefix##f082c, MPI_F08_status, MPI_Status)          \
	MPI_STATUS_BYTES_(prefix##f2f08, MPI_Fint, MPI_F08_status)             \
	MPI_STATUS_BYTES_(prefix##f082f, MPI_F08_status, MPI_Fint)             \
	static __inline__ int prefix##c2f(const MPI_Status *from,              \
					  MPI_Fint *to)                        \
	{                                                                      \
		MPI_F08_status status;                                         \
		prefix##c2f08(from, &status);                                  \
		return prefix##f082f(&status, to);                             \
	}                                                                      \
	static __inline__ int prefix##f2c(const MPI_Fint *from,                \
					  MPI_Status *to)                      \
	{                                                                      \
		MPI_F08_status status;                                         \
		prefix##f2f08(from, &status);                                  \
		return prefix##f082c(&status, to);                             \
	}
MPI_STATUSES_(MPI_Status_)
MPI_STATUSES_(PMPI_Status_)
#undef MPI_STATUSES_
#undef MPI_STATUS_BYTES_
#undef MPI_STATUS_FIELDS_
