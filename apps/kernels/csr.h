/* SPDX-License-Identifier: Apache-2.0 */
/* csr.h: a sparse matrix in compressed rows, with ascending columns in each
 * row. It holds a whole matrix, or consecutive rows of one. */
#ifndef KERNELS_CSR_H
#define KERNELS_CSR_H

#include <stddef.h>
#include <stdint.h>

struct csr {
	int rows;
	int cols;
	size_t *start; /* [rows + 1]; start[0] is 0 */
	int *col;
	double *val;
};

/* An entry of a matrix, in any order. */
struct triplet {
	int row;
	int col;
	double val;
};

/* Allocates a zeroed matrix of this shape; ends the job if memory is
 * exhausted. */
void csr_init(struct csr *a, int rows, int cols, size_t entries);
void csr_fini(struct csr *a);

/*
 * Fills *a from n entries; with `mirror`, each off-diagonal entry also stands
 * for its transpose. Returns n; or the index of an entry whose place is taken
 * by another, with *a empty. Cost: O(n), by two bucket sorts.
 */
size_t csr_from_triplets(struct csr *a, int rows, int cols,
			 const struct triplet *t, size_t n, int mirror);

/* Returns -1 if a square matrix equals its transpose to a relative 1e-12, or
 * else the first row with an entry that differs. */
int csr_asymmetric_row(const struct csr *a);

#endif
