/* SPDX-License-Identifier: Apache-2.0 */
/* run_use.c: binds, starts and awaits runs. */
#include "coll/call/check.h"
#include "coll/call/packing.h"
#include "coll/run/run_state.h"
#include "p2p/p2p.h"
#include "runtime/engine/proc.h"

/* Sets the base of both buffers. In place, one of them is not given and is
 * computed from the other. */
static void bind_buffers(struct run *run, const struct coll_call *call)
{
	char *send = (char *)(uintptr_t)call->send, *recv = call->recv;
	ptrdiff_t at;

	if (call->shape.in_place) {
		at = shape_offset(call->collective, &call->shape,
				  run->comm->rank) *
		     (ptrdiff_t)call->shape.type_size;
		if (recv)
			send = recv + at;
		else
			recv = send - at;
	}
	run->base[BUF_SEND] = send;
	run->base[BUF_RECV] = recv;
}

void run_bind(struct run *run, const struct coll_call *call)
{
	bind_buffers(run, call);
	run->op = call->op;
	run->type = call->type;
	run->packing = call->packing;
	op_hold(run->op);
	if (run->type)
		type_hold(run->type);
	comm_hold(run->comm);
	run->binds++;
}

void run_set_repeated(struct run *run)
{
	run->binds++;
}

bool run_has_repeated(const struct run *run)
{
	return run->binds > 1;
}

void run_unbind(struct run *run)
{
	run_drop_tmp(run);
	run->persistent = false;
	direct_started_destroy(run->started);
	run->started = NULL;
	packing_destroy(run->packing);
	run->packing = NULL;
	op_release(run->op);
	run->op = NULL;
	if (run->type)
		type_release(run->type);
	run->type = NULL;
}

static int place_tmp(struct run *run)
{
	char *tmp;

	if (run->tmp || !run->tmp_bytes)
		return 0;
	tmp = run->tmp = scratch_take(run->tmp_bytes);
	if (!tmp)
		return proc_fail(MRT_ERR_NO_MEM, "%zu bytes for temporaries",
				 run->tmp_bytes);
	for (int k = 0; k < run->plan.ntmp; k++) {
		run->base[BUF_TMP + k] = tmp;
		tmp += run_aligned(run->plan.tmp[k] * run->shape.type_size);
	}
	return 0;
}

/*
 * Each call has a number, from which its tags are made: two calls share tags
 * only if OWN_SEQ calls lie between them. A persistent call keeps one number,
 * of the upper half, so that ranks may start several such calls in different
 * orders; its uses follow one another, and messages with equal tags match in
 * their order.
 */
enum { OWN_SEQ = 1 << 15 };

int run_persist(struct run *run)
{
	run->persistent = true;
	run->seq = run->comm->init_seq++ % OWN_SEQ + OWN_SEQ;
	return place_tmp(run);
}

void run_set_started(struct run *run, struct direct_started *started)
{
	run->started = started;
}

void run_started_done(void *owner, int error)
{
	struct run *run = owner;

	run->error = error;
	run_finish(run);
}

int run_await(struct mrt_request *req, struct wait *w)
{
	const struct run *run = (const struct run *)req;

	return run->started ? direct_started_await(run->started, w) : 0;
}

static void run_use_begin(struct run *run)
{
	const struct plan *p = &run->plan;

	if (run->cells)
		run->base[BUF_CELLS] = (char *)cells_words(run->cells);
	if (run->board)
		run->base[BUF_BOARD] = node_board_memory(run->board);
	for (uint32_t i = 0; i < p->nsteps; i++)
		if (!run->waits[i])
			run->ready[run->tail++] = i;
	run_first(run);
}

void run_begin_turn(struct turn *turn)
{
	run_use_begin(list_entry(turn, struct run, turn));
}

/* Begins a run, or queues it for its turn on the cells or boards if it needs
 * them. */
static void run_use_enter(struct run *run)
{
	if ((!run->cells || cells_enter(run->cells, &run->turn)) &&
	    (!run->board || node_board_enter(run->board, &run->turn)))
		run_use_begin(run);
}

/* Begins a run whose check is over, or fails it, as on all ranks, if the ranks
 * disagree. */
static void run_use_checked(struct check *v, void *owner)
{
	struct run *run = owner;

	run->check = NULL;
	run->error = check_result(v);
	check_destroy(v);
	if (!run->error)
		run_use_enter(run);
	else
		run_finish(run);
}

int run_start(struct run *run, struct check *check)
{
	const struct plan *p = &run->plan;
	uint32_t seq =
	    run->persistent ? run->seq : run->comm->coll_seq % OWN_SEQ;
	int rc = place_tmp(run);

	/* check_start takes the number itself */
	if (!run->persistent && (rc || !check))
		run->comm->coll_seq++;
	if (rc) {
		check_destroy(check);
		return rc;
	}
	if (run->packing)
		packing_pack(run->packing);
	request_prepare(&run->req, REQ_COLL);
	run->error = 0;
	if (run->started) {
		direct_started_begin(run->started);
		return 0;
	}
	run->left = p->nsteps;
	run->head = run->tail = 0;
	for (uint32_t i = 0; i < p->nsteps; i++)
		run->waits[i] =
		    (uint8_t)(!!p->steps[i].after[0] + !!p->steps[i].after[1]);
	run->tag = (int)(seq * PLAN_TAGS);
	run->check = check;
	if (check)
		check_start(check, run_use_checked, run);
	else
		run_use_enter(run);
	return 0;
}

/* Takes the messages of a run out of p2p's queues, after a fault. */
static void run_use_abandon(struct run *run)
{
	for (uint32_t i = 0; i < run->plan.nsteps; i++) {
		struct message *m;

		if (!step_is_message(run->plan.steps[i].kind) || run->waits[i])
			continue;
		m = &run->message[run->index[i]];
		if (!m->req.complete)
			p2p_abandon(&m->req);
		m->req.complete = true;
	}
	run_leave(run);
	run->req.complete = true;
}

int run_wait(struct run *run)
{
	WAIT(w, run_describe_wait, run);

	while (!run->req.complete) {
		int rc = wait_poll(&w);

		if (rc && !run->req.complete) {
			run_use_abandon(run);
			return rc;
		}
	}
	return run->error ? p2p_report(&run->req) : 0;
}
