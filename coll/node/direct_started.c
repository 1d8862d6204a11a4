/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_persistent.c: the protocol is that of direct.c (tests/models/
 * direct.pml), in which a rank enters an epoch when it has left the one before;
 * but instead of waiting in one it goes on in progress.
 */
#include "coll/node/direct_persistent.h"

#include <stdlib.h>

#include "coll/node/direct_line.h"
#include "coll/plan/rules.h"
#include "runtime/base/list.h"
#include "runtime/engine/progress.h"

/* epochs that may be under way at once: ranks that only send may be ahead */
enum { SLOTS = 4, SLOTS_AHEAD = 32 };

struct direct_persistent {
	struct progress_hook hook;
	struct list retired; /* at rank 0, until all ranks have left */
	struct mrt_comm *comm;
	int size; /* of comm, which may be gone */
	struct direct d;
	struct exchange x;
	struct direct_reduce r;
	void (*done)(void *owner, int error);
	void *owner;
	bool written; /* the own line is */
	int taken;    /* payloads that have been taken */
};

static struct list retired = LIST_INIT(retired);

static unsigned slots_of(enum collective collective)
{
	return collective == COLL_REDUCE ? SLOTS_AHEAD : SLOTS;
}

bool direct_may_persist(const struct mrt_comm *comm, const struct direct *d,
			enum collective collective, size_t bytes)
{
	switch (collective) {
	case COLL_BARRIER:
	case COLL_REDUCE:
	case COLL_ALLREDUCE:
	case COLL_ALLGATHER:
		/* without data buffers may be NULL */
		return (bytes > 0) == (collective != COLL_BARRIER) &&
		       bytes <= DIRECT_LINE && comm->size <= DIRECT_FLAT &&
		       is_direct(d, collective, bytes);
	default:
		return false;
	}
}

/* Tells whether all ranks have left the call for good. */
static bool all_left(const struct direct_persistent *p)
{
	for (int r = 0; r < p->size; r++)
		if (!line_reached(&p->d.done[r], p->d.epoch))
			return false;
	return true;
}

static void give_back(struct direct_persistent *p)
{
	direct_give(&p->d, p->size);
	list_remove(&p->retired);
	free(p);
}

static void give_back_left(bool all)
{
	struct list *it = retired.next;

	while (it != &retired) {
		struct direct_persistent *p =
		    list_entry(it, struct direct_persistent, retired);

		it = it->next;
		if (all || all_left(p))
			give_back(p);
	}
}

int32_t direct_persistent_take(const struct mrt_comm *comm,
			       enum collective collective)
{
	give_back_left(false);
	return direct_take(comm, slots_of(collective));
}

/* Describes what this rank puts and takes in one epoch. */
static struct exchange direct_persistent_describe(const struct mrt_comm *comm,
						  const struct direct_call *c,
						  const struct direct_reduce *r)
{
	size_t bytes = r->type ? r->count * r->type->size : 0;
	bool mine = comm->rank == c->root;
	struct exchange x = {
	    .call = call_id(c->collective, bytes, c->root,
			    rules[c->collective].reduces ? r : NULL),
	    .put = bytes ? r->send : "",
	    .bytes = bytes,
	    .first = comm->rank + 1,
	    .n = comm->size - 1,
	    .length = bytes,
	    .recv = r->recv,
	};

	switch (c->collective) {
	case COLL_REDUCE:
	case COLL_ALLREDUCE:
		/* all reduce in the order of ranks */
		x.first = 0;
		x.n = c->collective == COLL_ALLREDUCE || mine ? comm->size : 0;
		x.reduce = r;
		break;
	case COLL_ALLGATHER:
		/* its own block, too */
		x.first = 0;
		x.n = comm->size;
		x.stride = bytes;
		break;
	default:
		break;
	}
	return x;
}

/* Goes as far as it can. Returns like direct_try_take. */
static int direct_persistent_advance(struct direct_persistent *p)
{
	int rc;

	if (!p->written)
		p->written = direct_try_put(p->comm, &p->d, &p->x);
	if (!p->written)
		return 1;
	rc = direct_try_take(p->comm, &p->d, &p->x, &p->taken);
	if (rc <= 0)
		line_leave(p->comm, &p->d);
	return rc;
}

static int direct_persistent_poll(struct progress_hook *hook)
{
	struct direct_persistent *p =
	    list_entry(hook, struct direct_persistent, hook);
	int rc = direct_persistent_advance(p);

	if (rc > 0)
		return 0;
	progress_remove(hook);
	p->done(p->owner, rc);
	return 1;
}

struct direct_persistent *direct_persistent_create(struct mrt_comm *comm,
						   int32_t region,
						   const struct direct_call *c)
{
	struct direct_persistent *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	direct_attach(comm, &p->d, region);
	if (!p->d.lines) {
		free(p);
		return NULL;
	}
	list_init(&p->retired);
	p->hook.poll = direct_persistent_poll;
	p->comm = comm;
	p->size = comm->size;
	p->r = c->r;
	p->x = direct_persistent_describe(comm, c, &p->r);
	p->done = c->done;
	p->owner = c->owner;
	return p;
}

void direct_persistent_start(struct direct_persistent *p)
{
	int rc;

	if (p->d.broken) {
		p->done(p->owner, direct_is_broken());
		return;
	}
	p->d.epoch++;
	p->written = false;
	p->taken = 0;
	rc = direct_persistent_advance(p);
	if (rc > 0)
		progress_add(&p->hook);
	else
		p->done(p->owner, rc);
}

int direct_persistent_peer(const struct direct_persistent *p)
{
	int rank = direct_next_source(p->comm, &p->x, p->taken);

	/* it has no place for its payload while any rank is that late */
	for (int r = 0; !p->written && r < p->size; r++)
		if (r != p->comm->rank &&
		    !line_reached(&p->d.done[r], p->d.epoch - p->d.slots))
			rank = r;
	return comm_world_rank(p->comm, rank);
}

void direct_persistent_destroy(struct direct_persistent *p)
{
	bool keeper = p && p->comm->rank == 0;

	if (p)
		direct_detach(&p->d);
	if (keeper)
		list_append(&retired, &p->retired);
	else
		free(p);
	if (keeper)
		give_back_left(false);
}

void direct_persistent_fini(void)
{
	give_back_left(true);
}
