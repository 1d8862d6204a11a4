/* SPDX-License-Identifier: Apache-2.0 */
/* intercomm.c tests intercommunicators: making, messages, merging, dup, split,
 * and errors. tests/mpi/inter_coll.c has the collectives. */
#include "tests/system/intercomm.h"

#include "p2p/comm.h" /* the ids in use */

int me, np, api_failures;
static int ids_at_start;

/* ---- Divisions ----------------------------------------------------------- */

bool possible(enum way way)
{
	return np >= (way == WITHOUT ? 3 : 2);
}

static int side_of(enum way way, int rank)
{
	switch (way) {
	case ONE_MANY:
		return rank > 0;
	case MANY_ONE:
		return rank == np - 1;
	case HALVES:
		return rank >= np / 2;
	case ODD_EVEN:
		return rank % 2;
	default:
		return rank == 0 ? 2 : rank % 2;
	}
}

static bool backwards(enum way way, int side)
{
	return way == ODD_EVEN && side == 1;
}

static int group_size(enum way way, int side)
{
	int n = 0;

	for (int r = 0; r < np; r++)
		n += side_of(way, r) == side;
	return n;
}

int member(enum way way, int side, int r)
{
	int k = backwards(way, side) ? group_size(way, side) - 1 - r : r, w = 0;

	while (side_of(way, w) != side || k--)
		w++;
	return w;
}

static int leader_of(enum way way, int side)
{
	return way == HALVES && side == 1 ? group_size(way, side) - 1 : 0;
}

struct pair make_pair(enum way way)
{
	struct pair p = {
	    .way = way, .side = side_of(way, me), .inter = MRT_COMM_NULL};
	int other = 1 - p.side;

	OK(mrt_comm_split(W, p.side, backwards(way, p.side) ? -me : me,
			  &p.local));
	p.rank = mrt_rank(p.local);
	p.own = mrt_size(p.local);
	if (p.side == 2)
		return p;
	p.other = group_size(way, other);
	OK(mrt_intercomm_create(p.local, leader_of(way, p.side), W,
				member(way, other, leader_of(way, other)), 5,
				&p.inter));
	return p;
}

void free_pair(struct pair *p)
{
	if (p->inter != MRT_COMM_NULL) {
		OK(mrt_comm_free(&p->inter));
		CHECK(p->inter == MRT_COMM_NULL);
	}
	OK(mrt_comm_free(&p->local));
}

/* Runs a case on each division that is possible. */
static void each_way(void (*test)(struct pair *p))
{
	for (enum way way = 0; way < WAYS; way++) {
		struct pair p;

		if (!possible(way))
			continue;
		p = make_pair(way);
		if (p.side < 2)
			test(&p);
		free_pair(&p);
	}
}

/* ---- Messages ------------------------------------------------------------ */

static void check_sizes(struct pair *p)
{
	CHECK(mrt_rank(p->inter) == p->rank);
	CHECK(mrt_size(p->inter) == p->own);
	CHECK(mrt_comm_remote_size(p->inter) == p->other);
	CHECK(mrt_comm_is_inter(p->inter) == 1);
	CHECK(mrt_comm_is_inter(p->local) == 0);
}

/* Each rank sends `count` numbers to each rank of the other group, in order of
 * ranks. */
static void exchange(struct pair *p, struct mrt_comm *comm, int count)
{
	int *out = malloc((size_t)count * sizeof(int)), *in;
	struct mrt_request **sends;
	struct mrt_status status;

	in = malloc((size_t)count * sizeof(int));
	sends = malloc((size_t)p->other * sizeof(*sends));
	for (int i = 0; i < count; i++)
		out[i] = me * 100 + i;
	for (int r = 0; r < p->other; r++)
		OK(mrt_isend(out, (size_t)count, MRT_INT, r, r, comm,
			     &sends[r]));
	for (int r = 0; r < p->other; r++) {
		OK(mrt_recv(in, (size_t)count, MRT_INT, r, p->rank, comm,
			    &status));
		CHECK(status.source == r && status.tag == p->rank);
		CHECK(in[0] == opposite(p, r) * 100);
		CHECK(in[count - 1] == opposite(p, r) * 100 + count - 1);
	}
	OK(mrt_waitall((size_t)p->other, sends, MRT_STATUSES_IGNORE));
	free(sends);
	free(in);
	free(out);
}

static void check_messages(struct pair *p)
{
	exchange(p, p->inter, 1);
	exchange(p, p->inter, 20000);
}

