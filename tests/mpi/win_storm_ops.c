/* SPDX-License-Identifier: Apache-2.0 */
/* win_storm_ops.c: random operations, and their results (win_storm.h). */
#include "tests/mpi/win_storm.h"

struct storm s;

/* The kind of the operation that an own word has had since the last flush. */
enum access { NOTHING, PUT, GOT, UPDATED };

static MPI_Aint place(int rank, int word)
{
	return s.base[rank] ? s.base[rank] + word * (MPI_Aint)sizeof(long)
			    : word;
}

static MPI_Aint shared_place(int rank, enum word word)
{
	return place(rank, np * OWN + (int)word);
}

/* ---- Results ------------------------------------------------------------- */

static void check_result(const struct pending *p)
{
	long *did = &s.did[p->rank][p->word];
	long *fetched = &s.fetched[p->rank][p->word];

	switch (p->result) {
	case EXACT:
		for (int k = 0; k < p->n; k++)
			if (!CHECK_EQ(p->out[k], p->want[k]))
				break;
		break;
	case GROWING: /* what this rank has added before is in it */
		CHECK(p->out[0] >= p->want[0] && p->out[0] >= *fetched);
		*fetched = p->out[0];
		break;
	case SWAPPED:
		CHECK(p->out[0] >= *fetched);
		*fetched = p->out[0];
		if (p->out[0] == p->want[0])
			*did += p->in[0] - p->want[0];
		break;
	default:
		break;
	}
}

void storm_settle(int rank)
{
	int left = 0;

	for (int k = 0; k < s.npending; k++) {
		struct pending *p = &s.pending[k];

		if (p->rank >= 0 && (rank < 0 || p->rank == rank)) {
			check_result(p);
			p->rank = -1;
		}
		left += p->rank >= 0;
	}
	s.npending = left ? s.npending : 0;
	for (int r = 0; r < np; r++)
		if (rank < 0 || r == rank)
			memset(s.access + r * OWN, NOTHING, OWN);
}

void storm_flush(int rank)
{
	if (draw(4) == 0) {
		OK(MPI_Win_flush_all(s.win));
		storm_settle(-1);
	} else {
		OK(MPI_Win_flush(rank, s.win));
		storm_settle(rank);
	}
}

/* ---- Own words ----------------------------------------------------------- */

struct range {
	int rank, first, n, stride;
	MPI_Datatype type;
	int count;
};

static struct range draw_range(int rank)
{
	struct range g = {.rank = rank, .first = draw(OWN), .stride = 1};
	int room = OWN - g.first;

	if (room > 1 && draw(3) == 0) {
		g.stride = 2;
		g.n = 1 + draw((room + 1) / 2);
		g.type = s.every_second[g.n];
		g.count = 1;
		return g;
	}
	g.n = g.count = 1 + draw(draw(2) ? room : 1);
	g.type = MPI_LONG;
	return g;
}

static int word_of(const struct range *g, int k)
{
	return g->rank * OWN + g->first + k * g->stride;
}

/* Whether the words may be accessed; those of which they may not are flushed
 * before if that is possible. */
static bool claim(const struct range *g, enum access access)
{
	for (int k = 0; k < g->n; k++) {
		enum access before = s.access[word_of(g, k)];

		if (before == NOTHING || (before == access && access != PUT))
			continue;
		if (!s.passive)
			return false;
		storm_flush(g->rank);
		break;
	}
	for (int k = 0; k < g->n; k++)
		s.access[word_of(g, k)] = (uint8_t)access;
	return true;
}

static struct pending *add(int rank, int n, int result)
{
	struct pending *p = &s.pending[s.npending++];

	memset(p, 0, sizeof(*p));
	p->rank = rank;
	p->n = n;
	p->result = result;
	for (int k = 0; k < n; k++)
		p->in[k] = draw(1000);
	return p;
}

#define HERE(g)                                                                \
	(g).rank, place((g).rank, me *OWN + (g).first), (g).count, (g).type

