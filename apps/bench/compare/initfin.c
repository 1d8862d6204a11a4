/* SPDX-License-Identifier: Apache-2.0 */
/* initfin.c: joins and leaves a job, for the wall time of that. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Finalize();
	return 0;
}
