/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c: for each rule of the prover there is a plan that breaks it, and the
 * complaint must be the rule's. */
#include <string.h>

#include "coll/plan/algorithm.h"
#include "coll/prove/prove.h"
#include "coll/plan/select.h"
#include "tests/tap.h"
#include "tests/unit/coll/prove/harm.h"
#include "tests/unit/coll/prove/subjects.h"

enum { RANKS_MOST = 70 };

/* The damage to rank 1's plan, or to all. */
struct damage {
	const char *complaint;
	enum collective collective;
	const char *algorithm;
	void (*harm)(struct plan *plan, int rank);
	/* for some of them */
	bool in_order, in_place, no_combine, gaps, no_board, small_board;
	int size;
};
static const struct damage *now;
static const struct algorithm *victim;

static void build_broken(struct plan *plan, const struct shape *shape, int rank)
{
	struct shape s = *shape;

	if (victim) {
		s.arg = victim->arg_default;
		victim->build(plan, &s, rank);
	}
	now->harm(plan, rank);
}

static const struct algorithm broken = {.name = "broken",
					.build = build_broken};

/* ---- What is done -------------------------------------------------------- */

static struct step *first(struct plan *plan, int rank)
{
	static struct step none;

	return rank == 1 ? &plan->steps[0] : &none;
}

static void bad_kind(struct plan *plan, int rank)
{
	first(plan, rank)->kind = 77;
}

static void after_itself(struct plan *plan, int rank)
{
	first(plan, rank)->after[1] = 1;
}

static void no_such_peer(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SEND)->peer = 4;
}

static void to_itself(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SEND)->peer = 1;
}

static void large_tag(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SEND)->tag = PLAN_TAGS;
}

static void nothing(struct plan *plan, int rank)
{
	(void)plan;
	(void)rank;
}

static void no_such_buffer(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SEND)->src.buf = BUF_TMP + 3;
}

static void no_cell(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SIGNAL)->dst.buf = BUF_RECV;
}

static void write_send(struct plan *plan, int rank)
{
	find(plan, rank, STEP_RECV)->dst.buf = BUF_SEND;
}

static void write_cells(struct plan *plan, int rank)
{
	find(plan, rank, STEP_COPY)->dst.buf = BUF_CELLS;
}

static void overrun(struct plan *plan, int rank)
{
	find(plan, rank, STEP_RECV)->dst.at++;
}

static void beyond_cells(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SIGNAL)->dst.at = 3000;
}

static void overlap(struct plan *plan, int rank)
{
	find(plan, rank, STEP_RECV_REDUCE)->dst = ref(BUF_TMP, 1);
	plan->tmp[0]++;
}

static void overlap_incoming(struct plan *plan, int rank)
{
	struct step *s = find(plan, rank, STEP_RECV_REDUCE);

	s->src = ref(BUF_RECV, 0);
}

static void more_cells(struct plan *plan, int rank)
{
	plan_cells(plan, CELL_COUNTER, rank == 1);
}

static void drop_recv(struct plan *plan, int rank)
{
	*find(plan, rank, STEP_RECV) = (struct step){.kind = STEP_COPY};
}

static void drop_send(struct plan *plan, int rank)
{
	*find(plan, rank, STEP_SEND) = (struct step){.kind = STEP_COPY};
}

static void same_tags(struct plan *plan, int rank)
{
	(void)rank;
	for (uint32_t i = 0; i < plan->nsteps; i++)
		plan->steps[i].tag = 0;
}

static void shorten(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SEND)->count--;
}

/* All ranks receive before they send. */
static void receive_first(struct plan *plan, int rank)
{
	struct part part = {.ref = ref(BUF_RECV, 0)};
	uint32_t got = plan_recv(plan, (rank + 3) % 4, part, 0, 0);

	plan_send(plan, (rank + 1) % 4, part, got, 0);
}

/* Sends wait until the sends of others have been received. */
static void no_buffer(struct plan *plan, int rank)
{
	struct part part = {.ref = ref(BUF_RECV, 0)};
	uint32_t sent = plan_send(plan, (rank + 1) % 4, part, 0, 0);

	plan_recv(plan, (rank + 3) % 4, part, sent, 0);
}

static void forget_orders(struct plan *plan, int rank)
{
	for (uint32_t i = 0; i < plan->nsteps && rank == 1; i++)
		plan->steps[i].after[0] = plan->steps[i].after[1] = 0;
}

