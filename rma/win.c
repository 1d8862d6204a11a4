/* SPDX-License-Identifier: Apache-2.0 */
/* win.c: windows as objects: found, freed, and what is known of them.
 * win_create.c makes them. */
#include "rma/device.h"

#include <stdlib.h>

#include "coll/call/check.h"
#include "coll/comm/comm_create.h"
#include "coll/run/coll.h"
#include "p2p/p2p.h"

enum { BUCKETS = 4096 };

struct pool win_pool = POOL_INIT(struct mrt_win, 4);
static struct list table[BUCKETS]; /* by the id of the communicator */

static struct list *win_bucket(uint32_t context)
{
	return &table[context_id(context) % BUCKETS];
}

struct mrt_win *win_get(struct mrt_win *handle)
{
	if (win_is(handle))
		return handle;
	proc_fail_handle(MRT_ERR_WIN, handle, "a window");
	return NULL;
}

struct mrt_win *win_of_context(uint32_t context)
{
	const struct list *l = win_bucket(context);

	if (!l->next)
		return NULL; /* no window has ever been there */
	list_for_each (it, l) {
		struct mrt_win *w = list_entry(it, struct mrt_win, link);

		if (w->comm->context == context)
			return w;
	}
	return NULL;
}

/* ---- Life ---------------------------------------------------------------- */

static int win_poll(struct progress_hook *hook)
{
	struct mrt_win *w = list_entry(hook, struct mrt_win, hook);
	int n = win_device_poll(w);

	n += win_messages_poll(w);
	if (list_empty(&w->held) && list_empty(&w->turns) &&
	    list_empty(&w->later))
		progress_remove(&w->hook);
	return n;
}

void win_listen(struct mrt_win *w)
{
	progress_add(&w->hook);
}

struct mrt_win *win_make(struct mrt_comm *comm)
{
	struct mrt_win *w = pool_get_zeroed(&win_pool);
	struct list *l = win_bucket(comm->context);

	if (!w)
		return NULL;
	w->peers = &w->no_peer;
	w->comm = comm;
	w->hook.poll = win_poll;
	list_init(&w->ops);
	list_init(&w->held);
	list_init(&w->turns);
	list_init(&w->later);
	if (!l->next)
		list_init(l);
	list_append(l, &w->link);
	return w;
}

void win_destroy(struct mrt_win *w)
{
	fab_region_close(w->region);
	if (w->lock_mem)
		w->lock_fab->ops->mem_deregister(w->lock_fab, w->lock_mem);
	win_detach_all(w);
	win_messages_free(w);
	progress_remove(&w->hook);
	if (w->lock)
		proc.fab->ops->heap_free(proc.fab, w->lock);
	if (w->heap)
		proc.fab->ops->heap_free(proc.fab, w->heap);
	if (w->shared)
		proc.fab->ops->heap_free(proc.fab, w->shared);
	list_remove(&w->link);
	win_peers_free(w);
	free(w->own_cards);
	free(w->accesses);
	free(w->started);
	free(w->exposed);
	comm_discard(w->comm);
	w->magic = 0;
	pool_put_last(&win_pool, w);
}

static int win_end(struct mrt_win *w)
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
		win_destroy(w);
	return rc;
}

int mrt_win_free(struct mrt_win **win)
{
	struct mrt_win *w;
	int rc = proc_enter("mrt_win_free");

	if (!rc) {
		w = win ? win_get(*win) : NULL;
		if (!win)
			rc = proc_fail(MRT_ERR_ARG, "win is NULL");
		else
			rc = w ? win_end(w) : MRT_ERR_WIN;
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
			win_destroy(
			    list_entry(table[k].next, struct mrt_win, link));
	pool_fini(&win_pool);
}

/* ---- What is known ------------------------------------------------------- */

int mrt_win_describe(struct mrt_win *win, struct mrt_win_info *info)
{
	const struct mrt_win *w;
	int rc = proc_enter_local("mrt_win_describe");

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

static int describe_shared(struct mrt_win *w, int rank,
			   struct mrt_win_info *info)
{
	const struct win_peer *p;

	if (w->flavor == MRT_WIN_DYNAMIC)
		return proc_fail(MRT_ERR_WIN, "the window is dynamic");
	if (!info)
		return proc_fail(MRT_ERR_ARG, "info is NULL");
	if (rank != MRT_PROC_NULL && (rank < 0 || rank >= w->comm->size))
		return proc_fail(MRT_ERR_RANK, "rank %d of a window of %d",
				 rank, w->comm->size);
	if (rank == MRT_PROC_NULL)
		for (rank = 0; rank < w->comm->size - 1; rank++)
			if (w->cards[rank].bytes)
				break;
	p = win_peer(w, rank);
	if (!p)
		return MRT_ERR_NO_MEM;
	*info = (struct mrt_win_info){w->flavor, p->direct,
				      p->direct ? w->cards[rank].bytes : 0,
				      w->cards[rank].unit};
	return 0;
}

int mrt_win_shared(struct mrt_win *win, int rank, struct mrt_win_info *info)
{
	struct mrt_win *w;

	return proc_result(
	    "mrt_win_shared",
	    win_begin(proc_enter_local("mrt_win_shared"), win, &w)
		?: proc_leave_with(describe_shared(w, rank, info)));
}

int mrt_win_group(struct mrt_win *win, struct mrt_group **group)
{
	const struct mrt_win *w;
	int rc = proc_enter_local("mrt_win_group");

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