/* Receives from any source, with and without a probe before. */
static void check_wildcards(struct pair *p)
{
	bool *seen = calloc((size_t)p->other, sizeof(*seen));
	struct mrt_status status, found;
	struct mrt_request *sends[64], *recv;
	int in;

	for (int r = 0; r < p->other; r++)
		OK(mrt_isend(&me, 1, MRT_INT, r, 3, p->inter, &sends[r]));
	for (int r = 0; r < p->other; r++) {
		if (r % 2) {
			OK(mrt_irecv(&in, 1, MRT_INT, MRT_ANY_SOURCE,
				     MRT_ANY_TAG, p->inter, &recv));
			OK(mrt_wait(&recv, &status));
		} else {
			OK(mrt_probe(MRT_ANY_SOURCE, 3, p->inter, &found));
			OK(mrt_recv(&in, 1, MRT_INT, found.source, 3, p->inter,
				    &status));
			CHECK(found.source == status.source);
		}
		CHECK(status.tag == 3 && status.source < p->other);
		CHECK(in == opposite(p, status.source));
		CHECK(!seen[status.source]);
		seen[status.source] = true;
	}
	OK(mrt_waitall((size_t)p->other, sends, MRT_STATUSES_IGNORE));
	free(seen);
}

static void check_sendrecv(struct pair *p)
{
	struct mrt_status status;
	bool match = p->rank < p->other; /* otherwise nobody answers */
	int in = -1;

	OK(mrt_sendrecv(&me, 1, MRT_INT, match ? p->rank : MRT_PROC_NULL, 9,
			&in, 1, MRT_INT, match ? p->rank : MRT_PROC_NULL, 9,
			p->inter, &status));
	CHECK(in == (match ? opposite(p, p->rank) : -1));
	CHECK(status.source == (match ? p->rank : MRT_PROC_NULL));
	FAILS(MRT_ERR_RANK, mrt_send(&me, 1, MRT_INT, p->other, 0, p->inter));
	FAILS(MRT_ERR_RANK, mrt_recv(&in, 1, MRT_INT, p->other, 0, p->inter,
				     MRT_STATUS_IGNORE));
}
/* ---- Merging ------------------------------------------------------------- */

static void check_merged(struct pair *p, int high0, int high1)
{
	int n = p->own + p->other, first = -1, sum = 0, at = p->rank;
	struct mrt_comm *intra;

	OK(mrt_intercomm_merge(p->inter, p->side ? high1 : high0, &intra));
	CHECK(mrt_size(intra) == n && mrt_comm_is_inter(intra) == 0);
	if (high0 != high1) { /* otherwise the order is undefined */
		at += high0 == p->side ? 0 : p->other;
		CHECK(mrt_rank(intra) == at);
	}
	CHECK(mrt_rank(intra) == p->rank ||
	      mrt_rank(intra) == p->rank + p->other);
	OK(mrt_allreduce(&me, &sum, 1, MRT_INT, MRT_SUM, intra));
	CHECK(sum == np * (np - 1) / 2);
	if (mrt_rank(intra) == 0)
		first = p->side;
	OK(mrt_bcast(&first, 1, MRT_INT, 0, intra));
	CHECK(first == 0 || first == 1);
	OK(mrt_comm_free(&intra));
}

static void check_merge(struct pair *p)
{
	struct mrt_comm *none = W;

	for (int highs = 0; highs < 4; highs++)
		check_merged(p, highs & 1, highs >> 1);
	/* the ranks of a group disagree */
	if (p->own > 1 && p->other > 0)
		FAILS(MRT_ERR_ARG,
		      mrt_intercomm_merge(p->inter, p->rank == 0, &none));
	else
		FAILS(p->other > 1 ? MRT_ERR_ARG : 0,
		      mrt_intercomm_merge(p->inter, 0, &none));
	if (p->own == 1 && p->other == 1)
		OK(mrt_comm_free(&none));
	CHECK(p->own + p->other == 2 || none == W);
	exchange(p, p->inter, 1);
}

/* ---- More of them -------------------------------------------------------- */

static void check_dup(struct pair *p)
{
	enum mrt_comparison same;
	struct mrt_comm *dup;
	int one = 1, two = 2, in = 0;

	OK(mrt_comm_dup(p->inter, &dup));
	OK(mrt_comm_compare(dup, p->inter, &same));
	CHECK(same == MRT_CONGRUENT);
	OK(mrt_comm_compare(dup, dup, &same));
	CHECK(same == MRT_IDENT);
	OK(mrt_comm_compare(dup, p->local, &same));
	CHECK(same == MRT_UNEQUAL);
	CHECK(mrt_rank(dup) == p->rank && mrt_size(dup) == p->own);
	/* other messages */
	if (p->rank == 0) {
		struct mrt_request *sends[2];

		OK(mrt_isend(&one, 1, MRT_INT, 0, 0, p->inter, &sends[0]));
		OK(mrt_isend(&two, 1, MRT_INT, 0, 0, dup, &sends[1]));
		OK(mrt_recv(&in, 1, MRT_INT, 0, MRT_ANY_TAG, dup,
			    MRT_STATUS_IGNORE));
		CHECK(in == 2);
		OK(mrt_recv(&in, 1, MRT_INT, 0, MRT_ANY_TAG, p->inter,
			    MRT_STATUS_IGNORE));
		CHECK(in == 1);
		OK(mrt_waitall(2, sends, MRT_STATUSES_IGNORE));
	}
	exchange(p, dup, 3);
	OK(mrt_comm_free(&dup));
}

