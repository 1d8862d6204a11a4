/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hot_plate.c: heat spreads over a plate whose upper edge is hot, by Jacobi's
 * method. Each rank has some rows of it, and those of its neighbours that
 * adjoin. A row of the plate outside of all ranks is an edge.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mpi.h>

enum { COLUMNS = 64, ROWS = 16 }; /* of each rank */

static double now[ROWS + 2][COLUMNS], next[ROWS + 2][COLUMNS];

/* Sends the first and last rows to the neighbours, and receives theirs. */
static void rows_exchange(int above, int below)
{
	MPI_Sendrecv(now[1], COLUMNS, MPI_DOUBLE, above, 0, now[ROWS + 1],
		     COLUMNS, MPI_DOUBLE, below, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Sendrecv(now[ROWS], COLUMNS, MPI_DOUBLE, below, 0, now[0], COLUMNS,
		     MPI_DOUBLE, above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Computes one step, and returns by how much a cell has changed at most. */
static double plate_step(void)
{
	double most = 0;

	for (int r = 1; r <= ROWS; r++)
		for (int c = 1; c < COLUMNS - 1; c++) {
			next[r][c] = (now[r - 1][c] + now[r + 1][c] +
				      now[r][c - 1] + now[r][c + 1]) /
				     4;
			most = fmax(most, fabs(next[r][c] - now[r][c]));
		}
	memcpy(now[1], next[1], sizeof(now[0]) * ROWS);
	return most;
}

int main(int argc, char **argv)
{
	int me, n, steps = 0;
	double most;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	if (me == 0)
		for (int c = 0; c < COLUMNS; c++)
			now[0][c] = 100;
	do {
		rows_exchange(me > 0 ? me - 1 : MPI_PROC_NULL,
			      me < n - 1 ? me + 1 : MPI_PROC_NULL);
		most = plate_step();
		MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX,
			      MPI_COMM_WORLD);
		steps++;
	} while (most > 0.01);
	if (me == 0)
		printf("%d steps until no cell changes by more than 0.01\n",
		       steps);
	return MPI_Finalize();
}
