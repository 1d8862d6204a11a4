/* SPDX-License-Identifier: Apache-2.0 */
/* trial_move.c has the trials of the collectives that only move data. */
#include "tests/system/trial.h"

static size_t size_of(const struct trial *t)
{
	return mrt_type_size(t->type);
}

/* ---- Layouts ------------------------------------------------------------ */

static void make_layout(struct layout *l, int n)
{
	l->n = n;
	l->counts = calloc((size_t)n + 1, sizeof(*l->counts));
	l->displs = calloc((size_t)n + 1, sizeof(*l->displs));
}

/* Draws displacements for the counts: the blocks are in any order, with
 * gaps. */
static void scatter_blocks(struct layout *l, uint64_t seed)
{
	int first = l->n ? (int)(trial_hash(seed, 3, 1) % (unsigned)l->n) : 0;
	size_t at = 0;

	for (int k = 0; k < l->n; k++) {
		int i = (first + k) % l->n;

		at += trial_hash(seed, 4, (uint64_t)i) % 3;
		l->displs[i] = (ptrdiff_t)at;
		at += l->counts[i];
	}
	l->total = at;
}

static void regular(struct layout *l, int n, size_t count)
{
	make_layout(l, n);
	for (int i = 0; i < n; i++) {
		l->counts[i] = count;
		l->displs[i] = (ptrdiff_t)((size_t)i * count);
	}
	l->total = (size_t)n * count;
}

/* Returns the elements that one rank sends to another. */
static size_t pair_count(const struct trial *t, int from, int to)
{
	uint64_t h = trial_hash(t->seed, 10 + (uint64_t)from, (uint64_t)to);

	return h % 4 ? (h >> 8) % (t->count + 1) : 0;
}

/* ---- Gather and scatter ------------------------------------------------- */

/* Expects in block i of recv the bytes that `from` sends to `to`. */
static void expect(struct trial *t, const struct layout *l, int i, int from,
		   int to)
{
	size_t size = size_of(t);

	trial_bytes(t->after[1] + (size_t)l->displs[i] * size,
		    l->counts[i] * size, t, from, to);
}

/* Sets block i of send, before and after. */
static void provide(struct trial *t, const struct layout *l, int i, int from,
		    int to)
{
	size_t at = (size_t)l->displs[i] * size_of(t);

	trial_bytes(t->before[0] + at, l->counts[i] * size_of(t), t, from, to);
	memcpy(t->after[0] + at, t->before[0] + at, l->counts[i] * size_of(t));
}

/* If the call is in place, puts the own input into recv. */
static void put_in_place(struct trial *t, const struct layout *l, int i)
{
	size_t at = (size_t)l->displs[i] * size_of(t);

	memcpy(t->before[1] + at, t->after[1] + at, l->counts[i] * size_of(t));
	t->send = MRT_IN_PLACE;
}

static void lay_out_by_rank(struct trial *t, struct layout *l, bool irregular)
{
	if (!irregular) {
		regular(l, t->size, t->count);
		return;
	}
	make_layout(l, t->size);
	for (int r = 0; r < t->size; r++)
		l->counts[r] = pair_count(t, r, 0);
	scatter_blocks(l, t->seed);
}

/* Draws a gather to root, or to all (root < 0). */
static void draw_gathers(struct trial *t, int root, bool irregular)
{
	bool gets = root < 0 || t->rank == root;
	struct layout own;

	t->in_place &= gets;
	lay_out_by_rank(t, &t->from, irregular);
	t->count = t->from.counts[t->rank];
	regular(&own, 1, t->count);
	trial_room(t, t->count * size_of(t),
		   gets ? t->from.total * size_of(t) : 0);
	provide(t, &own, 0, t->rank, 0);
	for (int r = 0; r < t->size && gets; r++)
		expect(t, &t->from, r, r, 0);
	if (t->in_place)
		put_in_place(t, &t->from, t->rank);
	free(own.counts);
	free(own.displs);
}

static void draw_gather(struct trial *t)
{
	draw_gathers(t, t->root, false);
}

static void draw_gatherv(struct trial *t)
{
	draw_gathers(t, t->root, true);
}

static void draw_allgather(struct trial *t)
{
	draw_gathers(t, -1, false);
}

static void draw_allgatherv(struct trial *t)
{
	draw_gathers(t, -1, true);
}

