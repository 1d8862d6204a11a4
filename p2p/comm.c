/* SPDX-License-Identifier: Apache-2.0 */
/* comm.c: the communicator object. Creating one collectively is in
 * coll/comm. */
#include "p2p/comm.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/group.h"
#include "p2p/match.h"
#include "runtime/base/env.h"
#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/engine/proc.h"

struct mrt_comm comm_world, comm_self;
uint64_t comm_ids[COMM_MAX / 64];

/* Ids of communicators that are gone, which come back in this order. With 128
 * others they leave free ones in the first round of a search (comm_id.h). */
enum { RETIRED = 192 };
static uint32_t retired[RETIRED]; /* 0: none */
static unsigned oldest;

static struct list all = LIST_INIT(all); /* those of comm_create */
static struct pool pool = POOL_INIT(struct mrt_comm, 16);

void comm_take_id(struct mrt_comm *comm, int id)
{
	comm->magic = COMM_MAGIC;
	comm->owns_id = true;
	comm->context = context_of_id(id);
	if (comm->outer) {
		comm->outer->magic = COMM_MAGIC;
		comm->outer->context = comm->context;
	}
	comm_ids[id / 64] |= 1ull << (id % 64);
}

static void set_up(struct mrt_comm *comm, int rank, int size, int id)
{
	memset(comm, 0, sizeof(*comm));
	comm->magic = COMM_MAGIC;
	comm->rank = rank;
	comm->size = comm->own_size = size;
	comm->refs = 1;
	list_init(&comm->link);
	if (id >= 0)
		comm_take_id(comm, id);
}

int comm_init(void)
{
	static int me;

	memset(comm_ids, 0, sizeof(comm_ids));
	memset(retired, 0, sizeof(retired));
	list_init(&all);
	set_up(&comm_world, proc.job.rank, proc.job.size, 0);
	comm_world.one_node = proc.job.node_size == proc.job.size;
	set_up(&comm_self, 0, 1, 1);
	me = proc.job.rank;
	comm_self.world = &me;
	comm_self.one_node = true;
	return 0;
}

/* Keeps which ranks of the world these are, unless each is its own. */
static bool keep_ranks(struct mrt_comm *comm, const int *world)
{
	size_t bytes = (size_t)comm->size * sizeof(int);
	int own = 0;

	while (world && own < comm->size && world[own] == own)
		own++;
	if (!world || own == comm->size)
		return true;
	comm->world = malloc(bytes);
	comm->sorted = malloc(bytes);
	if (!comm->world || !comm->sorted)
		return false;
	memcpy(comm->world, world, bytes);
	group_sort(comm->world, comm->size, comm->sorted);
	return true;
}

struct mrt_comm *comm_create(const int *world, int size, int rank, int id)
{
	struct mrt_comm *comm = pool_get(&pool);

	if (!comm)
		return NULL;
	set_up(comm, rank, size, id);
	list_append(&all, &comm->link);
	if (!keep_ranks(comm, world)) {
		comm_release(comm);
		return NULL;
	}
	comm->one_node = true;
	for (int r = 0; r < size; r++)
		comm->one_node &=
		    boot_is_local(&proc.job, comm_world_rank(comm, r));
	return comm;
}

struct mrt_comm *comm_create_inter(struct mrt_comm *merged, int low)
{
	bool in_low = merged->rank < low;
	int own = in_low ? 0 : low, other = in_low ? low : 0;
	int n = in_low ? merged->size - low : low;
	struct mrt_comm *comm = NULL;
	struct comm_inter *i =
	    calloc(1, sizeof(*i) + (size_t)n * sizeof(i->peers[0]));

	for (int r = 0; i && r < n; r++)
		i->peers[r] = comm_world_rank(merged, other + r);
	if (i)
		comm = comm_create(i->peers, n, merged->rank - own, -1);
	if (!comm) {
		free(i);
		return NULL;
	}
	*i = (struct comm_inter){merged, own, other};
	for (int r = 0; r < n; r++)
		i->peers[r] = other + r;
	comm->inter = i;
	comm->own_size = merged->size - n;
	comm->context = merged->context;
	merged->outer = comm;
	return comm;
}

/* Discards the messages for a communicator that has been freed. With MRT_CHECK
 * it warns of them, but not in mrt_finalize, which has already done so. */
static bool messages_forget(uint32_t id)
{
	struct strays strays;
	bool none = match_forget(context_of_id((int)id), &strays);

	if (env.check && proc.state == PROC_READY)
		match_report_strays(&strays, "MRT_CHECK: mrt_comm_free");
	return none;
}

/* Lets the id of a place be used again, unless a message still waits for its
 * receiver there. Messages that came after their communicator was gone are
 * discarded: no rank can have made a new one with that id yet. */
static bool place_free(unsigned k)
{
	uint32_t id = retired[k];

	if (!id)
		return true;
	if (!messages_forget(id))
		return false;
	comm_ids[id / 64] &= ~(1ull << (id % 64));
	retired[k] = 0;
	return true;
}

bool comm_has_retired(void)
{
	for (unsigned k = 0; k < RETIRED; k++)
		if (retired[k])
			return true;
	return false;
}

void comm_free_retired(void)
{
	for (unsigned k = 0; k < RETIRED; k++)
		place_free(k);
}

/* If messages wait at all places, the id is lost. */
static void id_retire(uint32_t id)
{
	messages_forget(id);
	for (int tries = 0; tries < RETIRED; tries++) {
		unsigned k = oldest++ % RETIRED;

		if (!place_free(k))
			continue;
		retired[k] = id;
		return;
	}
}

