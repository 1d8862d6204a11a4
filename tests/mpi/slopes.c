/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slopes.c makes 10, 1,000 and more live objects of each kind and performs an
 * operation beside them, for callgrind to count (slopes.t). A rank sends to
 * itself, so that it never waits. Each call of measured() is told by a line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/slopes.h"

enum { OPERATIONS = 100 };

int live;
MPI_Comm other;
char *room;

/* Callgrind counts what happens in here. */
void measured(const struct kind *kind);
__attribute__((noinline)) void measured(const struct kind *kind)
{
	for (int k = 0; k < OPERATIONS; k++)
		kind->operation(k % live);
}

static void measure(const struct kind *kind, int n)
{
	if (kind->begin)
		kind->begin();
	for (live = 0; live < n; live++)
		kind->make(live);
	for (int k = 0; k < OPERATIONS; k++)
		kind->operation(k % live);
	measured(kind);
	printf("%d %d %s\n", OPERATIONS, n, kind->name);
	fflush(stdout);
	for (int k = 0; k < n; k++)
		kind->destroy(k);
	if (kind->end)
		kind->end();
}

int main(int argc, char **argv)
{
	const struct kind *const tables[] = {slopes_messages, slopes_objects};
	int most = argc > 1 ? atoi(argv[1]) : MOST;
	const char *only = argc > 2 ? argv[2] : "";

	MPI_Init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	for (int t = 0; t < 2; t++)
		for (const struct kind *k = tables[t]; k->name; k++) {
			int limit = most < k->most ? most : k->most;

			if (strncmp(k->name, only, strlen(only)) != 0)
				continue;
			for (int n = 10; n < limit; n *= 100)
				measure(k, n);
			measure(k, limit);
		}
	MPI_Comm_free(&other);
	return MPI_Finalize();
}
