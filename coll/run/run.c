/* SPDX-License-Identifier: Apache-2.0 */
/* run.c: the executor of plans. */
#include <string.h>

#include "coll/node/direct.h"
#include "coll/call/packing.h"
#include "coll/run/run_state.h"
#include "coll/plan/step_hash.h"
#include "p2p/p2p.h"
#include "runtime/base/copy.h"
#include "runtime/base/fault.h"
#include "runtime/base/trace.h"
#include "runtime/engine/proc.h"

/* For what the traced path uses, too: a call would cost the other one more. */
#define INLINE static inline __attribute__((always_inline))

bool run_is_for(const struct run *run, const struct coll_call *call)
{
	return run->collective == call->collective &&
	       run->generation == select_generation() &&
	       shape_equal(&run->shape, &call->shape);
}

/* ---- Steps -------------------------------------------------------------- */

static char *run_at(const struct run *run, struct ref r)
{
	size_t unit =
	    r.buf == BUF_CELLS ? sizeof(uint64_t) : run->shape.type_size;

	/* in integers, as the base of a buffer without elements may be NULL */
	return (char *)((uintptr_t)run->base[r.buf] + r.at * unit);
}

static size_t bytes_of(const struct run *run, const struct step *s)
{
	return s->count * run->shape.type_size;
}

static void run_reduce(const struct run *run, const struct step *s)
{
	const char *left = run_at(run, s->flip ? s->with : s->src);
	const char *right = run_at(run, s->flip ? s->src : s->with);

	if (s->count) /* a barrier has no operation */
		op_apply(run->op, run->type, left, right, run_at(run, s->dst),
			 s->count);
}

/* Reduces a part of a long message where it lies. It may come again. */
static void reduce_part(struct fab_packer *packer, size_t from, size_t len,
			void *in)
{
	struct message *m = list_entry(packer, struct message, req.packer);
	const struct run *run = m->run;
	const struct step *s = &run->plan.steps[m->step];
	size_t done = m->req.moved, skip = from < done ? done - from : 0;
	const char *with = run_at(run, s->with) + from, *came = in;

	if (len <= skip)
		return;
	m->req.moved = from + len;
	with += skip;
	came += skip;
	op_apply(run->op, run->type, s->flip ? with : came,
		 s->flip ? came : with, run_at(run, s->dst) + from + skip,
		 (len - skip) / run->shape.type_size);
}

static void finish_step(struct run *run, uint32_t i)
{
	run->left--;
	for (uint32_t k = run->first[i]; k < run->first[i + 1]; k++)
		if (--run->waits[run->followers[k]] == 0)
			run->ready[run->tail++] = run->followers[k];
}

/* Records an error with the peer, unless the run has one already. */
static void note_error(struct run *run, int error, int peer)
{
	/* the next steps must not pass on data that has not come */
	if (error == MRT_ERR_PEER)
		fault_confirm("a rank that takes part in a collective is gone");
	if (run->error)
		return;
	run->error = error;
	run->req.peer = comm_world_rank(run->comm, peer);
}

/* Notes an error if a message does not have the length that this rank's
 * arguments ask for. */
INLINE void check_length(struct run *run, const struct step *s,
			 const struct mrt_request *req)
{
	size_t want = bytes_of(run, s);

	/* no more came than expected: the peer itself was sent too much, and
	 * says so */
	if (req->status.error == MRT_ERR_TRUNCATE && req->status.bytes <= want)
		proc_fail(MRT_ERR_TRUNCATE,
			  "rank %d was sent more than it "
			  "expected: do all ranks pass the same count, type "
			  "and root?",
			  s->peer);
	else if (req->status.error == MRT_ERR_TRUNCATE ||
		 (!req->status.error && req->status.bytes != want))
		note_error(
		    run, direct_wrong_length(s->peer, req->status.bytes, want),
		    s->peer);
}

static void run_advance(struct run *run);

INLINE void take_message(const struct message *m)
{
	struct run *run = m->run;
	const struct step *s = &run->plan.steps[m->step];

	if (s->kind != STEP_SEND)
		check_length(run, s, &m->req);
	if (m->req.status.error)
		note_error(run, m->req.status.error, s->peer);
	else if (s->kind == STEP_RECV_REDUCE && !m->req.reads)
		run_reduce(run, s);
}

