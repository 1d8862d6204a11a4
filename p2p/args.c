/* SPDX-License-Identifier: Apache-2.0 */
/* args.c: the unusual arguments of point-to-point calls, and the wrong ones. */
#include "p2p/args.h"

int args_explain(struct args *a, const void *buf, size_t count,
		 struct mrt_type *type, int tag)
{
	const struct mrt_type *t = type_get(type);

	if (!a->comm)
		return proc_fail(MRT_ERR_COMM, "not a communicator");
	if (!t)
		return proc_fail(MRT_ERR_TYPE, "%p is not a type",
				 (void *)type);
	if (count > ARGS_COUNT_MAX)
		return proc_fail(MRT_ERR_COUNT, "%zu elements (a negative "
				 "count?)", count);
	if (!buf && count)
		return proc_fail(MRT_ERR_BUFFER, "NULL with a count of %zu",
				 count);
	if (tag < 0)
		return proc_fail(MRT_ERR_TAG, "tag %d, valid are 0..%d", tag,
				 MRT_TAG_MAX);
	if (a->peer != MRT_PROC_NULL && a->peer != MRT_ANY_SOURCE)
		return proc_fail(MRT_ERR_RANK, "rank %d of a communicator of "
				 "%d", a->peer == INT_MIN ? MRT_ANY_SOURCE
							  : a->peer,
				 a->comm->size);
	if (!t->dense)
		return proc_fail(MRT_ERR_UNSUPPORTED, "%s has holes", t->name);
	a->bytes = count * t->size;
	return 0;
}
