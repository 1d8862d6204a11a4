/* SPDX-License-Identifier: Apache-2.0 */
/* access.c: put, get and accumulate: checks, and which way they go. */
#include <stdlib.h>
#include <string.h>

#include "coll/op/kernels.h"
#include "p2p/args.h"
#include "p2p/type/type_elements.h"
#include "rma/win.h"
#include "runtime/base/error.h"
#include "runtime/engine/wait.h"

/* Elements of the target, checked. */
struct target {
	struct win_peer *peer;
	int rank;
	uint64_t at; /* address of the first element at its owner */
	char *here;  /* the same, mapped here; NULL: it is not */
	const struct mrt_type *type;
	size_t count, bytes;
};

/* The origin's elements, or those of the result. */
struct origin {
	char *buf;
	size_t count;
	const struct mrt_type *type;
};

/* Returned by the checks where there is nothing to do. */
enum { NOTHING = 1 };

/* ---- Checks -------------------------------------------------------------- */

/* Sets the bounds of the data of count > 0 elements, relative to the first. */
static bool bounds(const struct mrt_type *t, size_t count, ptrdiff_t *low,
		   ptrdiff_t *high)
{
	ptrdiff_t rest;

	*low = t->true_lb;
	if (__builtin_add_overflow(t->true_lb, t->true_extent, high) ||
	    __builtin_mul_overflow((ptrdiff_t)count - 1, t->extent, &rest))
		return false;
	return !__builtin_add_overflow(rest < 0 ? *low : *high, rest,
				       rest < 0 ? low : high);
}

/* Sets t->at to where the elements begin. */
static int place(const struct mrt_win *w, struct target *t, ptrdiff_t disp)
{
	ptrdiff_t low, high, at;

	if (t->count > t->type->count_max ||
	    !bounds(t->type, t->count, &low, &high))
		return proc_fail(MRT_ERR_COUNT, "%zu elements", t->count);
	if (w->flavor == MRT_WIN_DYNAMIC) {
		t->at = (uint64_t)disp;
		return 0;
	}
	if (__builtin_mul_overflow(disp, (ptrdiff_t)t->peer->unit, &at) ||
	    __builtin_add_overflow(low, at, &low) ||
	    __builtin_add_overflow(high, at, &high) || low < 0 ||
	    (uint64_t)high > t->peer->bytes)
		return proc_fail(MRT_ERR_RANGE,
				 "displacement %td and %zu elements of %zu "
				 "bytes are not in the %llu bytes of rank %d",
				 disp, t->count, t->type->size,
				 (unsigned long long)t->peer->bytes, t->rank);
	t->at = t->peer->addr + (uint64_t)at;
	if (t->peer->direct)
		t->here = t->peer->direct + at;
	return 0;
}

static int check_target(struct mrt_win *w, const struct mrt_target *target,
			struct target *t)
{
	int rc;

	if (!target)
		return proc_fail(MRT_ERR_ARG, "target is NULL");
	if (target->rank == MRT_PROC_NULL)
		return NOTHING;
	if (target->rank < 0 || target->rank >= w->comm->size)
		return proc_fail(MRT_ERR_RANK, "rank %d of a window of %d",
				 target->rank, w->comm->size);
	*t = (struct target){.peer = &w->peers[target->rank],
			     .rank = target->rank,
			     .count = target->count,
			     .type = type_get(target->type)};
	if (!t->type || !t->type->committed)
		return proc_fail(MRT_ERR_TYPE,
				 "the target's type %p is no type, or not "
				 "committed",
				 (void *)target->type);
	rc = win_enter(w, target->rank);
	if (rc)
		return rc;
	t->bytes = t->count * t->type->size;
	if (!t->count || !t->type->size)
		return 0;
	return place(w, t, target->disp);
}

