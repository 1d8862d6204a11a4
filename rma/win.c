/* SPDX-License-Identifier: Apache-2.0 */
/* win.c: windows made and freed, and what their owners ask of them. */
#include "rma/win.h"

#include <stdlib.h>
#include <string.h>

#include "coll/check/check.h"
#include "coll/comm/comm_create.h"
#include "coll/run/coll.h"
#include "p2p/p2p.h"
#include "runtime/base/error.h"

enum { BUCKETS = 64 };

struct pool win_pool = POOL_INIT(struct mrt_win, 4);
static struct list table[BUCKETS]; /* by the id of the communicator */

static struct list *bucket(uint32_t context)
{
	return &table[context_id(context) % BUCKETS];
}

struct mrt_win *win_get(struct mrt_win *handle)
{
	if ((uintptr_t)handle >= MRT_CONSTANTS_END &&
	    handle->magic == WIN_MAGIC)
		return handle;
	proc_fail(MRT_ERR_WIN, "%p is not a window, or is freed",
		  (void *)handle);
	return NULL;
}

struct mrt_win *win_of_context(uint32_t context)
{
	const struct list *l = bucket(context);

	if (!l->next)
		return NULL; /* no window has ever been there */
	list_for_each (it, l) {
		struct mrt_win *w = list_entry(it, struct mrt_win, link);

		if (w->comm->context == context)
			return w;
	}
	return NULL;
}

/* ---- What ranks tell each other ------------------------------------------ */

/* What a rank tells the others of its part. */
struct card {
	uint64_t addr, bytes, unit;
	uint64_t lock;
	int64_t error;		      /* 0, or why this rank cannot take part */
	struct fab_key key[WIN_FABS]; /* by the fabric's index in proc.fab */
};

static int fab_index(const struct fab *wanted)
{
	int k = 0;

	for (const struct fab *fab = proc.fab; fab != wanted; fab = fab->next)
		k++;
	return k;
}

/* Makes the window's memory reachable by every fabric. */
static int expose(struct mrt_win *w, struct card *own)
{
	int rc = 0;

	if (!w->bytes)
		return 0;
	for (struct fab *fab = proc.fab; fab && !rc; fab = fab->next) {
		int k = fab_index(fab);

		rc = fab->ops->mem_register(fab, w->base, w->bytes, false,
					    &w->mem[k], &own->key[k]);
	}
	return rc;
}

static int prepare(struct mrt_win *w, struct card *own)
{
	void *lock;
	int rc = proc.fab->ops->heap_alloc(proc.fab, sizeof(*w->lock), &lock);

	if (rc)
		return rc;
	w->lock = lock;
	if (w->flavor != MRT_WIN_SHARED)
		rc = expose(w, own);
	own->addr = (uintptr_t)w->base;
	own->bytes = w->bytes;
	own->unit = w->unit;
	own->lock = (uintptr_t)w->lock;
	return rc;
}

/* Returns where a peer's memory of the heap is mapped here, or NULL. */
static void *map(struct fab_ep *ep, uint64_t remote, size_t bytes)
{
	void *local;

	if (ep->peer == proc.job.rank)
		return (void *)(uintptr_t)remote;
	return ep->ops->heap_map(ep, remote, bytes, &local) ? NULL : local;
}

/* A shared window lies in the memory of its first rank, or in that of each. */
static int map_shared(struct mrt_win *w, const struct card *cards, bool one)
{
	uint64_t total = 0, at = 0;
	char *first = NULL;

	for (int r = 0; r < w->comm->size && one; r++)
		total += cards[r].bytes;
	if (total)
		first = map(win_ep(w, 0), cards[0].addr, total);
	for (int r = 0; r < w->comm->size; r++) {
		struct win_peer *p = &w->peers[r];

		if (one)
			p->direct = first ? first + at : NULL;
		else if (p->bytes)
			p->direct = map(win_ep(w, r), p->addr, p->bytes);
		at += p->bytes;
		if (p->bytes && !p->direct)
			return proc_fail(MRT_ERR_SHARED,
					 "the memory of rank %d cannot be "
					 "mapped here",
					 r);
		p->addr = (uintptr_t)p->direct;
	}
	w->base = w->peers[w->comm->rank].direct;
	return 0;
}

/* Stores what the others have told. Returns 0, or an error that all ranks
 * know. */
