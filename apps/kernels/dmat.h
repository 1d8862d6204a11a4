/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dmat.h: a square sparse matrix distributed by consecutive rows, about the
 * same number of entries on each rank, and its product with a vector.
 */
#ifndef KERNELS_DMAT_H
#define KERNELS_DMAT_H

#include "apps/common/phases.h"
#include "apps/kernels/csr.h"
#include "apps/kernels/halo.h"

struct dmat {
	int n;	     /* rows of the whole matrix */
	size_t nnz;  /* entries of the whole matrix */
	int first;   /* first row here */
	int *bounds; /* first row of each rank, and n */
	struct csr rows;
	struct halo halo;
	int *inner; /* rows without, and behind them rows with, foreign entries
		     */
	int ninner;
};

/*
 * Distributes the matrix that rank 0 has in *whole (others: NULL), which is
 * freed. Collective.
 */
void dmat_scatter(struct dmat *m, struct csr *whole);

/*
 * The 7-point Laplacian on nx x ny x nz points with zero boundary values, each
 * rank building its own rows. The product is below 2^31. Collective.
 */
void dmat_poisson(struct dmat *m, const long dims[3]);

void dmat_fini(struct dmat *m);

/*
 * y = A x for the own rows. x has room for the foreign entries (dmat_vector)
 * and gets them while the inner rows are computed. The watch is switched to
 * `halo` and `spmv`. A row's sum has the same bits on any number of ranks.
 * Collective.
 */
void dmat_multiply(struct dmat *m, double *x, double *y, struct phases *watch,
		   int halo, int spmv);

/* A zero vector for the own rows, with room for the foreign entries. */
double *dmat_vector(const struct dmat *m);

/* diagonal[i] of the own rows; 0 where there is none. */
void dmat_diagonal(const struct dmat *m, double *diagonal);

#endif
