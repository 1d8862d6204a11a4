/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_comms.c calls the collectives of communicators that get buffers in the
 * node's shared memory at their first long call: of all sizes, several at once,
 * more than there is memory for, made and freed again and again, and with ranks
 * that call different things. Rank 0 prints TAP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/call/coll_state.h"
#include "coll/node/direct.h"
#include "mrt.h"

enum {
	MOST = 3 * DIRECT_LONG / sizeof(int),
	MANY = 24,
	MANY_DIRECT = 18, /* of MANY that have lines in any case */
	ROUNDS = 200,
	RANKS = 64
};

#define W MRT_COMM_WORLD

static int me, n, failed;
static int in[MOST], out[MOST], expected[MOST];

static void report(bool good, const char *what)
{
	int mine = good, all;

	mrt_allreduce(&mine, &all, 1, MRT_INT, MRT_MIN, W);
	if (me == 0)
		printf("%sok - %s\n", all ? "" : "not ", what);
	failed += !all;
}

static bool has_buffers(const struct mrt_comm *comm)
{
	return comm->coll->direct.place.units > 0;
}

static unsigned slots(const struct mrt_comm *comm)
{
	return comm->coll->direct.slots;
}

static int value(int key, int rank, size_t i)
{
	return key + 1000 * rank + (int)i % 977;
}

static void fill(int *to, int key, int rank, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = value(key, rank, i);
}

static bool same(size_t count)
{
	return !memcmp(out, expected, count * sizeof(int));
}

/* Lists blocks of up to `count` ints, of which the last rank has as many, with
 * gaps behind them, and what all then hold. */
static void list(const struct mrt_comm *comm, int key, size_t count,
		 size_t *counts, ptrdiff_t *places)
{
	int size = comm->size;

	memset(expected, 0, (size_t)size * count * sizeof(int));
	for (int q = 0; q < size; q++) {
		counts[q] =
		    q == size - 1
			? count
			: (size_t)(37 * key + 6131 * (q + 1)) % (count + 1);
		places[q] = (ptrdiff_t)((size_t)(size - 1 - q) * count);
		fill(expected + places[q], key, q, counts[q]);
	}
}

/* Calls gatherv and allgatherv, every other time in place. */
static bool lists(struct mrt_comm *comm, int key, size_t count)
{
	int rank = comm->rank, root = key % comm->size;
	size_t counts[RANKS], all = (size_t)comm->size * count;
	ptrdiff_t places[RANKS];
	bool good;

	list(comm, key, count, counts, places);
	memset(out, 0, all * sizeof(int));
	fill(in, key, rank, counts[rank]);
	fill(out + places[rank], key, rank, counts[rank]);
	good = !mrt_gatherv(rank == root && key % 2 ? MRT_IN_PLACE : in,
			    counts[rank], MRT_INT, out, counts, places, MRT_INT,
			    root, comm) &&
	       (rank != root || same(all));
	/* nobody reads it any more */
	memset(in, 0xff, counts[rank] * sizeof(int));
	memset(out, 0, all * sizeof(int));
	fill(in, key, rank, counts[rank]);
	fill(out + places[rank], key, rank, counts[rank]);
	return !mrt_allgatherv(key % 2 ? MRT_IN_PLACE : in, counts[rank],
			       MRT_INT, out, counts, places, MRT_INT, comm) &&
	       same(all) && good;
}

/* Calls several collectives with `count` ints of each rank, count * size of
 * which fit the arrays, and checks what they leave. */
static bool calls(struct mrt_comm *comm, int key, size_t count)
{
	int rank = mrt_rank(comm), size = mrt_size(comm);
	size_t root = (size_t)(key % size), all = count * (size_t)size;
	bool good;

	fill(in, key, rank, count);
	memset(expected, 0, count * sizeof(int));
	for (int q = 0; q < size; q++)
		for (size_t i = 0; i < count; i++)
			expected[i] += value(key, q, i);
	good = !mrt_allreduce(in, out, count, MRT_INT, MRT_SUM, comm) &&
	       same(count);
	for (int q = 0; q < size; q++)
		fill(expected + (size_t)q * count, key, q, count);
	good &= !mrt_allgather(in, count, MRT_INT, out, count, MRT_INT, comm) &&
		same(all);
	fill(expected, key + 1, (int)root, count);
	fill(out, key + 1, rank, count);
	good &= !mrt_bcast(out, count, MRT_INT, (int)root, comm) && same(count);
	fill(in, key, rank, all);
	for (int q = 0; q < size; q++)
		for (size_t i = 0; i < count; i++)
			expected[(size_t)q * count + i] =
			    value(key, q, (size_t)rank * count + i);
	good &= !mrt_alltoall(in, count, MRT_INT, out, count, MRT_INT, comm) &&
		same(all);
	return lists(comm, key, count) && good;
}

