/* SPDX-License-Identifier: Apache-2.0 */
/*
 * started.c tests nonblocking and persistent collectives of short vectors,
 * which inside a node have lines of shared memory in which no rank waits.
 *
 *   started [COUNT]    all cases, for any number of ranks, with blocks of COUNT
 *                      elements (1)
 *   started churn      1,000 persistent requests one after the other
 *   started stream     1,000 of each nonblocking call; like churn it needs no
 *                      message (MRT_STATS)
 *   started late       the last rank is late, and nobody disturbs what it has
 *                      still to read
 *   started disagree   rank 1 passes another count than the rest
 */
#include <sched.h>

#include "tests/system/api.h"

int me, np, api_failures;

enum {
	BARRIER,
	BCAST,
	REDUCE,
	ALLREDUCE,
	ALLGATHER,
	GATHER,
	SCATTER,
	ALLTOALL,
	SCAN,
	EXSCAN,
	REDUCE_SCATTER,
	KINDS,
	RANKS = 32,
	MOST = 24,
	ROUNDS = 60
};

static int elements = 1; /* of a block */

/* The buffers of one call of each kind. */
struct set {
	short sent[KINDS][RANKS * MOST], got[KINDS][RANKS * MOST];
};

/* Calls form(name), one for each kind. */
#define CALL_EACH(form, s, comm, q)                                            \
	do {                                                                   \
		OK(form(barrier)(comm, &q[BARRIER]));                          \
		OK(form(bcast)(s->got[BCAST], elements, MRT_SHORT, np - 1,     \
			       comm, &q[BCAST]));                              \
		OK(form(reduce)(VECTORS(s, REDUCE), np / 2, comm,              \
				&q[REDUCE]));                                  \
		OK(form(allreduce)(VECTORS(s, ALLREDUCE), comm,                \
				   &q[ALLREDUCE]));                            \
		OK(form(allgather)(BLOCKS(s, ALLGATHER), comm,                 \
				   &q[ALLGATHER]));                            \
		OK(form(gather)(BLOCKS(s, GATHER), np - 1, comm, &q[GATHER])); \
		OK(form(scatter)(BLOCKS(s, SCATTER), 0, comm, &q[SCATTER]));   \
		OK(form(alltoall)(BLOCKS(s, ALLTOALL), comm, &q[ALLTOALL]));   \
		OK(form(scan)(VECTORS(s, SCAN), comm, &q[SCAN]));              \
		OK(form(exscan)(VECTORS(s, EXSCAN), comm, &q[EXSCAN]));        \
		OK(form(reduce_scatter_block)(VECTORS(s, REDUCE_SCATTER),      \
					      comm, &q[REDUCE_SCATTER]));      \
	} while (0)
#define VECTORS(s, k) (s)->sent[k], (s)->got[k], elements, MRT_SHORT, MRT_SUM
#define BLOCKS(s, k)                                                           \
	(s)->sent[k], elements, MRT_SHORT, (s)->got[k], elements, MRT_SHORT
#define PERSISTENT(name) mrt_##name##_init
#define NONBLOCKING(name) mrt_i##name

static void make(struct set *s, struct mrt_comm *comm,
		 struct mrt_request *q[KINDS])
{
	CALL_EACH(PERSISTENT, s, comm, q);
}

static void begin(struct set *s, struct mrt_comm *comm,
		  struct mrt_request *q[KINDS])
{
	CALL_EACH(NONBLOCKING, s, comm, q);
}

/* Returns element i of what a rank sends to rank `to`, in block `to` where
 * there are blocks, else in block 0. */
static int value(int kind, int rank, int to, int i, int round)
{
	return 20 * (round % 7) + kind + rank + 2 * to + 3 * i;
}

static void fill(struct set *s, int round)
{
	memset(s->got, 0, sizeof(s->got));
	for (int k = 0; k < KINDS; k++)
		for (int to = 0; to < np; to++)
			for (int i = 0; i < elements; i++)
				s->sent[k][to * elements + i] =
				    (short)value(k, me, to, i, round);
	if (me == np - 1)
		memcpy(s->got[BCAST], s->sent[BCAST], sizeof(s->got[BCAST]));
}

