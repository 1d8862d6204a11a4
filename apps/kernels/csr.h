/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csr.h: sparse matrix by compressed rows, columns ascending within a row.
 * Holds a whole matrix or consecutive rows of one.
 */
#ifndef KERNELS_CSR_H
#define KERNELS_CSR_H

#include <stddef.h>
#include <stdint.h>

struct csr {
	int rows;
	int cols;
	size_t *start; /* rows + 1 of them; start[0] is 0 */
	int *col;
	double *val;
};

/* One entry of a matrix in any order. */
struct triplet {
	int row;
	int col;
	double val;
};

/* Room for the given shape, zeroed; ends the job when there is none. */
void csr_init(struct csr *a, int rows, int cols, size_t entries);
void csr_fini(struct csr *a);

/*
 * Fills *a from n entries; with `mirror`, each off-diagonal entry stands for
 * its transposed one too. Returns n; or the index of an entry whose place is
 * taken by another, and *a is then empty. Cost: n, by two bucket sorts.
 */
size_t csr_from_triplets(struct csr *a, int rows, int cols,
			 const struct triplet *t, size_t n, int mirror);

/*
 * -1 if a square matrix equals its transpose to 1e-12 relatively, else the
 * first row with an entry that does not.
 */
int csr_asymmetric_row(const struct csr *a);

#endif
