/* SPDX-License-Identifier: Apache-2.0 */
/* group_algebra.c: makes groups from groups. */
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "p2p/group.h"
#include "runtime/engine/proc.h"

/* ---- Of two groups ------------------------------------------------------ */

/* Adds the ranks of `from` that are (in) or are not in `other`. */
static void add_those(struct mrt_group *g, const struct mrt_group *from,
		      const struct mrt_group *other, bool in)
{
	for (int r = 0; r < from->size; r++)
		if ((group_rank_of(other, from->world[r]) >= 0) == in)
			group_add(g, from->world[r]);
}

static int group_algebra_unite(const struct mrt_group *a,
			       const struct mrt_group *b,
			       struct mrt_group **newgroup)
{
	struct mrt_group *g = group_make((size_t)a->size + (size_t)b->size,
					 a->shared ?: b->shared);

	if (g) {
		for (int r = 0; r < a->size; r++)
			group_add(g, a->world[r]);
		add_those(g, b, a, false);
	}
	return group_finish(g, newgroup);
}

int mrt_group_union(struct mrt_group *a, struct mrt_group *b,
		    struct mrt_group **newgroup)
{
	int rc = proc_enter("mrt_group_union");

	if (!rc) {
		rc = group_check_two(&a, &b, newgroup)
			 ?: group_algebra_unite(a, b, newgroup);
		proc_leave();
	}
	return proc_result("mrt_group_union", rc);
}

/* Makes a group of the ranks of a that are (in) or are not in b. */
static int group_algebra_choose(struct mrt_group *a, struct mrt_group *b,
				bool in, struct mrt_group **newgroup)
{
	struct mrt_group *g;
	int rc =
	    proc_enter(in ? "mrt_group_intersection" : "mrt_group_difference");

	if (rc)
		return rc;
	rc = group_check_two(&a, &b, newgroup);
	if (!rc) {
		g = group_make((size_t)a->size, a->shared);
		if (g)
			add_those(g, a, b, in);
		rc = group_finish(g, newgroup);
	}
	proc_leave();
	return rc;
}

int mrt_group_intersection(struct mrt_group *a, struct mrt_group *b,
			   struct mrt_group **newgroup)
{
	return proc_result("mrt_group_intersection",
			   group_algebra_choose(a, b, true, newgroup));
}

int mrt_group_difference(struct mrt_group *a, struct mrt_group *b,
			 struct mrt_group **newgroup)
{
	return proc_result("mrt_group_difference",
			   group_algebra_choose(a, b, false, newgroup));
}

/* ---- Some ranks of a group ----------------------------------------------- */

/* A list of ranks, or of ranges {first, last, stride}. */
struct rank_list {
	size_t n;
	const int *ranks;	/* [n], or NULL */
	const int (*ranges)[3]; /* [n], or NULL */
};

struct range {
	int first, stride;
	long steps; /* to the last rank */
};

static int take_range(const struct mrt_group *g, const struct rank_list *list,
		      size_t i, struct range *r)
{
	int first, last, stride = 1;
	long steps;

	if (list->ranks) {
		first = last = list->ranks[i];
	} else {
		first = list->ranges[i][0];
		last = list->ranges[i][1];
		stride = list->ranges[i][2];
	}
	if (group_check_rank(g, first))
		return MRT_ERR_RANK;
	if (!stride || (stride > 0 ? last < first : last > first))
		return proc_fail(
		    MRT_ERR_ARG,
		    "range %zu from %d does not come to %d by steps of %d", i,
		    first, last, stride);
	/* long, since the difference of two ints may overflow */
	steps = ((long)last - first) / stride;
	*r = (struct range){first, stride, steps};
	return group_check_rank(g, (int)(first + steps * stride));
}

/* Marks the ranks of a list in map, and adds them to `into` in their order
 * unless it is NULL. */
static int group_algebra_mark(const struct mrt_group *g,
			      const struct rank_list *list, unsigned char *map,
			      struct mrt_group *into)
{
	struct range range = {0, 1, 0};

	for (size_t i = 0; i < list->n; i++) {
		int rc = take_range(g, list, i, &range);

		if (rc)
			return rc;
		for (int k = 0; k <= range.steps; k++) {
			int r = range.first + k * range.stride;

			if (map[r])
				return proc_fail(MRT_ERR_RANK,
						 "rank %d is named twice", r);
			map[r] = 1;
			if (into)
				group_add(into, g->world[r]);
		}
	}
	return 0;
}

static void add_unmarked(struct mrt_group *into, const struct mrt_group *g,
			 const unsigned char *map)
{
	for (int r = 0; r < g->size; r++)
		if (!map[r])
			group_add(into, g->world[r]);
}

/* Makes a group of the ranks in the list, in its order, or of all others, in
 * the group's order. */
static int group_algebra_pick(struct mrt_group *g, const struct rank_list *list,
			      bool in, struct mrt_group **newgroup)
{
	struct mrt_group *made = group_make((size_t)g->size, g->shared);
	unsigned char *map = calloc((size_t)g->size + 1, 1);
	int rc = map && made
		     ? group_algebra_mark(g, list, map, in ? made : NULL)
		     : proc_fail(MRT_ERR_NO_MEM, "a group");

	if (!rc && !in)
		add_unmarked(made, g, map);
	free(map);
	if (!rc)
		return group_finish(made, newgroup);
	group_destroy(made);
	return rc;
}

static int check_and_pick(const char *call, struct mrt_group *group,
			  const struct rank_list *list, bool in,
			  struct mrt_group **newgroup)
{
	struct mrt_group *g = group_get(group);
	int rc = proc_enter(call);

	if (rc)
		return proc_result(call, rc);
	if (!g)
		rc = group_unknown(group);
	else if (!newgroup)
		rc = proc_fail(MRT_ERR_ARG, "newgroup is NULL");
	else if (list->n && !list->ranks && !list->ranges)
		rc = proc_fail(MRT_ERR_ARG, "the list of %zu is NULL", list->n);
	else if (list->n > INT_MAX)
		rc = proc_fail(MRT_ERR_COUNT, "a list of %td",
			       (ptrdiff_t)list->n);
	else
		rc = group_algebra_pick(g, list, in, newgroup);
	proc_leave();
	return proc_result(call, rc);
}

int mrt_group_incl(struct mrt_group *group, size_t n, const int ranks[],
		   struct mrt_group **newgroup)
{
	const struct rank_list list = {n, ranks, NULL};

	return check_and_pick("mrt_group_incl", group, &list, true, newgroup);
}

int mrt_group_excl(struct mrt_group *group, size_t n, const int ranks[],
		   struct mrt_group **newgroup)
{
	const struct rank_list list = {n, ranks, NULL};

	return check_and_pick("mrt_group_excl", group, &list, false, newgroup);
}

int mrt_group_range_incl(struct mrt_group *group, size_t n,
			 const int ranges[][3], struct mrt_group **newgroup)
{
	const struct rank_list list = {n, NULL, ranges};

	return check_and_pick("mrt_group_range_incl", group, &list, true,
			      newgroup);
}

int mrt_group_range_excl(struct mrt_group *group, size_t n,
			 const int ranges[][3], struct mrt_group **newgroup)
{
	const struct rank_list list = {n, NULL, ranges};

	return check_and_pick("mrt_group_range_excl", group, &list, false,
			      newgroup);
}
