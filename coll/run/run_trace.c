/* SPDX-License-Identifier: Apache-2.0 */
/* run_trace.c: what a trace (MRT_TRACE) has of runs. */
#include "coll/run/run_state.h"
#include "coll/plan/algorithm.h"
#include "runtime/base/trace.h"

/* Returns the number of the run, which is the same on all ranks. */
static uint16_t number_of(const struct run *run)
{
	return (uint16_t)((unsigned)run->tag / PLAN_TAGS);
}

static uint16_t comm_of(const struct run *run)
{
	return (uint16_t)context_id(run->comm->context);
}

static uint8_t flags_of(const struct shape *s)
{
	bool lists = s->send || s->recv || s->neighbors || s->low;

	return (uint8_t)((s->in_place ? TRACE_IN_PLACE : 0) |
			 (s->commutative ? TRACE_COMMUTES : 0) |
			 (lists ? TRACE_LISTS : 0) |
			 s->combine * TRACE_COMBINE);
}

void run_trace_begin(const struct run *run)
{
	const struct shape *s = &run->shape;
	const struct algorithm *a = run->choice.algorithm;

	trace_put(&(struct trace_event){.kind = TRACE_PLAN,
					.bytes = s->count,
					.peer = run->comm->rank,
					.number = number_of(run),
					.comm = comm_of(run),
					.name = trace_name(a, a->name),
					.collective = (uint8_t)run->collective,
					.flags = flags_of(s)});
	trace_put(&(struct trace_event){.kind = TRACE_SHAPE,
					.bytes = run->choice.arg,
					.peer = s->root,
					.number = (uint32_t)s->type_size,
					.size = (uint32_t)s->size});
}

void run_trace_step(const struct run *run, uint32_t step, enum trace_kind kind)
{
	const struct step *s = &run->plan.steps[step];

	trace_put(&(struct trace_event){
	    .kind = (uint8_t)kind,
	    .bytes = (uint64_t)s->count * run->shape.type_size,
	    .peer = step_has_peer(s->kind) ? comm_world_rank(run->comm, s->peer)
					   : -1,
	    .number = step,
	    .comm = comm_of(run),
	    .plan = number_of(run),
	    .step = s->kind});
}

void run_trace_end(const struct run *run)
{
	trace_put(&(struct trace_event){.kind = TRACE_END,
					.peer = -1,
					.number = number_of(run),
					.comm = comm_of(run)});
}
