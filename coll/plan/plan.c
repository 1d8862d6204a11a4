/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c: builds plans, and grows them so that algorithms need not care. */
#include "coll/plan/plan.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "coll/plan/algorithm.h"
#include "mrt.h"

enum { FIRST_CAPACITY = 16, SEGMENTS_MAX = 64 };

/* A list of the memory that algorithms ask for. */
struct scratch {
	struct scratch *next;
	max_align_t bytes[];
};

void *plan_scratch(struct plan *plan, size_t bytes)
{
	struct scratch *s = malloc(sizeof(*s) + bytes);

	if (!s) {
		plan->no_mem = true;
		return NULL;
	}
	s->next = plan->scratch;
	plan->scratch = s;
	return s->bytes;
}

static void free_scratch(struct plan *plan)
{
	struct scratch *s = plan->scratch;

	while (s) {
		struct scratch *next = s->next;

		free(s);
		s = next;
	}
	plan->scratch = NULL;
}

int plan_build(const struct algorithm *algorithm, const struct shape *shape,
	       int rank, struct plan *plan)
{
	*plan = (struct plan){0};
	return plan_rebuild(algorithm, shape, rank, plan);
}

/* Returns the order of the shape if the algorithm does not look at places
 * itself. */
static const int *order_for(const struct algorithm *algorithm,
			    const struct shape *shape)
{
	return algorithm->by_node ? NULL : shape->order;
}

/* Appends the steps of a rank or, in such an order, those of its part. */
static void build_part(struct plan *plan, const struct algorithm *algorithm,
		       struct shape shape, int rank)
{
	if (!shape.arg)
		shape.arg = algorithm->arg_default;
	if (order_for(algorithm, &shape)) {
		rank = shape_part(&shape, rank);
		shape.root = shape_part(&shape, shape.root);
		shape.order = NULL;
		shape.topo = NULL;
	}
	algorithm->build(plan, &shape, rank);
}

int plan_rebuild(const struct algorithm *algorithm, const struct shape *shape,
		 int rank, struct plan *plan)
{
	*plan = (struct plan){.steps = plan->steps,
			      .capacity = plan->capacity,
			      .order = order_for(algorithm, shape)};
	build_part(plan, algorithm, *shape, rank);
	free_scratch(plan);
	if (!plan->no_mem)
		return MRT_SUCCESS;
	plan_fini(plan);
	return MRT_ERR_NO_MEM;
}

void plan_fini(struct plan *plan)
{
	free(plan->steps);
	*plan = (struct plan){0};
}

static bool plan_grow(struct plan *plan)
{
	uint32_t capacity =
	    plan->capacity ? 2 * plan->capacity : FIRST_CAPACITY;
	struct step *steps;

	steps = realloc(plan->steps, capacity * sizeof(*steps));
	if (!steps) {
		plan->no_mem = true;
		return false;
	}
	plan->steps = steps;
	plan->capacity = capacity;
	return true;
}

/* ---- Plans made of plans ------------------------------------------------ */

static void move_ref(struct ref *r, const struct embed *e)
{
	const struct ref *base = r->buf == BUF_SEND   ? &e->send
				 : r->buf == BUF_RECV ? &e->recv
						      : NULL;

	if (base)
		*r = (struct ref){base->buf, base->at + r->at};
}

/* Returns the tag around an embedded plan for one inside. */
static uint16_t embed_tag(const struct embed *e, unsigned tag)
{
	unsigned n = (unsigned)(e->segment.n ? e->segment.n : 1);
	unsigned each = EMBED_TAGS / n;

	return (uint16_t)(e->number * EMBED_TAGS +
			  (unsigned)e->segment.me * each + tag % each);
}

/* Like embed_tag for a post. No plan that posts embeds another one that
 * does. */
static uint16_t embed_post(const struct embed *e, unsigned tag)
{
	assert(tag < BOARD_TAGS && e->segment.me < EMBED_SEGMENTS);
	return (
	    uint16_t)((e->number * EMBED_SEGMENTS + (unsigned)e->segment.me) *
			  BOARD_TAGS +
		      tag);
}

/* Translates a step of an embedded algorithm into the terms of the plan around
 * it. */
