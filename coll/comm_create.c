/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_create.c: making and freeing communicators, together.
 *
 * A new one needs an id that is free on all its ranks: the ranks of the old
 * communicator reduce their maps of ids by OR, a few words at a time, and take
 * the lowest free one. All colours of a split share an id: no rank is in two.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/comm_create.h"
#include "coll/intercomm.h"
#include "runtime/proc.h"

/* ---- Agreeing on an id -------------------------------------------------- */

enum {
	ID_WORDS = COMM_MAX / 64,
	FIRST_WORDS = 5, /* with the flag word they fit one line (direct.h) */
	MORE_WORDS = 63
};

/* One thread of a process at a time offers ids; a second one (of another
 * communicator) says so, and its group tries again. */
static bool offering;

/* words[n]: ids in use anywhere, from `at` on; then the flag. */
static int reduce_map(struct mrt_comm *comm, uint64_t *words, size_t at,
		      size_t n, bool busy)
{
	memcpy(words, comm_ids + at, n * sizeof(*words));
	words[n] = busy;
	return coll_allreduce_words(comm, words, n + 1, MRT_BOR);
}

static int first_free(const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (~words[i])
			return (int)(i * 64) + __builtin_ctzll(~words[i]);
	return -1;
}

/* One try: *id, or -1 when another thread was in the way. */
static int find_id(struct mrt_comm *comm, bool busy, int *id)
{
	uint64_t words[MORE_WORDS + 1];
	size_t n = FIRST_WORDS;

	for (size_t at = 0; at < ID_WORDS; at += n, n = MORE_WORDS) {
		int rc, k;

		if (n > ID_WORDS - at)
			n = ID_WORDS - at;
		rc = reduce_map(comm, words, at, n, busy);
		if (rc)
			return rc;
		k = first_free(words, n);
		*id = words[n] || k < 0 ? -1 : (int)(at * 64) + k;
		if (words[n] || k >= 0)
			return 0;
		if (at + n == ID_WORDS)
			break;
	}
	return proc_fail(MRT_ERR_RESOURCE,
			 "%d communicators exist, the most there can be",
			 COMM_MAX);
}

int comm_agree_on_id(struct mrt_comm *comm, int *id)
{
	int rc;

	do {
		bool busy = offering;

		if (!busy)
			offering = true;
		rc = find_id(comm, busy, id);
		if (!rc && *id >= 0)
			comm_ids[*id / 64] |= 1ull << (*id % 64);
		if (!busy)
			offering = false;
	} while (!rc && *id < 0);
	return rc;
}

static void release_id(int id)
{
	comm_ids[id / 64] &= ~(1ull << (id % 64));
}

/* ---- Creating ----------------------------------------------------------- */

int comm_make(struct mrt_comm *parent, const int *world, int size, int rank,
	      struct mrt_comm **newcomm)
{
	struct mrt_comm *comm = NULL;
	uint64_t failed;
	int id, rc = comm_agree_on_id(parent, &id);

	if (rc)
		return rc;
	if (size) {
		comm = comm_create(world, size, rank, id);
		failed = !comm;
	} else {
		release_id(id);
		failed = 0;
	}
	rc = coll_allreduce_words(parent, &failed, 1, MRT_BOR);
	if (!rc && failed)
		rc = proc_fail(MRT_ERR_NO_MEM, "a communicator of %d", size);
	if (!rc && comm)
		rc = coll_comm_create(comm);
	if (rc && comm) {
		coll_comm_destroy(comm);
		comm_release(comm);
		return rc;
	}
	if (rc && size)
		release_id(id);
	if (!rc)
		*newcomm = comm ? comm : MRT_COMM_NULL;
	return rc;
}

static int dup(struct mrt_comm *comm, struct mrt_comm **newcomm)
{
	int *world, rc;

	if (comm->inter)
		return intercomm_dup(comm, newcomm);
	world = malloc((size_t)comm->size * sizeof(*world));
	if (!world)
		return proc_fail(MRT_ERR_NO_MEM, "list of %d ranks",
				 comm->size);
	for (int r = 0; r < comm->size; r++)
		world[r] = comm_world_rank(comm, r);
	rc = comm_make(comm, world, comm->size, comm->rank, newcomm);
	free(world);
	return rc;
}

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->rank - y->rank;
}

/* A table that is zero but for one's own entry, summed. */
int comm_exchange_keys(struct mrt_comm *comm, int color, int key,
		       uint64_t *table)
{
	memset(table, 0, (size_t)comm->size * sizeof(*table));
	table[comm->rank] = (uint64_t)(uint32_t)color << 32 | (uint32_t)key;
	return coll_allreduce_words(comm, table, (size_t)comm->size, MRT_BOR);
}