static int meet(struct mrt_win *w, const struct card *cards)
{
	for (int r = 0; r < w->comm->size; r++) {
		const struct card *c = &cards[r];
		struct fab_ep *ep = win_ep(w, r);

		if (c->error)
			return proc_fail(error_from_peer(c->error),
					 "rank %d cannot make its part of the "
					 "window",
					 r);
		w->peers[r] = (struct win_peer){
		    .lock = map(ep, c->lock, sizeof(*w->lock)),
		    .addr = c->addr,
		    .bytes = c->bytes,
		    .unit = c->unit,
		    .key = c->key[fab_index(ep->fab)]};
		if (w->flavor != MRT_WIN_SHARED && c->bytes)
			w->peers[r].direct = map(ep, c->addr, c->bytes);
	}
	return 0;
}

static int exchange(struct mrt_win *w, struct card *cards)
{
	const struct coll_call call = {.collective = COLL_ALLGATHER,
				       .in_place = true,
				       .recv = cards,
				       .count = sizeof(*cards),
				       .type = type_get(MRT_BYTE)};

	return coll_run(w->comm, &call);
}

/* Returns the worst error of all ranks. */
static int agree(struct mrt_win *w, int rc)
{
	uint64_t word = (uint64_t)-rc;
	int failed = coll_allreduce_words(w->comm, &word, 1, MRT_MAX);

	if (failed || rc || !word)
		return failed ? failed : rc;
	return proc_fail(error_from_peer(-(int64_t)word),
			 "another rank cannot make the window");
}

/* ---- Making and freeing -------------------------------------------------- */

/* What distinguishes the four calls that make a window. */
struct plan {
	enum mrt_win_flavor flavor;
	void *base;
	size_t bytes, unit;
	bool allocate, one; /* one piece of memory for all ranks */
};

/* Allocates the caller's part: for `one`, the first rank allocates all. */
static int allocate(struct mrt_win *w, const struct plan *plan)
{
	uint64_t bytes = plan->bytes;
	int rc = 0;

	if (plan->one) {
		uint64_t sum = bytes;

		rc = coll_allreduce_words(w->comm, &sum, 1, MRT_SUM);
		bytes = w->comm->rank ? 0 : sum;
	}
	if (!rc && bytes) {
		rc = proc.fab->ops->heap_alloc(proc.fab, bytes, &w->heap);
		w->base = w->heap;
	}
	return rc;
}

static void destroy(struct mrt_win *w)
{
	struct list *it;

	for (struct fab *fab = proc.fab; fab; fab = fab->next) {
		int k = fab_index(fab);

		if (w->mem[k])
			fab->ops->mem_deregister(fab, w->mem[k]);
	}
	while ((it = list_pop(&w->regions)))
		free(list_entry(it, struct win_region, link));
	win_messages_free(w);
	if (w->hooked)
		progress_remove(&w->hook);
	if (w->lock)
		proc.fab->ops->heap_free(proc.fab, w->lock);
	if (w->heap)
		proc.fab->ops->heap_free(proc.fab, w->heap);
	list_remove(&w->link);
	free(w->peers);
	free(w->started);
	free(w->exposed);
	comm_discard(w->comm);
	w->magic = 0;
	pool_put_last(&win_pool, w);
}

static int poll(struct progress_hook *hook)
{
	return win_messages_poll(list_entry(hook, struct mrt_win, hook));
}

/* Returns a window of the communicator, which it owns; NULL: no memory. */
static struct mrt_win *create(struct mrt_comm *comm, const struct plan *plan)
{
	struct mrt_win *w = pool_get_zeroed(&win_pool);
	struct list *l = bucket(comm->context);

	if (!w)
		return NULL;
	w->peers = calloc((size_t)comm->size, sizeof(*w->peers));
	if (!w->peers) {
		pool_put(&win_pool, w);
		return NULL;
	}
	w->comm = comm;
	w->flavor = plan->flavor;
	w->base = plan->base;
	w->bytes = plan->bytes;
	w->unit = plan->unit;
	w->hook.poll = poll;
	list_init(&w->ops);
	list_init(&w->held);
	list_init(&w->turns);
	list_init(&w->regions);
	if (!l->next)
		list_init(l);
	list_append(l, &w->link);
	return w;
}

static int make(struct mrt_comm *parent, const struct plan *plan,
		struct mrt_win **win)
{
	struct mrt_comm *comm;
	struct mrt_win *w;
	struct card *cards;
	int rc = comm_dup(parent, &comm);