/* Reverses the ranks of a group; then some ranks have no opposite. */
static void check_split(struct pair *p)
{
	enum mrt_comparison same;
	struct mrt_comm *back, *part;
	int color = p->rank, in = -1;

	OK(mrt_comm_split(p->inter, 4, -p->rank, &back));
	CHECK(mrt_comm_remote_size(back) == p->other);
	CHECK(mrt_rank(back) == p->own - 1 - p->rank);
	OK(mrt_comm_compare(back, p->inter, &same));
	CHECK(same ==
	      (p->own > 1 || p->other > 1 ? MRT_SIMILAR : MRT_CONGRUENT));
	OK(mrt_comm_free(&back));
	OK(mrt_comm_split(p->inter, color, 0, &part));
	if (p->rank >= p->other) {
		CHECK(part == MRT_COMM_NULL);
	} else {
		CHECK(mrt_size(part) == 1 && mrt_comm_remote_size(part) == 1);
		OK(mrt_sendrecv(&me, 1, MRT_INT, 0, 0, &in, 1, MRT_INT, 0, 0,
				part, MRT_STATUS_IGNORE));
		CHECK(in == opposite(p, p->rank));
		OK(mrt_comm_compare(part, p->inter, &same));
		CHECK(same == (p->own == 1 && p->other == 1 ? MRT_CONGRUENT
							    : MRT_UNEQUAL));
		OK(mrt_comm_free(&part));
	}
	OK(mrt_comm_split(p->inter, p->side ? MRT_UNDEFINED : 1, 0, &part));
	CHECK(part == MRT_COMM_NULL);
	OK(mrt_comm_split_node(p->inter, 0, &part));
	if (mrt_node_size() == np)
		CHECK(mrt_comm_remote_size(part) == p->other);
	if (part != MRT_COMM_NULL)
		OK(mrt_comm_free(&part));
}
/* The leaders meet again by the messages of the intercommunicator itself, and
 * so do the ranks that are in neither group of a first one. */
static void check_nested(struct pair *p)
{
	struct mrt_comm *inner;

	OK(mrt_intercomm_create(p->local, 0, p->inter, 0, MRT_TAG_MAX, &inner));
	exchange(p, inner, 2);
	OK(mrt_comm_free(&p->inter));
	p->inter = inner;
	exchange(p, inner, 2);
}

/* ---- Ends ---------------------------------------------------------------- */

static int ids_in_use(void)
{
	int n = 0;

	comm_free_retired();
	for (int i = 0; i < COMM_MAX / 64; i++)
		n += __builtin_popcountll(comm_ids[i]);
	return n;
}

/* An id is retired once all ranks have freed it, in a later progress. */
static bool ids_come_back(void)
{
	int found;

	for (int i = 0; i < 1000000 && ids_in_use() != ids_at_start; i++)
		OK(mrt_iprobe(MRT_ANY_SOURCE, 99, W, &found,
			      MRT_STATUS_IGNORE));
	return ids_in_use() == ids_at_start;
}

static void test_repeat(void)
{
	struct mrt_comm *dup, *intra;
	struct pair p;

	for (int i = 0; i < 200 && possible(HALVES); i++) {
		p = make_pair(HALVES);
		if (i % 10 == 0) {
			exchange(&p, p.inter, 1);
			OK(mrt_comm_dup(p.inter, &dup));
			OK(mrt_intercomm_merge(dup, p.side, &intra));
			OK(mrt_comm_free(&dup));
			OK(mrt_comm_free(&intra));
		}
		free_pair(&p);
	}
	CHECK(ids_come_back());
}

