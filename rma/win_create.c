/* SPDX-License-Identifier: Apache-2.0 */
/* win_create.c: windows are made: each rank exposes its memory, tells the
 * others where it is, and maps theirs. */
#include <stdlib.h>
#include <string.h>

#include "coll/call/check.h"
#include "coll/comm/comm_create.h"
#include "coll/run/coll.h"
#include "rma/device.h"
#include "runtime/base/error.h"

/* ---- What ranks tell each other ------------------------------------------ */

/* A card on its way to the other ranks, which choose one of the keys. */
struct exchanged {
	struct win_card card;
	struct fab_key keys[]; /* of fab_region */
};

static size_t exchanged_size(void)
{
	return sizeof(struct exchanged) +
	       (size_t)fab_count(proc.fab) * sizeof(struct fab_key);
}

static struct exchanged *exchanged_of(void *all, int rank)
{
	return (struct exchanged *)((char *)all +
				    (size_t)rank * exchanged_size());
}

/* The first rank whose heap this rank can map, if it is on its node. */
static int first_near(const struct mrt_win *w)
{
	int r = 0;

	while (!win_is_near(w, r))
		r++;
	return r;
}

static int count_near(const struct mrt_win *w)
{
	int near = 0;

	for (int r = 0; r < w->comm->size; r++)
		near += win_is_near(w, r);
	return near;
}

/* Whether this rank's memory is of a kind that others of its node can copy, and
 * not map. */
static bool is_copied(const struct mrt_win *w)
{
	struct fab_ep *ep = win_ep(w, w->comm->rank);
	void *local;

	return w->flavor == MRT_WIN_CREATE && w->bytes && count_near(w) > 1 &&
	       ep->fab->node &&
	       ep->ops->heap_map(ep, (uintptr_t)w->base, w->bytes, &local) ==
		   MRT_ERR_BUFFER;
}

/* Allocates room for all cards, on one rank of each node that has several. */
static int allocate_cards(struct mrt_win *w, struct win_card *own)
{
	size_t bytes = (size_t)w->comm->size * sizeof(*own);
	int rc = 0;

	if (count_near(w) > 1 && first_near(w) == w->comm->rank)
		rc = proc.fab->ops->heap_alloc(proc.fab, bytes, false,
					       &w->shared);
	own->cards = (uintptr_t)w->shared;
	return rc;
}

static int win_create_prepare(struct mrt_win *w, struct exchanged *sent)
{
	struct win_card *own = &sent->card;
	void *lock;
	int rc =
	    proc.fab->ops->heap_alloc(proc.fab, sizeof(*w->lock), true, &lock);

	if (rc)
		return rc;
	w->lock = lock;
	if (w->flavor != MRT_WIN_SHARED && w->bytes)
		rc = fab_region_open(proc.fab, w->base, w->bytes, &w->region,
				     sent->keys);
	own->addr = (uintptr_t)w->base;
	own->bytes = w->bytes;
	own->unit = w->unit;
	own->lock = (uintptr_t)w->lock;
	if (!rc)
		rc = win_device_open(w, &own->lock_key);
	own->device = w->loop != NULL;
	own->locked = w->locked = is_copied(w);
	return rc ? rc : allocate_cards(w, own);
}

/* Keeps the cards where all ranks of the node have them, each of which writes
 * the same, so that none waits for another. */
static void keep_cards(struct mrt_win *w, struct win_card *cards)
{
	size_t bytes = (size_t)w->comm->size * sizeof(*cards);
	int first = first_near(w);
	void *shared = cards[first].cards
			   ? win_map(w, first, cards[first].cards, bytes)
			   : NULL;

	if (shared) {
		memcpy(shared, cards, bytes);
		free(cards);
		w->cards = shared;
	} else {
		w->own_cards = realloc(cards, bytes) ?: cards;
		w->cards = w->own_cards;
	}
}

/* Leaves of the messages of all ranks the cards, each with the key that this
 * rank needs. */