static void plan_translate(struct step *s, const struct embed *e)
{
	if (step_has_peer(s->kind) && e->order)
		s->peer = e->order[s->peer];
	if (step_has_peer(s->kind))
		s->peer = e->members ? e->members[s->peer] : e->first + s->peer;
	if (step_is_load(s->kind) || s->kind == STEP_POST)
		s->tag = embed_post(e, s->tag);
	else if (step_has_peer(s->kind))
		s->tag = embed_tag(e, s->tag);
	move_ref(&s->src, e);
	move_ref(&s->with, e);
	move_ref(&s->dst, e);
	/* an own block stays where it is, and SEND is read only */
	if (s->kind == STEP_COPY && s->dst.buf == BUF_SEND)
		s->count = 0;
	if (!s->after[0] && !s->after[1])
		s->after[0] = e->after;
}

/* Joins the steps from `first` on that no other step comes after. */
static uint32_t join_ends(struct plan *plan, uint32_t first, uint32_t end)
{
	uint32_t n = plan->nsteps;
	bool *followed = calloc(n - first + 1, sizeof(*followed));

	plan->no_mem |= !followed;
	for (uint32_t i = first; i < n && followed; i++)
		for (int k = 0; k < 2; k++)
			if (plan->steps[i].after[k] > first)
				followed[plan->steps[i].after[k] - 1 - first] =
				    true;
	for (uint32_t i = first; i < n && followed; i++)
		if (!followed[i - first])
			end = end ? plan_join(plan, end, i + 1) : i + 1;
	free(followed);
	return end;
}

uint32_t plan_embed(struct plan *plan, struct embed embed)
{
	uint32_t first = plan->nsteps;

	embed.outer = plan->within;
	embed.order = order_for(embed.algorithm, &embed.shape);
	plan->within = &embed;
	build_part(plan, embed.algorithm, embed.shape, embed.rank);
	plan->within = embed.outer;
	if (plan->nsteps == first)
		return embed.after;
	return join_ends(plan, first, 0);
}

/* ---- Steps -------------------------------------------------------------- */

uint32_t plan_add(struct plan *plan, struct step step)
{
	struct step *s;

	if (plan->no_mem ||
	    (plan->nsteps == plan->capacity && !plan_grow(plan)))
		return 0;
	s = &plan->steps[plan->nsteps];
	*s = step;
	for (const struct embed *e = plan->within; e; e = e->outer)
		plan_translate(s, e);
	if (plan->order && step_has_peer(s->kind))
		s->peer = plan->order[s->peer];
	assert(s->tag < PLAN_TAGS);
	assert(s->after[0] <= plan->nsteps && s->after[1] <= plan->nsteps);
	return ++plan->nsteps;
}

uint8_t plan_tmp(struct plan *plan, size_t count)
{
	uint8_t k = plan->next_tmp++;

	assert(k < PLAN_TMPS);
	if (plan->tmp[k] < count)
		plan->tmp[k] = count;
	if (plan->ntmp <= k)
		plan->ntmp = k + 1;
	return (uint8_t)(BUF_TMP + k);
}

void plan_tmp_from(struct plan *plan, unsigned next)
{
	plan->next_tmp = (uint8_t)next;
}

unsigned plan_cells(struct plan *plan, enum cell_kind kind, unsigned n)
{
	static const struct {
		unsigned first, n;
	} all[CELL_KINDS] = {
	    [CELL_COUNTER] = {0, CELLS_COUNTERS},
	    [CELL_ACCUMULATOR] = {CELLS_COUNTERS, CELLS_ACCUMULATORS},
	    [CELL_BUFFER] = {CELLS_COUNTERS + CELLS_ACCUMULATORS, CELLS_BUFFER},
	};
	unsigned first = all[kind].first + plan->cells[kind];

	assert(n <= all[kind].n - plan->cells[kind]);
	plan->cells[kind] += n;
	if (plan->ncells < first + n)
		plan->ncells = first + n;
	return first;
}

struct ref plan_board(struct plan *plan, size_t count)
{
	size_t at = plan->next_board;

	plan->next_board = at + count;
	if (plan->board < plan->next_board)
		plan->board = plan->next_board;
	return ref(BUF_BOARD, at);
}

void plan_board_from(struct plan *plan, size_t next)
{
	plan->next_board = next;
}

uint32_t plan_send(struct plan *plan, int peer, struct part part,
		   uint32_t after, uint32_t after2)
{
	return plan_add(plan, (struct step){.kind = STEP_SEND,
					    .peer = peer,
					    .tag = part.tag % PLAN_TAGS,
					    .src = part.ref,
					    .count = part.count,
					    .after = {after, after2}});
}

