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
#include <string.h>

#include "coll/comm/coll_comm.h"
#include "coll/run/coll.h"
#include "coll/comm/comm_id.h"
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

struct mrt_comm *comm_prepare_copy(const struct mrt_comm *comm)
{
	if (!comm->outer)
		return comm_prepare(comm->world, comm->size, comm->rank);
	return comm_prepare_inter(comm->world, comm->size, comm->rank,
				  comm_low(comm->outer));
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
	struct mrt_comm *all = comm->inter ? comm->inter->merged : comm;

	return comm_make_prepared(all, comm_prepare_copy(all), all->size,
				  newcomm);
}

/* ---- Splitting ---------------------------------------------------------- */

/* KEYS ranks exchange their colours and keys at a time: a split takes memory
 * for these and for its members, not for all ranks. */
enum { KEYS = 8192 };

struct member {
	int32_t key;
	int rank; /* in the old communicator */
};

/* `struct members` lists the ranks of one colour. */
struct members {
	struct member *of; /* [n] */
	int n;
	int low; /* those of the first group of an intercommunicator */
};

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->rank - y->rank;
}

/* members_add adds those of n ranks, from `first` on, that have this colour. */
static int members_add(struct members *m, const uint64_t *words, int first,
		       int n, int color)
{
	struct member *of = realloc(m->of, (size_t)(m->n + n) * sizeof(*of));

	if (!of)
		return proc_fail(MRT_ERR_NO_MEM, "members of a communicator");
	m->of = of;
	for (int k = 0; k < n && color != MRT_UNDEFINED; k++)
		if ((int32_t)(words[k] >> 32) == color)
			of[m->n++] = (struct member){
			    (int32_t)(uint32_t)words[k], first + k};
	return 0;
}

/* keys_exchange gathers the words of n ranks, from `first` on, of which each
 * rank gives its own. */
static int keys_exchange(struct mrt_comm *comm, uint64_t word, uint64_t *words,
			 int first, int n)
{
	int own = comm->rank - first;

	memset(words, 0, (size_t)n * sizeof(*words));
	if (own >= 0 && own < n)
		words[own] = word;
	return n == comm->size
		   ? coll_allgather_words(comm, words)
		   : coll_allreduce_words(comm, words, (size_t)n, MRT_BOR);
}

/* members_find lists the ranks of the caller's colour, ascending. words[] has
 * room for those of KEYS ranks. */
static int members_find(struct mrt_comm *comm, int color, int key,
			uint64_t *words, struct members *m)
{
	uint64_t word = (uint64_t)(uint32_t)color << 32 | (uint32_t)key;
	int rc = 0;

	for (int first = 0, n; !rc && first < comm->size; first += n) {
		n = comm->size - first < KEYS ? comm->size - first : KEYS;
		rc = keys_exchange(comm, word, words, first, n);
		if (!rc)
			rc = members_add(m, words, first, n, color);
	}
	return rc;
}

/* members_sort puts the members of each group in the order of their keys. `low`
 * ranks are in the first group. */
static void members_sort(struct members *m, int low)
{
	while (m->low < m->n && m->of[m->low].rank < low)
		m->low++;
	qsort(m->of, (size_t)m->low, sizeof(*m->of), by_key);
	qsort(m->of + m->low, (size_t)(m->n - m->low), sizeof(*m->of), by_key);
}

/* members_prepare prepares the communicator of the members. NULL: there are
 * none, or no memory. */
static struct mrt_comm *members_prepare(const struct mrt_comm *comm,
					const struct members *m)
{
	struct mrt_comm *new = NULL;
	int *world, me = 0;

	if (m->n < 1)
		return NULL;
	world = malloc((size_t)m->n * sizeof(*world));
	for (int k = 0; world && k < m->n; k++) {
		world[k] = comm_world_rank(comm, m->of[k].rank);
		if (m->of[k].rank == comm->rank)
			me = k;
	}
	if (world)
		new = m->low ? comm_prepare_inter(world, m->n, me, m->low)
			     : comm_prepare(world, m->n, me);
	free(world);
	return new;
}

int comm_split(struct mrt_comm *comm, int color, int key,
	       struct mrt_comm **newcomm)
{
	struct mrt_comm *all = comm->inter ? comm->inter->merged : comm;
	uint64_t *words = malloc(KEYS * sizeof(*words));
	struct members m = {0};
	int rc = words ? members_find(all, color, key, words, &m)
		       : proc_fail(MRT_ERR_NO_MEM, "keys of %d ranks", KEYS);

	/* a rank without memory cannot even tell the others */
	comm_broken(all->size, rc);
	if (!rc) {
		members_sort(&m, comm->inter ? comm_low(comm) : 0);
		if (comm->inter && (!m.low || m.low == m.n)) /* empty group */
			m.n = 0;
		rc = comm_make_prepared(all, members_prepare(all, &m), m.n,
					newcomm);
	}
	free(words);
	free(m.of);
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