static void choose_keys(struct mrt_win *w, void *all)
{
	struct win_card *cards = all;

	for (int r = 0; r < w->comm->size; r++)
		if (!exchanged_of(all, r)->card.device)
			w->loop = NULL;
	for (int r = 0; r < w->comm->size; r++) {
		const struct exchanged *m = exchanged_of(all, r);
		const struct fab *fab = w->loop ? w->loop->fab : win_fab(w, r);
		struct fab_key key = fab_region_key(m->keys, fab);

		/* the card of a low rank may overlap its message */
		memmove(&cards[r], &m->card, sizeof(*cards));
		cards[r].key = key;
	}
}

/* Takes over what the others have told. Returns 0, or an error that all ranks
 * know. */
static int win_create_meet(struct mrt_win *w, struct win_card *cards)
{
	uint64_t at = cards[0].addr;
	int rc = 0;

	for (int r = 0; r < w->comm->size; r++) {
		if (cards[r].error && !rc)
			rc = proc_fail(error_from_peer(cards[r].error),
				       "rank %d cannot make its part of the "
				       "window",
				       r);
		if (w->one)
			cards[r].addr = at;
		at += cards[r].bytes;
	}
	if (rc)
		free(cards);
	else
		keep_cards(w, cards);
	return rc;
}

/* A shared window lies in the memory of its first rank, or in that of each. */
static int map_shared(struct mrt_win *w)
{
	for (int r = 0; r < w->comm->size; r++)
		if (w->cards[r].bytes && !win_map_part(w, r))
			return proc_fail(MRT_ERR_SHARED,
					 "the memory of rank %d cannot be "
					 "mapped here",
					 r);
	w->base = win_map_part(w, w->comm->rank);
	return 0;
}

/* Gives every rank the messages of all. The allgather is one of the parent
 * communicator, which keeps its plan for the next window. */
static int win_create_exchange(struct mrt_comm *parent, void *messages)
{
	struct coll_call call = {
	    .collective = COLL_ALLGATHER,
	    .recv = messages,
	    .shape = {.in_place = true, .count = exchanged_size()},
	    .type = type_get(MRT_BYTE)};

	return coll_run(parent, &call);
}

/* Returns the worst error of all ranks. */
static int worst_error(struct mrt_win *w, int rc)
{
	uint64_t word = (uint64_t)-rc;
	int failed = coll_allreduce_words(w->comm, &word, 1, MRT_MAX);

	if (failed || rc || !word)
		return failed ? failed : rc;
	return proc_fail(error_from_peer(-(int64_t)word),
			 "another rank cannot make the window");
}

/* ---- Making -------------------------------------------------------------- */

/* A plan is the arguments of the four calls that make a window, as one. */
struct plan {
	enum mrt_win_flavor flavor;
	void *base;
	size_t bytes, unit;
	bool allocate, one; /* one piece of memory for all ranks */
};

/* Allocates the caller's part: for `one`, the first rank allocates all. */
static int win_create_allocate(struct mrt_win *w, const struct plan *plan)
{
	uint64_t bytes = plan->bytes;
	int rc = 0;

	if (plan->one) {
		uint64_t sum = bytes;

		rc = coll_allreduce_words(w->comm, &sum, 1, MRT_SUM);
		bytes = w->comm->rank ? 0 : sum;
	}
	if (!rc && bytes) {
		rc =
		    proc.fab->ops->heap_alloc(proc.fab, bytes, false, &w->heap);
		w->base = w->heap;
	}
	return rc;
}

static int win_create_make(struct mrt_comm *parent, const struct plan *plan,
			   struct mrt_win **win)
{
	struct mrt_comm *comm;
	struct mrt_win *w;
	struct exchanged *own;
	void *all;
	int rc = comm_dup(parent, &comm);

