/* SPDX-License-Identifier: Apache-2.0 */
/*
 * algorithms.h: every algorithm: X(object), the struct algorithm of the file
 * with that name. A new one is its file in the collective's folder, a word here
 * and a line in Makefile.inc; tests, tools and documents walk these lists. An
 * algorithm that serves two collectives (allgather and allgatherv) stands in
 * both lists.
 */
#ifndef COLL_ALGORITHMS_H
#define COLL_ALGORITHMS_H

#include "coll/algorithm.h"

#define ALGORITHMS_barrier(X)                                                  \
	X(barrier_dissemination)                                               \
	X(barrier_tree)                                                        \
	X(barrier_atomic)                                                      \
	X(barrier_hierarchical)

#define ALGORITHMS_bcast(X)                                                    \
	X(bcast_binomial)                                                      \
	X(bcast_scatter_allgather)                                             \
	X(bcast_chain)                                                         \
	X(bcast_hierarchical)

#define ALGORITHMS_reduce(X)                                                   \
	X(reduce_binomial)                                                     \
	X(reduce_rabenseifner)                                                 \
	X(reduce_chain)                                                        \
	X(reduce_hierarchical)

#define ALGORITHMS_allreduce(X)                                                \
	X(allreduce_recursive_doubling)                                        \
	X(allreduce_rabenseifner)                                              \
	X(allreduce_ring)                                                      \
	X(allreduce_hierarchical)                                              \
	X(allreduce_fetch_add)                                                 \
	X(allreduce_compare_swap)                                              \
	X(allreduce_slots)

#define ALGORITHMS_gather(X)
#define ALGORITHMS_gatherv(X)
#define ALGORITHMS_scatter(X)
#define ALGORITHMS_scatterv(X)
#define ALGORITHMS_allgather(X)
#define ALGORITHMS_allgatherv(X)
#define ALGORITHMS_alltoall(X)
#define ALGORITHMS_alltoallv(X)
#define ALGORITHMS_reduce_scatter_block(X)
#define ALGORITHMS_reduce_scatter(X)
#define ALGORITHMS_scan(X)
#define ALGORITHMS_exscan(X)
#define ALGORITHMS_neighbor_allgather(X)
#define ALGORITHMS_neighbor_alltoall(X)

#define DECLARE(object) extern const struct algorithm object;
#define DECLARE_ALL(upper, lower) ALGORITHMS_##lower(DECLARE)
COLLECTIVE_LIST(DECLARE_ALL)
#undef DECLARE_ALL
#undef DECLARE
#endif