/* Frees a communicator while messages are under way. */
static void check_pending(struct pair *p)
{
	enum { MANY = 100000 };
	struct mrt_request *r[2];
	struct mrt_status status[2];
	int *out = calloc(2 * MANY, sizeof(int)), *in = out + MANY;
	struct mrt_comm *dup;
	bool match = p->rank < p->other;

	OK(mrt_comm_dup(p->inter, &dup));
	for (int i = 0; i < MANY; i++)
		out[i] = me + i;
	if (match) {
		OK(mrt_irecv(in, MANY, MRT_INT, MRT_ANY_SOURCE, 1, dup, &r[0]));
		OK(mrt_isend(out, MANY, MRT_INT, p->rank, 1, dup, &r[1]));
	}
	OK(mrt_comm_free(&dup));
	if (match) {
		OK(mrt_waitall(2, r, status));
		CHECK(status[0].source == p->rank);
		CHECK(in[MANY - 1] == opposite(p, p->rank) + MANY - 1);
	}
	free(out);
}

static void test_pending(void)
{
	each_way(check_pending);
	CHECK(ids_come_back());
}

/* ---- Errors -------------------------------------------------------------- */

static void test_wrong_args(void)
{
	struct mrt_comm *none = W;

	FAILS(MRT_ERR_COMM, mrt_intercomm_create(NULL, 0, W, 0, 0, &none));
	FAILS(MRT_ERR_RANK, mrt_intercomm_create(W, np, W, 0, 0, &none));
	FAILS(MRT_ERR_RANK, mrt_intercomm_create(W, -1, W, 0, 0, &none));
	FAILS(MRT_ERR_ARG, mrt_intercomm_create(W, 0, W, 0, 0, NULL));
	/* only the leader's argument is wrong, and all ranks hear of it */
	FAILS(MRT_ERR_COMM,
	      mrt_intercomm_create(W, 0, me ? W : NULL, 0, 0, &none));
	FAILS(MRT_ERR_RANK,
	      mrt_intercomm_create(W, 0, W, me ? 0 : np, 0, &none));
	FAILS(MRT_ERR_TAG,
	      mrt_intercomm_create(W, 0, W, 0, me ? 0 : -1, &none));
	/* a group with itself */
	FAILS(MRT_ERR_COMM, mrt_intercomm_create(W, 0, W, 0, 0, &none));
	FAILS(MRT_ERR_COMM, mrt_intercomm_merge(W, 0, &none));
	CHECK(mrt_comm_remote_size(W) == np);
	FAILS(MRT_ERR_COMM, mrt_comm_remote_size(MRT_COMM_NULL));
	FAILS(MRT_ERR_COMM, mrt_comm_is_inter(MRT_COMM_NULL));
	CHECK(mrt_comm_is_inter(W) == 0);
	CHECK(none == W);
}

static void check_wrong(struct pair *p)
{
	struct mrt_comm *none = W;

	FAILS(MRT_ERR_COMM, mrt_intercomm_create(p->inter, 0, W, 0, 0, &none));
	FAILS(MRT_ERR_ARG, mrt_intercomm_merge(p->inter, 0, NULL));
	/* one rank in both groups */
	FAILS(MRT_ERR_COMM,
	      mrt_intercomm_create(p->local, 0, p->local, 0, 1, &none));
	CHECK(none == W);
}

/* Defines a case that runs check_<name> on each division. */
#define EACH_WAY(name)                                                         \
	static void test_##name(void)                                          \
	{                                                                      \
		each_way(check_##name);                                        \
	}
EACH_WAY(sizes)
EACH_WAY(messages)
EACH_WAY(wildcards)
EACH_WAY(sendrecv)
EACH_WAY(merge)
EACH_WAY(dup)
EACH_WAY(split)
EACH_WAY(nested)
EACH_WAY(wrong)

/* ---- Frame --------------------------------------------------------------- */

static const struct api_case making[] = {
    {"sizes", test_sizes},
    {"messages both ways", test_messages},
    {"wildcards", test_wildcards},
    {"sendrecv and its errors", test_sendrecv},
    {"merge", test_merge},
    {"dup", test_dup},
    {"split", test_split},
    {"made of another", test_nested},
    {"200 times", test_repeat},
    {"freed with messages under way", test_pending},
    {"wrong arguments", test_wrong_args},
    {"wrong groups", test_wrong},
    {NULL, NULL}};

static int collect(const char *name)
{
	int sum = 0;

	OK(mrt_allreduce(&api_failures, &sum, 1, MRT_INT, MRT_SUM, W));
	if (me == 0)
		printf("%sok - %s\n", sum || api_failures ? "not " : "", name);
	fflush(stdout);
	return sum;
}

int main(int argc, char **argv)
{
	const struct api_case *const tables[] = {making, intercomm_life};
	int failed = 0;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	ids_at_start = ids_in_use();
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (const struct api_case *c = tables[t]; c->name; c++) {
			/* one case alone, by its name */
			if (argc > 1 && strcmp(argv[1], c->name))
				continue;
			api_failures = 0;
			c->run();
			failed += collect(c->name);
		}
	OK(mrt_finalize());
	return failed != 0;
}