	if (rc)
		return rc;
	comm->hidden = true;
	all = calloc((size_t)comm->size, exchanged_size());
	w = all ? win_make(comm) : NULL;
	if (!w) { /* it cannot even tell the others */
		free(all);
		rc = comm_broken(comm->size,
				 proc_fail(MRT_ERR_NO_MEM, "a window"));
		comm_discard(comm);
		return rc;
	}
	w->flavor = plan->flavor;
	w->base = plan->base;
	w->bytes = plan->bytes;
	w->unit = plan->unit;
	w->one = plan->one;
	if (plan->allocate)
		rc = win_create_allocate(w, plan);
	own = exchanged_of(all, comm->rank);
	if (!rc)
		rc = win_create_prepare(w, own);
	own->card.error = rc;
	rc = win_create_exchange(parent, all);
	if (rc) {
		free(all);
	} else {
		choose_keys(w, all);
		rc = win_create_meet(w, all);
	}
	if (!rc && plan->flavor == MRT_WIN_SHARED)
		rc = worst_error(w, map_shared(w));
	if (rc) {
		win_destroy(w);
		return rc;
	}
	w->magic = WIN_MAGIC;
	*win = w;
	return 0;
}

static int check_comm(struct mrt_comm *handle, const struct plan *plan,
		      struct mrt_comm **comm)
{
	*comm = comm_of(handle);
	if (!*comm)
		return comm_unknown(handle);
	if ((*comm)->inter)
		return proc_fail(MRT_ERR_COMM,
				 "a window needs a communicator of one group");
	if (!plan->unit)
		return proc_fail(MRT_ERR_ARG, "the displacement unit is 0");
	if (plan->bytes > PTRDIFF_MAX)
		return proc_fail(MRT_ERR_ARG, "more than %zu bytes",
				 (size_t)PTRDIFF_MAX);
	if (plan->flavor == MRT_WIN_CREATE && plan->bytes && !plan->base)
		return proc_fail(MRT_ERR_BUFFER, "the base is NULL");
	if (plan->flavor == MRT_WIN_SHARED && !(*comm)->one_node)
		return proc_fail(MRT_ERR_SHARED,
				 "the ranks run on several nodes");
	return 0;
}

/* The body of the calls that make a window; base is NULL or gets its
 * address. */
static int open_window(const char *call, struct mrt_comm *comm,
		       const struct plan *plan, void **base,
		       struct mrt_win **win)
{
	struct mrt_comm *c;
	int rc = proc_enter(call);

	if (rc)
		return proc_result(call, rc);
	if (!win || (plan->allocate && !base))
		rc = proc_fail(MRT_ERR_ARG, "%s is NULL", win ? "base" : "win");
	if (!rc)
		rc = check_comm(comm, plan, &c);
	if (!rc)
		rc = check_call(c, call, -1);
	if (!rc)
		rc = win_create_make(c, plan, win);
	if (!rc && base)
		*base = (*win)->base;
	proc_leave();
	return comm_result(comm, call, rc);
}

int mrt_win_create(void *base, size_t bytes, size_t unit, struct mrt_comm *comm,
		   struct mrt_win **win)
{
	const struct plan plan = {.flavor = MRT_WIN_CREATE,
				  .base = base,
				  .bytes = bytes,
				  .unit = unit};

	return open_window("mrt_win_create", comm, &plan, NULL, win);
}

int mrt_win_allocate(size_t bytes, size_t unit, struct mrt_comm *comm,
		     void **base, struct mrt_win **win)
{
	const struct plan plan = {.flavor = MRT_WIN_ALLOCATE,
				  .bytes = bytes,
				  .unit = unit,
				  .allocate = true};

	return open_window("mrt_win_allocate", comm, &plan, base, win);
}

int mrt_win_allocate_shared(size_t bytes, size_t unit, int contiguous,
			    struct mrt_comm *comm, void **base,
			    struct mrt_win **win)
{
	const struct plan plan = {.flavor = MRT_WIN_SHARED,
				  .bytes = bytes,
				  .unit = unit,
				  .allocate = true,
				  .one = contiguous != 0};

	return open_window("mrt_win_allocate_shared", comm, &plan, base, win);
}

int mrt_win_create_dynamic(struct mrt_comm *comm, struct mrt_win **win)
{
	const struct plan plan = {.flavor = MRT_WIN_DYNAMIC, .unit = 1};

	return open_window("mrt_win_create_dynamic", comm, &plan, NULL, win);
}
