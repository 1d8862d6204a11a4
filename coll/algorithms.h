/* SPDX-License-Identifier: Apache-2.0 */
/*
 * algorithms.h: every algorithm, one row each; prototypes (here) and tables
 * (select.c) come from these lists. A new one is its file, a row here and a
 * line in Makefile.inc; tests walk the tables.
 *
 *   X(collective, name, fits)   built by collective_name(), in
 *                               coll/collective/collective_name.c
 */
#ifndef COLL_ALGORITHMS_H
#define COLL_ALGORITHMS_H

#include "coll/plan.h"

#define BARRIER_ALGORITHMS(X)                                                  \
	X(barrier, dissemination, fits_any)                                    \
	X(barrier, tree, fits_any)

#define BCAST_ALGORITHMS(X)                                                    \
	X(bcast, binomial, fits_any)                                           \
	X(bcast, scatter_allgather, fits_any)                                  \
	X(bcast, chain, fits_any)

#define REDUCE_ALGORITHMS(X)                                                   \
	X(reduce, binomial, fits_any)                                          \
	X(reduce, rabenseifner, fits_any)                                      \
	X(reduce, chain, fits_chain)

#define ALLREDUCE_ALGORITHMS(X)                                                \
	X(allreduce, recursive_doubling, fits_any)                             \
	X(allreduce, rabenseifner, fits_any)                                   \
	X(allreduce, ring, fits_commutative)

#define PROTOTYPE(collective, name, fits)                                      \
	void collective##_##name(struct plan *plan, const struct shape *shape, \
				 int rank);
BARRIER_ALGORITHMS(PROTOTYPE)
BCAST_ALGORITHMS(PROTOTYPE)
REDUCE_ALGORITHMS(PROTOTYPE)
ALLREDUCE_ALGORITHMS(PROTOTYPE)
#undef PROTOTYPE
#endif
