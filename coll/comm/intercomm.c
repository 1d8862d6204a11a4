/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intercomm.c: the creation of intercommunicators, and the merge of their
 * groups.
 *
 * The leaders of two groups tell each other their ranks. Then there is a
 * communicator of both groups (comm.h) that searches for its id itself, as
 * parents do for others (comm_create.c); until then its messages have a context
 * derived from that of the peer communicator.
 */
#include "coll/comm/comm_create.h"

#include <stdlib.h>
#include <string.h>

#include "coll/run/coll.h"
#include "coll/call/check.h"
#include "p2p/p2p.h"
#include "runtime/engine/proc.h"

/* ---- Two groups meet ----------------------------------------------------- */

/* more than the collectives before there is an id */
enum { TRIES = 16 };

/* The arguments of a rank. */
struct meeting {
	struct mrt_comm *local, *peer; /* peer: at the leader, else NULL */
	int leader;		       /* rank in local */
	int other; /* world rank of the other group's leader */
	int tag;
};

/* Leaders tell each other this first, and then their groups. */
struct greeting {
	int32_t error; /* if set, nothing else is valid */
	int32_t size;
	uint32_t context, tag; /* of the call */
};

/* Exchanges data between the leaders, in a context of its own, since the user
 * may receive any tag at the same time. */
static int intercomm_swap(const struct meeting *m, const void *out, size_t sent,
			  void *in, size_t room)
{
	uint32_t context = m->peer->context | CONTEXT_LEADERS;
	struct mrt_request send, recv;
	int rc, recv_rc;

	request_prepare(&recv, REQ_RECV);
	p2p_irecv(&recv, in, room, m->other, m->tag, context);
	request_prepare(&send, REQ_SEND);
	p2p_isend(&send, out, sent, m->other, m->tag, context);
	rc = p2p_wait(&send);
	recv_rc = p2p_wait(&recv);
	return rc ? rc : recv_rc;
}

/* Broadcasts data from the leader to its group. */
static int intercomm_share(const struct meeting *m, void *data, size_t bytes)
{
	struct coll_call call = {.collective = COLL_BCAST,
				 .recv = data,
				 .type = type_get(MRT_BYTE),
				 .shape = {.count = bytes, .root = m->leader}};

	return coll_run(m->local, &call);
}

/* Sets *failed on all ranks if it is set on any rank of both groups. */
static int gather_failures(const struct meeting *m, uint64_t *failed)
{
	uint64_t theirs = 0;
	int rc = coll_allreduce_words(m->local, failed, 1, MRT_BOR);

	if (!rc && m->peer)
		rc = intercomm_swap(m, failed, sizeof(*failed), &theirs,
				    sizeof(theirs));
	*failed |= theirs | (rc != 0);
	return rc ? rc : intercomm_share(m, failed, sizeof(*failed));
}

static int intercomm_greet(const struct meeting *m, int error,
			   struct greeting *theirs)
{
	const struct greeting own = {.size = m->local->size};
	int rc;

	memset(theirs, 0, sizeof(*theirs));
	if (m->peer && !error)
		error = intercomm_swap(m, &own, sizeof(own), theirs,
				       sizeof(*theirs));
	theirs->error = error;
	if (m->peer) {
		theirs->context = m->peer->context;
		theirs->tag = (uint32_t)m->tag;
	}
	rc = intercomm_share(m, theirs, sizeof(*theirs));
	if (rc || error)
		return rc ? rc : error;
	return theirs->error
		   ? proc_fail(theirs->error,
			       "the leader, rank %d, has an error", m->leader)
		   : 0;
}

/* Reports that what the other leader said is impossible. */
static int intercomm_strange(void)
{
	return proc_fail(MRT_ERR_PROTOCOL,
			 "the other leader names an impossible group: do "
			 "all ranks run the same libmrt?");
}

static bool are_ranks(const int *world, int n)
{
	for (int k = 0; k < n; k++)
		if (world[k] < 0 || world[k] >= proc.job.size)
			return false;
	return true;
}

static bool intercomm_overlap(const struct mrt_comm *local, const int *theirs,
			      int n)
{
	for (int r = 0; r < n; r++)
		if (comm_rank_of(local, theirs[r]) >= 0)
			return true;
	return false;
}

