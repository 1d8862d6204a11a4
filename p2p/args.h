/* SPDX-License-Identifier: Apache-2.0 */
/* args.h: checks of arguments that the public point-to-point calls share. */
#ifndef P2P_ARGS_H
#define P2P_ARGS_H

#include <limits.h>

#include "p2p/comm.h"
#include "p2p/type/datatype.h"
#include "p2p/request.h"
#include "runtime/engine/proc.h"

/* What checked arguments come to. */
struct args {
	struct mrt_comm *comm;
	size_t bytes;
	int peer;	       /* world rank, MRT_ANY_SOURCE or MRT_PROC_NULL */
	struct elements typed; /* set with ARGS_TYPED only */
};

/* What no rank is: MRT_ANY_SOURCE, given as dest. */
#define ARGS_ANY_DEST (INT_MIN + 1)

/* What the checks return of elements that are not moved as bytes, but by
 * p2p_isend_type and p2p_irecv_type. */
#define ARGS_TYPED 1

/* 0: such elements can be sent or received. */
int args_check_elements(const void *buf, size_t count, struct mrt_type *type);

/* The slow path: MRT_PROC_NULL, or a type of any layout, or says which
 * argument is wrong. */
int args_explain(struct args *a, const void *buf, size_t count,
		 struct mrt_type *type, int tag, struct mrt_comm *handle);

/* Sets *a; true if all is as usual: a rank, not MRT_PROC_NULL. */
static inline bool args_usual(struct args *a, const void *buf, size_t count,
			      struct mrt_type *type, int peer,
			      struct mrt_comm *comm)
{
	const struct mrt_type *t = type_get_dense(type);

	a->comm = comm_get(comm);
	a->peer = peer;
	if (__builtin_expect(!a->comm || !t || count > t->count_max ||
				 ((uintptr_t)buf < MRT_CONSTANTS_END && count),
			     0))
		return false;
	a->bytes = count * t->size;
	if (__builtin_expect((unsigned)peer >= (unsigned)a->comm->size, 0))
		return false;
	a->peer = comm_world_rank(a->comm, peer);
	return true;
}

/* The same, and that the call is one that takes no lock: what the short ways
 * of public calls are for. */
static inline bool args_short(struct args *a, const void *buf, size_t count,
			      struct mrt_type *type, int peer,
			      struct mrt_comm *comm)
{
	return __builtin_expect(proc.open, 1) &&
	       args_usual(a, buf, count, type, peer, comm);
}

static inline int args_send(struct args *a, const void *buf, size_t count,
			    struct mrt_type *type, int dest, int tag,
			    struct mrt_comm *comm)
{
	if (__builtin_expect(
		args_usual(a, buf, count, type, dest, comm) && tag >= 0, 1))
		return 0;
	/* MRT_ANY_SOURCE is for receives */
	a->peer = dest == MRT_ANY_SOURCE ? ARGS_ANY_DEST : dest;
	return args_explain(a, buf, count, type, tag, comm);
}

static inline int args_recv(struct args *a, const void *buf, size_t count,
			    struct mrt_type *type, int source, int tag,
			    struct mrt_comm *comm)
{
	bool usual = args_usual(a, buf, count, type, source, comm);

	if (__builtin_expect(usual && (tag >= 0 || tag == MRT_ANY_TAG), 1))
		return 0;
	a->peer = source;
	return args_explain(a, buf, count, type, tag == MRT_ANY_TAG ? 0 : tag,
			    comm);
}

/* World rank to comm rank in a completed receive's status. */
static inline void status_localise(struct mrt_status *status,
				   const struct mrt_comm *comm)
{
	if (status->source >= 0 && comm->world)
		status->source = comm_rank_of(comm, status->source);
}

/* Tells the user, but for the error, which has its own rule (mrt.h). */
static inline void status_out(struct mrt_status *to,
			      const struct mrt_status *from)
{
	to->source = from->source;
	to->tag = from->tag;
	to->cancelled = from->cancelled;
	to->bytes = from->bytes;
}

/* What a receive from MRT_PROC_NULL finds; source MRT_ANY_SOURCE: what a
 * null request does. */
static inline void status_empty(struct mrt_status *status, int source)
{
	status->source = source;
	status->tag = MRT_ANY_TAG;
	if (source == MRT_ANY_SOURCE)
		status->error = 0;
	status->cancelled = 0;
	status->bytes = 0;
}

struct mrt_request;
/* Waits for a receive on the caller's stack and hands out its status. */
int receive_finish(struct mrt_request *req, const struct args *a,
		   struct mrt_status *status);
/* Sends and receives, both on the stack. */
int send_receive(const struct args *out, const void *sendbuf, int sendtag,
		 const struct args *in, void *recvbuf, int recvtag,
		 struct mrt_status *status);

/* *found is set at the first look that succeeds, with *status as p2p_peek sets
 * it; blocking waits for it. */
int probe_find(const struct args *a, int tag, bool blocking, int *found,
	       struct mrt_status *status);

/* Says who sent too much, for the message of MRT_ERR_TRUNCATE. */
static inline int explain_receive(const struct mrt_status *status, size_t room)
{
	if (status->error != MRT_ERR_TRUNCATE)
		return status->error;
	return proc_fail(MRT_ERR_TRUNCATE,
			 "message of %zu bytes from rank %d with tag %d, "
			 "buffer of %zu bytes",
			 status->bytes, status->source, status->tag, room);
}
#endif