/* Calls them with few and many elements, as many as fit. */
static bool lengths(struct mrt_comm *comm, int key)
{
	static const size_t counts[] = {1, 13, 200, 1024, 30000, MOST};
	size_t most = (size_t)MOST / (size_t)mrt_size(comm);
	bool good = true;

	for (size_t k = 0; k < sizeof(counts) / sizeof(*counts); k++)
		good &= calls(comm, key + (int)k,
			      counts[k] < most ? counts[k] : most);
	return good;
}

/* The ranks are split into groups of each size, that work at the same time. */
static void test_sizes(void)
{
	bool good = true, wide = true;

	for (int size = 2; size <= n; size++)
		for (int cyclic = 0; cyclic < 2; cyclic++) {
			int groups = (n + size - 1) / size;
			int mine = cyclic ? me % groups : me / size;
			struct mrt_comm *comm;

			mrt_comm_split(W, mine, -me, &comm);
			if (mrt_size(comm) > 1) {
				good &= lengths(comm, size);
				wide &= has_buffers(comm);
			}
			mrt_comm_free(&comm);
		}
	report(good, "groups of all sizes at once");
	report(wide, "all of them get buffers");
}

/* All are in use, by turns. */
static void test_many(void)
{
	struct mrt_comm *comms[MANY];
	int wide = 0, many = 0, few = 0;
	bool good = true;

	for (int k = 0; k < MANY; k++) {
		mrt_comm_dup(W, &comms[k]);
		many += slots(comms[k]) == DIRECT_SLOTS;
		few += slots(comms[k]) == DIRECT_FEW_SLOTS;
	}
	for (int turn = 0; turn < 2; turn++)
		for (int k = 0; k < MANY; k++)
			good &= calls(comms[k], k, 1024);
	for (int k = 0; k < MANY; k++)
		wide += has_buffers(comms[k]);
	report(good, "more communicators than there are buffers");
	report(many && few && many + few >= MANY_DIRECT,
	       "the first have many epochs, the others few, most have some");
	report(wide >= 4 && wide < MANY, "some have buffers, the others none");
	for (int k = 0; k < MANY; k++)
		mrt_comm_free(&comms[k]);
}

/* Buffers are given back once all ranks have freed the communicator, which
 * mrt_comm_free does not wait for. */
static void test_rounds(void)
{
	bool good = true;
	int wide = 0;

	for (int k = 0; k < ROUNDS; k++) {
		struct mrt_comm *comm;

		mrt_comm_dup(W, &comm);
		good &= calls(comm, k, 300);
		wide += has_buffers(comm);
		mrt_comm_free(&comm);
	}
	report(good, "made and freed many times");
	report(wide > ROUNDS / 2, "freed buffers are given to the next");
}

/* A root is so many short calls ahead of the others without waiting: they begin
 * when it has ended them. */
static void test_ahead(void)
{
	struct mrt_comm *comm;
	int number, sum = 0, most;
	bool good;

	mrt_comm_dup(W, &comm);
	most = (int)slots(comm);
	good = most == DIRECT_SLOTS;
	mrt_barrier(comm);
	if (me)
		mrt_recv(NULL, 0, MRT_BYTE, 0, 0, W, MRT_STATUS_IGNORE);
	/* the barrier has one, too */
	for (int k = 1; k < most; k++) {
		number = me ? 0 : k;
		good &= !mrt_bcast(&number, 1, MRT_INT, 0, comm);
		sum += number;
	}
	for (int q = 1; q < n && me == 0; q++)
		mrt_send(NULL, 0, MRT_BYTE, q, 0, W);
	mrt_comm_free(&comm);
	report(good && sum == most * (most - 1) / 2, "a root runs ahead");
}

/* A communicator that no long call is made on takes none. */
static void test_short(void)
{
	struct mrt_comm *comm;
	int one = 1, sum;
	bool good;

	mrt_comm_dup(W, &comm);
	good = !mrt_allreduce(&one, &sum, 1, MRT_INT, MRT_SUM, comm) &&
	       sum == n && !has_buffers(comm);
	mrt_comm_free(&comm);
	report(good, "none for short calls");
}

/* Rank 0 makes a short call where the others make their first long one. */
static void test_different(void)
{
	struct mrt_comm *comm;
	int rc;

	mrt_comm_dup(W, &comm);
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	rc = mrt_bcast(out, me ? 1024 : 2, MRT_INT, 0, comm);
	mrt_set_error_mode(MRT_ERRORS_FATAL);
	report(me == 0 || rc == MRT_ERR_COLLECTIVE,
	       "ranks that call different things learn of it");
	mrt_comm_free(&comm);
}

int main(int argc, char **argv)
{
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	n = mrt_size(W);
	test_short();
	test_ahead();
	test_sizes();
	test_many();
	test_rounds();
	test_different();
	return mrt_finalize() || failed;
}
