/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.c: the memory for one-sided steps, the turns on it, and the steps.
 *
 * A rank needs to know nothing of the others' turns, since a plan with cells
 * lets no rank finish before all have begun. So while a rank is in its k-th
 * turn, every other rank is in its turn k - 1, k or k + 1. Odd and even turns
 * use different words, so that ranks that are ahead do not disturb those that
 * are behind. A rank that begins turn k + 2 knows that all ranks have begun
 * turn k + 1, and so have finished turn k: no rank expects anything from the
 * words of turn k any more, and all operations on them are done, since a turn
 * ends when the operations of its rank have been answered.
 *
 * An accumulator holds 0 for "nothing": an element is stored as its difference
 * (exclusive or) from the operation's identity (op_identity).
 */
#include "coll/cells/cells.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

enum { SETS = 2 };

/* A rank tells the others by this where its cells are, in 64-bit words. */
struct remote {
	uint64_t addr;	       /* 0: the rank has none */
	struct fab_key keys[]; /* of fab_region */
};

struct peer {
	struct fab_ep *ep;
	uint64_t addr;
	struct fab_key key; /* for the fabric of ep */
};

struct cells {
	struct mrt_comm *comm;
	uint64_t *words; /* [SETS][CELLS_MAX] */
	struct fab_region *region;
	struct peer *peers; /* [size] */
	/* the value of each counter that was waited for last */
	uint64_t waited[SETS][CELLS_COUNTERS];
	struct turns turns;
	struct list todo; /* acts that have something to start or to await */
	struct progress_hook hook; /* while a turn or an act may wait */
};

/* ---- Memory ------------------------------------------------------------- */

static size_t remote_words(void)
{
	return 1 + (size_t)fab_count(proc.fab) *
		       (sizeof(struct fab_key) / sizeof(uint64_t));
}

/* Allocates this rank's memory and registers it with every fabric. */
static int open_memory(struct cells *c, struct remote *own)
{
	void *words;
	int rc = proc.fab->ops->heap_alloc(
	    proc.fab, SETS * CELLS_MAX * sizeof(*c->words), true, &words);

	if (rc)
		return rc;
	c->words = words;
	rc = fab_region_open(proc.fab, words,
			     SETS * CELLS_MAX * sizeof(*c->words), &c->region,
			     own->keys);
	if (!rc)
		own->addr = (uintptr_t)words;
	return rc;
}

static void close_memory(struct cells *c)
{
	fab_region_close(c->region);
	if (c->words)
		proc.fab->ops->heap_free(proc.fab, c->words);
}

/* Tells all ranks where each rank's memory is: combines tables that are zero
 * but for the entry of their rank. */
static int cells_exchange(struct cells *c, coll_combine *combine, uint64_t *all)
{
	const size_t words = remote_words();
	struct mrt_comm *comm = c->comm;
	uint64_t *own = all + (size_t)comm->rank * words;
	int failed = open_memory(c, (struct remote *)own);
	int rc;

	if (failed)
		memset(own, 0, words * sizeof(*own));
	rc = combine(comm, all, (size_t)comm->size * words);
	for (int r = 0; r < comm->size && !rc; r++) {
		struct fab_ep *ep = proc_ep(comm_world_rank(comm, r));
		const struct remote *peer =
		    (const struct remote *)(all + (size_t)r * words);

		c->peers[r] = (struct peer){
		    ep, peer->addr, fab_region_key(peer->keys, ep->fab)};
		if (!peer->addr)
			rc = proc_fail(failed ? failed : MRT_ERR_NO_MEM,
				       "rank %d: no memory for one-sided "
				       "collectives",
				       r);
	}
	return rc;
}

static int cells_poll(struct progress_hook *hook);

int cells_create(struct mrt_comm *comm, coll_combine *combine,
		 struct cells **cells)
{
	size_t n = (size_t)comm->size;
	struct cells *c = calloc(1, sizeof(*c));
	struct peer *peers = calloc(n, sizeof(*peers));
	uint64_t *all = calloc(n, remote_words() * sizeof(*all));
	int rc;

	if (!c || !peers || !all) {
		rc = proc_fail(MRT_ERR_NO_MEM, "cells of %zu ranks", n);
		free(c);
		free(peers);
		free(all);
		return rc;
	}
	c->comm = comm;
	c->peers = peers;
	c->hook.poll = cells_poll;
	turns_init(&c->turns);
	list_init(&c->todo);
	rc = cells_exchange(c, combine, all);
	free(all);
	if (rc)
		cells_destroy(c);
	else
		*cells = c;
	return rc;
}

