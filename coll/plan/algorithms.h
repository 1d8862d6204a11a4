/* SPDX-License-Identifier: Apache-2.0 */
/*
 * algorithms.h: the list of all algorithms: X(object) names the struct
 * algorithm of that name. A new algorithm is a file in the collective's
 * folder, a word here and a line in Makefile.inc; tests, tools
 * and documents walk these lists. An algorithm that serves two collectives
 * (allgather and allgatherv) is in both lists.
 */
#ifndef COLL_ALGORITHMS_H
#define COLL_ALGORITHMS_H

#include "coll/plan/algorithm.h"

#define ALGORITHMS_barrier(X)                                                  \
	X(barrier_dissemination)                                               \
	X(barrier_tree)                                                        \
	X(barrier_n_way_dissemination)                                         \
	X(barrier_recursive_doubling)                                          \
	X(barrier_linear)                                                      \
	X(barrier_atomic)                                                      \
	X(barrier_hierarchical)

#define ALGORITHMS_bcast(X)                                                    \
	X(bcast_binomial)                                                      \
	X(bcast_scatter_allgather)                                             \
	X(bcast_chain)                                                         \
	X(bcast_linear)                                                        \
	X(bcast_knomial)                                                       \
	X(bcast_binary)                                                        \
	X(bcast_double_tree)                                                   \
	X(bcast_board)                                                         \
	X(bcast_hierarchical)                                                  \
	X(bcast_multi_leader)                                                  \
	X(bcast_bine)

#define ALGORITHMS_reduce(X)                                                   \
	X(reduce_binomial)                                                     \
	X(reduce_rabenseifner)                                                 \
	X(reduce_chain)                                                        \
	X(reduce_linear)                                                       \
	X(reduce_knomial)                                                      \
	X(reduce_binary)                                                       \
	X(reduce_double_tree)                                                  \
	X(reduce_board)                                                        \
	X(reduce_hierarchical)                                                 \
	X(reduce_multi_leader)                                                 \
	X(reduce_segmented_multi_leader)                                       \
	X(reduce_bine)

#define ALGORITHMS_allreduce(X)                                                \
	X(allreduce_recursive_doubling)                                        \
	X(allreduce_rabenseifner)                                              \
	X(allreduce_ring)                                                      \
	X(allreduce_segmented_ring)                                            \
	X(allreduce_linear)                                                    \
	X(allreduce_reduce_bcast)                                              \
	X(allreduce_recursive_multiplying)                                     \
	X(allreduce_double_tree)                                               \
	X(allreduce_hierarchical)                                              \
	X(allreduce_multi_leader)                                              \
	X(allreduce_segmented_multi_leader)                                    \
	X(allreduce_fetch_add)                                                 \
	X(allreduce_compare_swap)                                              \
	X(allreduce_slots)                                                     \
	X(allreduce_bine)                                                      \
	X(allreduce_bine_halving)

#define ALGORITHMS_gather(X)                                                   \
	X(gather_linear)                                                       \
	X(gather_binomial)                                                     \
	X(gather_hierarchical)                                                 \
	X(gather_bine)

#define ALGORITHMS_gatherv(X) X(gather_linear)

#define ALGORITHMS_scatter(X)                                                  \
	X(scatter_linear)                                                      \
	X(scatter_binomial)                                                    \
	X(scatter_hierarchical)                                                \
	X(scatter_bine)

#define ALGORITHMS_scatterv(X) X(scatter_linear)

#define ALGORITHMS_allgather(X)                                                \
	X(allgather_ring)                                                      \
	X(allgather_recursive_doubling)                                        \
	X(allgather_neighbor_exchange)                                         \
	X(allgather_bruck)                                                     \
	X(allgather_linear)                                                    \
	X(allgather_gather_bcast)                                              \
	X(allgather_board)                                                     \
	X(allgather_hierarchical)                                              \
	X(allgather_multi_leader)                                              \
	X(allgather_bine)

#define ALGORITHMS_allgatherv(X)                                               \
	X(allgather_ring)                                                      \
	X(allgather_board)                                                     \
	X(allgather_recursive_doubling)                                        \
	X(allgather_neighbor_exchange)                                         \
	X(allgather_bruck)                                                     \
	X(allgather_linear)                                                    \
	X(allgather_gather_bcast)                                              \
	X(allgather_hierarchical)                                              \
	X(allgather_multi_leader)                                              \
	X(allgather_bine)

#define ALGORITHMS_alltoall(X)                                                 \
	X(alltoall_pairwise)                                                   \
	X(alltoall_bruck)                                                      \
	X(alltoall_linear)                                                     \
	X(alltoall_node_aware)

#define ALGORITHMS_alltoallv(X)                                                \
	X(alltoall_pairwise)                                                   \
	X(alltoall_linear)

#define ALGORITHMS_reduce_scatter_block(X)                                     \
	X(reduce_scatter_recursive_halving)                                    \
	X(reduce_scatter_pairwise)                                             \
	X(reduce_scatter_ring)                                                 \
	X(reduce_scatter_reduce_scatterv)                                      \
	X(reduce_scatter_board)                                                \
	X(reduce_scatter_multi_leader)                                         \
	X(reduce_scatter_hierarchical)                                         \
	X(reduce_scatter_bine)

#define ALGORITHMS_reduce_scatter(X)                                           \
	X(reduce_scatter_recursive_halving)                                    \
	X(reduce_scatter_pairwise)                                             \
	X(reduce_scatter_ring)                                                 \
	X(reduce_scatter_reduce_scatterv)                                      \
	X(reduce_scatter_board)                                                \
	X(reduce_scatter_multi_leader)                                         \
	X(reduce_scatter_hierarchical)                                         \
	X(reduce_scatter_bine)

#define ALGORITHMS_scan(X)                                                     \
	X(scan_recursive_doubling)                                             \
	X(scan_binomial)                                                       \
	X(scan_chain)                                                          \
	X(scan_hierarchical)                                                   \
	X(scan_multi_leader)

#define ALGORITHMS_exscan(X)                                                   \
	X(exscan_recursive_doubling)                                           \
	X(exscan_binomial)                                                     \
	X(exscan_chain)                                                        \
	X(exscan_hierarchical)                                                 \
	X(exscan_multi_leader)

#define ALGORITHMS_neighbor_allgather(X) X(neighbor_allgather_linear)

#define ALGORITHMS_neighbor_alltoall(X) X(neighbor_alltoall_linear)

#define DECLARE(object) extern const struct algorithm object;
#define DECLARE_ALL(upper, lower) ALGORITHMS_##lower(DECLARE)
COLLECTIVE_LIST(DECLARE_ALL)
#undef DECLARE_ALL
#undef DECLARE
#endif