/* Checks the origin's elements, which must be as many bytes as the target's. */
static int check_origin(const void *buf, size_t count, struct mrt_type *type,
			const struct target *t, struct origin *o)
{
	int rc = args_check_elements(buf, count, type);

	if (rc)
		return rc;
	*o = (struct origin){(char *)(uintptr_t)buf, count, type_get(type)};
	if (count * o->type->size == t->bytes)
		return 0;
	return proc_fail(MRT_ERR_COUNT,
			 "%zu bytes at the origin and %zu at the target",
			 count * o->type->size, t->bytes);
}

static void find_basic(void *context, const struct mrt_type *basic, size_t n)
{
	const struct mrt_type **found = context;

	(void)n;
	if (!*found)
		*found = basic;
	else if (*found != basic)
		*found = type_get(MRT_PACKED); /* which has no operation */
}

/* Sets *u, if the operation is one for the basic type of both. */
static int check_update(struct mrt_op *op, const struct target *t,
			const struct origin *o, bool fetches,
			struct win_update *u)
{
	const struct mrt_type *other = NULL;

	*u = (struct win_update){op_get(op), NULL, (uint32_t)(uintptr_t)op};
	if (!u->op)
		return op_unknown(op);
	if (u->op->fn || (u->op->kernel == KERNEL_NO_OP && !fetches))
		return proc_fail(MRT_ERR_OP,
				 u->op->fn ? "a user's operation"
					   : "MRT_NO_OP without a result");
	type_each_basic(t->type, 1, find_basic, &u->type);
	if (o)
		type_each_basic(o->type, 1, find_basic, &other);
	if (u->type && (!o || u->type == other) && win_update_fits(u))
		return 0;
	return proc_fail(MRT_ERR_OP,
			 "%s of %s: it is for elements of one predefined type, "
			 "the same at both ends",
			 u->op->name, u->type ? u->type->name : "nothing");
}

/* ---- Data ---------------------------------------------------------------- */

/* Copies from elements to other elements of as many bytes. False: no memory. */
static bool move(char *to, const struct mrt_type *to_type, const char *from,
		 const struct mrt_type *from_type, size_t bytes)
{
	char *packed = NULL;

	if (to_type->dense && from_type->dense) {
		memcpy(to, from, bytes);
	} else if (to_type->dense) {
		type_pack(from_type, from, 0, bytes, to);
	} else if (from_type->dense) {
		type_unpack(to_type, to, 0, bytes, from);
	} else {
		packed = malloc(bytes);
		if (!packed)
			return false;
		type_pack(from_type, from, 0, bytes, packed);
		type_unpack(to_type, to, 0, bytes, packed);
		free(packed);
	}
	return true;
}

/* The target's contiguous runs, at an address of `base`. */
struct runs {
	struct iovec one, *list;
	size_t n;
};

static int list_runs(const struct target *t, const void *base, struct runs *r)
{
	r->list = &r->one;
	r->n = 1;
	if (t->type->dense) {
		r->one = (struct iovec){(void *)(uintptr_t)base, t->bytes};
		return 0;
	}
	r->n = type_iov_len(t->type, t->count);
	r->list = r->n < SIZE_MAX / sizeof(*r->list)
		      ? malloc(r->n * sizeof(*r->list))
		      : NULL;
	if (!r->list)
		return proc_fail(MRT_ERR_NO_MEM, "%zu pieces of the target",
				 r->n);
	type_iov(t->type, base, t->count, r->list);
	return 0;
}

static void drop_runs(struct runs *r)
{
	if (r->list != &r->one)
		free(r->list);
}

/* Makes op->packed the origin's data (fill), or the place for the result. */
static int pack_origin(struct win_op *op, const struct origin *o, size_t bytes,
		       bool fill)
{
	op->room = fill ? 0 : bytes;
	if (o->type->dense) {
		op->packed = o->buf;
		return 0;
	}
	op->packed = malloc(bytes);
	if (!op->packed)
		return proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack", bytes);
	op->owns_packed = true;
	if (fill) {
		type_pack(o->type, o->buf, 0, bytes, op->packed);
		return 0;
	}
	op->into = (struct typed_buffer){o->buf, o->count, o->type};
	type_hold(o->type);
	return 0;
}

/* ---- Put and get --------------------------------------------------------- */

