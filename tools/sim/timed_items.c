/* SPDX-License-Identifier: Apache-2.0 */
/* timed_items.c: memory for items, their queues, and the heap of events. */
#include <stdlib.h>

#include "tools/sim/timed.h"

enum { FIRST_ROOM = 4 };

/* Grows a full array with elements of `size` bytes. */
static bool timed_items_grow(struct timed *e, void *array, size_t *capacity,
			     size_t size)
{
	size_t more = *capacity ? 2 * *capacity : FIRST_ROOM;
	void **at = array, *grown = realloc(*at, more * size);

	if (!grown) {
		e->no_mem = true;
		return false;
	}
	*at = grown;
	*capacity = more;
	return true;
}

uint32_t item_new(struct timed *e, const struct item *item)
{
	struct item copy = *item; /* it may be in the array that grow moves */
	uint32_t i = e->free;

	if (i != NIL)
		e->free = e->items[i].next;
	else if (e->nitems == e->capacity &&
		 !timed_items_grow(e, &e->items, &e->capacity,
				   sizeof(*e->items)))
		return NIL;
	else
		i = (uint32_t)e->nitems++;
	e->items[i] = copy;
	return i;
}

struct post *board_room(struct timed *e, struct rank_state *r)
{
	if (r->nposts == r->posts_capacity &&
	    !timed_items_grow(e, &r->posts, &r->posts_capacity,
			      sizeof(*r->posts)))
		return NULL;
	return &r->posts[r->nposts++];
}

void item_free(struct timed *e, uint32_t i)
{
	e->items[i].next = e->free;
	e->free = i;
}

void queue_add(struct timed *e, struct queue *q, uint32_t i)
{
	e->items[i].next = NIL;
	if (q->first == NIL)
		q->first = i;
	else
		e->items[q->last].next = i;
	q->last = i;
}

uint32_t queue_take(struct timed *e, struct queue *q)
{
	uint32_t i = q->first;

	if (i != NIL)
		q->first = e->items[i].next;
	return i;
}

/* ---- Events: a heap, of few levels since most of its cost is memory ---- */

enum { CHILDREN = 4 };

static bool timed_items_earlier(const struct event *a, const struct event *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

/*
 * The order of events at the same time must not depend on earlier events, and
 * must be the same on all nodes whose ranks do the same (if there is any
 * latency). First come CPUs that have finished, by rank. Then items move, by
 * phase; each phase leads to later ones at the same time, or to any at a later
 * time. Within a phase they are ordered by the rank that they are at, by the
 * sender's step (which tells its messages apart where ranks are symmetric), and
 * by the other rank.
 */
enum phase { INTO_NODE, ARRIVES, COMES_BACK, IN_POOL };

static unsigned phase_of(const struct item *i)
{
	if (i->stage < STAGE_NIC)
		return IN_POOL + (unsigned)i->stage;
	if (i->stage == STAGE_NIC)
		return INTO_NODE;
	return i->kind == ITEM_READ || i->kind == ITEM_FIN ||
		       i->kind == ITEM_ACK
		   ? COMES_BACK
		   : ARRIVES;
}

static uint64_t order_of(const struct timed *e, const struct item *i)
{
	unsigned phase = phase_of(i);
	bool back = phase == COMES_BACK ||
		    (phase >= IN_POOL && phase < IN_POOL + SIM_TIERS);
	int here = back ? i->from : i->to, other = back ? i->to : i->from;

	timed_move(e, &here, &other);
	return 1ull << 63 | (uint64_t)phase << 60 | (uint64_t)here << 36 |
	       (uint64_t)(i->from_step & 0xfff) << 24 | (uint64_t)other;
}

static void timed_items_add(struct timed *e, struct event event)
{
	size_t k = e->nheap;

	if (k == e->heap_capacity &&
	    !timed_items_grow(e, &e->heap, &e->heap_capacity, sizeof(*e->heap)))
		return;
	e->nheap++;
	for (size_t up; k; k = up) {
		up = (k - 1) / CHILDREN;
		if (!timed_items_earlier(&event, &e->heap[up]))
			break;
		e->heap[k] = e->heap[up];
	}
	e->heap[k] = event;
}

void event_add(struct timed *e, uint32_t i)
{
	const struct item *item = &e->items[i];

	timed_items_add(e,
			(struct event){item->at.t, order_of(e, item), i, -1});
}

void event_add_cpu(struct timed *e, uint32_t i, int rank)
{
	timed_items_add(
	    e, (struct event){e->items[i].at.t, (uint64_t)rank, i, rank});
}

void event_add_visit(struct timed *e, int rank, int64_t time)
{
	uint64_t order = UINT64_MAX << 24 | (uint64_t)rank;

	timed_items_add(e, (struct event){time, order, NIL, rank});
}

bool event_take(struct timed *e, struct event *event)
{
	size_t k = 0, child, first;
	struct event last;

	if (!e->nheap)
		return false;
	*event = e->heap[0];
	last = e->heap[--e->nheap];
	while ((first = child = CHILDREN * k + 1) < e->nheap) {
		for (size_t i = first + 1; i < first + CHILDREN && i < e->nheap;
		     i++)
			if (timed_items_earlier(&e->heap[i], &e->heap[child]))
				child = i;
		if (!timed_items_earlier(&e->heap[child], &last))
			break;
		e->heap[k] = e->heap[child];
		k = child;
	}
	e->heap[k] = last;
	return true;
}