int comm_choose(const uint64_t *table, int first, int end, int color,
		struct member *members)
{
	int n = 0;

	for (int r = first; r < end; r++) {
		struct member m = {(int32_t)(table[r] >> 32),
				   (int32_t)(uint32_t)table[r], r};

		if (color != MRT_UNDEFINED && m.color == color)
			members[n++] = m;
	}
	qsort(members, (size_t)n, sizeof(*members), by_key);
	return n;
}

static int split_with(struct mrt_comm *comm, int color, int key,
		      struct mrt_comm **newcomm, uint64_t *table,
		      struct member *members, int *world)
{
	int n, me = 0, rc = comm_exchange_keys(comm, color, key, table);

	if (rc)
		return rc;
	n = comm_choose(table, 0, comm->size, color, members);
	for (int k = 0; k < n; k++) {
		world[k] = comm_world_rank(comm, members[k].rank);
		if (members[k].rank == comm->rank)
			me = k;
	}
	return comm_make(comm, world, n, me, newcomm);
}

static int split(struct mrt_comm *comm, int color, int key,
		 struct mrt_comm **newcomm)
{
	struct mrt_comm *all = comm->inter ? comm->inter->merged : comm;
	size_t n = (size_t)all->size;
	uint64_t *table = malloc(n * sizeof(*table));
	struct member *members = malloc(n * sizeof(*members));
	int *world = malloc(n * sizeof(*world));
	int rc;

	if (table && members && world)
		rc = (comm->inter ? intercomm_split : split_with)(
		    comm, color, key, newcomm, table, members, world);
	else
		rc = proc_fail(MRT_ERR_NO_MEM, "tables of %zu ranks", n);
	free(world);
	free(members);
	free(table);
	return rc;
}

/* ---- Calls -------------------------------------------------------------- */

/* NULL: no communicator, or a freed one, held by requests. */
static struct mrt_comm *comm_of(struct mrt_comm *handle)
{
	struct mrt_comm *comm = comm_get(handle);

	return comm && comm->coll ? comm : NULL;
}

static int check(struct mrt_comm *handle, struct mrt_comm **newcomm,
		 struct mrt_comm **comm)
{
	*comm = comm_of(handle);
	if (!*comm)
		return proc_fail(MRT_ERR_COMM, "%p is not a communicator",
				 (void *)handle);
	if (!newcomm)
		return proc_fail(MRT_ERR_ARG, "newcomm is NULL");
	return 0;
}

int mrt_comm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm)
{
	struct mrt_comm *c;
	int rc = proc_enter();

	if (!rc) {
		rc = check(comm, newcomm, &c);
		if (!rc)
			rc = dup(c, newcomm);
		proc_leave();
	}
	return proc_result("mrt_comm_dup", rc);
}

int mrt_comm_split(struct mrt_comm *comm, int color, int key,
		   struct mrt_comm **newcomm)
{
	struct mrt_comm *c;
	int rc = proc_enter();

	if (!rc) {
		rc = check(comm, newcomm, &c);
		if (!rc && color < 0 && color != MRT_UNDEFINED)
			rc = proc_fail(MRT_ERR_ARG, "colour %d is negative",
				       color);
		if (!rc)
			rc = split(c, color, key, newcomm);
		proc_leave();
	}
	return proc_result("mrt_comm_split", rc);
}

int mrt_comm_split_node(struct mrt_comm *comm, int key,
			struct mrt_comm **newcomm)
{
	struct mrt_comm *c;
	int rc = proc_enter();

	if (!rc) {
		rc = check(comm, newcomm, &c);
		/* the node's lowest world rank names it */
		if (!rc)
			rc = split(c, proc.job.node_ranks[0], key, newcomm);
		proc_leave();
	}
	return proc_result("mrt_comm_split_node", rc);
}

static int free_comm(struct mrt_comm *comm)
{
	struct mrt_comm *merged = comm->inter ? comm->inter->merged : NULL;
	int rc = coll_quiesce(merged ? merged : comm);

	if (rc)
		return rc;
	if (merged)
		coll_comm_destroy(merged);
	coll_comm_destroy(comm);
	comm_release(comm);
	return 0;
}

int mrt_comm_free(struct mrt_comm **comm)
{
	struct mrt_comm *c;
	int rc = proc_enter();

	if (!rc) {
		c = comm ? comm_of(*comm) : NULL;
		if (!c)
			rc = proc_fail(MRT_ERR_COMM, "not a communicator");
		else if (c == &comm_world || c == &comm_self)
			rc = proc_fail(MRT_ERR_COMM,
				       "world and self are never freed");
		else
			rc = free_comm(c);
		if (!rc)
			*comm = MRT_COMM_NULL;
		proc_leave();
	}
	return proc_result("mrt_comm_free", rc);
}