static void part_done(struct fab_op *fop, int status)
{
	win_op_end(((struct win_part *)(void *)fop)->of, status);
}

/* Starts a read or write of one run. */
static int start_part(struct fab_ep *ep, bool get, struct win_op *op,
		      const struct iovec *run, size_t at, size_t k)
{
	uint64_t remote = (uintptr_t)run->iov_base;
	const struct fab_key key = op->win->peers[op->rank].key;
	struct fab_op *fop = &op->parts[k].op;

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
	size_t at = 0;
	int rc = 0;

	op->parts = calloc(r->n, sizeof(*op->parts));
	if (!op->parts)
		return proc_fail(MRT_ERR_NO_MEM, "%zu pieces", r->n);
	for (size_t k = 0; k < r->n && !rc; k++) {
		op->parts[k] = (struct win_part){{part_done}, op};
		op->left++;
		while ((rc = start_part(ep, get, op, &r->list[k], at, k)) ==
		       ERR_AGAIN) {
			rc = wait_poll(&wait);
			if (rc)
				break;
		}
		if (rc)
			op->left--; /* it has not begun */
		at += r->list[k].iov_len;
	}
	return rc;
}

/* Ends the call that has started an operation. An error of the call is its
 * own, not that of a later one. */
static int started(struct win_op *op, int rc)
{
	struct mrt_win *w = op->win;
	int before = w->error;

	if (rc)
		op->request = NULL;
	win_op_end(op, rc);
	if (rc)
		w->error = before;
	return rc;
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
	rc = pack_origin(op, o, t->bytes, !get);
	if (!rc)
		rc = list_runs(t, (void *)(uintptr_t)t->at, &r);
	if (rc)
		return started(op, rc);
	if (w->flavor == MRT_WIN_DYNAMIC)
		rc = win_request(op, get ? MESSAGE_GET : MESSAGE_PUT, NULL,
				 r.list, r.n, op->packed);
	else
		rc = by_fabric(op, get, &r);
	drop_runs(&r);
	return started(op, rc);
}

static int put_or_get(const void *buf, size_t count, struct mrt_type *type,
		      const struct mrt_target *target, bool get,
		      struct mrt_win *w, struct mrt_request *request)
{
	struct target t;
	struct origin o;
	int rc = check_target(w, target, &t);
	bool good;

	if (!rc)
		rc = check_origin(buf, count, type, &t, &o);
	if (rc || !t.bytes)
		return rc ? rc : NOTHING;
	if (!t.here)
		return move_far(w, &t, &o, get, request);
	good = get ? move(o.buf, o.type, t.here, t.type, t.bytes)
		   : move(t.here, t.type, o.buf, o.type, t.bytes);
	return good ? NOTHING
		    : proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack", t.bytes);
}

/* ---- Accumulate ---------------------------------------------------------- */

/* What an accumulate is given. */
struct update_call {
	const void *from;
	size_t count;
	struct mrt_type *type;
	void *result; /* if fetches */
	size_t result_count;
	struct mrt_type *result_type;
	bool fetches;
	struct mrt_op *op;
};

static int update_here(const struct target *t, const struct origin *from,
		       const struct origin *result, const struct win_update *u)
{
	char *in = NULL, *out = NULL;
	struct runs r;
	int rc = list_runs(t, t->here, &r);

	if (rc)
		return rc;
	if (from)
		in = from->type->dense ? from->buf : malloc(t->bytes);
	if (result)
		out = result->type->dense ? result->buf : malloc(t->bytes);
	if ((from && !in) || (result && !out))
		rc = proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack", t->bytes);
	if (!rc && from && in != from->buf)
		type_pack(from->type, from->buf, 0, t->bytes, in);
	if (!rc)
		rc = win_apply(t->peer->lock, u, r.list, r.n, in, out);
	if (!rc && result && out != result->buf)
		type_unpack(result->type, result->buf, 0, t->bytes, out);
	if (from && in != from->buf)
		free(in);
	if (result && out != result->buf)
		free(out);
	drop_runs(&r);
	return rc;
}

