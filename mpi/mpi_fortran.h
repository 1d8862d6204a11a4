/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_fortran.h: conversions of Fortran handles and statuses (MPI 4.1, 19.3.4),
 * for C code called from Fortran; a part of mpi.h. The INTEGER of a handle is
 * that of MPI_Comm_toint and the like. These functions are not part of the C
 * ABI: a program that uses the header runs with a library that has none of
 * them.
 */
#ifndef MPI_H
#error "include mpi.h"
#endif
#define MPI_CONVERSIONS_(name, type)                                           \
	static __inline__ MPI_Fint MPI_##name##_c2f(type handle)               \
	{                                                                      \
		return MPI_##name##_toint(handle);                             \
	}                                                                      \
	static __inline__ type MPI_##name##_f2c(MPI_Fint number)               \
	{                                                                      \
		return MPI_##name##_fromint(number);                           \
	}
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

#define MPI_F_STATUS_IGNORE ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint *)0)

static __inline__ int MPI_Status_c2f(const MPI_Status *status,
				     MPI_Fint *f_status)
{
	int k;

	f_status[MPI_F_SOURCE] = status->MPI_SOURCE;
	f_status[MPI_F_TAG] = status->MPI_TAG;
	f_status[MPI_F_ERROR] = status->MPI_ERROR;
	for (k = MPI_F_ERROR + 1; k < MPI_F_STATUS_SIZE; k++)
		f_status[k] = status->MPI_internal[k - MPI_F_ERROR - 1];
	return MPI_SUCCESS;
}

static __inline__ int MPI_Status_f2c(const MPI_Fint *f_status,
				     MPI_Status *status)
{
	int k;

	status->MPI_SOURCE = f_status[MPI_F_SOURCE];
	status->MPI_TAG = f_status[MPI_F_TAG];
	status->MPI_ERROR = f_status[MPI_F_ERROR];
	for (k = MPI_F_ERROR + 1; k < MPI_F_STATUS_SIZE; k++)
		status->MPI_internal[k - MPI_F_ERROR - 1] = f_status[k];
	return MPI_SUCCESS;
}