static void draw_scatters(struct trial *t, bool irregular)
{
	bool gives = t->rank == t->root;
	struct layout own;

	t->in_place &= gives;
	lay_out_by_rank(t, &t->to, irregular);
	t->count = t->to.counts[t->rank];
	regular(&own, 1, t->count);
	trial_room(t, gives ? t->to.total * size_of(t) : 0,
		   t->in_place ? 0 : t->count * size_of(t));
	for (int r = 0; r < t->size && gives; r++)
		provide(t, &t->to, r, 0, r);
	if (t->in_place)
		t->recv = MRT_IN_PLACE;
	else
		expect(t, &own, 0, 0, t->rank);
	free(own.counts);
	free(own.displs);
}

static void draw_scatter(struct trial *t)
{
	draw_scatters(t, false);
}

static void draw_scatterv(struct trial *t)
{
	draw_scatters(t, true);
}

static void draw_bcast(struct trial *t)
{
	struct layout all;

	t->in_place = false;
	regular(&all, 1, t->count);
	trial_room(t, 0, t->count * size_of(t));
	expect(t, &all, 0, t->root, 0);
	if (t->rank == t->root)
		memcpy(t->before[1], t->after[1], t->bytes[1]);
	free(all.counts);
	free(all.displs);
}

static void draw_barrier(struct trial *t)
{
	t->in_place = false;
	trial_room(t, 0, 0);
}

/* ---- All to all --------------------------------------------------------- */

/* In place, the blocks to and from a rank have the same length. */
static size_t exchange_count(const struct trial *t, int from, int to)
{
	if (t->in_place && from > to)
		return pair_count(t, to, from);
	return pair_count(t, from, to);
}

static void draw_exchange(struct trial *t, bool irregular)
{
	struct layout *in = &t->from, *out = &t->to;

	make_layout(in, t->size);
	make_layout(out, t->size);
	for (int r = 0; r < t->size; r++) {
		in->counts[r] =
		    irregular ? exchange_count(t, r, t->rank) : t->count;
		out->counts[r] =
		    irregular ? exchange_count(t, t->rank, r) : t->count;
		in->displs[r] = out->displs[r] =
		    (ptrdiff_t)((size_t)r * t->count);
	}
	in->total = out->total = (size_t)t->size * t->count;
	if (irregular) {
		scatter_blocks(in, t->seed);
		scatter_blocks(out, t->seed + 1);
	}
	trial_room(t, t->in_place ? 0 : out->total * size_of(t),
		   in->total * size_of(t));
	for (int r = 0; r < t->size; r++) {
		size_t at = (size_t)in->displs[r] * size_of(t);

		expect(t, in, r, r, t->rank);
		if (t->in_place)
			trial_bytes(t->before[1] + at,
				    in->counts[r] * size_of(t), t, t->rank, r);
		else
			provide(t, out, r, t->rank, r);
	}
	if (t->in_place)
		t->send = MRT_IN_PLACE;
}

static void draw_alltoall(struct trial *t)
{
	draw_exchange(t, false);
}

static void draw_alltoallv(struct trial *t)
{
	draw_exchange(t, true);
}

/* Draws the blocks of alltoallv, some of them counted in bytes. */
static void draw_alltoallw(struct trial *t)
{
	draw_exchange(t, true);
	t->types = calloc((size_t)t->size, sizeof(*t->types));
	for (int r = 0; r < t->size; r++) {
		bool bytes = (r + t->rank) % 2;

		t->types[r] = bytes ? MRT_BYTE : t->type;
		t->to.displs[r] *= (ptrdiff_t)size_of(t);
		t->from.displs[r] *= (ptrdiff_t)size_of(t);
		if (!bytes)
			continue;
		t->to.counts[r] *= size_of(t);
		t->from.counts[r] *= size_of(t);
	}
}

/* ---- Neighbours --------------------------------------------------------- */

/* Returns how many messages go from one rank to another. */
static int edges(const struct trial *t, int from, int to)
{
	static const int some[] = {0, 0, 1, 1, 2};
	uint64_t h = trial_hash(t->seed, 900 + (uint64_t)from, (uint64_t)to);

	return some[h % 5];
}

/* Lists the sources or the destinations of this rank, in an order that only
 * this rank draws. */
