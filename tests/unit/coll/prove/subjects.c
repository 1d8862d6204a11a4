/* SPDX-License-Identifier: Apache-2.0 */
/* subjects.c: each does the most obvious thing. */
#include "tests/unit/coll/prove/subjects.h"

#include "coll/plan/algorithms.h"

static struct part part(uint8_t buf, struct block b, int tag)
{
	return (struct part){ref(buf, b.at), b.count, (unsigned)tag};
}

static struct block own(const struct shape *s)
{
	return (struct block){0, s->count};
}

/* ---- Moving ------------------------------------------------------------- */

static void gather(struct plan *plan, const struct shape *s, int rank)
{
	if (rank != s->root) {
		plan_send(plan, s->root, part(BUF_SEND, own(s), 0), 0, 0);
		return;
	}
	for (int i = 0; i < s->size; i++) {
		struct block b = shape_recv(s, i);

		if (i == rank)
			plan_copy(plan, ref(BUF_SEND, 0), ref(BUF_RECV, b.at),
				  b.count, 0);
		else
			plan_recv(plan, i, part(BUF_RECV, b, 0), 0, 0);
	}
}

static void scatter(struct plan *plan, const struct shape *s, int rank)
{
	if (rank != s->root) {
		plan_recv(plan, s->root, part(BUF_RECV, own(s), 0), 0, 0);
		return;
	}
	for (int i = 0; i < s->size; i++) {
		struct block b = shape_send(s, i);

		if (i == rank)
			plan_copy(plan, ref(BUF_SEND, b.at), ref(BUF_RECV, 0),
				  b.count, 0);
		else
			plan_send(plan, i, part(BUF_SEND, b, 0), 0, 0);
	}
}

static void allgather(struct plan *plan, const struct shape *s, int rank)
{
	struct block mine = {0, shape_own(s, rank)};

	plan_copy(plan, ref(BUF_SEND, 0), ref(BUF_RECV, shape_recv(s, rank).at),
		  mine.count, 0);
	for (int i = 0; i < s->size; i++) {
		if (i == rank)
			continue;
		plan_send(plan, i, part(BUF_SEND, mine, 0), 0, 0);
		plan_recv(plan, i, part(BUF_RECV, shape_recv(s, i), 0), 0, 0);
	}
}

