/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_typed.c has the collectives that move data, of one group or two, with a
 * random type at each end of each block: what is sent to whom, and the calls.
 */
#include "tests/soak/soak_typed.h"

enum { SIDE = 4096, AGAIN = 100000, MANY_UNITS = 6 };

static void *room(int n, size_t size)
{
	void *p = calloc((size_t)n + 1, size);

	if (!p)
		abort();
	return p;
}

/* ---- Blocks ----------------------------------------------------------------
 */

/* Returns the length of the block between two ranks, numbered over both
 * groups. */
static size_t units(const struct typed *t, int from, int to)
{
	uint64_t h = trial_hash(t->seed, 10, (uint64_t)(from / SIDE));

	if (!(t->kind->how & IRREGULAR))
		return h % (MANY_UNITS + 1);
	h = trial_hash(t->seed, 20 + (uint64_t)from, (uint64_t)to);
	return h % 4 ? (h >> 8) % (MANY_UNITS + 1) : 0;
}

static void add_block(struct typed *t, struct end *end, int from, int to)
{
	end->units[end->n] = units(t, from, to);
	end->keys[end->n++] =
	    trial_hash(t->seed, 70000 + (uint64_t)from, (uint64_t)to);
}

static void open_end(struct end *end, int most)
{
	end->n = 0;
	end->units = room(most, sizeof(*end->units));
	end->keys = room(most, sizeof(*end->keys));
}

static int self(const struct typed *t)
{
	return t->side * SIDE + t->rank;
}

static int peer(const struct typed *t, int rank)
{
	return (t->inter ? 1 - t->side : 0) * SIDE + rank;
}

/* Makes blocks from each peer, or to each, or one block alone. */
static void all_peers(struct typed *t, bool sends, bool receives)
{
	bool same = t->kind->how & SAME;

	for (int r = 0; r < t->peers && receives; r++)
		add_block(t, &t->in, peer(t, r), same ? 0 : self(t));
	for (int r = 0; r < (same ? 1 : t->peers) && sends; r++)
		add_block(t, &t->out, self(t), same ? 0 : peer(t, r));
}

static void draw_rooted(struct typed *t)
{
	uint64_t h = trial_hash(t->seed, 3, 0);
	int side = t->inter ? (int)(h & 1) : 0, how = t->kind->how;
	int n = t->inter && side == t->side ? mrt_size(t->comm) : t->peers;
	int root = (int)((h >> 8) % (unsigned)n);
	bool is_root = side == t->side && root == t->rank;
	bool other = t->inter ? side != t->side : true;

	t->root = root;
	if (t->inter && side == t->side)
		t->root = is_root ? MRT_ROOT : MRT_PROC_NULL;
	if (how & TO_ROOT) {
		all_peers(t, other, is_root);
		return;
	}
	all_peers(t, is_root, false);
	/* in a broadcast the root's own buffer is what it sends */
	if (other && !(is_root && how & SAME))
		add_block(t, &t->in, side * SIDE + root,
			  how & SAME ? 0 : self(t));
}

static int edges(const struct typed *t, int from, int to)
{
	static const int some[] = {0, 0, 1, 1, 2};

	return some[trial_hash(t->seed, 900 + (uint64_t)from, (uint64_t)to) %
		    5];
}

static void draw_near(struct typed *t)
{
	int *sources, *dests, same = t->kind->how & SAME;

	t->lists = room(4 * t->peers, sizeof(int));
	sources = t->lists;
	dests = t->lists + 2 * t->peers;
	t->near.sources = sources;
	t->near.dests = dests;
	for (int r = 0; r < t->peers; r++) {
		for (int e = edges(t, r, t->rank); e > 0; e--) {
			sources[t->near.nsources++] = r;
			add_block(t, &t->in, r, same ? 0 : t->rank + e * AGAIN);
		}
		for (int e = edges(t, t->rank, r); e > 0; e--) {
			dests[t->near.ndests++] = r;
			if (!same)
				add_block(t, &t->out, t->rank, r + e * AGAIN);
		}
	}
	if (same)
		add_block(t, &t->out, t->rank, 0);
}

/* ---- Layout ----------------------------------------------------------------
 */

/* Places blocks of one type, irregular ones in another order and with gaps;
 * returns the elements that they span. */
