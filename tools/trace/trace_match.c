/* SPDX-License-Identifier: Apache-2.0 */
/* trace_match.c: trees of collectives and of the numbers that each rank has
 * seen. */
#include "tools/trace/trace_match.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* The last number that a rank has had on a communicator, to see when another
 * communicator has got its id. */
struct numbering {
	int rank;
	int32_t first;
	uint16_t comm;
	uint32_t number, repeat;
};

static int trace_match_order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_instances(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;
	int names = strcmp(x->name, y->name);

	return names ? names
		     : trace_match_order(x->number, y->number)
			   ?: trace_match_order(x->comm, y->comm)
			   ?: trace_match_order(x->first, y->first)
			   ?: trace_match_order(x->repeat, y->repeat);
}

static int compare_numberings(const void *a, const void *b)
{
	const struct numbering *x = a, *y = b;

	return trace_match_order(x->rank, y->rank)
		   ?: trace_match_order(x->comm, y->comm)
		   ?: trace_match_order(x->first, y->first);
}

/* Returns the element of the tree that equals *key, a copy of *key if there was
 * none, or NULL without memory. */
static void *trace_match_find(void **tree, const void *key, size_t bytes,
			      int (*compare)(const void *, const void *))
{
	void **found = tfind(key, tree, compare);
	void *copy;

	if (found)
		return *found;
	copy = malloc(bytes);
	if (!copy)
		return NULL;
	memcpy(copy, key, bytes);
	found = tsearch(copy, tree, compare);
	if (!found)
		free(copy);
	return found ? *found : NULL;
}

/* Returns how many communicators before have had the id, as far as this rank
 * knows. */
static uint32_t repeat_of(struct matches *m, int k, const struct trace_event *e)
{
	const struct numbering key = {
	    .rank = k, .first = e->peer, .comm = e->comm, .number = e->number};
	struct numbering *n = trace_match_find(&m->numberings, &key,
					       sizeof(key), compare_numberings);

	if (!n) {
		m->failed = true;
		return 0;
	}
	n->repeat += e->number < n->number;
	n->number = e->number;
	return n->repeat;
}

static void trace_match_arrive(struct instance *i, int k,
			       const struct span *call)
{
	int64_t at = call->begin;

	if (!i->arrived++ || at < i->first_at)
		i->first_at = at;
	if (i->arrived == 1 || at >= i->last_at) {
		i->before_last_at = i->arrived == 1 ? at : i->last_at;
		i->last_at = at;
		i->last = k;
	} else if (i->arrived == 2 || at > i->before_last_at) {
		i->before_last_at = at;
	}
	if (i->arrived == 1 || call->end > i->left_at)
		i->left_at = call->end;
}

void match_add(struct matches *m, int k, const struct span *call)
{
	const struct trace_event *e = call->event;
	const struct instance key = {.name = call->name,
				     .first = e->peer,
				     .number = e->number,
				     .repeat = repeat_of(m, k, e),
				     .comm = e->comm};
	struct instance *i = trace_match_find(&m->instances, &key, sizeof(key),
					      compare_instances);

	if (i)
		trace_match_arrive(i, k, call);
	else
		m->failed = true;
}

/* For each, which gets no argument. */
static void (*see_now)(void *to, const struct instance *i);
static void *to_now;

static void trace_match_each(const void *node, VISIT when, int depth)
{
	(void)depth;
	if (when == postorder || when == leaf)
		see_now(to_now, *(struct instance *const *)node);
}

void match_each(const struct matches *m,
		void (*see)(void *to, const struct instance *i), void *to)
{
	see_now = see;
	to_now = to;
	twalk(m->instances, trace_match_each);
}

const struct instance *match_find(const struct matches *m, const char *name,
				  const struct trace_event *call, int64_t at)
{
	struct instance key = {.name = name,
			       .first = call->peer,
			       .number = call->number,
			       .comm = call->comm};

	for (;; key.repeat++) {
		struct instance *const *found = tfind(
		    &key, (void *const *)&m->instances, compare_instances);

		if (!found)
			return NULL;
		if (at >= (*found)->first_at && at <= (*found)->left_at)
			return *found;
	}
}

void match_free(struct matches *m)
{
	tdestroy(m->instances, free);
	tdestroy(m->numberings, free);
}