static int update_far(struct mrt_win *w, const struct target *t,
		      const struct origin *from, const struct origin *result,
		      const struct win_update *u, struct mrt_request *request)
{
	struct win_op *op = win_op_begin(w, t->rank);
	char *in = NULL;
	struct runs r;
	int rc = 0;

	if (!op)
		return MRT_ERR_NO_MEM;
	op->request = request;
	if (result)
		rc = pack_origin(op, result, t->bytes, false);
	if (!rc && from && !from->type->dense) {
		in = malloc(t->bytes);
		if (in)
			type_pack(from->type, from->buf, 0, t->bytes, in);
		else
			rc = proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack",
				       t->bytes);
	}
	if (!rc)
		rc = list_runs(t, (void *)(uintptr_t)t->at, &r);
	if (!rc) {
		/* the messages copy what they carry */
		rc = win_request(op, result ? MESSAGE_FETCH : MESSAGE_UPDATE, u,
				 r.list, r.n,
				 in	? in
				 : from ? from->buf
					: NULL);
		drop_runs(&r);
	}
	free(in);
	return started(op, rc);
}

static int update(const struct update_call *c, const struct mrt_target *target,
		  struct mrt_win *w, struct mrt_request *request)
{
	const struct mrt_op *o = op_get(c->op);
	bool sends = !o || o->kernel != KERNEL_NO_OP || o->fn;
	struct origin from, result;
	struct win_update u;
	struct target t;
	int rc = check_target(w, target, &t);

	if (!rc && sends)
		rc = check_origin(c->from, c->count, c->type, &t, &from);
	if (!rc && c->fetches)
		rc = check_origin(c->result, c->result_count, c->result_type,
				  &t, &result);
	if (!rc)
		rc = check_update(c->op, &t, sends ? &from : NULL, c->fetches,
				  &u);
	if (rc || !t.bytes)
		return rc ? rc : NOTHING;
	if (!t.here || !t.peer->lock)
		return update_far(w, &t, sends ? &from : NULL,
				  c->fetches ? &result : NULL, &u, request);
	rc = update_here(&t, sends ? &from : NULL, c->fetches ? &result : NULL,
			 &u);
	return rc ? rc : NOTHING;
}

/* Whether elements of a type are compared bit by bit. */
static bool is_comparable(const struct mrt_type *t)
{
	return (t->kind >= TYPE_INT8 && t->kind <= TYPE_UINT64) ||
	       (t->kind >= TYPE_BOOL && t->kind <= TYPE_INT128);
}

static bool is_memory(const void *buf)
{
	return (uintptr_t)buf >= MRT_CONSTANTS_END;
}

static int swap(const void *from, const void *compare, void *result,
		struct mrt_type *type, const struct mrt_target *target,
		struct mrt_win *w)
{
	struct target t;
	struct win_op *op;
	struct runs r;
	char both[32];
	int rc = check_target(w, target, &t);

	if (rc)
		return rc;
	if (t.type != type_get(type) || !is_comparable(t.type))
		return proc_fail(MRT_ERR_TYPE,
				 "%s has no compare-and-swap: an integer, a "
				 "logical type or MRT_BYTE has",
				 t.type->name ? t.type->name
					      : "a derived type");
	if (!is_memory(from) || !is_memory(compare) || !is_memory(result))
		return proc_fail(MRT_ERR_BUFFER,
				 "a buffer is none: from %p, compare %p, "
				 "result %p",
				 from, compare, result);
	memcpy(both, compare, t.type->size);
	memcpy(both + t.type->size, from, t.type->size);
	if (t.here && t.peer->lock)
		return win_apply_swap(t.peer->lock, t.type, t.here, both,
				      result);
	op = win_op_begin(w, t.rank);
	if (!op)
		return MRT_ERR_NO_MEM;
	op->packed = result;
	op->room = t.bytes;
	list_runs(&t, (void *)(uintptr_t)t.at, &r);
	return started(op, win_request(op, MESSAGE_SWAP,
				       &(struct win_update){.type = t.type},
				       r.list, r.n, both));
}