static void destroy_comm(struct mrt_comm *comm)
{
	if (comm->owns_id)
		id_retire(context_id(comm->context));
	list_remove(&comm->link);
	comm->magic = 0;
	free(comm->inter);
	free(comm->world);
	free(comm->sorted);
	pool_put_last(&pool, comm);
}

void comm_destroy(struct mrt_comm *comm)
{
	struct mrt_comm *merged = comm->inter ? comm->inter->merged : NULL;

	if (merged)
		merged->outer = NULL;
	destroy_comm(comm);
	comm_release(merged);
}

void comm_fini(void)
{
	struct list *it;

	while ((it = list_pop(&all)))
		destroy_comm(list_entry(it, struct mrt_comm, link));
	comm_world.magic = comm_self.magic = 0;
}

size_t comm_count(void)
{
	size_t n = 0;

	list_for_each (it, &all) {
		const struct mrt_comm *c =
		    list_entry(it, struct mrt_comm, link);

		n += c->magic == COMM_MAGIC && !c->outer && !c->hidden;
	}
	return n;
}

int comm_rank_of(const struct mrt_comm *comm, int world)
{
	if (!comm->world)
		return world < comm->size ? world : -1;
	if (!comm->sorted)
		return comm->world[0] == world ? 0 : -1;
	return group_search(comm->world, comm->sorted, comm->size, world);
}

int comm_own_rank_of(const struct mrt_comm *comm, int world)
{
	const struct comm_inter *i = comm->inter;
	int r;

	if (!i)
		return comm_rank_of(comm, world);
	r = comm_rank_of(i->merged, world) - i->own;
	return r >= 0 && r < comm->own_size ? r : -1;
}

int comm_unknown(const struct mrt_comm *handle)
{
	return proc_fail_handle(MRT_ERR_COMM, handle, "a communicator");
}

static int not_ready(const char *call)
{
	return proc_result(call, MRT_ERR_STATE);
}

int mrt_rank(struct mrt_comm *comm)
{
	struct mrt_comm *c = comm_get(comm);

	if (__builtin_expect(proc.state != PROC_READY, 0))
		return not_ready("mrt_rank");
	return c ? c->rank : proc_result("mrt_rank", comm_unknown(comm));
}

int mrt_size(struct mrt_comm *comm)
{
	struct mrt_comm *c = comm_get(comm);

	if (__builtin_expect(proc.state != PROC_READY, 0))
		return not_ready("mrt_size");
	return c ? c->own_size : proc_result("mrt_size", comm_unknown(comm));
}

int comm_failed(struct mrt_comm *handle, const char *call, int code)
{
	if (proc.state == PROC_READY && comm_get(handle))
		proc_fail_comm(handle);
	return proc_failed(call, code);
}

/* Like comm_get, but also accepts a communicator under construction
 * (mrt_comm_idup). */
static struct mrt_comm *comm_known(struct mrt_comm *handle)
{
	struct mrt_comm *c = comm_get(handle);

	if (c || (uintptr_t)handle < MRT_CONSTANTS_END ||
	    handle->magic != COMM_UNNAMED)
		return c;
	return handle;
}

int mrt_comm_set_data(struct mrt_comm *comm, void *data)
{
	struct mrt_comm *c = comm_known(comm);

	if (!c)
		return proc_result("mrt_comm_set_data", comm_unknown(comm));
	c->data = data;
	return 0;
}

void *mrt_comm_data(struct mrt_comm *comm)
{
	struct mrt_comm *c = comm_known(comm);

	return c ? c->data : NULL;
}

/* Compares the callers' own groups, or those that messages go to. */
static enum mrt_comparison compare_groups(const struct mrt_comm *a,
					  const struct mrt_comm *b, bool own)
{
	int n = own ? a->own_size : a->size;
	bool same_order = true;

	if (n != (own ? b->own_size : b->size))
		return MRT_UNEQUAL;
	for (int r = 0; r < n; r++) {
		int x = own ? comm_own_world_rank(a, r) : comm_world_rank(a, r);
		int y = own ? comm_own_world_rank(b, r) : comm_world_rank(b, r);

		same_order &= x == y;
		if ((own ? comm_own_rank_of(b, x) : comm_rank_of(b, x)) < 0)
			return MRT_UNEQUAL;
	}
	return same_order ? MRT_CONGRUENT : MRT_SIMILAR;
}

static enum mrt_comparison comm_compare(const struct mrt_comm *a,
					const struct mrt_comm *b)
{
	enum mrt_comparison own, other;

	if (a == b)
		return MRT_IDENT;
	if (!a->inter != !b->inter)
		return MRT_UNEQUAL;
	own = compare_groups(a, b, true);
	other = compare_groups(a, b, false);
	return own > other ? own : other; /* the weaker */
}

int mrt_comm_compare(struct mrt_comm *a, struct mrt_comm *b,
		     enum mrt_comparison *result)
{
	struct mrt_comm *x = comm_get(a), *y = comm_get(b);
	int rc = proc_enter_local("mrt_comm_compare");

	if (!rc) {
		if (!x || !y)
			rc = comm_unknown(x ? b : a);
		else if (!result)
			rc = proc_fail(MRT_ERR_ARG, "result is NULL");
		else
			*result = comm_compare(x, y);
		proc_leave();
	}
	return proc_result("mrt_comm_compare", rc);
}
