/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pcg.h: preconditioned conjugate gradients (Hestenes, Stiefel 1952) on a
 * distributed matrix.
 *
 * Cost per iteration: one matrix product with its halo exchange, two allreduces
 * and, with Jacobi, one multiplication per row. When the recurrence says that
 * it has converged, the residual is computed from b - A x; if that is not small
 * enough, the iteration restarts from it (residual replacement), as badly
 * conditioned matrices need. All sums are independent of the number of ranks,
 * so iterations and solution are the same, bit for bit, on any number of ranks.
 */
#ifndef KERNELS_PCG_H
#define KERNELS_PCG_H

#include "apps/common/phases.h"
#include "apps/kernels/dmat.h"

enum pcg_phase {
	PCG_INPUT, /* reading and distributing, before pcg_solve */
	PCG_SPMV,
	PCG_HALO,
	PCG_DOT,
	PCG_REDUCE,
	PCG_PRECOND,
	PCG_VECTOR,
	PCG_OTHER,
	PCG_PHASES
};

enum pcg_precond { PCG_NONE, PCG_JACOBI };

struct pcg_options {
	double tol; /* limit of |b - A x| / |b| */
	long max_iter;
	enum pcg_precond precond;
	int progress; /* draw a progress line on stderr */
	struct phases *watch;
};

enum pcg_outcome {
	PCG_CONVERGED,
	PCG_MAX_ITER,
	PCG_STAGNATED, /* restarts no longer reduce the residual */
	PCG_INDEFINITE /* the matrix is not positive definite */
};

struct pcg_result {
	enum pcg_outcome outcome;
	long iterations;
	long restarts;
	double residual; /* |b - A x| / |b|, computed from x */
};

/* Solves A x = b from x = 0; x comes from dmat_vector. Collective. */
void pcg_solve(struct dmat *m, const double *b, double *x,
	       const struct pcg_options *opt, struct pcg_result *result);

#endif