/* ---- Calls --------------------------------------------------------------- */

/* Gives the user the request of an operation that has ended with rc, which may
 * be NOTHING, or is under way. Returns 0 or the error. */
static int hand_out(int rc, struct mrt_request *made,
		    struct mrt_request **request)
{
	if (!request)
		return rc == NOTHING ? 0 : rc;
	if (rc) {
		request_put(made);
		made = &request_sent;
	}
	if (rc && rc != NOTHING)
		return rc;
	*request = made;
	return 0;
}

/* Begins a call: finds the window, and makes a request for the user who wants
 * one. */
static int begin(struct mrt_win *handle, struct mrt_request **request,
		 struct mrt_win **w, struct mrt_request **made)
{
	*made = NULL;
	*w = win_get(handle);
	if (!*w)
		return MRT_ERR_WIN;
	if (!request)
		return 0;
	*made = request_alloc(REQ_SEND, (*w)->comm);
	if (!*made)
		return MRT_ERR_NO_MEM;
	(*made)->peer = (*made)->tag = 0;
	(*made)->context = (*w)->comm->context;
	(*made)->bytes = 0;
	return 0;
}

static int move_call(const char *call, const void *buf, size_t count,
		     struct mrt_type *type, const struct mrt_target *target,
		     bool get, struct mrt_win *win,
		     struct mrt_request **request)
{
	struct mrt_request *made;
	struct mrt_win *w;
	int rc = proc_enter();

	if (!rc) {
		rc = begin(win, request, &w, &made);
		if (!rc)
			rc = hand_out(
			    put_or_get(buf, count, type, target, get, w, made),
			    made, request);
		proc_leave();
	}
	return proc_result(call, rc);
}

static int update_call(const char *call, const struct update_call *c,
		       const struct mrt_target *target, struct mrt_win *win,
		       struct mrt_request **request)
{
	struct mrt_request *made;
	struct mrt_win *w;
	int rc = proc_enter();

	if (!rc) {
		rc = begin(win, request, &w, &made);
		if (!rc)
			rc =
			    hand_out(update(c, target, w, made), made, request);
		proc_leave();
	}
	return proc_result(call, rc);
}

int mrt_put(const void *from, size_t count, struct mrt_type *type,
	    const struct mrt_target *target, struct mrt_win *win,
	    struct mrt_request **request)
{
	return move_call("mrt_put", from, count, type, target, false, win,
			 request);
}

int mrt_get(void *to, size_t count, struct mrt_type *type,
	    const struct mrt_target *target, struct mrt_win *win,
	    struct mrt_request **request)
{
	return move_call("mrt_get", to, count, type, target, true, win,
			 request);
}

int mrt_accumulate(const void *from, size_t count, struct mrt_type *type,
		   const struct mrt_target *target, struct mrt_op *op,
		   struct mrt_win *win, struct mrt_request **request)
{
	const struct update_call c = {
	    .from = from, .count = count, .type = type, .op = op};

	return update_call("mrt_accumulate", &c, target, win, request);
}

int mrt_get_accumulate(const void *from, size_t count, struct mrt_type *type,
		       void *result, size_t result_count,
		       struct mrt_type *result_type,
		       const struct mrt_target *target, struct mrt_op *op,
		       struct mrt_win *win, struct mrt_request **request)
{
	const struct update_call c = {from,	    count,	 type, result,
				      result_count, result_type, true, op};

	return update_call("mrt_get_accumulate", &c, target, win, request);
}

int mrt_compare_swap(const void *from, const void *compare, void *result,
		     struct mrt_type *type, int rank, ptrdiff_t disp,
		     struct mrt_win *win)
{
	const struct mrt_target target = {rank, disp, 1, type};
	struct mrt_win *w;
	int rc = proc_enter();

	if (!rc) {
		w = win_get(win);
		rc = w ? swap(from, compare, result, type, &target, w)
		       : MRT_ERR_WIN;
		proc_leave();
	}
	return proc_result("mrt_compare_swap", rc == NOTHING ? 0 : rc);
}
