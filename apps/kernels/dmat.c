/* SPDX-License-Identifier: Apache-2.0 */
/* dmat.c: a distributed sparse matrix (see dmat.h). */
#include "apps/kernels/dmat.h"

#include "apps/common/app.h"

#include <mrt.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_START = 1, TAG_COL = 2, TAG_VAL = 3 };

/* Builds the halo and the order of rows, once rows and bounds are set. */
static void dmat_finish(struct dmat *m)
{
	struct csr *a = &m->rows;
	int border = a->rows;

	halo_build(&m->halo, a, m->bounds);
	m->inner = app_alloc((size_t)a->rows, sizeof(*m->inner));
	for (int i = 0; i < a->rows; i++) {
		int foreign = 0;

		for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
			foreign |= a->col[k] >= a->rows;
		if (!foreign)
			m->inner[m->ninner++] = i;
		else
			m->inner[--border] = i;
	}
}

/* Cuts the matrix so that each rank gets an equal share of the entries, plus
 * one per row, since the vectors cost time too. */
static void dmat_cut(const struct csr *a, int *bounds, int ranks)
{
	double total = (double)a->start[a->rows] + a->rows;
	int row = 0;

	for (int r = 0; r < ranks; r++) {
		while (row < a->rows &&
		       (double)a->start[row] + row < total * r / ranks)
			row++;
		bounds[r] = row;
	}
	bounds[ranks] = a->rows;
}

static void send_rows(const struct csr *a, int from, int to, int rank)
{
	size_t rows = (size_t)(to - from);
	size_t first = a->start[from], count = a->start[to] - first;
	uint64_t *start = app_alloc(rows + 1, sizeof(*start));

	for (size_t i = 0; i <= rows; i++)
		start[i] = a->start[(size_t)from + i] - first;
	mrt_send(start, rows + 1, MRT_UINT64, rank, TAG_START, MRT_COMM_WORLD);
	mrt_send(a->col + first, count, MRT_INT, rank, TAG_COL, MRT_COMM_WORLD);
	mrt_send(a->val + first, count, MRT_DOUBLE, rank, TAG_VAL,
		 MRT_COMM_WORLD);
	free(start);
}

static void recv_rows(struct csr *a, int rows, int cols)
{
	size_t n = (size_t)rows + 1;
	uint64_t *start = app_alloc(n, sizeof(*start));

	mrt_recv(start, n, MRT_UINT64, 0, TAG_START, MRT_COMM_WORLD,
		 MRT_STATUS_IGNORE);
	csr_init(a, rows, cols, (size_t)start[rows]);
	for (size_t i = 0; i < n; i++)
		a->start[i] = (size_t)start[i];
	mrt_recv(a->col, a->start[rows], MRT_INT, 0, TAG_COL, MRT_COMM_WORLD,
		 MRT_STATUS_IGNORE);
	mrt_recv(a->val, a->start[rows], MRT_DOUBLE, 0, TAG_VAL, MRT_COMM_WORLD,
		 MRT_STATUS_IGNORE);
	free(start);
}

/* Keeps the first rows of the matrix, on rank 0, and frees the rest. */
static void keep_rows(struct csr *mine, struct csr *whole, int rows)
{
	size_t count = whole->start[rows];

	csr_init(mine, rows, whole->cols, count);
	memcpy(mine->start, whole->start,
	       ((size_t)rows + 1) * sizeof(*mine->start));
	memcpy(mine->col, whole->col, count * sizeof(*mine->col));
	memcpy(mine->val, whole->val, count * sizeof(*mine->val));
	csr_fini(whole);
}

