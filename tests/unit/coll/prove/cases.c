/* SPDX-License-Identifier: Apache-2.0 */
/* cases.c: deals shapes to ranks. */
#include "tests/unit/coll/prove/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/plan/topology.h"

struct table {
	const struct deal *d;
	unsigned seed;
	int n;
	struct shape *shapes;
	struct neighbors *around;
	struct topology *topo;
	void **rooms;
	size_t nrooms;
};

static void *room(struct table *t, size_t n, size_t size)
{
	void *room = calloc(n + 1, size);

	t->rooms = realloc(t->rooms, (t->nrooms + 1) * sizeof(*t->rooms));
	t->rooms[t->nrooms++] = room;
	return room;
}

/* ---- What collectives have ----------------------------------------------- */

bool deal_rooted(enum collective c)
{
	return c == COLL_BCAST || c == COLL_REDUCE || c == COLL_GATHER ||
	       c == COLL_GATHERV || c == COLL_SCATTER || c == COLL_SCATTERV;
}

bool deal_reduces(enum collective c)
{
	return c == COLL_REDUCE || c == COLL_ALLREDUCE || c == COLL_SCAN ||
	       c == COLL_EXSCAN || c == COLL_REDUCE_SCATTER ||
	       c == COLL_REDUCE_SCATTER_BLOCK;
}

bool deal_irregular(enum collective c)
{
	return c == COLL_GATHERV || c == COLL_SCATTERV ||
	       c == COLL_ALLGATHERV || c == COLL_ALLTOALLV ||
	       c == COLL_REDUCE_SCATTER || c == COLL_NEIGHBOR_ALLGATHER ||
	       c == COLL_NEIGHBOR_ALLTOALL;
}

bool deal_blocks(enum collective c)
{
	return deal_irregular(c) || c == COLL_GATHER || c == COLL_SCATTER ||
	       c == COLL_ALLGATHER || c == COLL_ALLTOALL ||
	       c == COLL_REDUCE_SCATTER_BLOCK;
}

static bool has_neighbors(enum collective c)
{
	return c == COLL_NEIGHBOR_ALLGATHER || c == COLL_NEIGHBOR_ALLTOALL;
}

bool deal_in_place(enum collective c)
{
	return c != COLL_BARRIER && c != COLL_BCAST && !has_neighbors(c);
}

/* ---- Blocks ------------------------------------------------------------- */

static size_t draw_count(struct table *t)
{
	unsigned most = 2 * (unsigned)t->d->shape.count + 2;

	return draw(&t->seed, 3) ? draw(&t->seed, most) : 0;
}

/* Places n blocks with counts in any order, with gaps. */
static void spread(struct table *t, struct block *b, int n)
{
	int *order = room(t, (size_t)n, sizeof(*order));
	size_t at = draw(&t->seed, 3);

	for (int i = 0; i < n; i++) {
		int k = (int)draw(&t->seed, (unsigned)i + 1);

		order[i] = order[k];
		order[k] = i;
	}
	for (int i = 0; i < n; i++) {
		b[order[i]].at = at;
		at += b[order[i]].count + draw(&t->seed, 3) / 2;
	}
}

static struct block *blocks(struct table *t, int n)
{
	return room(t, (size_t)n, sizeof(struct block));
}

/* Deals one block for each rank; at the root, or everywhere. */
static void deal_to_ranks(struct table *t)
{
	struct block *b = blocks(t, t->n);
	enum collective c = t->d->collective;
	size_t at = 0;

	for (int i = 0; i < t->n; i++) {
		b[i] = (struct block){at, draw_count(t)};
		at += b[i].count;
	}
	if (c != COLL_REDUCE_SCATTER)
		spread(t, b, t->n);
	for (int i = 0; i < t->n; i++) {
		struct shape *s = &t->shapes[i];
		bool root = i == s->root, rooted = deal_rooted(c);

		s->count = rooted ? b[i].count : 0;
		if (c == COLL_SCATTERV && root)
			s->send = b;
		else if (c != COLL_SCATTERV && (root || !rooted))
			s->recv = b;
	}
}

