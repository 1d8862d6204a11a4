/* SPDX-License-Identifier: Apache-2.0 */
/* timed_items.c: room for items, their queues, and the heap of events. */
#include <stdlib.h>

#include "apps/sim/timed.h"

enum { FIRST_ROOM = 256 };

/* An array of `size` bytes an element that has no room left. */
static bool grow(struct timed *e, void *array, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : FIRST_ROOM;
	void **at = array, *grown = realloc(*at, more * size);

	if (!grown) {
		e->no_mem = true;
		return false;
	}
	*at = grown;
	*room = more;
	return true;
}

uint32_t item_new(struct timed *e, const struct item *item)
{
	struct item copy = *item; /* it may be one of those that grow moves */
	uint32_t i = e->free;

	if (i != NIL)
		e->free = e->items[i].next;
	else if (e->nitems == e->room &&
		 !grow(e, &e->items, &e->room, sizeof(*e->items)))
		return NIL;
	else
		i = (uint32_t)e->nitems++;
	e->items[i] = copy;
	return i;
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

/* ---- Events: a binary heap ----------------------------------------------- */

static bool earlier(const struct event *a, const struct event *b)
{
	return a->time < b->time ||
	       (a->time == b->time && a->order < b->order);
}

/*
 * What happens at one time happens in an order that does not depend on what
 * happened before: CPUs that have done, by rank; then what moves, by receiver,
 * sender and tag.
 */
static uint64_t order_of(const struct item *i)
{
	return 1ull << 63 | (uint64_t)i->to << 39 | (uint64_t)i->from << 15 |
	       (i->tag & 0x7fff);
}

static void add(struct timed *e, struct event event)
{
	size_t k = e->nheap;

	if (k == e->heap_room &&
	    !grow(e, &e->heap, &e->heap_room, sizeof(*e->heap)))
		return;
	e->nheap++;
	for (; k && earlier(&event, &e->heap[(k - 1) / 2]); k = (k - 1) / 2)
		e->heap[k] = e->heap[(k - 1) / 2];
	e->heap[k] = event;
}

void event_add(struct timed *e, uint32_t i)
{
	add(e, (struct event){e->items[i].at.t, order_of(&e->items[i]), i, -1});
}

void event_add_cpu(struct timed *e, uint32_t i, int rank)
{
	add(e, (struct event){e->items[i].at.t, (uint64_t)rank, i, rank});
}

void event_add_visit(struct timed *e, int rank, int64_t time)
{
	uint64_t order = UINT64_MAX << 24 | (uint64_t)rank;

	add(e, (struct event){time, order, NIL, rank});
}

bool event_take(struct timed *e, struct event *event)
{
	size_t k = 0, child;
	struct event last;

	if (!e->nheap)
		return false;
	*event = e->heap[0];
	last = e->heap[--e->nheap];
	while ((child = 2 * k + 1) < e->nheap) {
		child += child + 1 < e->nheap &&
			 earlier(&e->heap[child + 1], &e->heap[child]);
		if (!earlier(&e->heap[child], &last))
			break;
		e->heap[k] = e->heap[child];
		k = child;
	}
	e->heap[k] = last;
	return true;
}
