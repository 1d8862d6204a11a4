/* SPDX-License-Identifier: Apache-2.0 */
/* dmat.h: a square sparse matrix distributed by consecutive rows, with about
 * the same number of entries on each rank, and its product with a vector. */
#ifndef KERNELS_DMAT_H
#define KERNELS_DMAT_H

#include "apps/common/phases.h"
#include "apps/kernels/csr.h"
#include "apps/kernels/halo.h"

struct dmat {
	int n;	     /* rows of the whole matrix */
	size_t nnz;  /* entries of the whole matrix */
	int first;   /* first row of this rank */
	int *bounds; /* [ranks + 1] first row of each rank, and n */
	struct csr rows;
	struct halo halo;
	int *inner; /* [rows] rows without, then rows with, foreign entries */
	int ninner;
};

/* Distributes the matrix *whole of rank 0 (NULL on other ranks), and frees it.
 * Collective. */
void dmat_scatter(struct dmat *m, struct csr *whole);

/*
 * Builds the 7-point Laplacian on nx x ny x nz points with zero boundary
 * values; each rank builds its own rows. The product of dims must be below
 * 2^31. Collective.
 */
void dmat_poisson(struct dmat *m, const long dims[3]);

void dmat_fini(struct dmat *m);

/*
 * Computes y = A x for this rank's rows. x has room for foreign entries
 * (dmat_vector), which are received while inner rows are computed. The watch is
 * switched to `halo` and `spmv`. The sum of a row has the same bits on any
 * number of ranks. Collective.
 */
void dmat_multiply(struct dmat *m, double *x, double *y, struct phases *watch,
		   int halo, int spmv);

/* Returns a zero vector for this rank's rows, with room for foreign entries. */
double *dmat_vector(const struct dmat *m);

/* Sets diagonal[i] for this rank's rows; 0 where none is stored. */
void dmat_diagonal(const struct dmat *m, double *diagonal);

#endif
