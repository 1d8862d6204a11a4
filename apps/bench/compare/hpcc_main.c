/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hpcc_main.c: replaces the main program of the HPC Challenge benchmark, which
 * runs all parts, most of them on one processor: runs the parts that the
 * command line names. Input (hpccinf.txt) and report (hpccoutf.txt) are the
 * benchmark's. Its sources are not part of libmrt: hpcc.sh fetches them.
 */
#include <hpcc.h>
#include <string.h>

int HPCC_MPIRandomAccess(HPCC_Params *params);
int HPCC_MPIFFT(HPCC_Params *params);
int PTRANS(HPCC_Params *params);
void main_bench_lat_bw(HPCC_Params *params);

static void hpcc_run(const char *part, HPCC_Params *p)
{
	if (!strcmp(part, "hpl"))
		HPL_main(0, NULL, &p->HPLrdata, &p->Failure);
	else if (!strcmp(part, "ptrans"))
		PTRANS(p);
	else if (!strcmp(part, "fft"))
		HPCC_MPIFFT(p);
	else if (!strcmp(part, "random"))
		HPCC_MPIRandomAccess(p);
	else if (!strcmp(part, "ring"))
		main_bench_lat_bw(p);
}

int main(int argc, char **argv)
{
	HPCC_Params params;
	double begin;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (HPCC_Init(&params) == 0) {
		for (int i = 1; i < argc; i++) {
			MPI_Barrier(MPI_COMM_WORLD);
			begin = MPI_Wtime();
			hpcc_run(argv[i], &params);
			if (rank == 0)
				printf("%s_seconds=%g\n", argv[i],
				       MPI_Wtime() - begin);
		}
		HPCC_Finalize(&params);
	}
	MPI_Finalize();
	return 0;
}
