/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.c: accumulates that the network's device applies to the target's
 * memory, for which the target need not call. The device does sums, and
 * compares and swaps: any other operation compares and swaps until no other
 * rank has been faster. Later operations wait for it, as those of one rank on
 * one place take effect in order.
 *
 * Atomics of the device and of CPUs do not see each other. So elements are the
 * device's in all accumulates of a window or in none: those of one integer of 8
 * bytes, where the device joins all ranks, and each rank with itself.
 */
#include "rma/device.h"

#include <stdlib.h>
#include <string.h>

#include "coll/op/kernels.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/engine/wait.h"

enum { SIZE = sizeof(uint64_t), MANY = 1024 /* elements under way */ };

/* The device does an operation in one of these ways. */
enum way {
	WAY_ADD,
	WAY_SWAP,  /* compare and swap, once */
	WAY_REPEAT /* compare and swap until that succeeds */
};

/* An element under way. */
struct element {
	struct fab_op op;
	struct list link; /* in the window's list, if it is to be started */
	struct win_op *of;
	enum way way;
	const struct win_update *update;
	struct fab_key key;
	uint64_t at, operand, expected, former;
	char *out; /* where the former value goes, or NULL */
};

/* The parts of an operation. */
struct elements {
	struct win_update update;
	struct element element[];
};
_Static_assert(sizeof(struct elements) + sizeof(struct element) <= WIN_OP_STORE,
	       "one element is stored in the operation");

/* ---- Who does them ------------------------------------------------------- */

/* Returns the fabric that joins this rank with all others, and offers atomics,
 * or NULL. */
static struct fab *find_fabric(const struct mrt_win *w)
{
	struct fab *fab;

	if (w->comm->size < 2 || env.win_atomics ||
	    (w->flavor != MRT_WIN_CREATE && w->flavor != MRT_WIN_ALLOCATE))
		return NULL;
	fab = win_fab(w, w->comm->rank ? 0 : 1);
	for (int r = 0; r < w->comm->size; r++)
		if (r != w->comm->rank && win_fab(w, r) != fab)
			return NULL;
	return fab->ops->loopback ? fab : NULL;
}

int win_device_open(struct mrt_win *w, struct fab_key *lock_key)
{
	struct fab *fab = find_fabric(w);
	struct fab_ep *ep;
	int rc;

	if (!fab)
		return 0;
	rc = fab->ops->mem_register(fab, w->lock, sizeof(*w->lock), FAB_KEPT,
				    &w->lock_mem, lock_key);
	if (rc)
		return rc;
	w->lock_fab = fab;
	rc = fab->ops->loopback(fab, w->lock_mem, &ep);
	if (!rc)
		rc = fab->ops->loopback(fab, fab_region_mem(w->region, fab),
					&ep);
	if (!rc)
		w->loop = ep;
	return rc == MRT_ERR_NO_FABRIC ? 0 : rc;
}

static bool is_aligned(const struct target *t)
{
	struct runs r;
	bool aligned = true;

	if (t->type->dense)
		return t->at % SIZE == 0;
	if (win_list_runs(t, (void *)(uintptr_t)t->at, &r))
		return false;
	for (size_t k = 0; k < r.n; k++)
		aligned &= (uintptr_t)r.list[k].iov_base % SIZE == 0;
	win_drop_runs(&r);
	return aligned;
}

bool win_device_does(const struct mrt_win *w, const struct target *t,
		     const struct mrt_type *type)
{
	return w->loop &&
	       (type->kind == TYPE_INT64 || type->kind == TYPE_UINT64) &&
	       is_aligned(t);
}

/* ---- Elements ------------------------------------------------------------ */

static int device_start(struct element *e)
{
	const struct win_op *op = e->of;
	struct mrt_win *w = op->win;
	struct fab_ep *ep =
	    op->rank == w->comm->rank ? w->loop : win_ep(w, op->rank);
	uint64_t exchange[2] = {e->expected, e->operand};

	if (e->way == WAY_ADD)
		return ep->ops->fetch_add(ep, e->at, e->key, e->operand,
					  &e->former, &e->op);
	if (e->way == WAY_REPEAT)
		win_combine(e->update, &e->expected, &e->operand, &exchange[1]);
	return ep->ops->compare_swap(ep, e->at, e->key, exchange, &e->former,
				     &e->op);
}

static void start_later(struct element *e)
{
	list_append(&e->of->win->later, &e->link);
	win_listen(e->of->win);
}

static void device_end(struct element *e, int status)
{
	e->of->win->repeating -= e->way == WAY_REPEAT;
	win_op_end(e->of, status);
}

