/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_create.c: the creation of communicators.
 *
 * Each rank first creates locally what it can; then all agree on an id
 * (comm_id.h), or learn that a rank has failed. All colours of a split share an
 * id, since no rank is in two of them.
 */
#include "coll/comm/comm_create.h"

#include <stdlib.h>

#include "coll/comm/coll_comm.h"
#include "coll/run/coll.h"
#include "coll/comm/comm_id.h"
#include "coll/comm/intercomm.h"
#include "coll/run/comm_topology.h"
#include "coll/call/check.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"

/* ---- Creating ----------------------------------------------------------- */

int comm_broken(int size, int error)
{
	if (error && size > 1)
		fault_raise_text(error,
				 "the %d ranks of a communicator cannot agree "
				 "on a new one (seen by rank %d): %s",
				 size, proc.job.rank, error_text(error));
	return error;
}

struct mrt_comm *comm_prepare(const int *world, int size, int rank)
{
	struct mrt_comm *comm = comm_create(world, size, rank, -1);

	if (comm && coll_comm_prepare(comm)) {
		comm_release(comm);
		return NULL;
	}
	return comm;
}

struct mrt_comm *comm_prepare_inter(const int *world, int size, int rank,
				    int low)
{
	struct mrt_comm *merged = comm_prepare(world, size, rank), *comm;

	if (!merged)
		return NULL;
	comm = comm_create_inter(merged, low);
	if (comm && !coll_comm_prepare(comm))
		return merged;
	if (comm)
		comm_hold(merged);
	comm_release(comm);
	comm_discard(merged);
	return NULL;
}

void comm_discard(struct mrt_comm *comm)
{
	struct mrt_comm *visible = comm_visible(comm);

	if (!comm)
		return;
	coll_comm_destroy(comm);
	coll_comm_destroy(visible);
	comm_release(visible);
}

static int comm_create_search(struct mrt_comm *parent, int failed, int *id)
{
	const struct id_plan plan = {.blocking = true,
				     .most = ID_MANY,
				     .key = parent->context,
				     .failed = failed};
	struct id_search s;
	int rc;

	id_search_begin(&s, &plan);
	do
		rc = comm_broken(
		    parent->size,
		    coll_allreduce_words(parent, s.words, s.n, MRT_BOR));
	while (!rc && !id_search_next(&s, &rc));
	id_search_end(&s, rc);
	*id = s.id;
	return rc;
}

int comm_new_id(struct mrt_comm *comm, int *id)
{
	return comm_create_search(comm, 0, id);
}

int comm_finish(struct mrt_comm *comm, int id, struct mrt_comm **newcomm)
{
	int rc;

	if (!comm) {
		id_give_back(id);
		*newcomm = MRT_COMM_NULL;
		return 0;
	}
	comm_take_id(comm, id);
	rc = comm_broken(comm->size, coll_comm_create(comm));
	if (rc)
		comm_discard(comm);
	else
		*newcomm = comm_visible(comm);
	return rc;
}

int comm_make_prepared(struct mrt_comm *parent, struct mrt_comm *comm, int size,
		       struct mrt_comm **newcomm)
{
	int id, rc = 0;

	if (size && !comm)
		rc = proc_fail(MRT_ERR_NO_MEM, "a communicator of %d", size);
	comm_share(comm, parent->shared);
	rc = comm_create_search(parent, rc, &id);
	if (rc) {
		comm_discard(comm);
		return rc;
	}
	return comm_finish(comm, id, newcomm);
}

int comm_make(struct mrt_comm *parent, const int *world, int size, int rank,
	      struct mrt_comm **newcomm)
{
	struct mrt_comm *comm = size ? comm_prepare(world, size, rank) : NULL;

	return comm_make_prepared(parent, comm, size, newcomm);
}

