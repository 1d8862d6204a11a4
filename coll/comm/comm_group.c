/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_group.c: communicators created from groups.
 *
 * mrt_comm_create_group has no communicator to search for an id on: its ranks
 * send messages up and down a binomial tree of the group, in a context derived
 * from the parent's, with the caller's tag.
 */
#include "coll/comm/comm_create.h"
#include "coll/comm/comm_id.h"
#include "coll/call/check.h"
#include "p2p/group.h"
#include "p2p/p2p.h"
#include "runtime/engine/proc.h"

/* The ranks that search for an id without a communicator. */
struct group_tree {
	const struct mrt_group *group;
	uint32_t context;
	int tag;
};

static int comm_group_receive(const struct group_tree *c, int from,
			      uint64_t *words, size_t n)
{
	struct mrt_request req;

	request_prepare(&req, REQ_RECV);
	p2p_irecv(&req, words, n * sizeof(*words), c->group->world[from],
		  c->tag, c->context);
	return p2p_wait(&req);
}

static int comm_group_tell(const struct group_tree *c, int to,
			   const uint64_t *words, size_t n)
{
	return p2p_send(words, n * sizeof(*words), c->group->world[to], c->tag,
			c->context);
}

/* ORs words over the group: up a tree, then down. */
static int or_words(const struct group_tree *c, uint64_t *words, size_t n)
{
	uint64_t theirs[ID_MANY];
	int me = c->group->rank, rc = 0, bit;

	for (bit = 1; !(me & bit) && bit < c->group->size && !rc; bit *= 2) {
		if (me + bit >= c->group->size)
			continue;
		rc = comm_group_receive(c, me + bit, theirs, n);
		for (size_t i = 0; i < n && !rc; i++)
			words[i] |= theirs[i];
	}
	if (me && !rc)
		rc = comm_group_tell(c, me - bit, words, n);
	if (me && !rc)
		rc = comm_group_receive(c, me - bit, words, n);
	while ((bit /= 2) && !rc)
		if (me + bit < c->group->size)
			rc = comm_group_tell(c, me + bit, words, n);
	return rc;
}

static int comm_group_search(const struct group_tree *c, int failed, int *id)
{
	const struct id_plan plan = {.blocking = true,
				     .most = ID_FEW,
				     .key = c->context + (uint32_t)c->tag * 31,
				     .failed = failed};
	struct id_search s;
	int rc;

	id_search_begin(&s, &plan);
	do
		rc = comm_broken(c->group->size, or_words(c, s.words, s.n));
	while (!rc && !id_search_next(&s, &rc));
	id_search_end(&s, rc);
	*id = s.id;
	return rc;
}

static int comm_group_make(const struct group_tree *c,
			   struct mrt_comm **newcomm)
{
	const struct mrt_group *g = c->group;
	struct mrt_comm *comm = comm_prepare(g->world, g->size, g->rank);
	int id, rc = 0;

	if (!comm)
		rc = proc_fail(MRT_ERR_NO_MEM, "a communicator of %d", g->size);
	comm_share(comm, g->shared);
	rc = comm_group_search(c, rc, &id);
	if (rc) {
		comm_discard(comm);
		return rc;
	}
	return comm_finish(comm, id, newcomm);
}

static int comm_group_check(struct mrt_comm **comm, struct mrt_group **group,
			    struct mrt_comm **newcomm)
{
	struct mrt_comm *c = comm_of(*comm);
	struct mrt_group *g = group_get(*group);

	if (!c)
		return comm_unknown(*comm);
	if (!g)
		return group_unknown(*group);
	if (!newcomm)
		return proc_fail(MRT_ERR_ARG, "newcomm is NULL");
	for (int r = 0; r < g->size; r++)
		if (comm_own_rank_of(c, g->world[r]) < 0)
			return proc_fail(
			    MRT_ERR_GROUP,
			    "rank %d of the group is not in the communicator",
			    r);
	*comm = c;
	*group = g;
	return 0;
}

static int comm_group_create(struct mrt_comm *comm,
			     const struct mrt_group *group,
			     struct mrt_comm **newcomm)
{
	bool in = group->rank != MRT_UNDEFINED;

	/* both groups have to learn who is in */
	if (comm->inter)
		return comm_split(comm, in ? 0 : MRT_UNDEFINED,
				  in ? group->rank : 0, newcomm);
	return comm_make(comm, group->world, in ? group->size : 0, group->rank,
			 newcomm);
}

int mrt_comm_create(struct mrt_comm *comm, struct mrt_group *group,
		    struct mrt_comm **newcomm)
{
	int rc = proc_enter("mrt_comm_create");

	if (!rc) {
		rc = comm_group_check(&comm, &group, newcomm);
		if (!rc)
			rc = check_call(comm, "mrt_comm_create", -1);
		if (!rc)
			rc = comm_group_create(comm, group, newcomm);
		proc_leave();
	}
	return proc_result("mrt_comm_create", rc);
}

int mrt_comm_create_group(struct mrt_comm *comm, struct mrt_group *group,
			  int tag, struct mrt_comm **newcomm)
{
	int rc = proc_enter("mrt_comm_create_group");

	if (rc)
		return proc_result("mrt_comm_create_group", rc);
	rc = comm_group_check(&comm, &group, newcomm);
	if (!rc && comm->inter)
		rc = proc_fail(MRT_ERR_COMM, "comm is an intercommunicator");
	if (!rc && tag < 0)
		rc = proc_fail(MRT_ERR_TAG, "tag %d, valid are 0..%d", tag,
			       MRT_TAG_MAX);
	if (!rc && group->rank == MRT_UNDEFINED) {
		*newcomm = MRT_COMM_NULL;
	} else if (!rc) {
		const struct group_tree c = {
		    group, comm->context | CONTEXT_GROUP, tag};

		rc = comm_group_make(&c, newcomm);
	}
	proc_leave();
	return proc_result("mrt_comm_create_group", rc);
}