/* Deals a block for each pair of ranks. In place both directions are alike. */
static void deal_to_pairs(struct table *t)
{
	struct block **send = room(t, (size_t)t->n, sizeof(*send));
	struct block **recv = room(t, (size_t)t->n, sizeof(*recv));

	for (int i = 0; i < t->n; i++) {
		send[i] = blocks(t, t->n);
		recv[i] = blocks(t, t->n);
	}
	for (int i = 0; i < t->n; i++)
		for (int k = 0; k < t->n; k++)
			send[i][k].count = recv[k][i].count =
			    t->d->in_place && k < i ? send[k][i].count
						    : draw_count(t);
	for (int i = 0; i < t->n; i++) {
		struct shape *s = &t->shapes[i];

		spread(t, send[i], t->n);
		spread(t, recv[i], t->n);
		s->count = 0;
		s->recv = recv[i];
		s->send = s->in_place ? recv[i] : send[i];
	}
}

/* ---- Neighbours --------------------------------------------------------- */

static int nth_before(const int *list, int i)
{
	int nth = 0;

	for (int k = 0; k < i; k++)
		nth += list[k] == list[i];
	return nth;
}

static int find_nth(const int *list, int rank, int nth)
{
	int i = 0;

	while (list[i] != rank || nth--)
		i++;
	return i;
}

static void draw_dests(struct table *t)
{
	for (int r = 0; r < t->n; r++) {
		struct neighbors *a = &t->around[r];
		int n = (int)draw(&t->seed, 6);
		int *dests = room(t, (size_t)n, sizeof(*dests));

		for (int i = 0; i < n; i++) {
			dests[i] = (int)draw(&t->seed, (unsigned)t->n);
			t->around[dests[i]].nsources++;
		}
		a->ndests = n;
		a->dests = dests;
	}
}

static void list_sources(struct table *t)
{
	int *filled = room(t, (size_t)t->n, sizeof(*filled));

	for (int r = 0; r < t->n; r++)
		t->around[r].sources =
		    room(t, (size_t)t->around[r].nsources, sizeof(int));
	for (int r = 0; r < t->n; r++)
		for (int i = 0; i < t->around[r].ndests; i++) {
			int to = t->around[r].dests[i], k = filled[to]++;
			int *list = (int *)(uintptr_t)t->around[to].sources;
			int other = (int)draw(&t->seed, (unsigned)k + 1);

			list[k] = list[other];
			list[other] = r;
		}
}

static size_t incoming(const struct table *t, struct block *const *send,
		       int rank, int i)
{
	const int *list = t->around[rank].sources;
	int from = list[i];

	if (t->d->collective == COLL_NEIGHBOR_ALLGATHER)
		return t->shapes[from].count;
	return send[from]
		   [find_nth(t->around[from].dests, rank, nth_before(list, i))]
		       .count;
}

static void deal_to_neighbors(struct table *t)
{
	struct block **send = room(t, (size_t)t->n, sizeof(*send));

	for (int r = 0; r < t->n; r++) {
		int n = t->around[r].ndests;

		send[r] = blocks(t, n);
		for (int i = 0; i < n; i++)
			send[r][i].count = draw_count(t);
		spread(t, send[r], n);
		t->shapes[r].count = draw_count(t);
	}
	for (int r = 0; r < t->n; r++) {
		int n = t->around[r].nsources;
		struct block *recv = blocks(t, n);

		for (int i = 0; i < n; i++)
			recv[i].count = incoming(t, send, r, i);
		spread(t, recv, n);
		t->shapes[r].recv = recv;
		if (t->d->collective == COLL_NEIGHBOR_ALLTOALL)
			t->shapes[r].send = send[r];
	}
}

/* ---- Topology ----------------------------------------------------------- */

/* Draws groups: runs of uneven or equal length, round robin, or at random. */
static void draw_groups(struct table *t, int *group, int groups)
{
	unsigned way = draw(&t->seed, 4);

	for (int r = 0, g = 0; r < t->n; r++) {
		if (way == 0 && r && g < groups - 1)
			g += !draw(&t->seed, 3);
		group[r] = way == 0   ? g
			   : way == 1 ? r % groups
			   : way == 2 ? (int)((long)r * groups / t->n)
				      : (int)draw(&t->seed, (unsigned)groups);
	}
}

