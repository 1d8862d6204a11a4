/* SPDX-License-Identifier: Apache-2.0 */
/*
 * idle.c: idle FILE: measures the memory of idle ranks. After a barrier and
 * some 8-byte messages to both neighbours, each rank appends to FILE what /proc
 * reports about it, while all ranks exist:
 *
 *	pss KB			its proportional share of all memory
 *	shared INODE KB PSS	a shared mapping of a file: its length, and its
 *				share of the pages in use
 *
 * The mapped shared memory is the sum over inodes of the longest mapping of any
 * rank. The memory touched is the sum of all PSS (each page counts once, less
 * the shares of processes that are not ranks, such as the launcher).
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGES = 10 };
#define W MPI_COMM_WORLD

static void idle_talk(void)
{
	double in, out = 1;
	int me, n;

	MPI_Comm_rank(W, &me);
	MPI_Comm_size(W, &n);
	for (int i = 0; i < MESSAGES; i++) {
		MPI_Sendrecv(&out, 1, MPI_DOUBLE, (me + 1) % n, 0, &in, 1,
			     MPI_DOUBLE, (me + n - 1) % n, 0, W,
			     MPI_STATUS_IGNORE);
		MPI_Sendrecv(&out, 1, MPI_DOUBLE, (me + n - 1) % n, 1, &in, 1,
			     MPI_DOUBLE, (me + 1) % n, 1, W, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(W);
}

/* Parses a line "Pss:  123 kB". */
static int idle_field(const char *line, const char *name, long *kb)
{
	size_t len = strlen(name);

	if (strncmp(line, name, len) || line[len] != ':')
		return 0;
	*kb = atol(line + len + 1);
	return 1;
}

static void idle_total(FILE *report)
{
	FILE *in = fopen("/proc/self/smaps_rollup", "r");
	char line[512];
	long kb;

	while (in && fgets(line, sizeof(line), in))
		if (idle_field(line, "Pss", &kb))
			fprintf(report, "pss %ld\n", kb);
	if (in)
		fclose(in);
}

static void idle_mappings(FILE *report)
{
	FILE *in = fopen("/proc/self/smaps", "r");
	unsigned long from, to, inode = 0;
	char line[512], mode[8] = "";
	long kb;

	while (in && fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &from, &to, mode,
			   &inode) == 4)
			continue;
		if (inode && mode[3] == 's' && idle_field(line, "Pss", &kb))
			fprintf(report, "shared %lu %lu %ld\n", inode,
				(to - from) / 1024, kb);
	}
	if (in)
		fclose(in);
}

int main(int argc, char **argv)
{
	static char
	    room[1 << 16]; /* a single write: O_APPEND keeps ranks apart */
	FILE *report;

	MPI_Init(&argc, &argv);
	idle_talk();
	report = argc == 2 ? fopen(argv[1], "a") : NULL;
	if (!report)
		MPI_Abort(W, 64);
	setvbuf(report, room, _IOFBF, sizeof(room));
	MPI_Barrier(W);
	idle_total(report);
	idle_mappings(report);
	fclose(report);
	MPI_Barrier(W);
	MPI_Finalize();
	return 0;
}
