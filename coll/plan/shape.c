/* SPDX-License-Identifier: Apache-2.0 */
/* shape.c: compares and copies shapes, for the plans that are kept. */
#include "coll/plan/shape.h"

#include <stdlib.h>
#include <string.h>

#include "coll/plan/rules.h"
#include "coll/plan/topology.h"
#include "mrt.h"
#include "runtime/base/hash.h"

bool shape_has_cells(const struct shape *s)
{
	return !s->no_cells &&
	       (!s->topo || s->topo->nodes == 1 || s->topo->nodes == s->size);
}

const int *shape_order(enum collective collective, const struct shape *s,
		       const int *order)
{
	switch (collective) {
	case COLL_BARRIER:
	case COLL_BCAST:
	case COLL_REDUCE:
	case COLL_ALLREDUCE:
		return s->commutative && !s->low ? order : NULL;
	default:
		return NULL;
	}
}

void shape_place(struct shape *s, enum collective collective,
		 const struct topology *topo)
{
	s->topo = topo;
	s->order = topo ? shape_order(collective, s, topo->order) : NULL;
}

int shape_part(const struct shape *s, int rank)
{
	int part = 0;

	if (!s->order)
		return rank;
	while (s->order[part] != rank)
		part++;
	return part;
}

ptrdiff_t shape_offset(enum collective collective, const struct shape *s,
		       int rank)
{
	const struct rule *rule = &rules[collective];

	if (rule->recv.holds == HOLDS_EACH && rule->send.holds == HOLDS_ONE)
		return (ptrdiff_t)shape_recv(s, rank).at;
	return rule_scatters(rule) ? -(ptrdiff_t)shape_send(s, rank).at : 0;
}

/* Return the number of blocks of SEND, and of RECV. */
static size_t shape_nsend(const struct shape *s)
{
	return (size_t)(s->neighbors ? s->neighbors->ndests : s->size);
}

static size_t shape_nrecv(const struct shape *s)
{
	return (size_t)(s->neighbors ? s->neighbors->nsources : s->size);
}

static bool shape_same(const void *a, const void *b, size_t n, size_t size)
{
	return a == b || (a && b && (!n || !memcmp(a, b, n * size)));
}

static bool same_neighbors(const struct neighbors *a, const struct neighbors *b)
{
	if (!a || !b)
		return a == b;
	return a->nsources == b->nsources && a->ndests == b->ndests &&
	       a->grid == b->grid &&
	       shape_same(a->sources, b->sources, (size_t)a->nsources,
			  sizeof(*a->sources)) &&
	       shape_same(a->dests, b->dests, (size_t)a->ndests,
			  sizeof(*a->dests));
}

bool shape_equal(const struct shape *a, const struct shape *b)
{
	return a->count == b->count && a->type_size == b->type_size &&
	       a->board == b->board && a->root == b->root &&
	       a->size == b->size && a->low == b->low && a->arg == b->arg &&
	       a->commutative == b->commutative && a->in_place == b->in_place &&
	       a->combine == b->combine && a->topo == b->topo &&
	       a->no_cells == b->no_cells &&
	       same_neighbors(a->neighbors, b->neighbors) &&
	       shape_same(a->send, b->send, shape_nsend(a), sizeof(*a->send)) &&
	       shape_same(a->recv, b->recv, shape_nrecv(a), sizeof(*a->recv));
}

uint64_t shape_hash(const struct shape *s)
{
	const uint64_t words[] = {(uint64_t)s->size,
				  (uint64_t)s->root,
				  s->count,
				  s->type_size,
				  s->board,
				  (uint64_t)s->combine,
				  s->commutative | s->in_place << 1};
	uint64_t h = hash_bytes(HASH_BEGIN, words, sizeof(words));

	if (s->send)
		h = hash_bytes(h, s->send, shape_nsend(s) * sizeof(*s->send));
	if (s->recv)
		h = hash_bytes(h, s->recv, shape_nrecv(s) * sizeof(*s->recv));
	return h;
}

/* Sets *copy to a copy of n items; NULL for NULL. */
static bool shape_keep(const void **copy, const void *from, size_t n,
		       size_t size)
{
	void *own = from ? malloc(n * size + 1) : NULL;

	*copy = own;
	if (own && n)
		memcpy(own, from, n * size);
	return own || !from;
}

static bool keep_neighbors(struct shape *copy, const struct neighbors *from)
{
	struct neighbors *own = malloc(sizeof(*own));
	bool good;

	copy->neighbors = own;
	if (!own)
		return false;
	*own = *from;
	good = shape_keep((const void **)&own->sources, from->sources,
			  (size_t)from->nsources, sizeof(int));
	return shape_keep((const void **)&own->dests, from->dests,
			  (size_t)from->ndests, sizeof(int)) &&
	       good;
}

int shape_copy(struct shape *copy, const struct shape *s)
{
	bool good = true;

	*copy = *s;
	copy->neighbors = NULL;
	if (s->neighbors)
		good = keep_neighbors(copy, s->neighbors);
	good &= shape_keep((const void **)&copy->send, s->send, shape_nsend(s),
			   sizeof(*s->send));
	good &= shape_keep((const void **)&copy->recv, s->recv, shape_nrecv(s),
			   sizeof(*s->recv));
	if (good)
		return MRT_SUCCESS;
	shape_fini(copy);
	return MRT_ERR_NO_MEM;
}

size_t shape_lists_bytes(const struct shape *copy)
{
	return ((copy->send ? shape_nsend(copy) : 0) +
		(copy->recv ? shape_nrecv(copy) : 0)) *
	       sizeof(struct block);
}

void shape_fini(struct shape *copy)
{
	if (copy->neighbors) {
		free((void *)(uintptr_t)copy->neighbors->sources);
		free((void *)(uintptr_t)copy->neighbors->dests);
		free((void *)(uintptr_t)copy->neighbors);
	}
	free((void *)(uintptr_t)copy->send);
	free((void *)(uintptr_t)copy->recv);
	copy->neighbors = NULL;
	copy->send = copy->recv = NULL;
}
