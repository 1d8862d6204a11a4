/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat.c is a mini-application: heat spreads over a plate, by Jacobi's method
 * on a grid of processes with halos. Each process compares its block with what
 * one process alone computes, number by number.
 *
 * heat nonblocking|persistent
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { ROWS = 61, COLUMNS = 47, STEPS = 200 };

/* A struct block is the part of the plate that a process has: rows x columns
 * from (top, left), with a border of one all round. */
struct block {
	MPI_Comm grid;
	int rows, columns, top, left;
	int up, down, west, east; /* ranks */
	double *now, *next;
	MPI_Datatype column;
};

static double *cell(const struct block *b, double *field, int row, int column)
{
	return &field[(row + 1) * (b->columns + 2) + column + 1];
}

/* Returns the temperature of the border of the plate, or of the cold inside. */
static double initial(int row, int column)
{
	if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS)
		return sin(0.1 * row) + 0.01 * column;
	return 0;
}

static void share(int cells, int parts, int part, int *first, int *n)
{
	*first = (int)((long)cells * part / parts);
	*n = (int)((long)cells * (part + 1) / parts) - *first;
}

static void fill(struct block *b)
{
	size_t n = (size_t)(b->rows + 2) * (size_t)(b->columns + 2);

	b->now = malloc(n * sizeof(double));
	b->next = malloc(n * sizeof(double));
	for (int r = -1; r <= b->rows; r++)
		for (int c = -1; c <= b->columns; c++)
			*cell(b, b->now, r, c) = *cell(b, b->next, r, c) =
			    initial(b->top + r, b->left + c);
}

static void make_block(struct block *b)
{
	int dims[2] = {0, 0}, periods[2] = {0, 0}, coords[2], size, rank;

	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Dims_create(size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &b->grid);
	MPI_Comm_rank(b->grid, &rank);
	MPI_Cart_coords(b->grid, rank, 2, coords);
	MPI_Cart_shift(b->grid, 0, 1, &b->up, &b->down);
	MPI_Cart_shift(b->grid, 1, 1, &b->west, &b->east);
	share(ROWS, dims[0], coords[0], &b->top, &b->rows);
	share(COLUMNS, dims[1], coords[1], &b->left, &b->columns);
	fill(b);
	MPI_Type_vector(b->rows, 1, b->columns + 2, MPI_DOUBLE, &b->column);
	MPI_Type_commit(&b->column);
}

/* Starts, or creates, four receives and four sends of the halo of a field. */
typedef int send_fn(const void *, int, MPI_Datatype, int, int, MPI_Comm,
		    MPI_Request *);
typedef int recv_fn(void *, int, MPI_Datatype, int, int, MPI_Comm,
		    MPI_Request *);

static void halo(const struct block *b, double *f, send_fn *send, recv_fn *recv,
		 MPI_Request *r)
{
	int last = b->rows - 1, right = b->columns - 1;

	recv(cell(b, f, -1, 0), b->columns, MPI_DOUBLE, b->up, 0, b->grid,
	     &r[0]);
	recv(cell(b, f, b->rows, 0), b->columns, MPI_DOUBLE, b->down, 1,
	     b->grid, &r[1]);
	recv(cell(b, f, 0, -1), 1, b->column, b->west, 2, b->grid, &r[2]);
	recv(cell(b, f, 0, b->columns), 1, b->column, b->east, 3, b->grid,
	     &r[3]);
	send(cell(b, f, last, 0), b->columns, MPI_DOUBLE, b->down, 0, b->grid,
	     &r[4]);
	send(cell(b, f, 0, 0), b->columns, MPI_DOUBLE, b->up, 1, b->grid,
	     &r[5]);
	send(cell(b, f, 0, right), 1, b->column, b->east, 2, b->grid, &r[6]);
	send(cell(b, f, 0, 0), 1, b->column, b->west, 3, b->grid, &r[7]);
}

/* Computes next from now; returns the square of the change. */
static double relax(struct block *b)
{
	double sum = 0;

	for (int r = 0; r < b->rows; r++) {
		for (int c = 0; c < b->columns; c++) {
			const double *x = cell(b, b->now, r, c);
			double new =
			    0.25 * (x[-1] + x[1] + x[-(b->columns + 2)] +
				    x[b->columns + 2]);

			*cell(b, b->next, r, c) = new;
			sum += (new - *x) * (new - *x);
		}
	}
	return sum;
}

static void swap(struct block *b)
{
	double *t = b->now;

	b->now = b->next;
	b->next = t;
}

/* Makes STEPS iterations; returns the last residual of the whole plate. */
static double solve(struct block *b, int persistent)
{
	MPI_Request requests[2][8];
	double sum = 0, total = 0;

	for (int k = 0; k < 2 && persistent; k++) {
		halo(b, b->now, MPI_Send_init, MPI_Recv_init, requests[k]);
		swap(b);
	}
	for (int step = 0; step < STEPS; step++) {
		MPI_Request *r = requests[step % 2];

		if (persistent)
			MPI_Startall(8, r);
		else
			halo(b, b->now, MPI_Isend, MPI_Irecv, r);
		MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
		sum = relax(b);
		swap(b);
		MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, b->grid);
	}
	for (int k = 0; k < 16 && persistent; k++)
		MPI_Request_free(&requests[k / 8][k % 8]);
	return sqrt(total);
}

static double solve_alone(struct block *whole)
{
	double sum = 0;

	*whole = (struct block){.rows = ROWS, .columns = COLUMNS};
	fill(whole);
	for (int step = 0; step < STEPS; step++) {
		sum = relax(whole);
		swap(whole);
	}
	return sqrt(sum);
}

static int count_wrong(const struct block *b, const struct block *whole)
{
	int wrong = 0;

	for (int r = 0; r < b->rows; r++)
		for (int c = 0; c < b->columns; c++)
			wrong +=
			    *cell(b, b->now, r, c) !=
			    *cell(whole, whole->now, b->top + r, b->left + c);
	return wrong;
}

static void free_block(struct block *b)
{
	free(b->now);
	free(b->next);
}

int main(int argc, char **argv)
{
	struct block mine, whole;
	double residual, want;
	int wrong, all, rank;

	MPI_Init(&argc, &argv);
	make_block(&mine);
	residual = solve(&mine, argc > 1 && !strcmp(argv[1], "persistent"));
	want = solve_alone(&whole);
	wrong = count_wrong(&mine, &whole) + (fabs(residual - want) > 1e-12);
	MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, mine.grid);
	MPI_Bcast(&all, 1, MPI_INT, 0, mine.grid);
	MPI_Comm_rank(mine.grid, &rank);
	if (rank == 0)
		printf("heat: residual %.6e, %d wrong\n", residual, all);
	MPI_Type_free(&mine.column);
	MPI_Comm_free(&mine.grid);
	free_block(&mine);
	free_block(&whole);
	MPI_Finalize();
	return all != 0;
}
