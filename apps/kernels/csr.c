/* SPDX-License-Identifier: Apache-2.0 */
/* csr.c: sparse matrices in compressed rows (see csr.h). */
#include "apps/kernels/csr.h"

#include "apps/common/app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void csr_init(struct csr *a, int rows, int cols, size_t entries)
{
	a->rows = rows;
	a->cols = cols;
	a->start = app_alloc((size_t)rows + 1, sizeof(*a->start));
	a->col = app_alloc(entries, sizeof(*a->col));
	a->val = app_alloc(entries, sizeof(*a->val));
}

void csr_fini(struct csr *a)
{
	free(a->start);
	free(a->col);
	free(a->val);
	memset(a, 0, sizeof(*a));
}

/* Sets next[i] to where bucket i begins, from the counts in next[i + 1]. While
 * entries are placed, next[i] advances to where bucket i + 1 begins. */
static void prefix_sums(size_t *next, int n)
{
	for (int i = 0; i < n; i++)
		next[i + 1] += next[i];
}

/* Bucket sort by column, so that rows can then be filled from left to right.
 * order[] gets 2 * index, plus 1 for mirrored entries. */
static size_t order_by_column(const struct triplet *t, size_t n, int cols,
			      int mirror, size_t *order)
{
	size_t *next = app_alloc((size_t)cols + 1, sizeof(*next));
	size_t total;

	for (size_t k = 0; k < n; k++) {
		next[t[k].col + 1]++;
		if (mirror && t[k].row != t[k].col)
			next[t[k].row + 1]++;
	}
	prefix_sums(next, cols);
	total = next[cols];
	for (size_t k = 0; k < n; k++) {
		order[next[t[k].col]++] = 2 * k;
		if (mirror && t[k].row != t[k].col)
			order[next[t[k].row]++] = 2 * k + 1;
	}
	free(next);
	return total;
}

size_t csr_from_triplets(struct csr *a, int rows, int cols,
			 const struct triplet *t, size_t n, int mirror)
{
	size_t *order = app_alloc(mirror ? 2 * n : n, sizeof(*order));
	size_t total = order_by_column(t, n, cols, mirror, order);
	size_t *next, duplicate = n;

	csr_init(a, rows, cols, total);
	for (size_t k = 0; k < total; k++) {
		const struct triplet *e = &t[order[k] / 2];

		a->start[(order[k] & 1 ? e->col : e->row) + 1]++;
	}
	prefix_sums(a->start, rows);
	next = app_alloc((size_t)rows, sizeof(*next));
	memcpy(next, a->start, (size_t)rows * sizeof(*next));
	for (size_t k = 0; k < total && duplicate == n; k++) {
		const struct triplet *e = &t[order[k] / 2];
		int i = order[k] & 1 ? e->col : e->row;
		int j = order[k] & 1 ? e->row : e->col;
		size_t at = next[i]++;

		if (at > a->start[i] && a->col[at - 1] == j)
			duplicate = order[k] / 2;
		a->col[at] = j;
		a->val[at] = e->val;
	}
	free(next);
	free(order);
	if (duplicate < n)
		csr_fini(a);
	return duplicate;
}

/* Returns entry (i, j), by bisection; 0 if it is not stored. */
static double csr_entry(const struct csr *a, int i, int j)
{
	size_t lo = a->start[i], hi = a->start[i + 1];

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (a->col[mid] == j)
			return a->val[mid];
		if (a->col[mid] < j)
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

int csr_asymmetric_row(const struct csr *a)
{
	for (int i = 0; i < a->rows; i++)
		for (size_t k = a->start[i]; k < a->start[i + 1]; k++) {
			double v = a->val[k], w = csr_entry(a, a->col[k], i);

			if (fabs(v - w) > 1e-12 * fmax(fabs(v), fabs(w)))
				return i;
		}
	return -1;
}