/* Returns the sum of element i of what the first n ranks send. */
static int sum(int kind, int n, int to, int i, int round)
{
	int all = 0;

	for (int r = 0; r < n; r++)
		all += value(kind, r, to, i, round);
	return all;
}

/* Checks element i of each block. */
static void check_element(const struct set *s, int i, int round)
{
#define GOT(kind, rank) s->got[kind][(rank)*elements + i]
	for (int r = 0; r < np; r++) {
		CHECK(GOT(ALLGATHER, r) == value(ALLGATHER, r, 0, i, round));
		CHECK(GOT(ALLTOALL, r) == value(ALLTOALL, r, me, i, round));
		CHECK(me != np - 1 ||
		      GOT(GATHER, r) == value(GATHER, r, 0, i, round));
	}
	CHECK(GOT(BCAST, 0) == value(BCAST, np - 1, 0, i, round));
	CHECK(GOT(SCATTER, 0) == value(SCATTER, 0, me, i, round));
	CHECK(GOT(REDUCE, 0) ==
	      (me == np / 2 ? sum(REDUCE, np, 0, i, round) : 0));
	CHECK(GOT(ALLREDUCE, 0) == sum(ALLREDUCE, np, 0, i, round));
	CHECK(GOT(SCAN, 0) == sum(SCAN, me + 1, 0, i, round));
	CHECK(GOT(EXSCAN, 0) == sum(EXSCAN, me, 0, i, round));
	CHECK(GOT(REDUCE_SCATTER, 0) == sum(REDUCE_SCATTER, np, me, i, round));
}

static void check(const struct set *s, int round)
{
	for (int i = 0; i < elements; i++)
		check_element(s, i, round);
}

static void free_all(struct mrt_request *q[KINDS])
{
	for (int k = 0; k < KINDS; k++)
		OK(mrt_request_free(&q[k]));
}

/* Each rank starts and ends persistent requests in another order. */
static void test_orders(void)
{
	struct mrt_request *q[KINDS];
	struct set s;

	make(&s, W, q);
	for (int round = 0; round < ROUNDS; round++) {
		fill(&s, round);
		for (int k = 0; k < KINDS; k++)
			OK(mrt_start(&q[(k + me) % KINDS]));
		for (int k = 0; k < KINDS; k++)
			OK(mrt_wait(&q[(k + 2 * me + round) % KINDS],
				    MRT_STATUS_IGNORE));
		check(&s, round);
	}
	free_all(q);
}

/* Makes a blocking call too long for lines: with the first one a communicator
 * gets buffers. */
static void call_wide(struct mrt_comm *comm)
{
	static char mine[64], all[RANKS * sizeof(mine)];

	OK(mrt_allgather(mine, sizeof(mine), MRT_BYTE, all, sizeof(mine),
			 MRT_BYTE, comm));
}

/* Nonblocking calls end in another order at each rank, on two communicators,
 * with blocking ones between them. */
static void test_ends(void)
{
	struct mrt_request *q[2][KINDS];
	static struct set s, other;
	struct mrt_comm *comm;

	OK(mrt_comm_dup(W, &comm));
	for (int round = 0; round < ROUNDS; round++) {
		fill(&s, round);
		fill(&other, round + 1);
		begin(&s, W, q[0]);
		begin(&other, comm, q[1]);
		if (round < ROUNDS / 2)
			OK(mrt_barrier(comm));
		else
			call_wide(comm);
		for (int k = 0; k < 2 * KINDS; k++) {
			int at = (k * 5 + me + round) % (2 * KINDS);

			OK(mrt_wait(&q[at / KINDS][at % KINDS], NULL));
		}
		check(&s, round);
		check(&other, round + 1);
	}
	OK(mrt_comm_free(&comm));
}

/* More nonblocking calls are under way than have lines, and ranks wait for the
 * last ones first. */
static void test_crowd(void)
{
	enum { SETS = 30 };
	static struct mrt_request *q[SETS][KINDS];
	static struct set sets[SETS];

	for (int k = 0; k < SETS; k++) {
		fill(&sets[k], k);
		begin(&sets[k], W, q[k]);
	}
	for (int k = SETS - 1; k >= 0; k--)
		OK(mrt_waitall(KINDS, q[k], MRT_STATUSES_IGNORE));
	for (int k = 0; k < SETS; k++)
		check(&sets[k], k);
}

