/* SPDX-License-Identifier: Apache-2.0 */
/* update.c: accumulate, its forms that fetch, and compare-and-swap. */
#include <stdlib.h>
#include <string.h>

#include "coll/op/kernels.h"
#include "p2p/type/type_elements.h"
#include "rma/conflict.h"
#include "rma/device.h"

static void find_basic(void *context, const struct mrt_type *basic, size_t n)
{
	const struct mrt_type **found = context;

	(void)n;
	if (!*found)
		*found = basic;
	else if (*found != basic)
		*found = type_get(MRT_PACKED); /* which has no operation */
}

/* Returns the type of elements of both types, NULL if they have none in common:
 * bytes at one end are what the other end says, and those at both ends integers
 * in operations whose result has the same bits whether they have a sign. At the
 * target that needs whole elements in each run. */
static const struct mrt_type *common_type(const struct mrt_op *op,
					  const struct target *t,
					  const struct mrt_type *there,
					  const struct mrt_type *here)
{
	const struct mrt_type *byte = type_get(MRT_BYTE);

	if (here == byte && there == byte)
		return op->kernel == KERNEL_SUM || op->kernel == KERNEL_PROD ||
			       op->kernel == KERNEL_LAND ||
			       op->kernel == KERNEL_LOR ||
			       op->kernel == KERNEL_LXOR
			   ? type_get(MRT_UINT8)
			   : byte;
	if (here == there || here == byte)
		return there;
	return there == byte && t->type->dense && here && here->dense &&
		       t->bytes % here->size == 0
		   ? here
		   : NULL;
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
	if (!t->bytes)
		return 0; /* no elements, whatever their types */
	type_each_basic(t->type, 1, find_basic, &u->type);
	if (o) {
		type_each_basic(o->type, 1, find_basic, &other);
		u->type = common_type(u->op, t, u->type, other);
	}
	if (u->type && win_update_fits(u))
		return 0;
	return proc_fail(MRT_ERR_OP,
			 "%s of %s: it is for elements of one predefined type, "
			 "the same at both ends",
			 u->op->name, u->type ? u->type->name : "nothing");
}

/* The arguments of an accumulate, or of one that fetches. */
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

/* Whether this rank does accumulates on the target itself: by loads and stores,
 * or by copies in a passive epoch. In an active one the target calls anyhow,
 * and its own accumulates take less time than copies. */
static bool find_place(const struct mrt_win *w, const struct target *t,
		       struct win_place *place)
{
	*place = (struct win_place){t->peer->lock,
				    t->here ? NULL : win_ep(w, t->rank),
				    w->cards[t->rank].locked};
	return place->lock && (t->here || (place->locked && win_is_passive(w) &&
					   place->ep->fab->node));
}

/* The address of the target's elements, here or at their owner. */
static char *address_of(const struct target *t)
{
	return t->here ? t->here : (char *)(uintptr_t)t->at;
}

static int update_here(const struct win_place *place, const struct target *t,
		       const struct origin *from, const struct origin *result,
		       const struct win_update *u)
{
	char *in = NULL, *out = NULL;
	struct runs r;
	int rc = win_list_runs(t, address_of(t), &r);

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
		rc = win_apply(place, u, r.list, r.n, in, out);
	if (!rc && result && out != result->buf)
		type_unpack(result->type, result->buf, 0, t->bytes, out);
	if (from && in != from->buf)
		free(in);
	if (result && out != result->buf)
		free(out);
	win_drop_runs(&r);
	return rc;
}

/* Has the device do the update, or else asks the target to. */
static int update_far(struct mrt_win *w, const struct target *t,
		      const struct origin *from, const struct origin *result,
		      const struct win_update *u, bool device,
		      struct mrt_request *request)
{
	struct win_op *op = win_op_begin(w, t->rank);
	char *in = NULL;
	struct runs r;
	int rc = 0;

