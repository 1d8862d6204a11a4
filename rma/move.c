/* SPDX-License-Identifier: Apache-2.0 */
/* move.c: put and get. */
#include <stdlib.h>
#include <string.h>

#include "rma/conflict.h"
#include "runtime/base/copy.h"
#include "runtime/base/error.h"
#include "runtime/base/pieces.h"
#include "runtime/engine/wait.h"

enum {
	/* the longest hole that is read with its neighbours: one piece more
	 * costs a page lookup in the kernel, or a work request, and a hole of
	 * this length less */
	HOLE = 2048,
	SPAN_MOST = 1 << 26, /* bytes of one read over holes */
	/* MANY pieces and more of SHORT bytes and less go by a message, which
	 * takes less time than as many copies or work requests */
	MANY = 16,
	SHORT = 512,
	/* longer pieces are copied one by one, since then the target can help
	 */
	COPIED = 8192
};

static void part_done(struct fab_op *fop, int status)
{
	win_op_end(((struct win_part *)(void *)fop)->of, status);
}

/* Starts a read or write of one run. */
static int start_part(struct fab_ep *ep, bool get, struct win_op *op,
		      const struct iovec *run, size_t at, size_t k)
{
	uint64_t remote = (uintptr_t)run->iov_base;
	const struct fab_key key = op->win->cards[op->rank].key;
	struct win_part *parts = op->parts;
	struct fab_op *fop = &parts[k].op;

	return get ? ep->ops->read(ep, op->packed + at, remote, key,
				   run->iov_len, fop)
		   : ep->ops->write(ep, op->packed + at, remote, key,
				    run->iov_len, fop);
}

/* Reads or writes the runs, waiting for room where there is none. */
static int by_fabric(struct win_op *op, bool get, const struct runs *r)
{
	struct fab_ep *ep = win_ep(op->win, op->rank);
	WAIT(wait, wait_text, "room for one-sided operations");
	struct win_part *parts = win_op_parts(op, r->n * sizeof(*parts));
	size_t at = 0;
	int rc = 0;

	if (!parts)
		return MRT_ERR_NO_MEM;
	for (size_t k = 0; k < r->n && !rc; k++) {
		parts[k] = (struct win_part){{part_done}, op};
		op->left++;
		while ((rc = start_part(ep, get, op, &r->list[k], at, k)) ==
		       ERR_AGAIN) {
			rc = wait_poll(&wait);
			if (rc)
				break;
		}
		if (rc)
			op->left--; /* this part has not begun */
		at += r->list[k].iov_len;
	}
	return rc;
}

/* Moves the runs. A target that takes part in the epoch is asked to move many
 * short ones, which needs no call of the kernel and no work request for each.
 * Another target need not call anything, if the fabric can do without. */
static int move_runs(struct win_op *op, bool get, const struct runs *r,
		     size_t bytes)
{
	enum message_kind kind = get ? MESSAGE_GET : MESSAGE_PUT;
	struct pieces there = {r->list, 0};
	struct fab_ep *ep = win_ep(op->win, op->rank);
	bool many = r->n >= MANY && bytes / r->n <= SHORT;
	int rc = MRT_ERR_NO_FABRIC;

	if (op->win->flavor == MRT_WIN_DYNAMIC ||
	    (many && !win_is_passive(op->win)))
		return win_request(op, kind, NULL, r->list, r->n, op->packed);
	if (!ep->fab->node || r->n == 1)
		return by_fabric(op, get, r);
	if (bytes / r->n <= COPIED)
		rc = ep->fab->node->ops->copy_pieces(ep, !get, op->packed,
						     &there, bytes);
	if (rc != MRT_ERR_NO_FABRIC)
		return rc;
	return many ? win_request(op, kind, NULL, r->list, r->n, op->packed)
		    : by_fabric(op, get, r);
}

/* Whether a get reads the target's holes, too, as they are short. */
static bool is_dense_enough(const struct mrt_win *w, const struct target *t)
{
	size_t n;

	if (t->type->dense || w->flavor == MRT_WIN_DYNAMIC)
		return false;
	n = type_iov_len(t->type, t->count);
	return t->span / n <= HOLE &&
	       (t->span <= SPAN_MOST || t->span / 8 <= t->bytes);
}

/* Gets all memory from the first of the target's elements to the last, from
 * which the end of the operation takes the elements. */
static int get_span(struct win_op *op, const struct target *t,
		    const struct origin *o)
{
	struct runs r = {.list = &r.one, .n = 1};

	r.one = (struct iovec){(char *)(uintptr_t)t->at + t->low, t->span};
	op->packed = malloc(t->span);
	if (!op->packed)
		return proc_fail(MRT_ERR_NO_MEM, "%zu bytes of a window",
				 t->span);
	op->owns_packed = true;
	op->into = (struct typed_buffer){o->buf, o->count, o->type};
	op->from =
	    (struct typed_buffer){op->packed - t->low, t->count, t->type};
	type_hold(o->type);
	type_hold(t->type);
	return by_fabric(op, true, &r);
}

