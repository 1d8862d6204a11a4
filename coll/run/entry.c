/* SPDX-License-Identifier: Apache-2.0 */
/* entry.c: takes a public collective from its arguments to coll.c. */
#include "coll/run/entry.h"

#include "coll/call/check.h"
#include "coll/run/coll.h"
#include "coll/call/packing.h"
#include "runtime/base/env.h"
#include "runtime/base/trace.h"

/* Checks the arguments and sets *comm and *call, with the packing that they
 * need, if any. */
static int entry_prepare(enum collective collective, struct coll_args *args,
			 struct mrt_comm *handle, struct mrt_comm **comm,
			 struct coll_call *call)
{
	int rc;

	*call = (struct coll_call){.collective = collective};
	*comm = comm_get(handle);
	/* a communicator without coll has been freed; only requests hold it */
	if (!*comm || !(*comm)->coll)
		return comm_unknown(handle);
	rc = coll_args_check(args, *comm, call);
	if (!rc && (args->send.holes || args->recv.holes))
		rc = packing_create(args, call, &call->packing);
	return rc ? coll_cannot(collective, *comm, rc) : 0;
}

/* Sets *check to the check of a call that MRT_CHECK demands, or to NULL if
 * there is no other rank to ask. */
static int make_check(const char *name, enum collective collective,
		      const struct coll_args *args, struct mrt_comm *comm,
		      struct check **check)
{
	struct statement s;
	int rc;

	check_describe(name, collective, args, comm, &s);
	*check = check_create(coll_runs_on(comm), &s, &rc);
	if (*check && s.flags & SAYS_TRAFFIC)
		check_traffic(collective, args, comm, *check);
	return rc;
}

/* Waits until it is known whether all ranks make this call. */
static int check_ranks(const char *name, enum collective collective,
		       const struct coll_args *args, struct mrt_comm *comm)
{
	struct check *check;
	int rc = make_check(name, collective, args, comm, &check);

	return rc ? rc : check_wait(check);
}

static int run_packed(struct mrt_comm *comm, struct coll_call *call)
{
	struct packing *packing = call->packing;
	int rc;

	call->packing = NULL; /* as a run would own it */
	packing_pack(packing);
	rc = coll_run(comm, call);
	if (!rc)
		packing_unpack(packing);
	packing_destroy(packing);
	return rc;
}

/* Returns the bytes of a block of a side, or with a list of counts those of all
 * blocks; 0 for a side that does not matter at this rank. */
static uint64_t bytes_of(const struct rule_buffer *rule, const struct side *s,
			 const struct mrt_comm *comm, bool is_root)
{
	const struct mrt_type *type;
	size_t count = s->count;

	if (rule->holds == HOLDS_NOTHING || s->buf == MRT_IN_PLACE ||
	    (rule->root_only && !is_root))
		return 0;
	for (int k = 0; s->counts && k < comm->size; k++)
		count += s->counts[k];
	type = type_get(s->type);
	return type ? (uint64_t)count * type->size : 0;
}

static uint64_t traced_bytes(enum collective collective,
			     const struct coll_args *a,
			     const struct mrt_comm *comm)
{
	const struct rule *rule = &rules[collective];
	bool is_root = a->root == comm->rank;
	uint64_t sent = bytes_of(&rule->send, &a->send, comm, is_root);
	uint64_t received = bytes_of(&rule->recv, &a->recv, comm, is_root);

	return sent > received ? sent : received;
}

static __attribute__((noinline)) int enter_slow(const char *name,
						enum collective collective,
						const struct coll_args *args,
						struct mrt_comm *handle)
{
	const struct mrt_comm *comm = comm_get(handle);
	int rc = proc_enter(name);

	if (rc || !trace_on || !comm || !comm->coll || comm->inter)
		return rc;
	trace_is_collective(
	    comm_world_rank(comm, 0),
	    args->neighbors ? 0 : traced_bytes(collective, args, comm),
	    context_id(comm->context), (uint32_t)coll_calls(comm));
	return 0;
}

/* Like proc_enter; a trace has the arguments, which need not be valid. */
static inline int entry_enter(const char *name, enum collective collective,
			      const struct coll_args *args,
			      struct mrt_comm *comm)
{
	return __builtin_expect(proc.open, 1)
		   ? 0
		   : enter_slow(name, collective, args, comm);
}

int coll_blocking(const char *name, enum collective collective,
		  struct coll_args *args, struct mrt_comm *handle)
{
	struct coll_call call;
	struct mrt_comm *comm;
	int rc = entry_enter(name, collective, args, handle);

	if (rc)
		return proc_result(name, rc);
	rc = entry_prepare(collective, args, handle, &comm, &call);
	if (!rc && env.check) {
		rc = check_ranks(name, collective, args, comm);
		if (rc)
			packing_destroy(call.packing);
	}
	if (!rc)
		rc = call.packing ? run_packed(coll_runs_on(comm), &call)
				  : coll_run(coll_runs_on(comm), &call);
	proc_leave();
	return proc_result(name, rc);
}

/* The type of coll_start and coll_persist. */
typedef int begin_fn(struct mrt_comm *comm, struct coll_call *call,
		     struct mrt_request **request);

static int entry_begin(const char *name, enum collective collective,
		       struct coll_args *args, struct mrt_comm *handle,
		       struct mrt_request **request, begin_fn *how)
{
	struct coll_call call;
	struct mrt_comm *comm;
	int rc = entry_enter(name, collective, args, handle);

	if (rc)
		return proc_result(name, rc);
	rc = request ? entry_prepare(collective, args, handle, &comm, &call)
		     : proc_fail(MRT_ERR_ARG, "request is NULL");
	if (!rc && env.check) {
		/* persistent calls are checked here and not when they are
		 * started, since each rank may start them in any order */
		rc =
		    how == coll_persist
			? check_ranks(name, collective, args, comm)
			: make_check(name, collective, args, comm, &call.check);
		if (rc)
			packing_destroy(call.packing);
	}
	if (!rc)
		rc = how(coll_runs_on(comm), &call, request);
	proc_leave();
	return proc_result(name, rc);
}

int coll_nonblocking(const char *name, enum collective collective,
		     struct coll_args *args, struct mrt_comm *comm,
		     struct mrt_request **request)
{
	return entry_begin(name, collective, args, comm, request, coll_start);
}

int coll_persistent(const char *name, enum collective collective,
		    struct coll_args *args, struct mrt_comm *comm,
		    struct mrt_request **request)
{
	return entry_begin(name, collective, args, comm, request, coll_persist);
}