static void device_done(struct fab_op *fop, int status)
{
	struct element *e = (void *)fop;

	if (!status && e->way == WAY_REPEAT && e->former != e->expected) {
		e->expected = e->former;
		start_later(e);
		return;
	}
	if (!status && e->out)
		memcpy(e->out, &e->former, SIZE);
	device_end(e, status);
}

int win_device_poll(struct mrt_win *w)
{
	struct list *it;
	int n = 0, rc;

	while ((it = list_pop(&w->later))) {
		struct element *e = list_entry(it, struct element, link);

		rc = device_start(e);
		if (rc == ERR_AGAIN) {
			start_later(e);
			break;
		}
		if (rc)
			device_end(e, rc);
		n++;
	}
	return n;
}

/* Starts an element as a part of its operation. */
static int start_part(struct element *e)
{
	int rc;

	e->of->left++;
	e->of->win->repeating += e->way == WAY_REPEAT;
	rc = device_start(e);
	if (rc == ERR_AGAIN) {
		start_later(e);
		return 0;
	}
	if (rc) {
		e->of->left--;
		e->of->win->repeating -= e->way == WAY_REPEAT;
	}
	return rc;
}

/* Waits until no earlier operation is repeated. */
static int wait_for_repeated(struct mrt_win *w)
{
	WAIT(wait, wait_text, "earlier accumulates");
	int rc = 0;

	while (w->repeating && !rc)
		rc = wait_poll(&wait);
	return rc;
}

static struct elements *make_elements(struct win_op *op, size_t n,
				      const struct win_update *u)
{
	/* as many as fit the window */
	struct elements *all = win_op_parts(op, sizeof(struct elements) +
						    n * sizeof(struct element));

	if (all)
		all->update = *u;
	return all;
}

static void make_element(struct element *e, struct win_op *op, enum way way,
			 const void *at, char *out)
{
	const struct elements *all = op->parts;

	*e = (struct element){.op = {device_done},
			      .of = op,
			      .way = way,
			      .update = &all->update,
			      .key = op->win->cards[op->rank].key,
			      .at = (uintptr_t)at,
			      .out = out};
}

/* ---- Operations ---------------------------------------------------------- */

int win_device_update(struct win_op *op, const struct win_update *u,
		      const struct iovec *runs, size_t n, const char *in)
{
	enum way way =
	    u->op->kernel == KERNEL_SUM || u->op->kernel == KERNEL_NO_OP
		? WAY_ADD
		: WAY_REPEAT;
	WAIT(wait, wait_text, "room for one-sided operations");
	char *out = op->packed;
	struct elements *all;
	size_t total = 0;
	struct element *e;
	int rc = wait_for_repeated(op->win);

	for (size_t i = 0; i < n; i++)
		total += runs[i].iov_len / SIZE;
	all = make_elements(op, total, u);
	if (!all)
		return MRT_ERR_NO_MEM;
	e = all->element;
	for (size_t i = 0; i < n && !rc; i++)
		for (size_t at = 0; at < runs[i].iov_len && !rc; at += SIZE) {
			make_element(e, op, way, (char *)runs[i].iov_base + at,
				     out);
			if (in && u->op->kernel != KERNEL_NO_OP)
				memcpy(&e->operand, in, SIZE);
			in = in ? in + SIZE : NULL;
			out = out ? out + SIZE : NULL;
			rc = start_part(e++);
			while (op->left > MANY && !rc)
				rc = wait_poll(&wait);
		}
	return rc;
}

int win_device_swap(struct win_op *op, const void *at, const char *in)
{
	struct elements *all = make_elements(op, 1, &(struct win_update){0});

	if (!all)
		return MRT_ERR_NO_MEM;
	make_element(all->element, op, WAY_SWAP, at, op->packed);
	memcpy(&all->element->expected, in, SIZE);
	memcpy(&all->element->operand, in + SIZE, SIZE);
	return wait_for_repeated(op->win) ?: start_part(all->element);
}

int win_device_add(struct mrt_win *w, int rank, size_t word, uint64_t add,
		   uint64_t *former)
{
	const struct win_card *card = &w->cards[rank];
	struct win_op *op = win_op_begin(w, rank);
	struct elements *all;

	if (!op)
		return MRT_ERR_NO_MEM;
	all = make_elements(op, 1, &(struct win_update){0});
	if (!all)
		return win_started(op, MRT_ERR_NO_MEM);
	make_element(all->element, op, WAY_ADD,
		     (void *)(uintptr_t)(card->lock + word), (char *)former);
	all->element->key = card->lock_key;
	all->element->operand = add;
	return win_started(op, start_part(all->element));
}
