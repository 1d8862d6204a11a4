/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c: the builder of plans; grows, so that algorithms need not care. */
#include "coll/plan.h"

#include <assert.h>
#include <stdlib.h>

#include "mrt.h"

enum { FIRST_ROOM = 16, SEGMENTS_MAX = 64 };

int plan_build(const struct algorithm *algorithm, const struct shape *shape,
	       int rank, struct plan *plan)
{
	*plan = (struct plan){0};
	algorithm->build(plan, shape, rank);
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

static bool grow(struct plan *plan)
{
	uint32_t room = plan->room ? 2 * plan->room : FIRST_ROOM;
	struct step *steps;

	steps = realloc(plan->steps, room * sizeof(*steps));
	if (!steps) {
		plan->no_mem = true;
		return false;
	}
	plan->steps = steps;
	plan->room = room;
	return true;
}

uint32_t plan_add(struct plan *plan, struct step step)
{
	assert(step.tag < PLAN_TAGS);
	assert(step.after[0] <= plan->nsteps && step.after[1] <= plan->nsteps);
	if (plan->no_mem || (plan->nsteps == plan->room && !grow(plan)))
		return 0;
	plan->steps[plan->nsteps++] = step;
	return plan->nsteps;
}

uint8_t plan_tmp(struct plan *plan, size_t count)
{
	assert(plan->ntmp < PLAN_TMPS);
	plan->tmp[plan->ntmp] = count;
	return (uint8_t)(BUF_TMP + plan->ntmp++);
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

uint32_t plan_join(struct plan *plan, uint32_t after, uint32_t after2)
{
	return plan_add(plan, (struct step){.kind = STEP_COPY,
					    .after = {after, after2}});
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

int plan_segments(const struct shape *shape, size_t bytes)
{
	size_t each = bytes / shape->type_size ? bytes / shape->type_size : 1;
	size_t n = shape->count / each + (shape->count % each != 0);

	return n < 1 ? 1 : n > SEGMENTS_MAX ? SEGMENTS_MAX : (int)n;
}