int comm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm)
{
	int *world, rc;

	if (comm->inter)
		return intercomm_dup(comm, newcomm);
	world = malloc((size_t)comm->size * sizeof(*world));
	if (!world) /* the others must learn of it */
		return comm_make_prepared(comm, NULL, comm->size, newcomm);
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

int comm_exchange_keys(struct mrt_comm *comm, int color, int key,
		       uint64_t *table)
{
	table[comm->rank] = (uint64_t)(uint32_t)color << 32 | (uint32_t)key;
	return comm_broken(comm->size, coll_allgather_words(comm, table));
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

int comm_split(struct mrt_comm *comm, int color, int key,
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
	else /* it cannot even tell the others */
		rc =
		    comm_broken(all->size, proc_fail(MRT_ERR_NO_MEM,
						     "tables of %zu ranks", n));
	free(world);
	free(members);
	free(table);
	return rc;
}

/* ---- Calls -------------------------------------------------------------- */

static int comm_create_check(struct mrt_comm *handle, struct mrt_comm **newcomm,
			     struct mrt_comm **comm)
{
	*comm = comm_of(handle);
	if (!*comm)
		return comm_unknown(handle);
	if (!newcomm)
		return proc_fail(MRT_ERR_ARG, "newcomm is NULL");
	return 0;
}

int mrt_comm_dup(struct mrt_comm *comm, struct mrt_comm **newcomm)
{
	struct mrt_comm *c;
	int rc = proc_enter("mrt_comm_dup");

	if (!rc) {
		rc = comm_create_check(comm, newcomm, &c);
		if (!rc)
			rc = check_call(c, "mrt_comm_dup", -1);
		if (!rc)
			rc = comm_dup(c, newcomm);
		proc_leave();
	}
	return proc_result("mrt_comm_dup", rc);
}

int mrt_comm_idup(struct mrt_comm *comm, struct mrt_comm **newcomm,
		  struct mrt_request **request)
{
	struct mrt_comm *c;
	int rc = proc_enter("mrt_comm_idup");

	if (!rc) {
		rc = comm_create_check(comm, newcomm, &c);
		if (!rc && !request)
			rc = proc_fail(MRT_ERR_ARG, "request is NULL");
		if (!rc)
			rc = comm_idup(c, newcomm, request);
		proc_leave();
	}
	return proc_result("mrt_comm_idup", rc);
}

int mrt_comm_split(struct mrt_comm *comm, int color, int key,
		   struct mrt_comm **newcomm)
{
	struct mrt_comm *c;
	int rc = proc_enter("mrt_comm_split");

	if (!rc) {
		rc = comm_create_check(comm, newcomm, &c);
		if (!rc && color < 0 && color != MRT_UNDEFINED)
			rc = proc_fail(MRT_ERR_ARG, "colour %d is negative",
				       color);
		if (!rc)
			rc = check_call(c, "mrt_comm_split", -1);
		if (!rc)
			rc = comm_split(c, color, key, newcomm);
		proc_leave();
	}
	return proc_result("mrt_comm_split", rc);
}

static int check_locality(int locality)
{
	if (locality == MRT_LOCALITY_NODE || locality == MRT_LOCALITY_CACHE ||
	    locality == MRT_UNDEFINED)
		return 0;
	return proc_fail(MRT_ERR_ARG, "no such locality: %d", locality);
}

static int split_locality(const char *name, struct mrt_comm *comm, int locality,
			  int key, struct mrt_comm **newcomm)
{
	struct mrt_comm *c;
	int color, rc = proc_enter(name);

	if (rc)
		return rc;
	rc = comm_create_check(comm, newcomm, &c);
	if (!rc)
		rc = check_locality(locality);
	if (!rc)
		rc = comm_broken(c->size, topology_part(locality, &color));
	if (!rc)
		rc = check_call(c, name, -1);
	if (!rc)
		rc = comm_split(c, color, key, newcomm);
	proc_leave();
	return rc;
}

int mrt_comm_split_node(struct mrt_comm *comm, int key,
			struct mrt_comm **newcomm)
{
	const char *name = "mrt_comm_split_node";

	return proc_result(
	    name, split_locality(name, comm, MRT_LOCALITY_NODE, key, newcomm));
}

int mrt_comm_split_locality(struct mrt_comm *comm, int locality, int key,
			    struct mrt_comm **newcomm)
{
	const char *name = "mrt_comm_split_locality";

	return proc_result(name,
			   split_locality(name, comm, locality, key, newcomm));
}

int mrt_comm_locality(struct mrt_comm *comm)
{
	struct mrt_comm *c;
	int locality = MRT_UNDEFINED, rc = proc_enter("mrt_comm_locality");

	if (!rc) {
		c = comm_of(comm);
		rc = c ? topology_divides(c, &locality) : comm_unknown(comm);
		proc_leave();
	}
	return rc ? proc_result("mrt_comm_locality", rc) : locality;
}