void cells_destroy(struct cells *c)
{
	if (!c)
		return;
	progress_remove(&c->hook);
	close_memory(c);
	free(c->peers);
	free(c);
}

/* Returns which words the current turn uses. */
static unsigned set_of(const struct cells *c)
{
	return c->turns.number % SETS;
}

uint64_t *cells_words(const struct cells *c)
{
	return c->words + (size_t)set_of(c) * CELLS_MAX;
}

/* ---- Turns -------------------------------------------------------------- */

bool cells_enter(struct cells *c, struct turn *t)
{
	bool come = turns_enter(&c->turns, t, true);

	if (!come)
		progress_add(&c->hook);
	return come;
}

void cells_leave(struct cells *c, struct turn *t)
{
	if (turns_leave(&c->turns, t))
		list_init(&c->todo);
}

int cells_drain(struct cells *c)
{
	return cells_drain_until(c, NULL);
}

int cells_drain_until(struct cells *c, struct idle_timeout *limit)
{
	return c ? turns_drain(&c->turns,
			       "other ranks to end collectives on cells", limit)
		 : 0;
}

/* ---- Steps -------------------------------------------------------------- */

enum { IDLE, BUSY, OVER };

size_t cells_ops(const struct step *s)
{
	switch (s->kind) {
	case STEP_SIGNAL:
		return 1;
	case STEP_WRITE:
		return s->count > 0;
	case STEP_FETCH_ADD:
	case STEP_COMPARE_SWAP:
		return s->count;
	default:
		return 0;
	}
}

static uint64_t cells_load(const struct act *a, size_t k)
{
	uint64_t word = 0;

	memcpy(&word, a->src + k * a->type_size, a->type_size);
	return word;
}

/* Sets the operands of a compare-and-swap: `old`, which is expected, and what
 * replaces it. */
static void combine_cells(struct cell_op *o, uint64_t old)
{
	const struct act *a = o->act;
	uint64_t identity = op_identity(a->op, a->type), left = old ^ identity;
	uint64_t right = cells_load(a, (size_t)(o - a->ops)), sum = 0;

	if (old)
		op_apply(a->op, a->type, &left, &right, &sum, 1);
	else
		sum = right;
	o->operand[0] = old;
	o->operand[1] = sum ^ identity;
}

static void cells_finish(struct act *a)
{
	a->done(a, a->error);
}

/* Lists a step in todo, so that poll advances it. */
static void cells_want(struct act *a)
{
	if (!a->listed)
		list_append(&a->cells->todo, &a->link);
	a->listed = true;
	progress_add(&a->cells->hook);
}

/* Wakes the peer, which may be asleep until this signal. notify looks for
 * sleepers after the signal is stored; the peer marks itself asleep (arm)
 * before it looks for the signal once more: one of the two sees the other. */
static void cells_wake(const struct act *a)
{
	node_notify(a->cells->peers[a->step->peer].ep->fab->node, NULL);
}

static void op_done(struct fab_op *op, int status)
{
	struct cell_op *o = (struct cell_op *)op;
	struct act *a = o->act;

	if (!status && a->step->kind == STEP_COMPARE_SWAP &&
	    o->result != o->operand[0]) {
		/* another rank was faster and has stored the current value */
		combine_cells(o, o->result);
		o->state = IDLE;
		if (!a->pushing)
			cells_want(a);
		return;
	}
	if (status) {
		/* the ranks that rely on this step could not be told */
		fault_raise_text(status,
				 "one-sided collective: rank %d cannot "
				 "be reached: %s",
				 a->cells->peers[a->step->peer].ep->peer,
				 error_text(status));
		a->error = status;
	}
	if (a->step->kind == STEP_SIGNAL)
		cells_wake(a);
	o->state = OVER;
	if (--a->left == 0 && !a->pushing)
		cells_finish(a);
}

static int issue_cells(struct act *a, struct cell_op *o)
{
	const struct step *s = a->step;
	const struct peer *p = &a->cells->peers[s->peer];
	size_t word = (size_t)set_of(a->cells) * CELLS_MAX + s->dst.at;
	uint64_t to = p->addr + (word + (size_t)(o - a->ops)) * sizeof(word);

	switch (s->kind) {
	case STEP_WRITE:
		return p->ep->ops->write(p->ep, a->src, to, p->key,
					 s->count * a->type_size, &o->op);
	case STEP_COMPARE_SWAP:
		return p->ep->ops->compare_swap(p->ep, to, p->key, o->operand,
						&o->result, &o->op);
	default:
		return p->ep->ops->fetch_add(p->ep, to, p->key, o->operand[0],
					     &o->result, &o->op);
	}
}

