/* SPDX-License-Identifier: Apache-2.0 */
/* args.h: the argument checks that the public point-to-point calls share. The
 * inline part is the fast path; args_slow decides everything else. */
#ifndef P2P_ARGS_H
#define P2P_ARGS_H

#include <limits.h>

#include "p2p/comm.h"
#include "p2p/type/datatype.h"
#include "p2p/type/type_sequence.h"
#include "p2p/request.h"
#include "runtime/base/env.h"
#include "runtime/engine/proc.h"

/* Checked arguments. */
struct args {
	struct mrt_comm *comm;
	size_t bytes;
	int peer;	     /* world rank, MRT_ANY_SOURCE or MRT_PROC_NULL */
	const char *peer_is; /* the name of the argument, for errors */
	struct typed_buffer typed; /* type: NULL unless ARGS_TYPED */
	/* set for MRT_CHECK: what one element consists of, and how many
	 * elements there are */
	struct type_sequence types;
	size_t types_count;
};

/* The peer that args_slow sees for dest MRT_ANY_SOURCE, which only receives
 * accept. */
#define ARGS_ANY_DEST (INT_MIN + 1)

/* The checks return this for elements that cannot be moved as bytes: the caller
 * uses p2p_isend_type or p2p_irecv_type. */
#define ARGS_TYPED 1

/* Slow path of enter_message. */
int enter_message_slow(const char *call, size_t count, struct mrt_type *type,
		       int peer, int tag, struct mrt_comm *comm);

/* Like proc_enter, for a call that sends or receives: a trace has its
 * arguments, which need not be valid. */
static inline int enter_message(const char *call, size_t count,
				struct mrt_type *type, int peer, int tag,
				struct mrt_comm *comm)
{
	return __builtin_expect(proc.open, 1)
		   ? 0
		   : enter_message_slow(call, count, type, peer, tag, comm);
}

/* Returns 0 if such elements can be sent or received, else an error
 * (proc_fail). */
int args_check_elements(const void *buf, size_t count, struct mrt_type *type);

/* The slow path: handles MRT_PROC_NULL and types of any layout, or says which
 * argument is wrong. Returns 0, ARGS_TYPED or MRT_ERR_*. */
int args_slow(struct args *a, const void *buf, size_t count,
	      struct mrt_type *type, int tag, struct mrt_comm *handle);

/* The fast path: sets *a and returns true if the type is dense, the peer is a
 * rank other than MRT_PROC_NULL, and all else is valid. */
static inline bool args_fast(struct args *a, const void *buf, size_t count,
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

/* Like args_fast, and checks as well that the call needs no lock, so that it
 * can skip proc_enter. */
static inline bool args_fast_unlocked(struct args *a, const void *buf,
				      size_t count, struct mrt_type *type,
				      int peer, struct mrt_comm *comm)
{
	return __builtin_expect(proc.open, 1) &&
	       args_fast(a, buf, count, type, peer, comm);
}

/* Notes for MRT_CHECK what is sent or received. */
static inline void args_note_types(struct args *a, size_t count,
				   struct mrt_type *type)
{
	if (__builtin_expect(!env.check, 1))
		return;
	a->types = type_sequence_of(type_get(type));
	a->types_count = count;
}

static inline int args_send(struct args *a, const void *buf, size_t count,
			    struct mrt_type *type, int dest, int tag,
			    struct mrt_comm *comm)
{
	a->typed.type = NULL;
	args_note_types(a, count, type);
	if (__builtin_expect(
		args_fast(a, buf, count, type, dest, comm) && tag >= 0, 1))
		return 0;
	/* MRT_ANY_SOURCE is only for receives */
	a->peer = dest == MRT_ANY_SOURCE ? ARGS_ANY_DEST : dest;
	a->peer_is = "dest";
	return args_slow(a, buf, count, type, tag, comm);
}

static inline int args_recv(struct args *a, const void *buf, size_t count,
			    struct mrt_type *type, int source, int tag,
			    struct mrt_comm *comm)
{
	bool fast = args_fast(a, buf, count, type, source, comm);

	a->typed.type = NULL;
	args_note_types(a, count, type);
	if (__builtin_expect(fast && (tag >= 0 || tag == MRT_ANY_TAG), 1))
		return 0;
	a->peer = source;
	a->peer_is = "source";
	return args_slow(a, buf, count, type, tag == MRT_ANY_TAG ? 0 : tag,
			 comm);
}

/* Translates the source in a completed receive's status from world rank to rank
 * in comm. */
static inline void status_localise(struct mrt_status *status,
				   const struct mrt_comm *comm)
{
	if (status->source >= 0 && comm->world)
		status->source = comm_rank_of(comm, status->source);
}

/* Copies a status to the user's, except the error field, for which mrt.h has
 * rules of its own. */
static inline void status_out(struct mrt_status *to,
			      const struct mrt_status *from)
{
	to->source = from->source;
	to->tag = from->tag;
	to->cancelled = from->cancelled;
	to->bytes = from->bytes;
}

/* Sets the status of a receive from MRT_PROC_NULL; with source MRT_ANY_SOURCE,
 * MPI's empty status, which null requests have. */
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
/* Waits for a receive whose request is on the caller's stack and copies its
 * status to *status, unless that is NULL. */
int receive_finish(struct mrt_request *req, const struct args *a,
		   struct mrt_status *status);
/* Blocking send and receive at the same time, with requests on the stack. */
int send_receive(const struct args *out, const void *sendbuf, int sendtag,
		 const struct args *in, void *recvbuf, int recvtag,
		 struct mrt_status *status);

/* Sets *found once a matching message is there, and *status as p2p_peek does.
 * blocking: waits until then, else polls once. */
int probe_find(const struct args *a, int tag, bool blocking, int *found,
	       struct mrt_status *status);

/* Returns the error of a receive; for MRT_ERR_TRUNCATE, also reports who sent
 * too much (proc_fail). capacity: bytes of the user's buffer. */
static inline int receive_error(const struct mrt_status *status,
				size_t capacity)
{
	if (status->error != MRT_ERR_TRUNCATE)
		return status->error;
	return proc_fail(MRT_ERR_TRUNCATE,
			 "message of %zu bytes from rank %d with tag %d, "
			 "buffer of %zu bytes",
			 status->bytes, status->source, status->tag, capacity);
}
#endif
