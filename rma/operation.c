/* SPDX-License-Identifier: Apache-2.0 */
/* operation.c: operations that take time, and the wait for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rma/conflict.h"
#include "runtime/engine/wait.h"

static struct pool pool = POOL_INIT(struct win_op, 16);

struct win_op *win_op_begin(struct mrt_win *w, int rank)
{
	struct win_peer *peer = win_peer(w, rank);
	struct win_op *op = peer ? pool_get(&pool) : NULL;

	if (!peer)
		return NULL;
	if (!op) {
		proc_fail(MRT_ERR_NO_MEM, "an operation on rank %d", rank);
		return NULL;
	}
	memset(op, 0, offsetof(struct win_op, store));
	op->win = w;
	op->peer = peer;
	op->rank = rank;
	op->id = ++w->next_id;
	op->left = 1;
	list_append(&w->ops, &op->link);
	w->pending++;
	peer->pending++;
	return op;
}

void *win_op_parts(struct win_op *op, size_t bytes)
{
	op->parts = bytes <= WIN_OP_STORE ? op->store : malloc(bytes);
	if (!op->parts)
		proc_fail(MRT_ERR_NO_MEM, "an operation of %zu bytes", bytes);
	return op->parts;
}

struct win_op *win_op_find(struct mrt_win *w, int rank, uint32_t id)
{
	list_for_each (it, &w->ops) {
		struct win_op *op = list_entry(it, struct win_op, link);

		if (op->id == id)
			return op->rank == rank ? op : NULL;
	}
	return NULL;
}

/* Moves the result to where it belongs. */
static void operation_unpack(struct win_op *op)
{
	const struct typed_buffer *into = &op->into, *from = &op->from;
	size_t bytes = into->count * into->type->size;

	if (!op->error && !from->type)
		type_unpack(into->type, into->buf, 0, bytes, op->packed);
	else if (!op->error &&
		 !win_move(into->buf, into->type, from->buf, from->type, bytes))
		op->error =
		    proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack", bytes);
	type_release(into->type);
	if (from->type)
		type_release(from->type);
}

void win_op_end(struct win_op *op, int error)
{
	struct mrt_win *w = op->win;

	if (error && !op->error)
		op->error = error;
	if (--op->left)
		return;
	if (op->into.type)
		operation_unpack(op);
	list_remove(&op->link);
	w->pending--;
	op->peer->pending--;
	if (op->error && !w->error)
		w->error = op->error;
	if (op->request)
		request_complete(op->request, op->error);
	if (op->owns_packed)
		free(op->packed);
	if (op->parts != op->store)
		free(op->parts);
	pool_put(&pool, op);
}

static int operation_describe(const struct wait *w, char *text, size_t len)
{
	const struct mrt_win *win = w->what;
	const struct win_op *op =
	    list_entry(win->ops.next, struct win_op, link);

	if (list_empty(&win->ops))
		wait_text(&(struct wait){.what = "a window"}, text, len);
	else
		snprintf(text, len,
			 "one-sided operations, %u of them, one on rank %d",
			 win->pending, comm_world_rank(win->comm, op->rank));
	return -1;
}

/* Returns the number of operations on a rank, or on all for rank -1. */
static const uint32_t *pending_on(const struct mrt_win *w, int rank)
{
	static const uint32_t none;
	const struct win_peer *peer;

	if (rank < 0 || !w->pending)
		return &w->pending;
	peer = win_peer_used(w, rank);
	return peer ? &peer->pending : &none;
}

static __attribute__((noinline)) int await(struct mrt_win *w,
					   const uint32_t *pending)
{
	WAIT(wait, operation_describe, w);
	int rc = 0;

	while (*pending && !rc)
		rc = wait_poll(&wait);
	return rc;
}

int win_complete(struct mrt_win *w, int rank)
{
	const uint32_t *pending = pending_on(w, rank);
	int rc;

	if (*pending) {
		rc = await(w, pending);
	} else {
		/* a rank may poll its memory by such calls until others, whose
		 * messages it has to serve, have changed it */
		wait_test();
		rc = progress_fault();
	}
	if (w->accesses)
		win_forget_accesses(w, rank);
	if (!rc && w->error) {
		rc = proc_fail(w->error, "an earlier operation on the window");
		w->error = 0;
	}
	return rc;
}