/* A rank that only sends needs nobody for its first uses, and waits for the
 * root when it is too far ahead. */
static void test_ahead(bool persistent)
{
	struct mrt_request *q = MRT_REQUEST_NULL;
	int number = 0, total = 0, go = 1;

	if (persistent)
		OK(mrt_reduce_init(&number, &total, 1, MRT_INT, MRT_SUM, 0, W,
				   &q));
	for (int round = 0; round < 2 * ROUNDS; round++) {
		for (int r = 1; r < np && !me && round == 0; r++)
			OK(mrt_recv(&go, 1, MRT_INT, r, 1, W, NULL));
		number = round;
		if (persistent)
			OK(mrt_start(&q));
		else
			OK(mrt_ireduce(&number, &total, 1, MRT_INT, MRT_SUM, 0,
				       W, &q));
		OK(mrt_wait(&q, NULL));
		CHECK(me || total == np * round);
		if (me && round == 2)
			OK(mrt_send(&go, 1, MRT_INT, 0, 1, W));
	}
	if (persistent)
		OK(mrt_request_free(&q));
}

static void persistent_ahead(void)
{
	test_ahead(true);
}

static void nonblocking_ahead(void)
{
	test_ahead(false);
}

/* More persistent requests than have room in shared memory. */
static void test_many(void)
{
	enum { MANY = 400 };
	static struct mrt_request *q[MANY];
	static long mine[MANY], max[MANY];

	for (int pass = 0; pass < 2; pass++) {
		for (int k = 0; k < MANY; k++)
			OK(mrt_allreduce_init(&mine[k], &max[k], 1, MRT_LONG,
					      MRT_MAX, W, &q[k]));
		for (int k = 0; k < MANY; k++)
			mine[k] = 100 * k + me + pass;
		for (int k = 0; k < MANY; k++)
			OK(mrt_start(&q[k]));
		OK(mrt_waitall(MANY, q, MRT_STATUSES_IGNORE));
		for (int k = 0; k < MANY; k++) {
			CHECK(max[k] == 100 * k + np - 1 + pass);
			OK(mrt_request_free(&q[k]));
		}
	}
}

/* Communicators are freed before their requests; others take their lines. */
static void test_freed(void)
{
	enum { COMMS = 12 };
	static struct set sets[COMMS];
	struct mrt_request *persistent[KINDS], *q[COMMS][KINDS];
	struct mrt_comm *comm;
	struct set s;

	OK(mrt_comm_dup(W, &comm));
	make(&s, comm, persistent);
	OK(mrt_comm_free(&comm));
	for (int k = 0; k < COMMS; k++) {
		OK(mrt_comm_dup(W, &comm));
		call_wide(comm);
		fill(&sets[k], k);
		begin(&sets[k], comm, q[k]);
		OK(mrt_comm_free(&comm));
	}
	for (int round = 0; round < 3; round++) {
		fill(&s, round);
		OK(mrt_startall(KINDS, persistent));
		OK(mrt_waitall(KINDS, persistent, MRT_STATUSES_IGNORE));
		check(&s, round);
	}
	free_all(persistent);
	for (int k = COMMS - 1; k >= 0; k--) {
		OK(mrt_waitall(KINDS, q[k], MRT_STATUSES_IGNORE));
		check(&sets[k], k);
	}
}

static void churn(void)
{
	struct mrt_request *q;
	int x, total;

	for (int k = 0; k < 1000; k++) {
		OK(mrt_allreduce_init(&x, &total, 1, MRT_INT, MRT_SUM, W, &q));
		x = k;
		OK(mrt_start(&q));
		OK(mrt_wait(&q, NULL));
		CHECK(total == np * k);
		OK(mrt_request_free(&q));
	}
}

static void stream(void)
{
	struct mrt_request *q[KINDS];
	struct set s;

	for (int round = 0; round < 1000; round++) {
		fill(&s, round);
		begin(&s, W, q);
		OK(mrt_waitall(KINDS, q, MRT_STATUSES_IGNORE));
		check(&s, round);
	}
}

/* The last rank begins, and makes no progress until the others have ended what
 * they can and have started more calls than there are lines for. They say so in
 * shared memory. */
