/* SPDX-License-Identifier: Apache-2.0 */
/* initfin.c: initializes and finalizes, to measure the wall time of that. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Finalize();
	return 0;
}
