/* SPDX-License-Identifier: Apache-2.0 */
/* args.c: which argument of a point-to-point call is wrong, and why. */
#include "p2p/args.h"

int args_explain(const void *buf, size_t count, struct mrt_type *type,
		 int peer, int tag, struct mrt_comm *comm)
{
	struct mrt_comm *c = comm_get(comm);

	if (!c)
		return proc_fail(MRT_ERR_COMM, "%p is not a communicator",
				 (void *)comm);
	if (!type_get(type))
		return proc_fail(MRT_ERR_TYPE, "%p is not a type",
				 (void *)type);
	if (count > SIZE_MAX / 64)
		return proc_fail(MRT_ERR_COUNT, "%zu elements (a negative "
				 "count?)", count);
	if (!buf && count)
		return proc_fail(MRT_ERR_BUFFER, "NULL with a count of %zu",
				 count);
	if (peer != MRT_PROC_NULL && (peer < 0 || peer >= c->size))
		return proc_fail(MRT_ERR_RANK, "rank %d of a communicator of "
				 "%d", peer, c->size);
	if (tag < 0)
		return proc_fail(MRT_ERR_TAG, "tag %d, valid are 0..%d", tag,
				 MRT_TAG_MAX);
	return proc_fail(MRT_ERR_ARG, "invalid argument");
}