/* Lists both groups in world[], the same on all ranks: first the group with the
 * lower leader, which has *low ranks. */
static int list_groups(const struct meeting *m, int n, int *world, int *low)
{
	const struct mrt_comm *local = m->local;
	int own = local->size, *mine = world + n, rc = 0;

	for (int r = 0; r < own; r++)
		mine[r] = comm_world_rank(local, r);
	if (m->peer)
		rc = intercomm_swap(m, mine, (size_t)own * sizeof(int), world,
				    (size_t)n * sizeof(int));
	if (rc || (rc = intercomm_share(m, world, (size_t)n * sizeof(int))))
		return rc;
	if (!are_ranks(world, n))
		return intercomm_strange();
	if (intercomm_overlap(local, world, n))
		return proc_fail(MRT_ERR_COMM,
				 "the two groups have ranks in common");
	*low = n;
	if (world[0] < mine[0])
		return 0;
	*low = own;
	memmove(mine + own, world, (size_t)n * sizeof(int));
	memmove(world, mine, (size_t)(own + n) * sizeof(int));
	return 0;
}

/* Creates the intercommunicator between the first `low` ranks of world[size]
 * and the others; there is no parent. */
static int intercomm_make(const struct meeting *m, const struct greeting *g,
			  const int *world, int size, int low,
			  struct mrt_comm **newcomm)
{
	struct mrt_comm *merged;
	int id, rc, me = 0;
	uint64_t failed;

	while (world[me] != proc.job.rank)
		me++;
	merged = comm_prepare_inter(world, size, me, low);
	comm_share(merged, m->local->shared);
	failed = !merged;
	rc = gather_failures(m, &failed);
	if (!rc && failed)
		rc = proc_fail(MRT_ERR_NO_MEM,
			       "an intercommunicator of %d ranks", size);
	if (rc) {
		comm_discard(merged);
		return rc;
	}
	merged->context = g->context | CONTEXT_BEFORE_ID;
	merged->coll_seq = g->tag * TRIES; /* threads use other tags */
	rc = comm_new_id(merged, &id);
	if (!rc)
		return comm_finish(merged, id, newcomm);
	coll_quiesce(merged);
	comm_discard(merged);
	return rc;
}

static int intercomm_meet(const struct meeting *m, int error,
			  struct mrt_comm **newcomm)
{
	struct greeting theirs;
	int *world, low = 0, size, rc = intercomm_greet(m, error, &theirs);
	uint64_t failed;

	if (!rc && (theirs.size < 1 || theirs.size > proc.job.size))
		rc = intercomm_strange();
	if (rc)
		return rc;
	size = m->local->size + theirs.size;
	world = malloc(((size_t)size + (size_t)theirs.size) * sizeof(*world));
	failed = !world;
	rc = gather_failures(m, &failed);
	if (!rc && failed)
		rc = proc_fail(MRT_ERR_NO_MEM, "list of %d ranks", size);
	if (!rc)
		rc = list_groups(m, theirs.size, world, &low);
	if (!rc)
		rc = intercomm_make(m, &theirs, world, size, low, newcomm);
	free(world);
	return rc;
}

/* ---- Merging ------------------------------------------------------------- */

/* Bits for what each group said. */
enum { LOW_FIRST = 1, LOW_LAST = 2, HIGH_FIRST = 4, HIGH_LAST = 8 };

static int intercomm_merge(struct mrt_comm *comm, bool high,
			   struct mrt_comm **newcomm)
{
	struct mrt_comm *old = comm->inter->merged;
	int n = old->size, low = comm_low(comm), first = 0, *world, rc;
	uint64_t said = comm->inter->own ? high ? HIGH_LAST : HIGH_FIRST
			: high		 ? LOW_LAST
					 : LOW_FIRST;

	rc = coll_allreduce_words(old, &said, 1, MRT_BOR);
	if (rc)
		return rc;
	if (said == (LOW_LAST | HIGH_FIRST))
		first = low;
	else if (said & (said >> 1) & (LOW_FIRST | HIGH_FIRST))
		return proc_fail(
		    MRT_ERR_ARG,
		    "high is not the same in all ranks of a group");
	world = malloc((size_t)n * sizeof(*world));
	if (!world) /* the others must learn of it */
		return comm_make_prepared(old, NULL, n, newcomm);
	for (int r = 0; r < n; r++)
		world[r] = comm_world_rank(old, (first + r) % n);
	rc = comm_make(old, world, n, (old->rank - first + n) % n, newcomm);
	free(world);
	return rc;
}

