/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_removed.h: the names of MPI 1 that MPI 3.0 removed, in terms of their
 * replacements, for programs that still use them; a part of mpi.h. They are not
 * part of the ABI, so the library has none of them. MPI_LB and MPI_UB are gone.
 */
#ifndef MPI_H
#error "include mpi.h"
#endif
#define MPI_Address MPI_Get_address
#define MPI_Type_struct MPI_Type_create_struct
#define MPI_Type_hvector MPI_Type_create_hvector
#define MPI_Type_hindexed MPI_Type_create_hindexed
#define MPI_Errhandler_create MPI_Comm_create_errhandler
#define MPI_Errhandler_set MPI_Comm_set_errhandler
#define MPI_Errhandler_get MPI_Comm_get_errhandler
typedef MPI_Comm_errhandler_function MPI_Handler_function;

static __inline__ int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement)
{
	MPI_Aint extent;

	return MPI_Type_get_extent(datatype, displacement, &extent);
}

static __inline__ int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
	MPI_Aint lb;

	return MPI_Type_get_extent(datatype, &lb, extent);
}

static __inline__ int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
	MPI_Aint lb, extent = 0;
	int rc = MPI_Type_get_extent(datatype, &lb, &extent);

	if (rc == MPI_SUCCESS)
		*displacement = lb + extent;
	return rc;
}
