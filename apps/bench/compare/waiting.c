/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waiting.c measures the processor time of ranks that wait: all but rank 0 are
 * in a receive for ten seconds. Prints a row like frame.c with the milliseconds
 * of the rank that used most, between the barrier before and the message.
 */
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SECONDS = 10 };
#define W MPI_COMM_WORLD

/* Returns the milliseconds that this process has used, in all its threads. */
static double cpu_ms(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
}

int main(int argc, char **argv)
{
	double ms, most;
	int me, n, word = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &me);
	MPI_Comm_size(W, &n);
	MPI_Barrier(W);
	ms = cpu_ms();
	if (me > 0)
		MPI_Recv(&word, 1, MPI_INT, 0, 0, W, MPI_STATUS_IGNORE);
	else
		sleep(SECONDS);
	for (int i = 1; me == 0 && i < n; i++)
		MPI_Send(&word, 1, MPI_INT, i, 0, W);
	ms = cpu_ms() - ms;
	MPI_Reduce(&ms, &most, 1, MPI_DOUBLE, MPI_MAX, 0, W);
	if (me == 0)
		printf("wait,%d,0,ms,%.6g\n", n, most);
	MPI_Finalize();
	return 0;
}
