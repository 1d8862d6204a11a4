/* SPDX-License-Identifier: Apache-2.0 */
/* inter.c: the plans between two groups, and what they share; they are what the
 * definitions say. */
#include "coll/plan/inter/inter.h"

#include "coll/plan/blocks.h"
#include "coll/plan/model.h"
#include "coll/plan/select.h"
#include "coll/plan/topology.h"

struct side_of_two {
	int first, size; /* ranks of the group */
};

/* Return the group that a rank is in, and the other group. */
static struct side_of_two inter_own(const struct shape *shape, int rank)
{
	if (rank < shape->low)
		return (struct side_of_two){0, shape->low};
	return (struct side_of_two){shape->low, shape->size - shape->low};
}

static struct side_of_two inter_other(const struct shape *shape, int rank)
{
	return inter_own(shape, rank < shape->low ? shape->low : 0);
}

/* The numbers of the embedded plans, and of the messages between the leaders,
 * which are the first ranks of the groups. */
enum { INTER_IN, INTER_OUT, INTER_LEADERS };

/* Returns the part of a message between leaders. */
static struct part inter_message(struct ref ref, size_t count)
{
	return (struct part){ref, count, INTER_LEADERS * EMBED_TAGS};
}

/* A collective inside one group, as an embedded plan. */
struct inter_embed {
	enum collective collective;
	struct side_of_two group;
	int extra; /* a rank of the other group, as index 0; -1 for none */
	int root;  /* index among `extra` and the group's ranks */
	size_t count;
	struct ref send, recv;
	unsigned number;
	uint32_t after;
};

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

/* Embeds the collective in a rank's plan. Returns a step that finishes when all
 * steps of the collective have finished. */
static uint32_t inter_embed(struct plan *plan, const struct shape *shape,
			    int rank, const struct inter_embed *e)
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

/* Reduces SEND[count] of the own group to its first rank. Returns where that
 * rank has the result; sets *after to the last step, or to 0 if the group has
 * one rank. */
static struct ref inter_reduce_own(struct plan *plan, const struct shape *shape,
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

/* Exchanges vectors with the other group's leader: sends `out` after step
 * `after` and receives into `in`. Returns the step of the receive. */
static uint32_t inter_swap(struct plan *plan, const struct shape *shape,
			   int rank, struct ref out, struct ref in,
			   size_t count, uint32_t after)
{
	int peer = inter_other(shape, rank).first;

	plan_send(plan, peer, inter_message(out, count), after, 0);
	return plan_recv(plan, peer, inter_message(in, count), 0, 0);
}

/*
 * A bcast among the root and the other group.
 *
 * Cost: a bcast among one rank more than the other group has.
 */
static void inter_bcast_build(struct plan *plan, const struct shape *shape,
			      int rank)
{
	struct inter_embed e = {.collective = COLL_BCAST,
				.extra = shape->root,
				.count = shape->count,
				.recv = ref(BUF_RECV, 0)};

	if (shape->root < 0)
		return;
	e.group = inter_other(shape, shape->root);
	inter_embed(plan, shape, rank, &e);
}

static const struct algorithm inter_bcast = {.name = "inter",
					     .build = inter_bcast_build};

/*
 * The sending group reduces to its first rank, which sends the result to the
 * root.
 *
 * Cost: a reduce of the sending group, and a message.
 */
static void inter_reduce_build(struct plan *plan, const struct shape *shape,
			       int rank)
{
	struct side_of_two from;
	struct ref result;
	uint32_t reduced;

	if (shape->root < 0)
		return;
	from = inter_other(shape, shape->root);
	if (rank == shape->root) {
		plan_recv(plan, from.first,
			  inter_message(ref(BUF_RECV, 0), shape->count), 0, 0);
		return;
	}
	result = inter_reduce_own(plan, shape, rank, shape->count, &reduced);
	if (rank == from.first)
		plan_send(plan, shape->root,
			  inter_message(result, shape->count), reduced, 0);
}

static const struct algorithm inter_reduce = {.name = "inter",
					      .build = inter_reduce_build};

/*
 * Each group reduces to its first rank; the two first ranks exchange their
 * results, and each broadcasts the other group's result in its own group.
 *
 * Cost: a reduce and a bcast of the larger group, and a message.
 */
static void inter_allreduce_build(struct plan *plan, const struct shape *shape,
				  int rank)
{
	struct inter_embed out = {.collective = COLL_BCAST,
				  .group = inter_own(shape, rank),
				  .extra = -1,
				  .count = shape->count,
				  .recv = ref(BUF_RECV, 0),
				  .number = INTER_OUT};
	uint32_t reduced;
	struct ref result =
	    inter_reduce_own(plan, shape, rank, shape->count, &reduced);

	if (rank == out.group.first)
		out.after = inter_swap(plan, shape, rank, result, out.recv,
				       shape->count, reduced);
	if (out.group.size > 1)
		inter_embed(plan, shape, rank, &out);
}

static const struct algorithm inter_allreduce = {
    .name = "inter", .build = inter_allreduce_build};

/*
 * Each group reduces its whole vector to its first rank; the two first ranks
 * exchange their results, and each sends every rank of its own group that
 * rank's block of the other group's result.
 *
 * Cost: a reduce of the larger group, a message between the first ranks, and
 * one to each other rank.
 */

enum { TAG = INTER_OUT * EMBED_TAGS };

static void inter_reduce_scatter_build(struct plan *plan,
				       const struct shape *shape, int rank)
{
	struct side_of_two own = inter_own(shape, rank);
	struct part mine = {ref(BUF_RECV, 0), shape_recv(shape, rank).count,
			    TAG};
	size_t all = blocks_count(shape, 0, shape->size);
	struct ref result, theirs;
	uint32_t done;

	result = inter_reduce_own(plan, shape, rank, all, &done);
	if (rank != own.first) {
		plan_recv(plan, own.first, mine, 0, 0);
		return;
	}
	theirs = own.size > 1 ? ref(plan_tmp(plan, all), 0) : mine.ref;
	done = inter_swap(plan, shape, rank, result, theirs, all, done);
	if (own.size > 1)
		plan_copy(plan, theirs, mine.ref, mine.count, done);
	for (int r = own.first + 1; r < own.first + own.size; r++) {
		struct block b = shape_recv(shape, r);
		struct part part = {ref(theirs.buf, b.at), b.count, TAG};

		plan_send(plan, r, part, done, 0);
	}
}

static const struct algorithm inter_reduce_scatter = {
    .name = "inter", .build = inter_reduce_scatter_build};

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