static int list_neighbors(const struct trial *t, int *list, bool sources)
{
	uint64_t seed = trial_hash(t->seed, 5, (uint64_t)t->rank) + sources;
	int n = 0;

	for (int r = 0; r < t->size; r++)
		for (int e = sources ? edges(t, r, t->rank)
				     : edges(t, t->rank, r);
		     e > 0; e--)
			list[n++] = r;
	for (int k = n - 1; k > 0; k--) {
		int other =
		    (int)(trial_hash(seed, 6, (uint64_t)k) % (unsigned)(k + 1));
		int x = list[k];

		list[k] = list[other];
		list[other] = x;
	}
	return n;
}

/* Returns which of the messages between the two this is: how often the rank
 * occurs before. */
static int nth(const int *list, int k)
{
	int n = 0;

	for (int i = 0; i < k; i++)
		n += list[i] == list[k];
	return n;
}

static void draw_neighbors(struct trial *t, bool same)
{
	int *dests;
	int one;

	t->in_place = false;
	t->lists = calloc(4 * (size_t)t->size, sizeof(int));
	dests = t->lists + 2 * t->size;
	t->near.sources = t->lists;
	t->near.dests = dests;
	t->near.nsources = list_neighbors(t, t->lists, true);
	t->near.ndests = list_neighbors(t, dests, false);
	one = same ? 1 : t->near.ndests;
	regular(&t->from, t->near.nsources, t->count);
	regular(&t->to, one, t->count);
	trial_room(t, t->to.total * size_of(t), t->from.total * size_of(t));
	for (int k = 0; k < t->near.nsources; k++)
		expect(t, &t->from, k, t->lists[k],
		       same ? 0 : t->rank * 4 + nth(t->lists, k));
	for (int k = 0; k < one; k++)
		provide(t, &t->to, k, t->rank,
			same ? 0 : dests[k] * 4 + nth(dests, k));
}

static void draw_neighbor_allgather(struct trial *t)
{
	draw_neighbors(t, true);
}

static void draw_neighbor_alltoall(struct trial *t)
{
	draw_neighbors(t, false);
}

/* ---- Calls -------------------------------------------------------------- */

#define CALL(name, ...)                                                        \
	static int call_##name(struct trial *t, enum form form)                \
	{                                                                      \
		return TRIAL_CALL(t, form, name, __VA_ARGS__);                 \
	}

CALL(barrier, t->comm)
CALL(bcast, t->recv, t->count, t->type, t->root, t->comm)
CALL(gather, t->send, t->count, t->type, t->recv, t->count, t->type, t->root,
     t->comm)
CALL(gatherv, t->send, t->count, t->type, t->recv, t->from.counts,
     t->from.displs, t->type, t->root, t->comm)
CALL(scatter, t->send, t->count, t->type, t->recv, t->count, t->type, t->root,
     t->comm)
CALL(scatterv, t->send, t->to.counts, t->to.displs, t->type, t->recv, t->count,
     t->type, t->root, t->comm)
CALL(allgather, t->send, t->count, t->type, t->recv, t->count, t->type, t->comm)
CALL(allgatherv, t->send, t->count, t->type, t->recv, t->from.counts,
     t->from.displs, t->type, t->comm)
CALL(alltoall, t->send, t->count, t->type, t->recv, t->count, t->type, t->comm)
CALL(alltoallv, t->send, t->to.counts, t->to.displs, t->type, t->recv,
     t->from.counts, t->from.displs, t->type, t->comm)
CALL(alltoallw, t->send, t->to.counts, t->to.displs, t->types, t->recv,
     t->from.counts, t->from.displs, t->types, t->comm)
CALL(neighbor_allgather, t->send, t->count, t->type, t->recv, t->count, t->type,
     &t->near, t->comm)
CALL(neighbor_alltoall, t->send, t->count, t->type, t->recv, t->count, t->type,
     &t->near, t->comm)

#define KIND(name)                                                             \
	{                                                                      \
#name, draw_##name, call_##name                                \
	}
const struct trial_kind trial_moves[] = {
    KIND(barrier),	     KIND(bcast),	KIND(gather),
    KIND(gatherv),	     KIND(scatter),	KIND(scatterv),
    KIND(allgather),	     KIND(allgatherv),	KIND(alltoall),
    KIND(alltoallv),	     KIND(alltoallw),	KIND(neighbor_allgather),
    KIND(neighbor_alltoall), {NULL, NULL, NULL}};