static size_t place_blocks(const struct typed *t, struct end *end,
			   uint64_t seed)
{
	int alone =
	    end == &t->out ? SAME : FROM_ROOT; /* no list of displacements */
	bool v = t->kind->how & IRREGULAR && !(t->kind->how & alone);
	int first = v && end->n ? (int)(seed % (unsigned)end->n) : 0;
	size_t next = 0;

	for (int k = 0; k < end->n; k++) {
		int i = (first + k) % end->n;

		next += v ? trial_hash(seed, 4, (uint64_t)i) % 3 : 0;
		end->displs[i] = (ptrdiff_t)next;
		end->at[i] = end->displs[i] * end->shapes[0].extent;
		next += end->counts[i];
	}
	return next;
}

static void lay_out_alike(const struct typed *t, struct end *end, uint64_t seed)
{
	size_t split = 1 + seed % 3, n;
	ptrdiff_t low, high;

	end->shapes = room(1, sizeof(*end->shapes));
	shape_make(end->shapes, t->unit / split, seed);
	for (int i = 0; i < end->n; i++) {
		end->counts[i] = end->units[i] * split;
		end->types[i] = end->shapes->type;
	}
	n = place_blocks(t, end, seed >> 8);
	shape_span(end->shapes, n, &low, &high);
	place_make(&end->place, low, high, seed >> 4);
}

/* Places blocks that each have their own type, one behind the other. */
static void lay_out_types(const struct typed *t, struct end *end, uint64_t seed)
{
	ptrdiff_t next = 0, low, high;

	end->shapes = room(end->n, sizeof(*end->shapes));
	for (int i = 0; i < end->n; i++) {
		uint64_t h = trial_hash(seed, 6, (uint64_t)i);
		size_t split = 1 + h % 3;

		shape_make(&end->shapes[i], t->unit / split, h);
		end->counts[i] = end->units[i] * split;
		end->types[i] = end->shapes[i].type;
		shape_span(&end->shapes[i], end->counts[i], &low, &high);
		end->at[i] = end->displs[i] = next - low;
		next += high - low + (ptrdiff_t)(h >> 8 & 7);
	}
	place_make(&end->place, 0, next, seed >> 4);
}

/* Chooses types and places, on which ranks need not agree. */
static void lay_out(const struct typed *t, struct end *end, uint64_t what)
{
	uint64_t seed = trial_hash(t->seed, 500 + what, (uint64_t)self(t));

	end->counts = room(end->n, sizeof(*end->counts));
	end->displs = room(end->n, sizeof(*end->displs));
	end->at = room(end->n, sizeof(*end->at));
	end->types = room(end->n, sizeof(*end->types));
	if (t->kind->how & TYPES)
		lay_out_types(t, end, seed);
	else
		lay_out_alike(t, end, seed);
	end->buffer = end->n ? place_buffer(&end->place) : NULL;
	end->bytes = 0;
	for (int i = 0; i < end->n; i++)
		end->bytes += end->units[i] * t->unit;
}

static const struct shape *shape_of(const struct typed *t,
				    const struct end *end, int i)
{
	return &end->shapes[t->kind->how & TYPES ? i : 0];
}

void typed_fill(struct typed *t)
{
	place_clear(&t->out.place);
	place_clear(&t->in.place);
	for (int i = 0; i < t->out.n; i++)
		place_put(&t->out.place, shape_of(t, &t->out, i), t->out.at[i],
			  t->out.counts[i], t->out.keys[i]);
}

void typed_make(struct typed *t, const struct slot *slot,
		const struct typed_kind *kind, uint64_t seed, size_t max)
{
	*t = (struct typed){.kind = kind, .seed = seed, .comm = slot->comm};
	t->inter = slot->side != ONE_GROUP;
	t->side = t->inter ? slot->side : 0;
	t->rank = mrt_rank(t->comm);
	t->peers = t->inter ? mrt_comm_remote_size(t->comm) : mrt_size(t->comm);
	t->unit = max / MANY_UNITS / 6 * 6;
	open_end(&t->out, 2 * t->peers);
	open_end(&t->in, 2 * t->peers);
	if (kind->how & NEAR)
		draw_near(t);
	else if (kind->how & (TO_ROOT | FROM_ROOT))
		draw_rooted(t);
	else
		all_peers(t, true, true);
	lay_out(t, &t->out, 0);
	lay_out(t, &t->in, 1);
	typed_fill(t);
	for (int i = 0; i < t->in.n; i++)
		place_expect(&t->in.place, shape_of(t, &t->in, i), t->in.at[i],
			     t->in.counts[i], t->in.keys[i]);
}