uint32_t plan_recv(struct plan *plan, int peer, struct part part,
		   uint32_t after, uint32_t after2)
{
	return plan_add(plan, (struct step){.kind = STEP_RECV,
					    .peer = peer,
					    .tag = part.tag % PLAN_TAGS,
					    .dst = part.ref,
					    .count = part.count,
					    .after = {after, after2}});
}

uint32_t plan_copy(struct plan *plan, struct ref src, struct ref dst,
		   size_t count, uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_COPY,
					    .src = src,
					    .dst = dst,
					    .count = count,
					    .after = {after, 0}});
}

bool plan_alone(struct plan *plan, const struct shape *shape)
{
	if (shape->size == 1)
		plan_copy(plan, ref(BUF_SEND, 0), ref(BUF_RECV, 0),
			  shape->count, 0);
	return shape->size == 1;
}

uint32_t plan_join(struct plan *plan, uint32_t after, uint32_t after2)
{
	return plan_add(
	    plan, (struct step){.kind = STEP_COPY, .after = {after, after2}});
}

uint32_t plan_reduce(struct plan *plan, struct operands operands,
		     uint32_t after, uint32_t after2)
{
	return plan_add(plan, (struct step){.kind = STEP_REDUCE,
					    .src = operands.left,
					    .with = operands.right,
					    .dst = operands.dst,
					    .count = operands.count,
					    .after = {after, after2}});
}

uint32_t plan_recv_reduce(struct plan *plan, int peer, unsigned tag,
			  struct operands operands, bool flip, uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_RECV_REDUCE,
					    .peer = peer,
					    .tag = tag % PLAN_TAGS,
					    .src = operands.left,
					    .with = operands.right,
					    .dst = operands.dst,
					    .flip = flip,
					    .count = operands.count,
					    .after = {after, 0}});
}

uint32_t plan_post(struct plan *plan, struct part part, uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_POST,
					    .tag = (uint16_t)part.tag,
					    .src = part.ref,
					    .count = part.count,
					    .after = {after, 0}});
}

uint32_t plan_load(struct plan *plan, int peer, struct part part,
		   struct ref dst, uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_LOAD,
					    .peer = peer,
					    .tag = (uint16_t)part.tag,
					    .src = part.ref,
					    .dst = dst,
					    .count = part.count,
					    .after = {after, 0}});
}

uint32_t plan_load_reduce(struct plan *plan, int peer, struct part part,
			  struct operands operands, bool flip, uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_LOAD_REDUCE,
					    .peer = peer,
					    .tag = (uint16_t)part.tag,
					    .src = part.ref,
					    .with = operands.right,
					    .dst = operands.dst,
					    .flip = flip,
					    .count = part.count,
					    .after = {after, 0}});
}

const char *const step_kind_names[STEP_KINDS] = {
    [STEP_SEND] = "send",
    [STEP_RECV] = "recv",
    [STEP_RECV_REDUCE] = "recv_reduce",
    [STEP_SIGNAL] = "signal",
    [STEP_WRITE] = "write",
    [STEP_FETCH_ADD] = "fetch_add",
    [STEP_COMPARE_SWAP] = "compare_swap",
    [STEP_LOAD] = "load",
    [STEP_LOAD_REDUCE] = "load_reduce",
    [STEP_POST] = "post",
    [STEP_COPY] = "copy",
    [STEP_REDUCE] = "reduce",
    [STEP_WAIT_MEMORY] = "wait_memory",
    [STEP_TAKE] = "take"};

struct block plan_block(size_t count, int n, int i)
{
	size_t q = count / (size_t)n, r = count % (size_t)n, k = (size_t)i;

	return (struct block){k * q + (k < r ? k : r), q + (k < r)};
}

struct block plan_blocks(size_t count, int n, int first, int n_of)
{
	struct block a = plan_block(count, n, first);
	struct block b = plan_block(count, n, first + n_of - 1);

	return (struct block){a.at, b.at + b.count - a.at};
}

int plan_segments(const struct shape *shape, size_t count, size_t bytes)
{
	size_t each = bytes / shape->type_size ? bytes / shape->type_size : 1;
	size_t n = count / each + (count % each != 0);

	return n < 1 ? 1 : n > SEGMENTS_MAX ? SEGMENTS_MAX : (int)n;
}