static void put(struct range g)
{
	struct pending *p = add(g.rank, g.n, NO_RESULT);
	MPI_Request request;

	for (int k = 0; k < g.n; k++)
		s.own[word_of(&g, k)] = p->in[k];
	if (s.passive && draw(4) == 0) {
		OK(MPI_Rput(p->in, g.n, MPI_LONG, HERE(g), s.win, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	} else {
		OK(MPI_Put(p->in, g.n, MPI_LONG, HERE(g), s.win));
	}
}

static void get(struct range g)
{
	struct pending *p = add(g.rank, g.n, EXACT);
	MPI_Request request;

	for (int k = 0; k < g.n; k++)
		p->want[k] = s.own[word_of(&g, k)];
	if (s.passive && draw(4) == 0) {
		OK(MPI_Rget(p->out, g.n, MPI_LONG, HERE(g), s.win, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
		check_result(p);
	} else {
		OK(MPI_Get(p->out, g.n, MPI_LONG, HERE(g), s.win));
	}
}

/* Updates without a flush are done in order. */
static void update(struct range g)
{
	bool fetches = draw(2), replaces = draw(2), nothing = draw(5) == 0;
	MPI_Op op = fetches && nothing ? MPI_NO_OP
		    : replaces	       ? MPI_REPLACE
				       : MPI_SUM;
	struct pending *p = add(g.rank, g.n, fetches ? EXACT : NO_RESULT);

	for (int k = 0; k < g.n; k++) {
		long *word = &s.own[word_of(&g, k)];

		p->want[k] = *word;
		if (op == MPI_REPLACE)
			*word = p->in[k];
		else if (op == MPI_SUM)
			*word += p->in[k];
	}
	if (fetches)
		OK(MPI_Get_accumulate(p->in, g.n, MPI_LONG, p->out, g.n,
				      MPI_LONG, HERE(g), op, s.win));
	else
		OK(MPI_Accumulate(p->in, g.n, MPI_LONG, HERE(g), op, s.win));
}

/* A swap whose outcome is known. */
static void swap(struct range g)
{
	struct pending *p = add(g.rank, 1, EXACT);
	long *word = &s.own[word_of(&g, 0)];

	p->want[0] = *word;
	p->in[1] = *word + draw(2); /* what is expected */
	OK(MPI_Compare_and_swap(&p->in[0], &p->in[1], &p->out[0], MPI_LONG,
				g.rank, place(g.rank, me * OWN + g.first),
				s.win));
	if (p->in[1] == *word)
		*word = p->in[0];
}

static void act_on_own(int rank)
{
	struct range g = draw_range(rank);
	int what = draw(5);

	if (what == 4)
		g.n = 1;
	if (!claim(&g, what == 0 ? PUT : what == 1 ? GOT : UPDATED))
		return;
	if (what == 0)
		put(g);
	else if (what == 1)
		get(g);
	else if (what == 4)
		swap(g);
	else
		update(g);
}

/* ---- Shared words -------------------------------------------------------- */

static void sum(int rank, enum word word)
{
	bool fetches = draw(2);
	struct pending *p = add(rank, 1, fetches ? GROWING : NO_RESULT);

	p->word = word;
	p->want[0] = s.did[rank][word];
	s.did[rank][word] += p->in[0];
	if (fetches)
		OK(MPI_Fetch_and_op(&p->in[0], &p->out[0], MPI_LONG, rank,
				    shared_place(rank, word), MPI_SUM, s.win));
	else
		OK(MPI_Accumulate(&p->in[0], 1, MPI_LONG, rank,
				  shared_place(rank, word), 1, MPI_LONG,
				  MPI_SUM, s.win));
}

static void combine(int rank, enum word word)
{
	struct pending *p = add(rank, 1, NO_RESULT);
	long *did = &s.did[rank][word];

	if (word == XORS)
		*did ^= p->in[0];
	else
		*did = *did > p->in[0] ? *did : p->in[0];
	OK(MPI_Accumulate(&p->in[0], 1, MPI_LONG, rank,
			  shared_place(rank, word), 1, MPI_LONG,
			  word == XORS ? MPI_BXOR : MPI_MAX, s.win));
}

/* Adds, if no other rank has come first. */
static void try_swap(int rank, enum word word)
{
	struct pending *p = add(rank, 1, SWAPPED);

	p->word = word;
	p->want[0] = s.fetched[rank][word];
	p->in[0] += p->want[0] + 1;
	OK(MPI_Compare_and_swap(&p->in[0], &p->want[0], &p->out[0], MPI_LONG,
				rank, shared_place(rank, word), s.win));
}

static void act_on_shared(int rank)
{
	enum word word = (enum word)draw(PAIR);

	if (word <= SUMS_TOO)
		sum(rank, word);
	else if (word <= MAXIMA)
		combine(rank, word);
	else
		try_swap(rank, word);
}

void storm_act(int rank)
{
	if (s.npending == MANY && !s.passive)
		return;
	if (s.npending == MANY) {
		OK(MPI_Win_flush_all(s.win));
		storm_settle(-1);
	}
	if (draw(3))
		act_on_own(rank);
	else
		act_on_shared(rank);
}

static void move_half(bool get, long *half, int rank, enum word word)
{
	MPI_Aint at = shared_place(rank, word);

	if (get)
		OK(MPI_Get(half, 1, MPI_LONG, rank, at, 1, MPI_LONG, s.win));
	else
		OK(MPI_Put(half, 1, MPI_LONG, rank, at, 1, MPI_LONG, s.win));
}

/* Moves the halves of the pair with time in between. */
static void move_pair(bool get, long pair[2], int rank)
{
	move_half(get, &pair[0], rank, PAIR);
	storm_flush(rank);
	for (int k = draw(10); k; k--)
		storm_act(rank);
	move_half(get, &pair[1], rank, SQUARE);
	storm_flush(rank);
}

void storm_act_on_pair(int rank, bool exclusive)
{
	long pair[2] = {-1, -1};

	move_pair(true, pair, rank);
	CHECK_EQ(pair[1], pair[0] * pair[0]);
	if (!exclusive)
		return;
	s.did[rank][PAIR]++;
	pair[0]++;
	pair[1] = pair[0] * pair[0];
	move_pair(false, pair, rank);
}
