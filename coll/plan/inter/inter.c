/* SPDX-License-Identifier: Apache-2.0 */
/* inter.c: the functions that the plans between two groups share. */
#include "coll/plan/inter/inter.h"

#include "coll/plan/model.h"
#include "coll/plan/select.h"
#include "coll/plan/topology.h"

const struct algorithm *inter_algorithm(enum collective collective)
{
	static const struct algorithm *const algorithms[COLLECTIVES] = {
	    [COLL_BCAST] = &inter_bcast,
	    [COLL_REDUCE] = &inter_reduce,
	    [COLL_ALLREDUCE] = &inter_allreduce,
	    [COLL_REDUCE_SCATTER] = &inter_reduce_scatter,
	};

	return algorithms[collective];
}

struct side_of_two inter_own(const struct shape *shape, int rank)
{
	if (rank < shape->low)
		return (struct side_of_two){0, shape->low};
	return (struct side_of_two){shape->low, shape->size - shape->low};
}

struct side_of_two inter_other(const struct shape *shape, int rank)
{
	return inter_own(shape, rank < shape->low ? shape->low : 0);
}

/* Chooses an algorithm by what all ranks of the group know: that of the tuning
 * file, or the default. Cells are excluded, since the other ranks would not
 * know of them. */
static struct choice inter_choose(const struct shape *shape,
				  enum collective collective,
				  const struct shape *inner)
{
	bool inter_node = shape->topo && shape->topo->nodes > 1;
	const struct machine machine = {.medium = inter_node ? MEDIUM_NET
							     : MEDIUM_SM};

	return select_default(collective, inner, &machine);
}

/* Lists the ranks of the collective and sets *me to the index of `rank`.
 * Returns NULL without memory. */
static int *list_members(struct plan *plan, const struct inter_embed *e,
			 int rank, int *me)
{
	int first = e->extra >= 0, n = e->group.size + first;
	int *members = plan_scratch(plan, (size_t)n * sizeof(*members));

	for (int i = 0; i < n && members; i++) {
		members[i] = i < first ? e->extra : e->group.first + i - first;
		if (members[i] == rank)
			*me = i;
	}
	return members;
}

uint32_t inter_embed(struct plan *plan, const struct shape *shape, int rank,
		     const struct inter_embed *e)
{
	struct shape inner = {.size = e->group.size + (e->extra >= 0),
			      .root = e->root,
			      .count = e->count,
			      .type_size = shape->type_size,
			      .commutative = shape->commutative,
			      .combine = shape->combine,
			      .no_cells = true};
	struct choice choice = inter_choose(shape, e->collective, &inner);
	struct embed embed = {.algorithm = choice.algorithm,
			      .shape = inner,
			      .send = e->send,
			      .recv = e->recv,
			      .number = e->number,
			      .after = e->after};

	embed.members = list_members(plan, e, rank, &embed.rank);
	embed.shape.arg = choice.arg;
	return embed.members ? plan_embed(plan, embed) : 0;
}

struct ref inter_reduce_own(struct plan *plan, const struct shape *shape,
			    int rank, size_t count, uint32_t *after)
{
	struct inter_embed e = {.collective = COLL_REDUCE,
				.group = inter_own(shape, rank),
				.extra = -1,
				.count = count,
				.send = ref(BUF_SEND, 0),
				.number = INTER_IN};

	*after = 0;
	if (e.group.size == 1)
		return e.send;
	if (rank == e.group.first)
		e.recv = ref(plan_tmp(plan, count), 0);
	*after = inter_embed(plan, shape, rank, &e);
	return e.recv;
}

uint32_t inter_swap(struct plan *plan, const struct shape *shape, int rank,
		    struct ref out, struct ref in, size_t count, uint32_t after)
{
	int peer = inter_other(shape, rank).first;

	plan_send(plan, peer, inter_message(out, count), after, 0);
	return plan_recv(plan, peer, inter_message(in, count), 0, 0);
}