static void message_done(struct mrt_request *req)
{
	const struct message *m = (const struct message *)req;
	struct run *run = m->run;

	take_message(m);
	finish_step(run, m->step);
	run_advance(run);
}

static void (*on_message)(struct mrt_request *req) = message_done;

INLINE void start_message(struct run *run, uint32_t i)
{
	const struct step *s = &run->plan.steps[i];
	struct mrt_request *req = &run->message[run->index[i]].req;
	uint32_t context = run->comm->context | CONTEXT_COLL;
	int peer = comm_world_rank(run->comm, s->peer);
	size_t bytes = bytes_of(run, s);

	request_prepare(req, s->kind == STEP_SEND ? REQ_SEND : REQ_RECV);
	if (s->kind == STEP_RECV_REDUCE) {
		if (FAB_PART % run->shape.type_size == 0)
			req->kind = REQ_RECV_PARTS;
		req->packer.copy = reduce_part;
		req->reads = false;
		req->moved = 0;
	}
	req->done = on_message;
	if (s->kind == STEP_SEND && run->error) /* the data may be wrong */
		p2p_isend_failed(req, run->error, peer, run->tag + s->tag,
				 context);
	else if (s->kind == STEP_SEND)
		p2p_isend(req, run_at(run, s->src), bytes, peer,
			  run->tag + s->tag, context);
	else
		p2p_irecv(req,
			  run_at(run, s->kind == STEP_RECV ? s->dst : s->src),
			  bytes, peer, run->tag + s->tag, context);
}

/* ---- Boards ------------------------------------------------------------- */

/* Reads what a peer has posted, unless the ranks do not mean the same. */
static void take_load(struct run *run, uint32_t i, struct posted posted)
{
	const struct step *s = &run->plan.steps[i];
	size_t first = s->src.at * run->shape.type_size,
	       bytes = bytes_of(run, s);
	const char *from = posted.from + first, *with;

	if (posted.error || first + bytes > posted.bytes) {
		note_error(run,
			   posted.error
			       ? posted.error
			       : direct_wrong_length(s->peer, posted.bytes,
						     first + bytes),
			   s->peer);
	} else if (bytes && s->kind == STEP_LOAD) {
		copy_bytes(run_at(run, s->dst), from, bytes);
	} else if (bytes) {
		with = run_at(run, s->with);
		op_apply(run->op, run->type, s->flip ? with : from,
			 s->flip ? from : with, run_at(run, s->dst), s->count);
	}
}

static void load_ready(struct load *load, struct posted posted)
{
	const struct run_load *l = (const struct run_load *)load;
	struct run *run = l->run;

	take_load(run, l->step, posted);
	finish_step(run, l->step);
	run_advance(run);
}

void (*run_load_ready)(struct load *load, struct posted posted) = load_ready;

/* Returns whether the step has ended. */
INLINE bool start_load(struct run *run, uint32_t i)
{
	struct posted posted;

	if (!node_board_load(run->board, &run->loads[run->index[i]].load,
			     &posted))
		return false;
	take_load(run, i, posted);
	finish_step(run, i);
	return true;
}

/* ---- Cells -------------------------------------------------------------- */

static void act_done(struct act *act, int error)
{
	struct run *run = act->owner;

	if (error)
		note_error(run, error, act->step->peer);
	finish_step(run, (uint32_t)(act->step - run->plan.steps));
	run_advance(run);
}

void (*run_act_done)(struct act *act, int error) = act_done;

INLINE void start_act(struct run *run, uint32_t i)
{
	struct act *a = acts_of(&run->acts, i);

	a->src = run_at(run, a->step->src);
	a->op = run->op;
	a->type = run->type;
	cells_start(a);
}

/* Executes a step that needs no other rank. */
INLINE void do_step(struct run *run, uint32_t i)
{
	const struct step *s = &run->plan.steps[i];

	if (s->kind == STEP_REDUCE)
		run_reduce(run, s);
	else if (s->kind == STEP_POST)
		node_board_post(run->board, s->tag, run_at(run, s->src),
				bytes_of(run, s), run->error);
	else if (s->kind == STEP_TAKE)
		cells_take(run->cells, s, run->op, run->type,
			   run_at(run, s->dst));
	else if (s->count && run_at(run, s->src) != run_at(run, s->dst))
		copy_bytes(run_at(run, s->dst), run_at(run, s->src),
			   bytes_of(run, s));
	finish_step(run, i);
}

