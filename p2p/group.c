/* SPDX-License-Identifier: Apache-2.0 */
/* group.c: groups. Each has an index by world rank, so that no operation takes
 * more than n log n steps. */
#include "p2p/group.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "p2p/comm.h"
#include "runtime/base/pool.h"
#include "runtime/engine/proc.h"

struct pool group_pool = POOL_INIT(struct mrt_group, 32);
static struct mrt_group empty = {.magic = GROUP_MAGIC, .rank = MRT_UNDEFINED};

struct mrt_group *group_get(struct mrt_group *handle)
{
	if (handle == MRT_GROUP_EMPTY)
		return &empty;
	if ((uintptr_t)handle < MRT_CONSTANTS_END ||
	    handle->magic != GROUP_MAGIC)
		return NULL;
	return handle;
}

int group_unknown(const struct mrt_group *handle)
{
	return proc_fail_handle(MRT_ERR_GROUP, handle, "a group");
}

/* ---- The index ---------------------------------------------------------- */

/* The argument of by_world; calls are locked. */
static const int *sort_world;

static int by_world(const void *a, const void *b)
{
	return sort_world[*(const int *)a] - sort_world[*(const int *)b];
}

void group_sort(const int *world, int n, int *sorted)
{
	bool ascending = true;

	for (int r = 0; r < n; r++) {
		sorted[r] = r;
		ascending &= !r || world[r - 1] < world[r];
	}
	sort_world = world;
	if (!ascending)
		qsort(sorted, (size_t)n, sizeof(int), by_world);
}

int group_search(const int *world, const int *sorted, int n, int rank)
{
	int low = 0, high = n;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (world[sorted[mid]] < rank)
			low = mid + 1;
		else
			high = mid;
	}
	return low < n && world[sorted[low]] == rank ? sorted[low] : -1;
}

/* ---- Making and freeing ------------------------------------------------- */

struct mrt_group *group_make(size_t n, struct mrt_buffer *shared)
{
	struct mrt_group *g = pool_get(&group_pool);
	int *ranks = malloc((2 * n + 1) * sizeof(*ranks));

	if (!g || !ranks) {
		if (g)
			pool_put_last(&group_pool, g);
		free(ranks);
		return NULL;
	}
	*g = (struct mrt_group){
	    .magic = GROUP_MAGIC, .world = ranks, .shared = shared};
	return g;
}

void group_destroy(struct mrt_group *g)
{
	if (!g || g == &empty)
		return;
	g->magic = 0;
	free(g->world);
	pool_put_last(&group_pool, g);
}

int group_finish(struct mrt_group *g, struct mrt_group **newgroup)
{
	if (!g)
		return proc_fail(MRT_ERR_NO_MEM, "a group");
	if (!g->size) {
		group_destroy(g);
		*newgroup = MRT_GROUP_EMPTY;
		return 0;
	}
	g->sorted = g->world + g->size;
	group_sort(g->world, g->size, g->sorted);
	g->rank = group_rank_of(g, proc.job.rank);
	if (g->rank < 0)
		g->rank = MRT_UNDEFINED;
	*newgroup = g;
	return 0;
}

/* Makes a group of the caller's own group in comm, or of the remote one. */
static int group_of(struct mrt_comm *comm, bool own, struct mrt_group **group)
{
	struct mrt_comm *c = comm_get(comm);
	struct mrt_group *g;
	int rc = proc_enter(own ? "mrt_comm_group" : "mrt_comm_remote_group");

	if (rc)
		return rc;
	if (!c) {
		rc = comm_unknown(comm);
	} else if (!group) {
		rc = proc_fail(MRT_ERR_ARG, "group is NULL");
	} else {
		int n = own ? c->own_size : c->size;

		g = group_make((size_t)n, c->shared);
		for (int r = 0; g && r < n; r++)
			group_add(g, own ? comm_own_world_rank(c, r)
					 : comm_world_rank(c, r));
		rc = group_finish(g, group);
	}
	proc_leave();
	return rc;
}

int mrt_comm_group(struct mrt_comm *comm, struct mrt_group **group)
{
	return proc_result("mrt_comm_group", group_of(comm, true, group));
}

int mrt_comm_remote_group(struct mrt_comm *comm, struct mrt_group **group)
{
	return proc_result("mrt_comm_remote_group",
			   group_of(comm, false, group));
}

