/* SPDX-License-Identifier: Apache-2.0 */
/*
 * debuggee.c is what debugger.t debugs: `debuggee FILE` lets the ranks meet
 * once rank 0 has read the file to its end.
 */
#include <mrt.h>
#include <stdio.h>

static volatile int my_rank = -1;

__attribute__((noinline)) static int read_and_meet(int rank, const char *file)
{
	FILE *f = rank == 0 ? fopen(file, "r") : NULL;

	my_rank = rank;
	while (f && getc(f) != EOF)
		continue;
	if (f)
		fclose(f);
	return mrt_barrier(MRT_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rc;

	mrt_init(&argc, &argv);
	printf("rank %d has started\n", mrt_rank(MRT_COMM_WORLD));
	fflush(stdout);
	rc = read_and_meet(mrt_rank(MRT_COMM_WORLD),
			   argc > 1 ? argv[1] : "/dev/null");
	printf("rank %d met the others\n", my_rank);
	return mrt_finalize() | rc;
}