/* ---- Calls --------------------------------------------------------------- */

static int check_inter(struct mrt_comm *handle, struct mrt_comm **comm)
{
	*comm = comm_of(handle);
	if (*comm && (*comm)->inter)
		return 0;
	return proc_fail_handle(MRT_ERR_COMM, handle, "an intercommunicator");
}

static int check_local(struct mrt_comm *handle, int leader,
		       struct mrt_comm **newcomm, struct meeting *m)
{
	m->local = comm_of(handle);
	m->leader = leader;
	if (!m->local || m->local->inter)
		return proc_fail_handle(
		    MRT_ERR_COMM, handle,
		    "an intracommunicator, as local_comm must be");
	if (leader < 0 || leader >= m->local->size)
		return proc_fail(MRT_ERR_RANK, "local_leader %d of %d", leader,
				 m->local->size);
	return newcomm ? 0 : proc_fail(MRT_ERR_ARG, "newcomm is NULL");
}

/* Checks the arguments that count only at the leader. */
static int check_peer(struct mrt_comm *handle, int remote_leader, int tag,
		      struct meeting *m)
{
	if (m->local->rank != m->leader)
		return 0;
	m->peer = comm_of(handle);
	m->tag = tag;
	if (!m->peer) {
		m->peer = m->local; /* not used: there is an error */
		return proc_fail_handle(MRT_ERR_COMM, handle,
					"a communicator, as peer_comm must be");
	}
	if (remote_leader < 0 || remote_leader >= m->peer->size)
		return proc_fail(MRT_ERR_RANK, "remote_leader %d of %d",
				 remote_leader, m->peer->size);
	if (tag < 0)
		return proc_fail(MRT_ERR_TAG, "tag %d, valid are 0..%d", tag,
				 MRT_TAG_MAX);
	m->other = comm_world_rank(m->peer, remote_leader);
	return 0;
}

int mrt_intercomm_create(struct mrt_comm *local_comm, int local_leader,
			 struct mrt_comm *peer_comm, int remote_leader, int tag,
			 struct mrt_comm **newcomm)
{
	struct meeting m = {0};
	int rc = proc_enter("mrt_intercomm_create");

	if (!rc) {
		rc = check_local(local_comm, local_leader, newcomm, &m);
		if (!rc)
			rc = check_call(m.local, "mrt_intercomm_create",
					local_leader);
		if (!rc)
			rc = intercomm_meet(
			    &m, check_peer(peer_comm, remote_leader, tag, &m),
			    newcomm);
		proc_leave();
	}
	return proc_result("mrt_intercomm_create", rc);
}

int mrt_intercomm_merge(struct mrt_comm *comm, int high,
			struct mrt_comm **newcomm)
{
	struct mrt_comm *c;
	int rc = proc_enter("mrt_intercomm_merge");

	if (!rc) {
		rc = check_inter(comm, &c);
		if (!rc && !newcomm)
			rc = proc_fail(MRT_ERR_ARG, "newcomm is NULL");
		if (!rc)
			rc = check_call(c, "mrt_intercomm_merge", -1);
		if (!rc)
			rc = intercomm_merge(c, high, newcomm);
		proc_leave();
	}
	return proc_result("mrt_intercomm_merge", rc);
}

static int intercomm_query(const char *name, struct mrt_comm *comm, bool size)
{
	struct mrt_comm *c;
	int rc = proc_enter(name), value = 0;

	if (!rc) {
		c = comm_of(comm);
		if (c)
			value = size ? c->size : c->inter != NULL;
		else
			rc = comm_unknown(comm);
		proc_leave();
	}
	return rc ? proc_result(name, rc) : value;
}

int mrt_comm_is_inter(struct mrt_comm *comm)
{
	return intercomm_query("mrt_comm_is_inter", comm, false);
}

int mrt_comm_remote_size(struct mrt_comm *comm)
{
	return intercomm_query("mrt_comm_remote_size", comm, true);
}
