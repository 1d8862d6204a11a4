/* SPDX-License-Identifier: Apache-2.0 */
/* args.c: the slow path of argument checks: unusual arguments and errors. */
#include "p2p/args.h"

#include "runtime/base/trace.h"

int args_check_elements(const void *buf, size_t count, struct mrt_type *type)
{
	const struct mrt_type *t = type_get(type);

	if (!t)
		return proc_fail_handle(MRT_ERR_TYPE, type, "a type");
	if (!t->committed)
		return proc_fail(MRT_ERR_TYPE,
				 "type %p has not been committed: call "
				 "mrt_type_commit",
				 (void *)type);
	if (count > t->count_max)
		return proc_fail(MRT_ERR_COUNT, "the count is %td",
				 (ptrdiff_t)count);
	/* data at absolute addresses (true_lb not 0) have a small or NULL
	 * buf */
	if ((uintptr_t)buf < MRT_CONSTANTS_END && count && t->size &&
	    !t->true_lb)
		return buf == MRT_IN_PLACE
			   ? proc_fail(MRT_ERR_BUFFER,
				       "MRT_IN_PLACE is for collectives")
			   : proc_fail(MRT_ERR_BUFFER,
				       "buffer %p with a count of %zu", buf,
				       count);
	return 0;
}

static int check_peer(struct args *a, int tag)
{
	if (tag < 0)
		return proc_fail(MRT_ERR_TAG, "tag %d, valid are 0..%d", tag,
				 MRT_TAG_MAX);
	if (a->peer == MRT_PROC_NULL || a->peer == MRT_ANY_SOURCE)
		return 0;
	if (a->peer == ARGS_ANY_DEST)
		return proc_fail(MRT_ERR_RANK,
				 "%s is MRT_ANY_SOURCE, which is for receives",
				 a->peer_is);
	if (a->peer < 0 || a->peer >= a->comm->size)
		return proc_fail(MRT_ERR_RANK,
				 "%s is %d, in a communicator of %d ranks",
				 a->peer_is, a->peer, a->comm->size);
	a->peer = comm_world_rank(a->comm, a->peer);
	return 0;
}

int args_slow(struct args *a, const void *buf, size_t count,
	      struct mrt_type *type, int tag, struct mrt_comm *handle)
{
	const struct mrt_type *t;
	int rc;

	if (!a->comm)
		return comm_unknown(handle);
	rc = args_check_elements(buf, count, type) ?: check_peer(a, tag);
	if (rc)
		return rc;
	t = type_get(type);
	a->bytes = count * t->size;
	if (a->peer == MRT_PROC_NULL || t->dense)
		return 0;
	a->typed = (struct typed_buffer){(void *)(uintptr_t)buf, count, t};
	return ARGS_TYPED;
}

int enter_message_slow(const char *call, size_t count, struct mrt_type *type,
		       int peer, int tag, struct mrt_comm *comm)
{
	const struct mrt_comm *c = comm_get(comm);
	const struct mrt_type *t = type_get(type);
	int rc = proc_enter(call);

	if (!rc && trace_on && c)
		trace_is_message(
		    peer >= 0 && peer < c->size ? comm_world_rank(c, peer) : -1,
		    t ? count * t->size : 0, context_id(c->context), tag);
	return rc;
}