int mrt_group_free(struct mrt_group **group)
{
	struct mrt_group *g;
	int rc = proc_enter("mrt_group_free");

	if (!rc) {
		g = group ? group_get(*group) : NULL;
		if (!g)
			rc = group ? group_unknown(*group)
				   : proc_fail(MRT_ERR_ARG, "group is NULL");
		group_destroy(g);
		if (!rc)
			*group = MRT_GROUP_NULL;
		proc_leave();
	}
	return proc_result("mrt_group_free", rc);
}

int mrt_group_share_buffer(struct mrt_group *group, struct mrt_buffer *buffer)
{
	struct mrt_group *g = group_get(group);
	int rc = proc_enter("mrt_group_share_buffer");

	if (!rc) {
		if (!g)
			rc = group_unknown(group);
		else if (g != &empty) /* which all share */
			g->shared = buffer;
		proc_leave();
	}
	return proc_result("mrt_group_share_buffer", rc);
}

/* ---- Asking ------------------------------------------------------------- */

int mrt_group_size(struct mrt_group *group)
{
	const struct mrt_group *g = group_get(group);

	if (proc.state != PROC_READY)
		return proc_result("mrt_group_size", MRT_ERR_STATE);
	return g ? g->size
		 : proc_result("mrt_group_size", group_unknown(group));
}

int mrt_group_rank(struct mrt_group *group)
{
	const struct mrt_group *g = group_get(group);

	if (proc.state != PROC_READY)
		return proc_result("mrt_group_rank", MRT_ERR_STATE);
	return g ? g->rank
		 : proc_result("mrt_group_rank", group_unknown(group));
}

int group_check_two(struct mrt_group **a, struct mrt_group **b,
		    const void *output)
{
	struct mrt_group *x = group_get(*a), *y = group_get(*b);

	if (!x || !y)
		return group_unknown(x ? *b : *a);
	if (!output)
		return proc_fail(MRT_ERR_ARG, "newgroup or result is NULL");
	*a = x;
	*b = y;
	return 0;
}

static enum mrt_comparison group_compare(const struct mrt_group *a,
					 const struct mrt_group *b)
{
	bool same_order = true;

	if (a->size != b->size)
		return MRT_UNEQUAL;
	for (int k = 0; k < a->size; k++) {
		same_order &= a->world[k] == b->world[k];
		if (a->world[a->sorted[k]] != b->world[b->sorted[k]])
			return MRT_UNEQUAL;
	}
	return same_order ? MRT_IDENT : MRT_SIMILAR;
}

int mrt_group_compare(struct mrt_group *a, struct mrt_group *b,
		      enum mrt_comparison *result)
{
	int rc = proc_enter("mrt_group_compare");

	if (!rc) {
		rc = group_check_two(&a, &b, result);
		if (!rc)
			*result = group_compare(a, b);
		proc_leave();
	}
	return proc_result("mrt_group_compare", rc);
}

int group_check_rank(const struct mrt_group *g, int rank)
{
	return rank >= 0 && rank < g->size
		   ? 0
		   : proc_fail(MRT_ERR_RANK, "rank %d of a group of %d", rank,
			       g->size);
}

static int group_translate(const struct mrt_group *from, size_t n,
			   const int ranks[], const struct mrt_group *to,
			   int translated[])
{
	for (size_t i = 0; i < n; i++)
		if (ranks[i] != MRT_PROC_NULL &&
		    group_check_rank(from, ranks[i]))
			return MRT_ERR_RANK;
	for (size_t i = 0; i < n; i++) {
		int rank = ranks[i];

		if (rank != MRT_PROC_NULL) {
			rank = group_rank_of(to, from->world[rank]);
			if (rank < 0)
				rank = MRT_UNDEFINED;
		}
		translated[i] = rank;
	}
	return 0;
}

int mrt_group_translate_ranks(struct mrt_group *from, size_t n,
			      const int ranks[], struct mrt_group *to,
			      int translated[])
{
	int rc = proc_enter("mrt_group_translate_ranks");

	if (!rc) {
		rc = group_check_two(&from, &to, &from);
		if (!rc && n > INT_MAX)
			rc =
			    proc_fail(MRT_ERR_COUNT, "%td ranks", (ptrdiff_t)n);
		if (!rc && n && (!ranks || !translated))
			rc = proc_fail(MRT_ERR_ARG,
				       "an array of %zu ranks is NULL", n);
		if (!rc)
			rc = group_translate(from, n, ranks, to, translated);
		proc_leave();
	}
	return proc_result("mrt_group_translate_ranks", rc);
}