/* Returns whether the step has ended for sure. */
INLINE bool start_step(struct run *run, uint32_t i)
{
	const struct step *s = &run->plan.steps[i];

	if (step_is_load(s->kind))
		return start_load(run, i);
	if (step_is_message(s->kind))
		start_message(run, i);
	else if (cells_acts_on(s))
		start_act(run, i);
	else
		do_step(run, i);
	return !step_is_message(s->kind) && !cells_acts_on(s);
}

void run_drop_tmp(struct run *run)
{
	scratch_give(run->tmp);
	run->tmp = NULL;
}

void run_finish(struct run *run)
{
	if (!run->persistent)
		run_drop_tmp(run);
	if (run->packing && !run->error)
		packing_unpack(run->packing);
	request_complete(&run->req, run->error);
}

/* The value of run_hash, kept once it has been asked for. */
static struct {
	bool wanted;
	uint64_t hash;
} record;

/* Computes the hash of a run at its end, when all steps in the queue `ready`
 * have been started. */
static void record_run(const struct run *run)
{
	record.hash = 0;
	for (uint32_t i = 0; i < run->tail; i++)
		record.hash +=
		    step_hash(run->ready[i], &run->plan.steps[run->ready[i]]);
}

uint64_t run_hash(void)
{
	record.wanted = true;
	return record.hash;
}

void run_leave(struct run *run)
{
	if (run->cells)
		cells_leave(run->cells, &run->turn);
	if (run->board)
		node_board_leave(run->board, &run->turn);
}

static void run_end(struct run *run)
{
	if (record.wanted)
		record_run(run);
	run_leave(run);
	run_finish(run);
}

/* Starts all steps that are ready. Steps that complete meanwhile only add to
 * the queue. Returns whether all steps have ended. */
INLINE bool start_ready(struct run *run,
			bool (*start)(struct run *run, uint32_t step))
{
	if (run->advancing)
		return false;
	run->advancing = true;
	/* after a fault no step starts, so that no rank gets data that has not
	 * come */
	while (run->head < run->tail &&
	       !atomic_load_explicit(&fault_code, memory_order_relaxed))
		start(run, run->ready[run->head++]);
	run->advancing = false;
	return !run->left;
}

/* Starts what is ready, and ends the run after its last step. */
static void run_advance(struct run *run)
{
	if (start_ready(run, start_step))
		run_end(run);
}

void (*run_first)(struct run *run) = run_advance;

/* ---- In a trace --------------------------------------------------------- */

static void advance_traced(struct run *run);

static void message_traced(struct mrt_request *req)
{
	const struct message *m = (const struct message *)req;
	struct run *run = m->run;

	take_message(m);
	run_trace_step(run, m->step, TRACE_STEP);
	finish_step(run, m->step);
	advance_traced(run);
}

static void act_traced(struct act *act, int error)
{
	struct run *run = act->owner;
	uint32_t step = (uint32_t)(act->step - run->plan.steps);

	if (error)
		note_error(run, error, act->step->peer);
	run_trace_step(run, step, TRACE_STEP);
	finish_step(run, step);
	advance_traced(run);
}

static void load_traced(struct load *load, struct posted posted)
{
	const struct run_load *l = (const struct run_load *)load;
	struct run *run = l->run;

	take_load(run, l->step, posted);
	run_trace_step(run, l->step, TRACE_STEP);
	finish_step(run, l->step);
	advance_traced(run);
}

static bool start_traced(struct run *run, uint32_t i)
{
	bool ended;

	run_trace_step(run, i, TRACE_BEGIN);
	ended = start_step(run, i);
	if (ended)
		run_trace_step(run, i, TRACE_STEP);
	return ended;
}

static void advance_traced(struct run *run)
{
	if (!start_ready(run, start_traced))
		return;
	run_trace_end(run);
	run_advance(run);
}

static void begin_traced(struct run *run)
{
	run_trace_begin(run);
	advance_traced(run);
}

void run_trace(void)
{
	if (!trace_on)
		return;
	run_first = begin_traced;
	on_message = message_traced;
	run_act_done = act_traced;
	run_load_ready = load_traced;
}