static void close_end(const struct typed *t, struct end *end)
{
	int shapes = t->kind->how & TYPES ? end->n : 1;

	for (int i = 0; i < shapes; i++)
		shape_fini(&end->shapes[i]);
	free(end->shapes);
	place_fini(&end->place);
	free(end->units);
	free(end->keys);
	free(end->counts);
	free(end->displs);
	free(end->types);
	free(end->at);
}

void typed_fini(struct typed *t)
{
	close_end(t, &t->out);
	close_end(t, &t->in);
	free(t->lists);
}

/* ---- Calls -----------------------------------------------------------------
 */

#define SB t->out.buffer
#define RB t->in.buffer
#define SC t->out.n ? t->out.counts[0] : 0
#define RC t->in.n ? t->in.counts[0] : 0
#define ST t->out.n ? t->out.types[0] : MRT_BYTE
#define RT t->in.n ? t->in.types[0] : MRT_BYTE
#define SCS t->out.counts
#define RCS t->in.counts
#define SD t->out.displs
#define RD t->in.displs
#define CALL(name, ...)                                                        \
	static int call_##name(struct typed *t, enum form form)                \
	{                                                                      \
		return TRIAL_CALL(t, form, name, __VA_ARGS__);                 \
	}

CALL(bcast, t->out.n ? SB : RB, t->out.n ? t->out.counts[0] : RC,
     t->out.n ? t->out.types[0] : RT, t->root, t->comm)
CALL(gather, SB, SC, ST, RB, RC, RT, t->root, t->comm)
CALL(gatherv, SB, SC, ST, RB, RCS, RD, RT, t->root, t->comm)
CALL(scatter, SB, SC, ST, RB, RC, RT, t->root, t->comm)
CALL(scatterv, SB, SCS, SD, ST, RB, RC, RT, t->root, t->comm)
CALL(allgather, SB, SC, ST, RB, RC, RT, t->comm)
CALL(allgatherv, SB, SC, ST, RB, RCS, RD, RT, t->comm)
CALL(alltoall, SB, SC, ST, RB, RC, RT, t->comm)
CALL(alltoallv, SB, SCS, SD, ST, RB, RCS, RD, RT, t->comm)
CALL(alltoallw, SB, SCS, SD, t->out.types, RB, RCS, RD, t->in.types, t->comm)
CALL(neighbor_allgather, SB, SC, ST, RB, RC, RT, &t->near, t->comm)
CALL(neighbor_allgatherv, SB, SC, ST, RB, RCS, RD, RT, &t->near, t->comm)
CALL(neighbor_alltoall, SB, SC, ST, RB, RC, RT, &t->near, t->comm)
CALL(neighbor_alltoallv, SB, SCS, SD, ST, RB, RCS, RD, RT, &t->near, t->comm)
CALL(neighbor_alltoallw, SB, SCS, SD, t->out.types, RB, RCS, RD, t->in.types,
     &t->near, t->comm)

#define KIND(name, how)                                                        \
	{                                                                      \
#name, how, call_##name                                        \
	}
const struct typed_kind typed_kinds[] = {
    KIND(bcast, FROM_ROOT | SAME),
    KIND(gather, TO_ROOT | SAME),
    KIND(gatherv, TO_ROOT | SAME | IRREGULAR),
    KIND(scatter, FROM_ROOT),
    KIND(scatterv, FROM_ROOT | IRREGULAR),
    KIND(allgather, SAME),
    KIND(allgatherv, SAME | IRREGULAR),
    KIND(alltoall, 0),
    KIND(alltoallv, IRREGULAR),
    KIND(alltoallw, IRREGULAR | TYPES),
    KIND(neighbor_allgather, NEAR | SAME),
    KIND(neighbor_allgatherv, NEAR | SAME | IRREGULAR),
    KIND(neighbor_alltoall, NEAR),
    KIND(neighbor_alltoallv, NEAR | IRREGULAR),
    KIND(neighbor_alltoallw, NEAR | IRREGULAR | TYPES),
    {NULL, 0, NULL}};