static void signal_room(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SIGNAL)->dst.at = CELLS_COUNTERS;
}

static void wait_again(struct plan *plan, int rank)
{
	if (rank == 1)
		plan_add(plan, *find(plan, rank, STEP_WAIT_MEMORY));
}

static void drop_wait(struct plan *plan, int rank)
{
	*find(plan, rank, STEP_WAIT_MEMORY) = (struct step){.kind = STEP_COPY};
}

static void lose_signal(struct plan *plan, int rank)
{
	*find(plan, rank, STEP_SIGNAL) = (struct step){.kind = STEP_COPY};
}

static void signal_early(struct plan *plan, int rank)
{
	find(plan, rank, STEP_SIGNAL)->after[0] = 0;
}

static void read_early(struct plan *plan, int rank)
{
	for (uint32_t i = 0; i < plan->nsteps && rank == 1; i++)
		if (plan->steps[i].kind == STEP_WAIT_MEMORY)
			plan->steps[i + 1].after[1] = 0;
}

static void write_same_room(struct plan *plan, int rank)
{
	if (rank != 1)
		return;
	for (uint32_t i = 0; i < plan->nsteps; i++)
		if (plan->steps[i].kind == STEP_WRITE)
			plan->steps[i].dst.at =
			    CELLS_COUNTERS + CELLS_ACCUMULATORS;
}

static void wait_for_nobody(struct plan *plan, int rank)
{
	if (rank == 1)
		plan->nsteps = 0;
	for (uint32_t i = 0; i < plan->nsteps; i++)
		if (plan->steps[i].peer == 1 &&
		    step_is_message(plan->steps[i].kind))
			plan->steps[i] = (struct step){.kind = STEP_COPY};
}

static void no_steps(struct plan *plan, int rank)
{
	(void)rank;
	plan->nsteps = 0;
}

static void read_garbage(struct plan *plan, int rank)
{
	find(plan, rank, STEP_RECV_REDUCE)->with.buf = BUF_RECV;
}

/* Rank 1 copies from the src of a finished recv_reduce. */
static void read_received(struct plan *plan, int rank)
{
	struct step *s = find(plan, rank, STEP_RECV_REDUCE);

	if (rank == 1)
		plan_copy(plan, s->src, ref(BUF_RECV, 0), 1, plan->nsteps);
}

static void swap_operands(struct plan *plan, int rank)
{
	struct step *s = find(plan, rank, STEP_RECV_REDUCE);

	s->flip = !s->flip;
}

static void add_twice(struct plan *plan, int rank)
{
	struct operands o = {ref(BUF_RECV, 0), ref(BUF_RECV, 0),
			     ref(BUF_RECV, 0), 1};

	if (rank == 1)
		plan_reduce(plan, o, plan->nsteps - 1, plan->nsteps);
}

/* For two ranks: all messages are one element shorter. */
static void add_neighbor(struct plan *plan, int rank)
{
	plan->steps[1 - rank].count--;
	find(plan, rank, STEP_RECV_REDUCE)->with.at++;
}

static void forget_own(struct plan *plan, int rank)
{
	struct step *s = find(plan, rank, STEP_RECV_REDUCE);

	s->kind = STEP_RECV;
}

static void write_gap(struct plan *plan, int rank)
{
	if (rank == 1)
		plan_copy(plan, ref(BUF_RECV, 11), ref(BUF_RECV, 10), 1, 1);
}

static void write_exscan(struct plan *plan, int rank)
{
	if (!rank)
		plan_copy(plan, ref(BUF_SEND, 0), ref(BUF_RECV, 0), 1, 0);
}

static void no_additions(struct plan *plan, int rank)
{
	(void)rank;
	for (uint32_t i = 0; i < plan->nsteps; i++)
		if (plan->steps[i].kind == STEP_FETCH_ADD)
			plan->steps[i] = (struct step){.kind = STEP_COPY};
}

static void drop_take(struct plan *plan, int rank)
{
	for (uint32_t i = 0; i < plan->nsteps && !rank; i++) {
		struct step *s = &plan->steps[i];

		if (s->kind == STEP_TAKE)
			s->count = 0;
		else if (s->kind == STEP_REDUCE)
			s->kind = STEP_COPY;
	}
}