	if (!op)
		return MRT_ERR_NO_MEM;
	op->request = request;
	if (result)
		rc = win_pack_origin(op, result, t->bytes, false);
	if (!rc && from && !from->type->dense) {
		in = malloc(t->bytes);
		if (in)
			type_pack(from->type, from->buf, 0, t->bytes, in);
		else
			rc = proc_fail(MRT_ERR_NO_MEM, "%zu bytes to pack",
				       t->bytes);
	}
	if (!rc)
		rc = win_list_runs(t, (void *)(uintptr_t)t->at, &r);
	if (!rc) {
		/* elements and messages copy what they carry */
		const char *data = in ? in : from ? from->buf : NULL;

		rc = device
			 ? win_device_update(op, u, r.list, r.n, data)
			 : win_request(op,
				       result ? MESSAGE_FETCH : MESSAGE_UPDATE,
				       u, r.list, r.n, data);
		win_drop_runs(&r);
	}
	free(in);
	return win_started(op, rc);
}

static int update(const struct update_call *c, const struct mrt_target *target,
		  struct mrt_win *w, struct mrt_request *request)
{
	const struct mrt_op *o = op_get(c->op);
	bool sends = !o || o->kernel != KERNEL_NO_OP || o->fn;
	struct origin from, result;
	struct win_place place;
	struct win_update u;
	struct target t;
	bool device;
	int rc = win_check_target(w, target, &t);

	if (!rc && sends)
		rc = win_check_origin(c->from, c->count, c->type, &t, &from);
	if (!rc && c->fetches)
		rc = win_check_origin(c->result, c->result_count,
				      c->result_type, &t, &result);
	if (!rc)
		rc = check_update(c->op, &t, sends ? &from : NULL, c->fetches,
				  &u);
	if (!rc && t.bytes)
		rc = win_check_access(w, &t, ACCESS_UPDATE, u.type);
	if (rc || !t.bytes)
		return rc ? rc : NOTHING;
	device = win_device_does(w, &t, u.type);
	rc = MRT_ERR_NO_FABRIC;
	if (!device && find_place(w, &t, &place))
		rc = update_here(&place, &t, sends ? &from : NULL,
				 c->fetches ? &result : NULL, &u);
	if (rc == MRT_ERR_NO_FABRIC)
		return update_far(w, &t, sends ? &from : NULL,
				  c->fetches ? &result : NULL, &u, device,
				  request);
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

static int update_swap(const void *from, const void *compare, void *result,
		       struct mrt_type *type, const struct mrt_target *target,
		       struct mrt_win *w)
{
	struct win_place place;
	struct target t;
	struct win_op *op;
	struct runs r;
	char both[32];
	bool device;
	int rc = win_check_target(w, target, &t);

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
	rc = win_check_access(w, &t, ACCESS_UPDATE, t.type);
	if (rc)
		return rc;
	memcpy(both, compare, t.type->size);
	memcpy(both + t.type->size, from, t.type->size);
	device = win_device_does(w, &t, t.type);
	if (!device && find_place(w, &t, &place)) {
		rc = win_apply_swap(&place, t.type, address_of(&t), both,
				    result);
		if (rc != MRT_ERR_NO_FABRIC)
			return rc;
	}
	op = win_op_begin(w, t.rank);
	if (!op)
		return MRT_ERR_NO_MEM;
	op->packed = result;
	op->room = t.bytes;
	if (device)
		return win_started(
		    op, win_device_swap(op, (void *)(uintptr_t)t.at, both));
	win_list_runs(&t, (void *)(uintptr_t)t.at, &r);
	return win_started(op, win_request(op, MESSAGE_SWAP,
					   &(struct win_update){.type = t.type},
					   r.list, r.n, both));
}

static int update_call(const char *call, const struct update_call *c,
		       const struct mrt_target *target, struct mrt_win *win,
		       struct mrt_request **request)
{
	struct mrt_request *made;
	struct mrt_win *w;
	int rc = proc_enter(call);

	if (!rc) {
		rc = win_begin_operation(win, request, &w, &made)
			 ?: win_hand_out(update(c, target, w, made), made,
					 request);
		proc_leave();
	}
	return proc_result(call, rc);
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
	int rc = proc_enter("mrt_compare_swap");

	if (!rc) {
		w = win_get(win);
		rc = w ? update_swap(from, compare, result, type, &target, w)
		       : MRT_ERR_WIN;
		proc_leave();
	}
	return proc_result("mrt_compare_swap", rc == NOTHING ? 0 : rc);
}
