/* SPDX-License-Identifier: Apache-2.0 */
/* args.h: checks of arguments that the public point-to-point calls share. */
#ifndef P2P_ARGS_H
#define P2P_ARGS_H

#include "p2p/comm.h"
#include "p2p/datatype.h"
#include "runtime/proc.h"

/* What checked arguments come to. */
struct args {
	struct mrt_comm *comm;
	size_t bytes;
	int peer; /* world rank, MRT_ANY_SOURCE or MRT_PROC_NULL */
};

/* The slow path: says which argument is wrong. */
int args_explain(const void *buf, size_t count, struct mrt_type *type,
		 int peer, int tag, struct mrt_comm *comm);

/* What sends and receives have in common; peer is only translated. */
static inline int args_check(struct args *a, const void *buf, size_t count,
			     struct mrt_type *type, int peer,
			     struct mrt_comm *comm)
{
	const struct mrt_type *t = type_get(type);

	a->comm = comm_get(comm);
	if (__builtin_expect(!a->comm || !t || count > SIZE_MAX / 64 ||
				 (!buf && count), 0))
		return MRT_ERR_ARG;
	a->bytes = count * t->size;
	if (__builtin_expect((unsigned)peer < (unsigned)a->comm->size, 1))
		a->peer = comm_world_rank(a->comm, peer);
	else
		a->peer = peer;
	return 0;
}

static inline int args_send(struct args *a, const void *buf, size_t count,
			    struct mrt_type *type, int dest, int tag,
			    struct mrt_comm *comm)
{
	if (__builtin_expect(!args_check(a, buf, count, type, dest, comm) &&
				 tag >= 0 && dest < a->comm->size &&
				 (dest >= 0 || dest == MRT_PROC_NULL), 1))
		return 0;
	*a = (struct args){NULL, 0, MRT_PROC_NULL};
	return args_explain(buf, count, type, dest, tag, comm);
}

static inline int args_recv(struct args *a, const void *buf, size_t count,
			    struct mrt_type *type, int source, int tag,
			    struct mrt_comm *comm)
{
	if (__builtin_expect(!args_check(a, buf, count, type, source, comm) &&
				 tag >= MRT_ANY_TAG &&
				 source < a->comm->size &&
				 source >= MRT_PROC_NULL, 1))
		return 0;
	*a = (struct args){NULL, 0, MRT_PROC_NULL};
	return args_explain(buf, count, type,
			    source == MRT_ANY_SOURCE ? MRT_PROC_NULL : source,
			    tag == MRT_ANY_TAG ? 0 : tag, comm);
}

/* World rank to comm rank in a completed receive's status. */
static inline void status_localise(struct mrt_status *status,
				   const struct mrt_comm *comm)
{
	if (status->source >= 0 && comm->world)
		status->source = comm_rank_of(comm, status->source);
}

/* What a receive from MRT_PROC_NULL finds; source MRT_ANY_SOURCE: what a
 * null request does. */
static inline void status_empty(struct mrt_status *status, int source)
{
	status->source = source;
	status->tag = MRT_ANY_TAG;
	status->error = status->cancelled = 0;
	status->bytes = 0;
}

/* Says who sent too much, for the message of MRT_ERR_TRUNCATE. */
static inline int explain_receive(const struct mrt_status *status, size_t room)
{
	if (status->error != MRT_ERR_TRUNCATE)
		return status->error;
	return proc_fail(MRT_ERR_TRUNCATE,
			 "message of %zu bytes from rank %d with tag %d, "
			 "buffer of %zu bytes", status->bytes, status->source,
			 status->tag, room);
}
#endif