/* Returns the node of a rank if the first have 3, 5, 4, 3 .. ranks. */
static int odd_node(int rank, int nodes)
{
	int left = rank % 12, node = rank / 12 * 3 + (left >= 3) + (left >= 8);

	return node < nodes ? node : nodes - 1;
}

struct places {
	int *node, *cache, *switches; /* of each rank, and of each node */
};

static struct topology_place place_of(int rank, const void *arg)
{
	const struct places *p = arg;
	int node = p->node[rank];

	return (struct topology_place){node, p->cache[rank],
				       (uint64_t)p->switches[node]};
}

static void place(struct table *t)
{
	size_t n = (size_t)t->n;
	int *node = room(t, n, sizeof(*node)), *cache = room(t, n, sizeof(int));
	int *switches = room(t, n, sizeof(*switches));
	int most = 1 + (int)draw(&t->seed, (unsigned)t->n);

	if (t->d->nodes) {
		for (int r = 0; r < t->n; r++)
			node[r] = t->d->odd ? odd_node(r, t->d->nodes)
				  : t->d->cyclic
				      ? r % t->d->nodes
				      : (int)((long)r * t->d->nodes / t->n);
	} else {
		draw_groups(t, node, most);
		draw_groups(t, cache, 3);
	}
	draw_groups(t, switches, 1 + (int)draw(&t->seed, 4));
	t->topo = topology_create(t->n, place_of,
				  &(struct places){node, cache, switches});
}

/* ---- Dealing ------------------------------------------------------------ */

static void deal_in_place_to(struct table *t, int rank)
{
	enum collective c = t->d->collective;
	struct shape *s = &t->shapes[rank];

	if (t->d->in_place && deal_in_place(c) &&
	    (rank == s->root || !deal_rooted(c)))
		s->in_place = draw(&t->seed, 4);
}

static void deal(struct table *t)
{
	enum collective c = t->d->collective;

	if (t->d->placed)
		place(t);
	for (int r = 0; r < t->n; r++) {
		t->shapes[r] = t->d->shape;
		t->shapes[r].commutative |= !deal_reduces(c);
		shape_place(&t->shapes[r], c, t->topo);
		deal_in_place_to(t, r);
		if (has_neighbors(c))
			t->shapes[r].neighbors = &t->around[r];
	}
	if (has_neighbors(c)) {
		draw_dests(t);
		list_sources(t);
	}
	if (!t->d->irregular || !deal_irregular(c))
		return;
	if (has_neighbors(c))
		deal_to_neighbors(t);
	else if (c == COLL_ALLTOALLV)
		deal_to_pairs(t);
	else
		deal_to_ranks(t);
}

struct table *deal_make(const struct deal *d)
{
	struct table *t = calloc(1, sizeof(*t));

	t->d = d;
	t->seed = d->seed;
	t->n = d->shape.size;
	t->shapes = room(t, (size_t)t->n, sizeof(*t->shapes));
	t->around = room(t, (size_t)t->n, sizeof(*t->around));
	deal(t);
	return t;
}

const struct shape *deal_shapes(const struct table *t)
{
	return t->shapes;
}

void deal_free(struct table *t)
{
	topology_destroy(t->topo);
	for (size_t i = 0; i < t->nrooms; i++)
		free(t->rooms[i]);
	free(t->rooms);
	free(t);
}

const char *deal_prove(const struct deal *d, struct prove_counts *counts)
{
	static char text[512];
	struct table *t = deal_make(d);
	struct prove_case c = {d->collective, d->algorithm, t->shapes};
	const char *bad = NULL;

	if (select_fits(d->algorithm, &t->shapes[0]))
		bad = prove_plans(&c, counts);
	if (bad)
		snprintf(text, sizeof(text), "%s (deal%s%s%s seed %u)", bad,
			 d->in_place ? " in place" : "",
			 d->irregular ? " irregular" : "",
			 d->placed ? " placed" : "", d->seed);
	deal_free(t);
	return bad ? text : NULL;
}