static void late(void)
{
	enum { FIRST = 5, SETS = 8 };
	static struct mrt_request *q[SETS][KINDS];
	static struct set sets[SETS];
	struct mrt_win_info info;
	struct mrt_win *win;
	_Atomic int *there;
	bool last = me == np - 1;
	int done = 0;
	void *base;

	OK(mrt_win_allocate_shared(sizeof(*there), sizeof(*there), true, W,
				   &base, &win));
	OK(mrt_win_shared(win, 0, &info));
	there = info.base;
	for (int k = 0; k < SETS; k++)
		fill(&sets[k], k);
	OK(mrt_barrier(W));
	while (!last && !*there)
		sched_yield();
	for (int k = 0; k < FIRST; k++)
		begin(&sets[k], W, q[k]);
	if (last)
		++*there;
	for (int k = 0; k < FIRST && !last; k++)
		OK(mrt_waitall(KINDS, q[k], MRT_STATUSES_IGNORE));
	while (last && *there < np)
		sched_yield();
	for (int k = FIRST; k < SETS; k++)
		begin(&sets[k], W, q[k]);
	for (int i = 0; i < 1000 && !last; i++)
		OK(mrt_test(&q[SETS - 1][0], &done, NULL));
	if (!last)
		++*there;
	for (int k = last ? 0 : FIRST; k < SETS; k++)
		OK(mrt_waitall(KINDS, q[k], MRT_STATUSES_IGNORE));
	for (int k = 0; k < SETS; k++)
		check(&sets[k], k);
	OK(mrt_win_free(&win));
}

static void disagree(void)
{
	enum { MANY = 1 << 20 };
	static int big[MANY], all[MANY];
	struct mrt_request *q, *before;
	int x[2] = {0, 0}, total[2], count = me == 1 ? 2 : 1;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	OK(mrt_allreduce_init(x, total, count, MRT_INT, MRT_SUM, W, &q));
	OK(mrt_start(&q));
	FAILS(MRT_ERR_COLLECTIVE, mrt_wait(&q, NULL));
	OK(mrt_request_free(&q));
	/* those before and after are not concerned */
	OK(mrt_ibarrier(W, &before));
	OK(mrt_iallreduce(x, total, count, MRT_INT, MRT_SUM, W, &q));
	FAILS(MRT_ERR_COLLECTIVE, mrt_wait(&q, NULL));
	OK(mrt_wait(&before, NULL));
	OK(mrt_ibcast(x, count, MRT_INT, 0, W, &q));
	FAILS(me == 1 ? MRT_ERR_COLLECTIVE : MRT_SUCCESS, mrt_wait(&q, NULL));
	OK(mrt_ibarrier(W, &q));
	OK(mrt_wait(&q, NULL));
	/* blocking ones of which one takes several steps end all that block */
	if (me == 1)
		FAILS(MRT_ERR_COLLECTIVE,
		      mrt_allreduce(big, all, MANY, MRT_INT, MRT_SUM, W));
	else
		FAILS(MRT_ERR_COLLECTIVE, mrt_barrier(W));
	FAILS(MRT_ERR_COLLECTIVE, mrt_barrier(W));
	OK(mrt_iallreduce(&me, total, 1, MRT_INT, MRT_SUM, W, &q));
	OK(mrt_wait(&q, NULL));
	CHECK(*total == np * (np - 1) / 2);
}

static const struct api_case cases[] = {
    {"ranks start persistent calls in different orders", test_orders},
    {"nonblocking calls end in different orders", test_ends},
    {"more of them than lines", test_crowd},
    {"persistent: those that only send are ahead", persistent_ahead},
    {"nonblocking: those that only send are ahead", nonblocking_ahead},
    {"many at once", test_many},
    {"communicators are freed before", test_freed},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	OK(mrt_init(&argc, &argv));
	me = mrt_rank(W);
	np = mrt_size(W);
	if (argc > 1 && !strcmp(argv[1], "churn"))
		churn();
	else if (argc > 1 && !strcmp(argv[1], "stream"))
		stream();
	else if (argc > 1 && !strcmp(argv[1], "late"))
		late();
	else if (argc > 1 && !strcmp(argv[1], "disagree"))
		disagree();
	else {
		elements = argc > 1 ? atoi(argv[1]) : 1;
		api_run(cases);
	}
	OK(mrt_finalize());
	return api_failures != 0;
}
