/* SPDX-License-Identifier: Apache-2.0 */
/* access.c: checks, packing and requests of operations on a window. */
#include "rma/access.h"

#include <stdlib.h>

#include "runtime/base/copy.h"

#include "p2p/args.h"

/* ---- Checks -------------------------------------------------------------- */

/* Sets the bounds of the data of count > 0 elements, relative to the first. */
static bool access_bounds(const struct mrt_type *t, size_t count,
			  ptrdiff_t *low, ptrdiff_t *high)
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
static int access_place(const struct mrt_win *w, struct target *t,
			ptrdiff_t disp)
{
	const struct win_card *card = &w->cards[t->rank];
	ptrdiff_t low, high, at;

	if (t->count > t->type->count_max ||
	    !access_bounds(t->type, t->count, &low, &high))
		return proc_fail(MRT_ERR_COUNT, "the count is %td",
				 (ptrdiff_t)t->count);
	t->low = low;
	t->span = (size_t)(high - low);
	if (w->flavor == MRT_WIN_DYNAMIC) {
		t->at = (uint64_t)disp;
		return 0;
	}
	if (__builtin_mul_overflow(disp, (ptrdiff_t)card->unit, &at) ||
	    __builtin_add_overflow(low, at, &low) ||
	    __builtin_add_overflow(high, at, &high) || low < 0 ||
	    (uint64_t)high > card->bytes)
		return proc_fail(MRT_ERR_RANGE,
				 "displacement %td and %zu elements of %zu "
				 "bytes are not in the %llu bytes of rank %d",
				 disp, t->count, t->type->size,
				 (unsigned long long)card->bytes, t->rank);
	t->at = card->addr + (uint64_t)at;
	if (t->peer->direct)
		t->here = t->peer->direct + at;
	return 0;
}

int win_check_target(struct mrt_win *w, const struct mrt_target *target,
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
	*t = (struct target){.peer = win_peer(w, target->rank),
			     .rank = target->rank,
			     .count = target->count,
			     .type = type_get(target->type)};
	if (!t->peer)
		return MRT_ERR_NO_MEM;
	if (!t->type || !t->type->committed)
		return proc_fail(MRT_ERR_TYPE,
				 "the target's type %p is no type, or not "
				 "committed",
				 (void *)target->type);
	rc = win_enter(w, t->peer);
	if (rc)
		return rc;
	t->bytes = t->count * t->type->size;
	if (!t->count || !t->type->size)
		return 0;
	return access_place(w, t, target->disp);
}

int win_check_origin(const void *buf, size_t count, struct mrt_type *type,
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

/* ---- Data ---------------------------------------------------------------- */

int win_list_runs(const struct target *t, const void *base, struct runs *r)
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

void win_drop_runs(struct runs *r)
{
	if (r->list != &r->one)
		free(r->list);
}

int win_pack_origin(struct win_op *op, const struct origin *o, size_t bytes,
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

bool win_move(char *to, const struct mrt_type *to_type, const char *from,
	      const struct mrt_type *from_type, size_t bytes)
{
	char *packed = NULL;

	if (to_type->dense && from_type->dense) {
		copy_bytes(to, from, bytes);
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

/* ---- Requests ------------------------------------------------------------ */

int win_started(struct win_op *op, int rc)
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

int win_hand_out(int rc, struct mrt_request *made, struct mrt_request **request)
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

int win_begin_operation(struct mrt_win *handle, struct mrt_request **request,
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