/* Copies all of SEND aside first, since it may be RECV. */
static void alltoall(struct plan *plan, const struct shape *s, int rank)
{
	size_t total = 0, at = 0;
	uint32_t saved = 0;
	uint8_t tmp;

	for (int i = 0; i < s->size; i++)
		total += shape_send(s, i).count;
	tmp = plan_tmp(plan, total);
	for (int i = 0; i < s->size; at += shape_send(s, i++).count)
		saved = plan_copy(plan, ref(BUF_SEND, shape_send(s, i).at),
				  ref(tmp, at), shape_send(s, i).count, saved);
	at = 0;
	for (int i = 0; i < s->size; at += shape_send(s, i++).count) {
		struct block out = {at, shape_send(s, i).count};
		struct block in = shape_recv(s, i);

		if (i == rank) {
			plan_copy(plan, ref(tmp, at), ref(BUF_RECV, in.at),
				  in.count, saved);
			continue;
		}
		plan_send(plan, i, part(tmp, out, 0), saved, 0);
		plan_recv(plan, i, part(BUF_RECV, in, 0), saved, 0);
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

/* Returns the index of the message to itself among the destinations. */
static int to_self(const struct neighbors *a, int rank, int nth)
{
	int i = 0;

	while (a->dests[i] != rank || nth--)
		i++;
	return i;
}

static void neighbors(struct plan *plan, const struct shape *s, int rank,
		      bool all)
{
	const struct neighbors *a = s->neighbors;

	for (int i = 0; i < a->ndests; i++)
		if (a->dests[i] != rank)
			plan_send(plan, a->dests[i],
				  part(BUF_SEND,
				       all ? shape_send(s, i) : own(s),
				       nth_before(a->dests, i)),
				  0, 0);
	for (int i = 0; i < a->nsources; i++) {
		struct block in = shape_recv(s, i);
		int nth = nth_before(a->sources, i);

		if (a->sources[i] != rank)
			plan_recv(plan, a->sources[i], part(BUF_RECV, in, nth),
				  0, 0);
		else
			plan_copy(
			    plan,
			    ref(BUF_SEND,
				all ? shape_send(s, to_self(a, rank, nth)).at
				    : 0),
			    ref(BUF_RECV, in.at), in.count, 0);
	}
}

static void neighbor_allgather(struct plan *plan, const struct shape *s,
			       int rank)
{
	neighbors(plan, s, rank, false);
}

static void neighbor_alltoall(struct plan *plan, const struct shape *s,
			      int rank)
{
	neighbors(plan, s, rank, true);
}

/* ---- Reducing ----------------------------------------------------------- */

/* All blocks go to their owners, which reduce them in rank order. */
static void reduce_scatter(struct plan *plan, const struct shape *s, int rank)
{
	struct block b = shape_recv(s, rank);
	size_t n = b.count;
	uint8_t tmp = plan_tmp(plan, (size_t)s->size * n);
	uint32_t ready = 0, sum;

	for (int i = 0; i < s->size; i++) {
		struct block room = {(size_t)i * n, n};
		uint32_t got;

		if (i == rank) {
			got = plan_copy(plan, ref(BUF_SEND, b.at),
					ref(tmp, room.at), n, 0);
		} else {
			got = plan_recv(plan, i, part(tmp, room, 0), 0, 0);
			got = plan_join(
			    plan, got,
			    plan_send(plan, i,
				      part(BUF_SEND, shape_recv(s, i), 0), 0,
				      0));
		}
		ready = plan_join(plan, ready, got);
	}
	sum = plan_copy(plan, ref(tmp, 0), ref(BUF_RECV, 0), n, ready);
	for (int i = 1; i < s->size; i++)
		sum = plan_reduce(plan,
				  (struct operands){ref(BUF_RECV, 0),
						    ref(tmp, (size_t)i * n),
						    ref(BUF_RECV, 0), n},
				  sum, 0);
}

static void scan(struct plan *plan, const struct shape *s, int rank)
{
	uint8_t tmp = plan_tmp(plan, s->count);
	uint32_t sum;

	if (rank)
		sum = plan_add(plan, (struct step){.kind = STEP_RECV_REDUCE,
						   .peer = rank - 1,
						   .src = ref(tmp, 0),
						   .with = ref(BUF_SEND, 0),
						   .dst = ref(BUF_RECV, 0),
						   .count = s->count});
	else
		sum = plan_copy(plan, ref(BUF_SEND, 0), ref(BUF_RECV, 0),
				s->count, 0);
	if (rank < s->size - 1)
		plan_send(plan, rank + 1, part(BUF_RECV, own(s), 0), sum, 0);
}

static void exscan(struct plan *plan, const struct shape *s, int rank)
{
	uint8_t before = plan_tmp(plan, s->count);
	uint8_t with_own = plan_tmp(plan, s->count);
	uint32_t got, sum = 0;

	if (!rank && s->size > 1)
		plan_send(plan, 1, part(BUF_SEND, own(s), 0), 0, 0);
	if (!rank)
		return;
	got = plan_recv(plan, rank - 1, part(before, own(s), 0), 0, 0);
	if (rank < s->size - 1) {
		sum = plan_reduce(plan,
				  (struct operands){ref(before, 0),
						    ref(BUF_SEND, 0),
						    ref(with_own, 0), s->count},
				  got, 0);
		plan_send(plan, rank + 1, part(with_own, own(s), 0), sum, 0);
	}
	got = plan_join(plan, got, sum);
	plan_copy(plan, ref(before, 0), ref(BUF_RECV, 0), s->count, got);
}

static void in_two(struct plan *plan, const struct shape *s, int rank)
{
	struct embed e = {.algorithm = &reduce_binomial,
			  .shape = *s,
			  .rank = rank,
			  .send = ref(BUF_SEND, 0),
			  .recv = ref(BUF_RECV, 0)};

	e.after = plan_embed(plan, e);
	e.algorithm = &bcast_binomial;
	e.number = 1;
	plan_embed(plan, e);
}

/* ---- Cells -------------------------------------------------------------- */

/* Counters. */
enum { ARRIVED, LEAVE, COUNTERS };

static uint32_t signal(struct plan *plan, int peer, unsigned counter,
		       uint32_t after)
{
	return plan_add(plan, (struct step){.kind = STEP_SIGNAL,
					    .peer = peer,
					    .dst = ref(BUF_CELLS, counter),
					    .after = {after, 0}});
}

static uint32_t wait(struct plan *plan, unsigned counter, int count)
{
	return plan_add(plan, (struct step){.kind = STEP_WAIT_MEMORY,
					    .dst = ref(BUF_CELLS, counter),
					    .count = (size_t)count});
}

static void barrier(struct plan *plan, const struct shape *s, int rank)
{
	uint32_t heard;

	plan_cells(plan, CELL_COUNTER, COUNTERS);
	if (rank) {
		signal(plan, 0, ARRIVED, 0);
		wait(plan, LEAVE, 1);
		return;
	}
	heard = wait(plan, ARRIVED, s->size - 1);
	for (int i = 1; i < s->size; i++)
		signal(plan, i, LEAVE, heard);
}

static size_t words(const struct shape *s)
{
	return (s->count * s->type_size + 7) / 8;
}

/* Adds its own part to the others' sum and sends the result to all. */
static void atomics_first(struct plan *plan, const struct shape *s,
			  struct ref sums, struct ref room)
{
	struct step take = {.kind = STEP_TAKE,
			    .src = sums,
			    .dst = ref(plan_tmp(plan, s->count), 0),
			    .count = s->count};
	struct step write = {.kind = STEP_WRITE,
			     .src = ref(BUF_RECV, 0),
			     .dst = room,
			     .count = s->count};

	take.after[0] = wait(plan, ARRIVED, s->size - 1);
	write.after[0] = plan_reduce(
	    plan,
	    (struct operands){ref(BUF_SEND, 0), take.dst, write.src, s->count},
	    plan_add(plan, take), 0);
	for (write.peer = 1; write.peer < s->size; write.peer++)
		signal(plan, write.peer, LEAVE, plan_add(plan, write));
}

/* All add to cells of rank 0, which writes the result to all. */
static void atomics(struct plan *plan, const struct shape *s, int rank)
{
	struct step add = {.kind = s->combine == COMBINE_ADD
				       ? STEP_FETCH_ADD
				       : STEP_COMPARE_SWAP,
			   .src = ref(BUF_SEND, 0),
			   .count = s->count};
	struct ref room;
	uint32_t added;

	plan_cells(plan, CELL_COUNTER, COUNTERS);
	add.dst = ref(BUF_CELLS,
		      plan_cells(plan, CELL_ACCUMULATOR, (unsigned)s->count));
	room =
	    ref(BUF_CELLS, plan_cells(plan, CELL_BUFFER, (unsigned)words(s)));
	if (rank == 0) {
		atomics_first(plan, s, add.dst, room);
		return;
	}
	added = signal(plan, 0, ARRIVED, plan_add(plan, add));
	added = plan_join(plan, added, wait(plan, LEAVE, 1));
	plan_copy(plan, room, ref(BUF_RECV, 0), s->count, added);
}

static bool fits_atomics(const struct shape *s)
{
	return s->size > 1 && s->combine && s->count <= CELLS_ACCUMULATORS &&
	       words(s) <= CELLS_BUFFER;
}

/* Every rank writes to the cells of all others, and reduces its own. */
static void slots(struct plan *plan, const struct shape *s, int rank)
{
	size_t room = words(s);
	size_t first =
	    plan_cells(plan, CELL_BUFFER, (unsigned)((size_t)s->size * room));
	uint8_t own = plan_tmp(plan, s->count);
	struct step write = {.kind = STEP_WRITE,
			     .src = ref(own, 0),
			     .dst = ref(BUF_CELLS, first + (size_t)rank * room),
			     .count = s->count};
	uint32_t sum = 0;

	plan_cells(plan, CELL_COUNTER, 1);
	write.after[0] =
	    plan_copy(plan, ref(BUF_SEND, 0), write.src, s->count, 0);
	for (write.peer = 0; write.peer < s->size; write.peer++)
		if (write.peer != rank)
			signal(plan, write.peer, 0, plan_add(plan, write));
	sum = plan_join(plan, write.after[0], wait(plan, 0, s->size - 1));
	for (int i = 0; i < s->size; i++) {
		struct ref it = i == rank
				    ? write.src
				    : ref(BUF_CELLS, first + (size_t)i * room);

		sum = i ? plan_reduce(plan,
				      (struct operands){ref(BUF_RECV, 0), it,
							ref(BUF_RECV, 0),
							s->count},
				      sum, 0)
			: plan_copy(plan, it, ref(BUF_RECV, 0), s->count, sum);
	}
}

static bool fits_slots(const struct shape *s)
{
	return (size_t)s->size * words(s) <= CELLS_BUFFER;
}

const struct subject subjects[] = {
    {COLL_GATHER, {.name = "linear", .build = gather}},
    {COLL_GATHERV, {.name = "linear", .build = gather}},
    {COLL_SCATTER, {.name = "linear", .build = scatter}},
    {COLL_SCATTERV, {.name = "linear", .build = scatter}},
    {COLL_ALLGATHER, {.name = "linear", .build = allgather}},
    {COLL_ALLGATHERV, {.name = "linear", .build = allgather}},
    {COLL_ALLTOALL, {.name = "linear", .build = alltoall}},
    {COLL_ALLTOALLV, {.name = "linear", .build = alltoall}},
    {COLL_NEIGHBOR_ALLGATHER, {.name = "linear", .build = neighbor_allgather}},
    {COLL_NEIGHBOR_ALLTOALL, {.name = "linear", .build = neighbor_alltoall}},
    {COLL_REDUCE_SCATTER_BLOCK, {.name = "linear", .build = reduce_scatter}},
    {COLL_REDUCE_SCATTER, {.name = "linear", .build = reduce_scatter}},
    {COLL_SCAN, {.name = "linear", .build = scan}},
    {COLL_EXSCAN, {.name = "linear", .build = exscan}},
    {COLL_ALLREDUCE, {.name = "in_two", .build = in_two}},
    {COLL_BARRIER, {.name = "signals", .build = barrier}},
    {COLL_ALLREDUCE,
     {.name = "atomics", .build = atomics, .fits = fits_atomics}},
    {COLL_ALLREDUCE, {.name = "slots", .build = slots, .fits = fits_slots}},
};
const size_t nsubjects = sizeof(subjects) / sizeof(subjects[0]);
