/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traps_c.c: C code that is called from Fortran with a communicator, and makes
 * a handle of it by the macro of mpi.h, and by the symbol that other headers
 * of the ABI refer to.
 */
#include <mpi.h>

MPI_Fint size_in_c_(const MPI_Fint *comm);
MPI_Fint size_by_symbol_(const MPI_Fint *comm);

MPI_Fint size_in_c_(const MPI_Fint *comm)
{
	int size = -1;

	MPI_Comm_size(MPI_Comm_f2c(*comm), &size);
	return size;
}

extern MPI_Comm f2c_symbol(MPI_Fint comm) __asm__("MPI_Comm_f2c");
extern MPI_Fint c2f_symbol(MPI_Comm comm) __asm__("MPI_Comm_c2f");

MPI_Fint size_by_symbol_(const MPI_Fint *comm)
{
	int size = -1;

	MPI_Comm_size(f2c_symbol(*comm), &size);
	return c2f_symbol(f2c_symbol(*comm)) == *comm ? size : -1;
}