static int move_far(struct mrt_win *w, const struct target *t,
		    const struct origin *o, bool get,
		    struct mrt_request *request)
{
	struct win_op *op = win_op_begin(w, t->rank);
	struct runs r;
	int rc;

	if (!op)
		return MRT_ERR_NO_MEM;
	op->request = request;
	if (get && is_dense_enough(w, t))
		return win_started(op, get_span(op, t, o));
	rc = win_pack_origin(op, o, t->bytes, !get)
		 ?: win_list_runs(t, (void *)(uintptr_t)t->at, &r);
	if (rc)
		return win_started(op, rc);
	rc = move_runs(op, get, &r, t->bytes);
	win_drop_runs(&r);
	return win_started(op, rc);
}

static int put_or_get(const void *buf, size_t count, struct mrt_type *type,
		      const struct mrt_target *target, bool get,
		      struct mrt_win *w, struct mrt_request *request)
{
	struct target t;
	struct origin o;
	int rc = win_check_target(w, target, &t);
	bool good;

	if (!rc)
		rc = win_check_origin(buf, count, type, &t, &o);
	if (!rc && t.bytes)
		rc = win_check_access(w, &t, get ? ACCESS_GET : ACCESS_PUT,
				      NULL);
	if (rc || !t.bytes)
		return rc ? rc : NOTHING;
	if (!t.here)
		return move_far(w, &t, &o, get, request);
	good = get ? win_move(o.buf, o.type, t.here, t.type, t.bytes)
		   : win_move(t.here, t.type, o.buf, o.type, t.bytes);
	return good ? NOTHING
		    : proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack", t.bytes);
}

static int move_call(const char *call, const void *buf, size_t count,
		     struct mrt_type *type, const struct mrt_target *target,
		     bool get, struct mrt_win *win,
		     struct mrt_request **request)
{
	struct mrt_request *made;
	struct mrt_win *w;
	int rc = proc_enter(call);

	if (!rc) {
		rc = win_begin_operation(win, request, &w, &made)
			 ?: win_hand_out(put_or_get(buf, count, type, target,
						    get, w, made),
					 made, request);
		proc_leave();
	}
	return proc_result(call, rc);
}

/*
 * Is the whole call where it is a copy to or from memory that is mapped here
 * and has been used before, of elements without holes, in an epoch that is
 * open to it. False: nothing is done, as the call needs more, or is wrong.
 * Eight bytes, the most frequent length by far, need no memcpy.
 */
static inline bool move_at_once(const void *buf, size_t count,
				struct mrt_type *type,
				const struct mrt_target *target, bool get,
				struct mrt_win *w, struct mrt_request **request)
{
	const struct mrt_type *t = type_get_dense(type);
	const struct win_card *card;
	const struct win_peer *p;
	char *there, *here = (char *)(uintptr_t)buf;
	ptrdiff_t at;
	size_t bytes;

	if (!proc.open || !win_is(w) || !t || !target || request ||
	    target->type != type || target->count != count ||
	    count > t->count_max || (uintptr_t)buf < MRT_CONSTANTS_END)
		return false;
	p = win_peer_first(w, target->rank);
	if (!p || p->rank != target->rank || !p->direct ||
	    !win_is_entered(w, p) || w->accesses)
		return false;
	card = &w->cards[target->rank];
	bytes = count * t->size;
	if (__builtin_mul_overflow(target->disp, (ptrdiff_t)card->unit, &at) ||
	    at < 0 || (uint64_t)at > card->bytes ||
	    bytes > card->bytes - (uint64_t)at)
		return false;
	there = p->direct + at;
	if (bytes == 8)
		memcpy(get ? here : there, get ? there : here, 8);
	else
		copy_bytes(get ? here : there, get ? there : here, bytes);
	return true;
}

int mrt_put(const void *from, size_t count, struct mrt_type *type,
	    const struct mrt_target *target, struct mrt_win *win,
	    struct mrt_request **request)
{
	if (move_at_once(from, count, type, target, false, win, request))
		return 0;
	return move_call("mrt_put", from, count, type, target, false, win,
			 request);
}

int mrt_get(void *to, size_t count, struct mrt_type *type,
	    const struct mrt_target *target, struct mrt_win *win,
	    struct mrt_request **request)
{
	if (move_at_once(to, count, type, target, true, win, request))
		return 0;
	return move_call("mrt_get", to, count, type, target, true, win,
			 request);
}