/* Starts all operations that can be started. Returns whether none is left to
 * start. */
static bool cells_push(struct act *a)
{
	size_t n = cells_ops(a->step);
	int rc = 0;

	a->pushing = true;
	for (size_t k = 0; k < n && rc != ERR_AGAIN; k++) {
		struct cell_op *o = &a->ops[k];

		/* a compare-and-swap may fail at once and is then repeated,
		 * as often as those of other ranks succeed in between */
		while (o->state == IDLE && rc != ERR_AGAIN) {
			o->state = BUSY;
			rc = issue_cells(a, o);
			if (rc == ERR_AGAIN)
				o->state = IDLE;
			else if (rc)
				op_done(&o->op, rc);
		}
	}
	a->pushing = false;
	return rc != ERR_AGAIN;
}

/* Tells whether the signals of a STEP_WAIT_MEMORY have come. */
static bool cells_signalled(struct act *a)
{
	unsigned at = (unsigned)a->step->dst.at;
	const uint64_t *counter = &cells_words(a->cells)[at];
	/* acquire pairs with the peers' fetch-and-add, which follows all that
	 * the signals stand for and, inside a node, is sequentially
	 * consistent; a NIC puts it behind what it has stored before */
	uint64_t now = __atomic_load_n(counter, __ATOMIC_ACQUIRE);

	/* the difference is right even if the counter wraps around, as it may
	 * in a thousand years */
	if ((int64_t)(now - a->target) < 0)
		return false;
	a->cells->waited[set_of(a->cells)][at] = a->target;
	return true;
}

/* Advances a step. Returns whether it has nothing more to start or to await. */
static bool cells_advance(struct act *a)
{
	return a->step->kind == STEP_WAIT_MEMORY ? cells_signalled(a)
						 : cells_push(a);
}

static void cells_prepare(struct act *a)
{
	const struct step *s = a->step;
	size_t n = cells_ops(s);

	a->listed = a->pushing = false;
	a->error = 0;
	a->left = n;
	if (s->kind == STEP_WAIT_MEMORY)
		a->target =
		    a->cells->waited[set_of(a->cells)][s->dst.at] + s->count;
	for (size_t k = 0; k < n; k++) {
		struct cell_op *o = &a->ops[k];

		o->op.done = op_done;
		o->act = a;
		o->state = IDLE;
		if (s->kind == STEP_SIGNAL)
			o->operand[0] = 1;
		else if (s->kind == STEP_FETCH_ADD)
			o->operand[0] = cells_load(a, k);
		else if (s->kind == STEP_COMPARE_SWAP)
			combine_cells(o,
				      0); /* a guess: the cell is still empty */
	}
}

void cells_start(struct act *a)
{
	cells_prepare(a);
	if (!cells_advance(a))
		cells_want(a);
	else if (!a->left)
		cells_finish(a);
}

void cells_take(struct cells *c, const struct step *s, const struct mrt_op *op,
		const struct mrt_type *type, char *dst)
{
	uint64_t *from = cells_words(c) + s->src.at;

	for (size_t k = 0; k < s->count; k++) {
		uint64_t word = from[k] ^ op_identity(op, type);

		memcpy(dst + k * type->size, &word, type->size);
		/* a plain store is enough: all additions of this turn have
		 * been signalled, and none of the next turn on these words
		 * begins before this rank has begun the turn in between */
		from[k] = 0;
	}
}

/* ---- Progress ----------------------------------------------------------- */

static int cells_poll(struct progress_hook *hook)
{
	struct cells *c = list_entry(hook, struct cells, hook);
	int n = turns_next(&c->turns);

	list_for_each_safe (it, &c->todo) {
		struct act *a = list_entry(it, struct act, link);

		if (!cells_advance(a))
			continue;
		n++;
		list_remove(&a->link);
		a->listed = false;
		if (!a->left)
			cells_finish(a);
	}
	if (list_empty(&c->todo) && list_empty(&c->turns.queue))
		progress_remove(&c->hook);
	return n;
}
