/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks.c: measures what a job pays for its number of ranks, each thing once,
 * as a job pays it: the start, the first call of a kind and a later one, the
 * first messages of all pairs, the memory of a rank, the end. Prints
 * "pattern,ranks,bytes,unit,figure" with the longest time of all ranks, but for
 * the end, which is that of rank 0.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define W MPI_COMM_WORLD

static int me, n;
static double *out, *in;
static MPI_Request *requests;
static MPI_Comm made[2];

static double ranks_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Prints the largest of the ranks' figures. */
static void ranks_report(const char *name, const char *unit, double figure)
{
	double most;

	MPI_Reduce(&figure, &most, 1, MPI_DOUBLE, MPI_MAX, 0, W);
	if (!me)
		printf("%s,%d,0,%s,%.6g\n", name, n, unit, most);
}

static void ranks_fail(const char *what)
{
	fprintf(stderr, "rank %d: %s has a wrong result\n", me, what);
	MPI_Abort(W, 1);
}

static void ranks_barrier(int time)
{
	MPI_Barrier(W);
}

static void ranks_allreduce(int time)
{
	double one = 1, sum = 0;

	MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, W);
	if (sum != n)
		ranks_fail("allreduce");
}

static void ranks_alltoall(int time)
{
	for (int r = 0; r < n; r++)
		out[r] = me * 10000.0 + r;
	MPI_Alltoall(out, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, W);
	for (int r = 0; r < n; r++)
		if (in[r] != r * 10000.0 + me)
			ranks_fail("alltoall");
}

static void ranks_split(int time)
{
	int size;

	MPI_Comm_split(W, me % 2, me, &made[time]);
	MPI_Comm_size(made[time], &size);
	if (size != (n + 1 - me % 2) / 2)
		ranks_fail("split");
}

/* Exchanges a word between all pairs of ranks. */
static void ranks_pairs(int time)
{
	for (int r = 0; r < n; r++)
		MPI_Irecv(&in[r], 1, MPI_DOUBLE, r, 7, W, &requests[r]);
	for (int i = 0; i < n; i++) {
		int r = (me + i) % n;

		out[r] = me * 20000.0 + r;
		MPI_Isend(&out[r], 1, MPI_DOUBLE, r, 7, W, &requests[n + r]);
	}
	MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
	for (int r = 0; r < n; r++)
		if (in[r] != r * 20000.0 + me)
			ranks_fail("pairs");
}

/* Returns the proportional share of all memory in KiB, or 0 if the kernel does
 * not tell. */
static double ranks_pss(void)
{
	FILE *f = fopen("/proc/self/smaps_rollup", "r");
	char line[256];
	long kib = 0;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "Pss:", 4))
			kib = atol(line + 4);
	if (f)
		fclose(f);
	return (double)kib;
}

static const struct {
	const char *name;
	void (*run)(int time); /* time: 0 or 1 */
} calls[] = {{"barrier", ranks_barrier},
	     {"allreduce", ranks_allreduce},
	     {"alltoall", ranks_alltoall},
	     {"split", ranks_split},
	     {"pairs", ranks_pairs}};
enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

int main(int argc, char **argv)
{
	double began = ranks_now(), took[CALLS][2], init;

	MPI_Init(&argc, &argv);
	init = ranks_now() - began;
	MPI_Comm_rank(W, &me);
	MPI_Comm_size(W, &n);
	out = calloc((size_t)n, sizeof(*out));
	in = calloc((size_t)n, sizeof(*in));
	requests = calloc((size_t)n * 2, sizeof(MPI_Request));
	if (!out || !in || !requests)
		ranks_fail("calloc");
	for (int k = 0; k < CALLS; k++)
		for (int time = 0; time < 2; time++) {
			/* all begin together, but for the very first */
			if (k || time)
				MPI_Barrier(W);
			began = ranks_now();
			calls[k].run(time);
			took[k][time] = ranks_now() - began;
		}
	ranks_report("init", "ms", init);
	for (int k = 0; k < CALLS; k++) {
		char first[32];

		snprintf(first, sizeof(first), "first_%s", calls[k].name);
		ranks_report(first, "ms", took[k][0]);
		ranks_report(calls[k].name, "ms", took[k][1]);
	}
	ranks_report("memory_rank", "KiB", ranks_pss());
	for (int time = 0; time < 2; time++)
		MPI_Comm_free(&made[time]);
	free(out);
	free(in);
	free(requests);
	began = ranks_now();
	MPI_Finalize();
	if (!me)
		printf("finalize,%d,0,ms,%.6g\n", n, ranks_now() - began);
	return 0;
}
