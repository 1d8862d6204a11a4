/* SPDX-License-Identifier: Apache-2.0 */
/* entry_lists.h: parameters that are lists, for coll_lists.c and
 * coll_neighbors.c. */
#ifndef COLL_ENTRY_LISTS_H
#define COLL_ENTRY_LISTS_H

#include "coll/run/entry.h"

/* RECV_LIST is for collectives with lists on the receiving side only. */
#define RECV_LIST_PARAMETERS                                                   \
	void *recvbuf, const size_t recvcounts[], const ptrdiff_t displs[],    \
	    struct mrt_type *recvtype
#define RECV_LIST                                                              \
	.recv = {.buf = recvbuf,                                               \
		 .type = recvtype,                                             \
		 .counts = recvcounts,                                         \
		 .displs = displs}
/* V_LISTS is for collectives with lists on both sides, W_LISTS for those that
 * have lists of types, too. */
#define V_PARAMETERS                                                           \
	const void *sendbuf, const size_t sendcounts[],                        \
	    const ptrdiff_t sdispls[], struct mrt_type *sendtype,              \
	    void *recvbuf, const size_t recvcounts[],                          \
	    const ptrdiff_t rdispls[], struct mrt_type *recvtype
#define W_PARAMETERS                                                           \
	const void *sendbuf, const size_t sendcounts[],                        \
	    const ptrdiff_t sdispls[], struct mrt_type *const sendtypes[],     \
	    void *recvbuf, const size_t recvcounts[],                          \
	    const ptrdiff_t rdispls[], struct mrt_type *const recvtypes[]
#define LISTS(side, d, member)                                                 \
	.side = {.buf = side##buf,                                             \
		 .counts = side##counts,                                       \
		 .displs = d,                                                  \
		 .member = side##member}
#define V_LISTS LISTS(send, sdispls, type), LISTS(recv, rdispls, type)
#define W_LISTS LISTS(send, sdispls, types), LISTS(recv, rdispls, types)
#endif