/* Sends more messages than there are tags, one after the other or at once. */
static void many_tags(struct plan *plan, int rank, bool ordered)
{
	uint32_t last = 0;

	for (unsigned i = 0; i <= PLAN_TAGS && rank < 2; i++) {
		struct part part = {.ref = ref(BUF_RECV, 0), .tag = i};

		last = rank ? plan_recv(plan, 0, part, last, 0)
			    : plan_send(plan, 1, part, last, 0);
		if (!ordered)
			last = 0;
	}
}

static void many_tags_at_once(struct plan *plan, int rank)
{
	many_tags(plan, rank, false);
}

static void many_tags_in_turn(struct plan *plan, int rank)
{
	many_tags(plan, rank, true);
}

/* ---- The rules ---------------------------------------------------------- */

#define BARRIER(how, why)                                                      \
	{                                                                      \
		why, COLL_BARRIER, NULL, how, .size = 4                        \
	}
#define SIGNALS(how, why)                                                      \
	{                                                                      \
		why, COLL_BARRIER, "signals", how, .size = 4                   \
	}
#define ATOMICS(how, why)                                                      \
	{                                                                      \
		why, COLL_ALLREDUCE, "atomics", how, .size = 4                 \
	}
#define SLOTS(how, why)                                                        \
	{                                                                      \
		why, COLL_ALLREDUCE, "slots", how, .size = 4                   \
	}
#define ALLGATHER(how, why)                                                    \
	{                                                                      \
		why, COLL_ALLGATHER, "linear", how, .size = 4                  \
	}
#define BOARD(how, why)                                                        \
	{                                                                      \
		why, COLL_ALLGATHER, "board", how, .size = 4                   \
	}
#define SCAN(how, why)                                                         \
	{                                                                      \
		why, COLL_SCAN, "linear", how, .size = 4                       \
	}

static const struct damage damages[] = {
    ALLGATHER(bad_kind, "kind 77"),
    ALLGATHER(after_itself, "after step 1"),
    ALLGATHER(no_such_peer, "there is no rank 4"),
    ALLGATHER(to_itself, "its peer is itself"),
    ALLGATHER(large_tag, "tag 32768"),
    ALLGATHER(no_such_buffer, "there is no buffer"),
    SIGNALS(no_cell, "buffer 1 is no cell"),
    ALLGATHER(write_send, "writes SEND"),
    SIGNALS(beyond_cells, "1 from 3000 of buffer 2"),
    ATOMICS(write_cells, "writes CELLS as if memory"),
    ALLGATHER(overrun, "of buffer 1, which has 40"),
    SCAN(overlap, "its operands overlap"),
    {"its operands overlap", COLL_SCAN, "linear", overlap_incoming,
     .in_place = true, .size = 4},
    SIGNALS(more_cells, "rank 1 has 3 cells, rank 0 2"),
    {"atomics cannot combine that", COLL_ALLREDUCE, "atomics", nothing,
     .no_combine = true, .size = 4},

    ALLGATHER(drop_recv, "rank 1 does not receive this"),
    ALLGATHER(drop_send, "rank 1 does not send this"),
    ALLGATHER(shorten, "9 elements come from rank 1, 10 expected"),
    {"has the tag of step", COLL_BCAST, "scatter_allgather", same_tags,
     .size = 3},
    BARRIER(many_tags_at_once, "has the tag of step 1"),
    BARRIER(many_tags_in_turn, "leaves before"),
    BARRIER(receive_first, "deadlock: 8 steps"),
    BARRIER(no_buffer, "deadlock: 8 steps"),

    {"races step", COLL_ALLTOALL, "linear", forget_orders, .size = 4},
    {"races step", COLL_REDUCE_SCATTER, "linear", forget_orders, .size = 4},
    SCAN(forget_orders, "races step"),

    SLOTS(signal_room, "uses cell 32 for what it is not"),
    SIGNALS(wait_again, "waits for a counter again"),
    SIGNALS(drop_wait, "nobody waits for this signal"),
    SIGNALS(lose_signal, "waits for 3 signals of 2"),
    ATOMICS(signal_early, "on shared memory, no order"),
    ATOMICS(read_early, "on shared memory, no order"),
    SLOTS(read_early, "on shared memory, no order"),
    SLOTS(signal_early, "on shared memory, no order"),
    SLOTS(write_same_room, "on shared memory, no order"),
    BARRIER(no_steps, "leaves before rank 1 has begun"),
    {"leaves before", COLL_BARRIER, "dissemination", forget_orders, .size = 4},
    {"rank 0 leaves before rank 1 has begun", COLL_BARRIER, "tree",
     wait_for_nobody, .size = 4},
    {"leaves before rank", COLL_BARRIER, "tree", wait_for_nobody, .size = 70},

    BOARD(post_again, "posts with tag 0 again"),
    BOARD(drop_post, "rank 1 does not post this (tag 0)"),
    BOARD(post_less, "loads 10 from 0 of rank 1, which posts 9"),
    BOARD(post_early, "races step"),
    BOARD(post_receive, "buffer 1 is no board"),
    BOARD(load_own, "cannot read rank 1's board"),
    BOARD(write_posted, "on shared memory, no order with"),
    BARRIER(load_ring, "deadlock: 8 steps"),
    {"there is no board", COLL_BARRIER, NULL, load_nothing, .no_board = true,
     .size = 4},
    {"rank 0 uses 80 bytes of a board of 64", COLL_ALLGATHER, "board", nothing,
     .small_board = true, .size = 4},

    SCAN(read_garbage, "reads garbage, element 0 of buffer 1"),
    SCAN(read_received, "reads garbage, element 0 of buffer 4"),
    {"combines", COLL_SCAN, "linear", swap_operands, .in_order = true,
     .size = 4},
    {"combines element 0 of 2 ranks (0x3) with element 0 of 2 ranks (0x3)",
     COLL_SCAN, "linear", add_twice, .size = 4},
    {"gets in RECV[0] element 0 of 4 ranks", COLL_SCAN, "linear", add_twice,
     .size = 70},
    {"combines element 0 of 1 ranks (0x1) with element 1 of 1 ranks (0x2)",
     COLL_SCAN, "linear", add_neighbor, .size = 2},
    {"gets in RECV[0] element 0 of ranks 0 to 0, not element 0 of ranks 0 to 1",
     COLL_SCAN, "linear", forget_own, .in_order = true, .size = 2},
    {"is of no block", COLL_ALLGATHERV, "linear", write_gap, .gaps = true,
     .size = 4},
    {"rank 0 gets in RECV[0] element 0 of 1 ranks", COLL_EXSCAN, "linear",
     write_exscan, .size = 4},
    ATOMICS(no_additions, "takes nothing, of cell 32"),
    {"adds in any order", COLL_ALLREDUCE, "atomics", nothing, .in_order = true,
     .size = 4},
    ATOMICS(drop_take, "nobody takes cell 32"),
};