	if (rc)
		return rc;
	comm->hidden = true;
	cards = calloc((size_t)comm->size, sizeof(*cards));
	w = cards ? create(comm, plan) : NULL;
	if (!w) { /* it cannot even tell the others */
		free(cards);
		rc = comm_broken(comm->size,
				 proc_fail(MRT_ERR_NO_MEM, "a window"));
		comm_discard(comm);
		return rc;
	}
	if (plan->allocate)
		rc = allocate(w, plan);
	if (!rc)
		rc = prepare(w, &cards[comm->rank]);
	cards[comm->rank].error = rc;
	rc = exchange(w, cards);
	if (!rc)
		rc = meet(w, cards);
	if (!rc && plan->flavor == MRT_WIN_SHARED)
		rc = agree(w, map_shared(w, cards, plan->one));
	free(cards);
	if (rc) {
		destroy(w);
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
	int rc = proc_enter();

	if (rc)
		return proc_result(call, rc);
	if (!win || (plan->allocate && !base))
		rc = proc_fail(MRT_ERR_ARG, "%s is NULL", win ? "base" : "win");
	if (!rc)
		rc = check_comm(comm, plan, &c);
	if (!rc)
		rc = check_call(c, call, -1);
	if (!rc)
		rc = make(c, plan, win);
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

static int end(struct mrt_win *w)
{
	int rc = win_complete(w, -1);

	if (!rc && (w->epoch > EPOCH_FENCE || w->posted))
		rc = proc_fail(MRT_ERR_EPOCH, "an epoch is open");
	if (!rc)
		rc = check_call(w->comm, "mrt_win_free", -1);
	/* then no rank sends a message of the window any more */
	if (!rc)
		rc = coll_quiesce(w->comm);
	if (!rc)
		destroy(w);
	return rc;
}

int mrt_win_free(struct mrt_win **win)
{
	struct mrt_win *w;
	int rc = proc_enter();

	if (!rc) {
		w = win ? win_get(*win) : NULL;
		if (!win)
			rc = proc_fail(MRT_ERR_ARG, "win is NULL");
		else
			rc = w ? end(w) : MRT_ERR_WIN;
		if (!rc)
			*win = MRT_WIN_NULL;
		proc_leave();
	}
	return proc_result("mrt_win_free", rc);
}

int win_init(void)
{
	p2p_window_sink = win_deliver;
	return 0;
}

int win_drain(void)
{
	int rc = 0;

	for (int k = 0; k < BUCKETS; k++) {
		if (!table[k].next)
			continue;
		list_for_each (it, &table[k])
			if (!rc)
				rc = win_complete(
				    list_entry(it, struct mrt_win, link), -1);
	}
	return rc;
}

void win_fini(void)
{
	for (int k = 0; k < BUCKETS; k++)
		while (table[k].next && !list_empty(&table[k]))
			destroy(
			    list_entry(table[k].next, struct mrt_win, link));
	pool_fini(&win_pool);
}

/* ---- Dynamic windows ----------------------------------------------------- */

static struct win_region *region_at(const struct mrt_win *w, uint64_t addr,
				    size_t bytes)
{
	list_for_each (it, &w->regions) {
		struct win_region *r = list_entry(it, struct win_region, link);
		uint64_t base = (uintptr_t)r->base;

		if (addr < base + r->bytes && addr + bytes > base)
			return r;
	}
	return NULL;
}

int win_check_range(const struct mrt_win *w, uint64_t addr, size_t bytes)
{
	uint64_t base = (uintptr_t)w->base;
	size_t room = w->bytes;

	if (w->flavor == MRT_WIN_DYNAMIC) {
		const struct win_region *r = region_at(w, addr, bytes);

		base = r ? (uintptr_t)r->base : addr;
		room = r ? r->bytes : 0;
	}
	return addr >= base && bytes <= room && addr - base <= room - bytes
		   ? 0
		   : MRT_ERR_RANGE;
}

static int attach(struct mrt_win *w, void *base, size_t bytes)
{
	struct win_region *r;

	if (w->flavor != MRT_WIN_DYNAMIC)
		return proc_fail(MRT_ERR_WIN, "the window is not dynamic");
	if (!bytes)
		return 0;
	if (!base || (uintptr_t)base + bytes < bytes)
		return proc_fail(MRT_ERR_BUFFER, "no memory of %zu bytes at %p",
				 bytes, base);
	if (region_at(w, (uintptr_t)base, bytes))
		return proc_fail(MRT_ERR_RANGE,
				 "%zu bytes at %p overlap with memory that is "
				 "attached",
				 bytes, base);
	r = malloc(sizeof(*r));
	if (!r)
		return proc_fail(MRT_ERR_NO_MEM, "a region");
	r->base = base;
	r->bytes = bytes;
	list_append(&w->regions, &r->link);
	return 0;
}

static int detach(struct mrt_win *w, const void *base)
{
	if (w->flavor != MRT_WIN_DYNAMIC)
		return proc_fail(MRT_ERR_WIN, "the window is not dynamic");
	list_for_each_safe (it, &w->regions) {
		struct win_region *r = list_entry(it, struct win_region, link);

		if (r->base != base)
			continue;
		list_remove(&r->link);
		free(r);
		return 0;
	}
	return proc_fail(MRT_ERR_RANGE, "nothing is attached at %p", base);
}

int mrt_win_attach(struct mrt_win *win, void *base, size_t bytes)
{
	struct mrt_win *w;
	int rc = proc_enter();

	if (!rc) {
		w = win_get(win);
		rc = w ? attach(w, base, bytes) : MRT_ERR_WIN;
		proc_leave();
	}
	return proc_result("mrt_win_attach", rc);
}

int mrt_win_detach(struct mrt_win *win, const void *base)
{
	struct mrt_win *w;
	int rc = proc_enter();

	if (!rc) {
		w = win_get(win);
		rc = w ? detach(w, base) : MRT_ERR_WIN;
		proc_leave();
	}
	return proc_result("mrt_win_detach", rc);
}

/* ---- What is known ------------------------------------------------------- */

int mrt_win_describe(struct mrt_win *win, struct mrt_win_info *info)
{
	const struct mrt_win *w;
	int rc = proc_enter_local();

	if (!rc) {
		w = win_get(win);
		rc = !w	     ? MRT_ERR_WIN
		     : !info ? proc_fail(MRT_ERR_ARG, "info is NULL")
			     : 0;
		if (!rc)
			*info = (struct mrt_win_info){w->flavor, w->base,
						      w->bytes, w->unit};
		proc_leave();
	}
	return proc_result("mrt_win_describe", rc);
}

static int describe_shared(const struct mrt_win *w, int rank,
			   struct mrt_win_info *info)
{
	const struct win_peer *p;

	if (w->flavor != MRT_WIN_SHARED)
		return proc_fail(MRT_ERR_WIN, "the window is not shared");
	if (!info)
		return proc_fail(MRT_ERR_ARG, "info is NULL");
	if (rank != MRT_PROC_NULL && (rank < 0 || rank >= w->comm->size))
		return proc_fail(MRT_ERR_RANK, "rank %d of a window of %d",
				 rank, w->comm->size);
	if (rank == MRT_PROC_NULL)
		for (rank = 0; rank < w->comm->size - 1; rank++)
			if (w->peers[rank].bytes)
				break;
	p = &w->peers[rank];
	*info = (struct mrt_win_info){w->flavor, p->direct, p->bytes, p->unit};
	return 0;
}

int mrt_win_shared(struct mrt_win *win, int rank, struct mrt_win_info *info)
{
	const struct mrt_win *w;
	int rc = proc_enter_local();

	if (!rc) {
		w = win_get(win);
		rc = w ? describe_shared(w, rank, info) : MRT_ERR_WIN;
		proc_leave();
	}
	return proc_result("mrt_win_shared", rc);
}

int mrt_win_group(struct mrt_win *win, struct mrt_group **group)
{
	const struct mrt_win *w;
	int rc = proc_enter_local();

	if (!rc) {
		w = win_get(win);
		proc_leave();
		if (w)
			return mrt_comm_group(w->comm, group);
		rc = MRT_ERR_WIN;
	}
	return proc_result("mrt_win_group", rc);
}

int mrt_win_set_data(struct mrt_win *win, void *data)
{
	struct mrt_win *w = win_get(win);

	if (!w)
		return proc_result("mrt_win_set_data", MRT_ERR_WIN);
	w->data = data;
	return 0;
}

void *mrt_win_data(struct mrt_win *win)
{
	return (uintptr_t)win >= MRT_CONSTANTS_END && win->magic == WIN_MAGIC
		   ? win->data
		   : NULL;
}