void dmat_scatter(struct dmat *m, struct csr *whole)
{
	int ranks = mrt_size(MRT_COMM_WORLD), me = mrt_rank(MRT_COMM_WORLD);
	uint64_t nnz = 0;

	memset(m, 0, sizeof(*m));
	m->bounds = app_alloc((size_t)ranks + 1, sizeof(*m->bounds));
	if (me == 0) {
		dmat_cut(whole, m->bounds, ranks);
		nnz = whole->start[whole->rows];
	}
	mrt_bcast(m->bounds, (size_t)ranks + 1, MRT_INT, 0, MRT_COMM_WORLD);
	mrt_bcast(&nnz, 1, MRT_UINT64, 0, MRT_COMM_WORLD);
	m->nnz = (size_t)nnz;
	m->n = m->bounds[ranks];
	m->first = m->bounds[me];
	if (me == 0) {
		for (int r = 1; r < ranks; r++)
			send_rows(whole, m->bounds[r], m->bounds[r + 1], r);
		keep_rows(&m->rows, whole, m->bounds[1]);
	} else {
		recv_rows(&m->rows, m->bounds[me + 1] - m->first, m->n);
	}
	dmat_finish(m);
}

/* Appends a row of the Laplacian, columns ascending. */
static size_t poisson_row(struct csr *a, size_t at, long row,
			  const long dims[3])
{
	long stride[3] = {1, dims[0], dims[0] * dims[1]};

	for (int d = 2; d >= 0; d--)
		if (row / stride[d] % dims[d] > 0) {
			a->col[at] = (int)(row - stride[d]);
			a->val[at++] = -1;
		}
	a->col[at] = (int)row;
	a->val[at++] = 6;
	for (int d = 0; d < 3; d++)
		if (row / stride[d] % dims[d] < dims[d] - 1) {
			a->col[at] = (int)(row + stride[d]);
			a->val[at++] = -1;
		}
	return at;
}

void dmat_poisson(struct dmat *m, const long dims[3])
{
	int ranks = mrt_size(MRT_COMM_WORLD), me = mrt_rank(MRT_COMM_WORLD);
	long n = dims[0] * dims[1] * dims[2];
	uint64_t nnz;
	size_t at = 0;
	int rows;

	memset(m, 0, sizeof(*m));
	m->bounds = app_alloc((size_t)ranks + 1, sizeof(*m->bounds));
	/* All rows have nearly the same number of entries. */
	for (int r = 0; r <= ranks; r++)
		m->bounds[r] = (int)(n * r / ranks);
	m->n = (int)n;
	m->first = m->bounds[me];
	rows = m->bounds[me + 1] - m->first;
	csr_init(&m->rows, rows, m->n, (size_t)rows * 7);
	for (int i = 0; i < rows; i++) {
		at = poisson_row(&m->rows, at, m->first + i, dims);
		m->rows.start[i + 1] = at;
	}
	nnz = at;
	mrt_allreduce(MRT_IN_PLACE, &nnz, 1, MRT_UINT64, MRT_SUM,
		      MRT_COMM_WORLD);
	m->nnz = (size_t)nnz;
	dmat_finish(m);
}

void dmat_fini(struct dmat *m)
{
	halo_fini(&m->halo);
	csr_fini(&m->rows);
	free(m->inner);
	free(m->bounds);
}

static void multiply_rows(const struct csr *a, const int *row, int n,
			  const double *x, double *y)
{
	for (int r = 0; r < n; r++) {
		int i = row[r];
		double sum = 0;

		for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
			sum += a->val[k] * x[a->col[k]];
		y[i] = sum;
	}
}

void dmat_multiply(struct dmat *m, double *x, double *y, struct phases *watch,
		   int halo, int spmv)
{
	int before = phases_switch(watch, halo);

	halo_start(&m->halo, x);
	phases_switch(watch, spmv);
	multiply_rows(&m->rows, m->inner, m->ninner, x, y);
	phases_switch(watch, halo);
	halo_finish(&m->halo);
	phases_switch(watch, spmv);
	multiply_rows(&m->rows, m->inner + m->ninner, m->rows.rows - m->ninner,
		      x, y);
	phases_switch(watch, before);
}

double *dmat_vector(const struct dmat *m)
{
	return app_alloc((size_t)m->rows.cols, sizeof(double));
}

void dmat_diagonal(const struct dmat *m, double *diagonal)
{
	const struct csr *a = &m->rows;

	for (int i = 0; i < a->rows; i++) {
		diagonal[i] = 0;
		for (size_t k = a->start[i]; k < a->start[i + 1]; k++)
			if (a->col[k] == i)
				diagonal[i] = a->val[k];
	}
}