static const struct algorithm *algorithm(const struct damage *d)
{
	const struct coll_table *t = &coll_tables[d->collective];

	for (size_t i = 0; i < nsubjects && d->algorithm; i++)
		if (subjects[i].collective == d->collective &&
		    !strcmp(subjects[i].algorithm.name, d->algorithm))
			return &subjects[i].algorithm;
	for (size_t i = 0; i < t->nrows && d->algorithm; i++)
		if (!strcmp(t->rows[i]->name, d->algorithm))
			return t->rows[i];
	return NULL;
}

static const char *check(const struct damage *d)
{
	static const struct block gaps[] = {
	    {0, 10}, {11, 10}, {21, 10}, {31, 10}};
	struct shape shapes[RANKS_MOST];
	struct prove_case c = {d->collective, &broken, shapes};

	for (int r = 0; r < d->size; r++)
		shapes[r] = (struct shape){
		    .size = d->size,
		    .count = d->collective == COLL_BARRIER ? 0 : 10,
		    .type_size = 8,
		    .commutative = !d->in_order,
		    .in_place = d->in_place,
		    .board = d->no_board      ? 0
			     : d->small_board ? 64
					      : 1 << 16,
		    .combine = d->no_combine ? COMBINE_NONE : COMBINE_ADD,
		    .recv = d->gaps ? gaps : NULL};
	now = d;
	victim = algorithm(d);
	return prove_plans(&c, NULL);
}

int main(void)
{
	size_t n = sizeof(damages) / sizeof(damages[0]);

	for (size_t i = 0; i < n; i++) {
		const char *bad = check(&damages[i]);

		has_str(bad ? bad : "nothing is wrong", damages[i].complaint,
			"%s", damages[i].complaint);
	}
	printf("# %zu broken plans\n", n);
	return tap_done();
}
