/* SPDX-License-Identifier: Apache-2.0 */
/* win_atomics.c tests that accumulates of all ranks, the owner among them, are
 * atomic with each other, and in order from one rank on one place (MPI 4.1,
 * 12.7.1 and 12.7.2). */
#include "tests/mpi/mpi_test.h"

#include <time.h>

enum { ROUNDS = 40, WORDS = 8, LONG = 700 };

static MPI_Win make(bool allocate, int words, long **mem)
{
	MPI_Aint bytes = words * (MPI_Aint)sizeof(long);
	MPI_Win win;

	if (allocate) {
		OK(MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, W, mem,
				    &win));
	} else {
		*mem = malloc((size_t)bytes);
		OK(MPI_Win_create(*mem, bytes, sizeof(long), MPI_INFO_NULL, W,
				  &win));
	}
	memset(*mem, 0, (size_t)bytes);
	OK(MPI_Barrier(W));
	OK(MPI_Win_lock_all(0, win));
	return win;
}

static void end(bool allocate, long *mem, MPI_Win *win)
{
	OK(MPI_Win_unlock_all(*win));
	OK(MPI_Win_free(win));
	if (!allocate)
		free(mem);
}

/* Multiplies a word by 3 and adds 1 with compare-and-swap, which no order of
 * lost updates gives. */
static void step(MPI_Win win, int rank, int word)
{
	long seen = 0, next, got;

	for (;;) {
		next = seen * 3 + 1;
		OK(MPI_Compare_and_swap(&next, &seen, &got, MPI_LONG, rank,
					word, win));
		OK(MPI_Win_flush(rank, win));
		if (got == seen)
			return;
		seen = got;
	}
}

static void mix(bool allocate)
{
	long *mem, one = 1, bit = 1L << me, value, want = 0, unused;
	MPI_Win win = make(allocate, WORDS, &mem);

	for (int k = 0; k < ROUNDS; k++)
		for (int r = 0; r < np; r++) {
			value = (me + 1) * 1000L + k;
			OK(MPI_Accumulate(&one, 1, MPI_LONG, r, 0, 1, MPI_LONG,
					  MPI_SUM, win));
			OK(MPI_Accumulate(&value, 1, MPI_LONG, r, 1, 1,
					  MPI_LONG, MPI_MAX, win));
			OK(MPI_Fetch_and_op(&bit, &unused, MPI_LONG, r, 2,
					    MPI_BXOR, win));
			OK(MPI_Win_flush_local(r, win));
		}
	for (int r = 0; r < np; r++)
		for (int k = 0; k < 5; k++)
			step(win, r, 3);
	OK(MPI_Win_flush_all(win));
	OK(MPI_Barrier(W));
	OK(MPI_Win_sync(win));
	for (int k = 0; k < 5 * np; k++)
		want = want * 3 + 1;
	CHECK_EQ(mem[0], (long)np * ROUNDS);
	CHECK_EQ(mem[1], np * 1000L + ROUNDS - 1);
	CHECK_EQ(mem[2], 0); /* each bit was flipped an even number of times */
	CHECK_EQ(mem[3], want);
	end(allocate, mem, &win);
}

static void together(void)
{
	mix(true);
	mix(false);
}

/* A word of its own for each rank at the target: what one rank does there is
 * done in order, without a flush, while others use the words beside. */
static void in_order(void)
{
	long *mem, five = 5, one = 1, seven = 7, before[3] = {0}, after;
	MPI_Win win = make(true, np, &mem);
	int to = (me + 1) % np;

	for (int k = 0; k < ROUNDS; k++) {
		OK(MPI_Get_accumulate(&five, 1, MPI_LONG, &before[0], 1,
				      MPI_LONG, to, me, 1, MPI_LONG,
				      MPI_REPLACE, win));
		OK(MPI_Get_accumulate(&one, 1, MPI_LONG, &before[1], 1,
				      MPI_LONG, to, me, 1, MPI_LONG, MPI_SUM,
				      win));
		OK(MPI_Get_accumulate(&seven, 1, MPI_LONG, &before[2], 1,
				      MPI_LONG, to, me, 1, MPI_LONG, MPI_PROD,
				      win));
		OK(MPI_Fetch_and_op(NULL, &after, MPI_LONG, to, me, MPI_NO_OP,
				    win));
		OK(MPI_Win_flush(to, win));
		CHECK_EQ(before[0], k ? 42 : 0);
		CHECK_EQ(before[1], 5);
		CHECK_EQ(before[2], 6);
		CHECK_EQ(after, 42);
	}
	OK(MPI_Barrier(W));
	end(true, mem, &win);
}

/* Many elements at once, with holes at the target: every second word. */
static void vectors(void)
{
	long *mem, *add = calloc(LONG, sizeof(*add));
	MPI_Win win = make(false, 2 * LONG, &mem);
	MPI_Datatype every_second;
	long wrong = 0;

	OK(MPI_Type_vector(LONG, 1, 2, MPI_LONG, &every_second));
	OK(MPI_Type_commit(&every_second));
	for (int k = 0; k < LONG; k++)
		add[k] = (long)(me + 1) * k;
	for (int r = 0; r < np; r++)
		OK(MPI_Accumulate(add, LONG, MPI_LONG, r, 0, 1, every_second,
				  MPI_SUM, win));
	OK(MPI_Win_flush_all(win));
	OK(MPI_Barrier(W));
	OK(MPI_Win_sync(win));
	for (int k = 0; k < LONG; k++)
		wrong += mem[2 * k] != np * (np + 1L) / 2 * k || mem[2 * k + 1];
	CHECK_EQ(wrong, 0);
	OK(MPI_Barrier(W));
	for (int r = 0; r < np; r++) {
		OK(MPI_Get_accumulate(NULL, 0, MPI_LONG, add, LONG, MPI_LONG, r,
				      0, 1, every_second, MPI_NO_OP, win));
		OK(MPI_Win_flush(r, win));
		for (int k = 0; k < LONG; k++)
			wrong += add[k] != np * (np + 1L) / 2 * k;
	}
	CHECK_EQ(wrong, 0);
	OK(MPI_Type_free(&every_second));
	end(false, mem, &win);
	free(add);
}

/* Floating-point numbers, long vectors and single ones at once; the vectors
 * begin everywhere in the blocks in which they are accumulated. */
static void numbers(bool allocate)
{
	enum { VECTOR = 1500, ALL = VECTOR + ROUNDS };
	static const double one = 1;
	double add[VECTOR], *mem, seen, fetched = 0;
	long wrong = 0;
	MPI_Win win = make(allocate, ALL, (long **)(void *)&mem);

	for (int k = 0; k < VECTOR; k++)
		add[k] = 1;
	for (int k = 0; k < ROUNDS; k++)
		for (int r = 0; r < np; r++) {
			OK(MPI_Accumulate(add, VECTOR, MPI_DOUBLE, r, k, VECTOR,
					  MPI_DOUBLE, MPI_SUM, win));
			OK(MPI_Fetch_and_op(&one, &seen, MPI_DOUBLE, r, ALL - 1,
					    MPI_SUM, win));
			OK(MPI_Win_flush(r, win));
			if (r == me)
				fetched = seen;
		}
	OK(MPI_Barrier(W));
	OK(MPI_Win_sync(win));
	/* the kth number is in as many vectors as begin at it or before */
	for (int k = 0; k < ALL - 1; k++) {
		int first = k < VECTOR ? 0 : k - VECTOR + 1;
		int last = k < ROUNDS ? k : ROUNDS - 1;

		wrong += mem[k] != (double)np * (last - first + 1);
	}
	CHECK_EQ(wrong, 0);
	CHECK_EQ(mem[ALL - 1], (double)np * ROUNDS);
	/* this rank's own additions, but for the last, came before */
	CHECK(fetched >= ROUNDS - 1 && fetched < (double)np * ROUNDS);
	OK(MPI_Barrier(W));
	end(allocate, (long *)(void *)mem, &win);
}

static void floating(void)
{
	numbers(true);
	numbers(false);
}

/* Elements that no atomic can reach, 4 bytes off, beside those that one can. */
static void misaligned(void)
{
	long one = 1, sum;
	char *mem;
	MPI_Win win;

	OK(MPI_Win_allocate(64, 1, MPI_INFO_NULL, W, &mem, &win));
	memset(mem, 0, 64);
	OK(MPI_Barrier(W));
	OK(MPI_Win_lock_all(0, win));
	for (int k = 0; k < ROUNDS; k++) {
		OK(MPI_Accumulate(&one, 1, MPI_LONG, 0, 4, 1, MPI_LONG, MPI_SUM,
				  win));
		OK(MPI_Accumulate(&one, 1, MPI_LONG, 0, 16, 1, MPI_LONG,
				  MPI_SUM, win));
	}
	OK(MPI_Win_flush_all(win));
	OK(MPI_Barrier(W));
	OK(MPI_Fetch_and_op(NULL, &sum, MPI_LONG, 0, 4, MPI_NO_OP, win));
	OK(MPI_Win_flush(0, win));
	CHECK_EQ(sum, (long)np * ROUNDS);
	OK(MPI_Fetch_and_op(NULL, &sum, MPI_LONG, 0, 16, MPI_NO_OP, win));
	OK(MPI_Win_flush(0, win));
	CHECK_EQ(sum, (long)np * ROUNDS);
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Win_free(&win));
}

/*
 * Rank 0 calls nothing while the others count in its memory. Where its own CPU
 * has to apply accumulates it would wait for ever, so this case runs only if
 * it is asked for by name.
 */
static void passive(void)
{
	const volatile long *there;
	long *mem, one = 1;
	MPI_Win win = make(true, WORDS, &mem);
	time_t limit = time(NULL) + 20;

	there = mem;
	if (me > 0) {
		OK(MPI_Accumulate(&one, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_SUM,
				  win));
		OK(MPI_Win_flush(0, win));
	} else {
		while (*(there + 1) < np - 1 && time(NULL) < limit)
			;
		CHECK_EQ(there[1], np - 1);
	}
	OK(MPI_Barrier(W));
	end(true, mem, &win);
}

int main(int argc, char **argv)
{
	static const struct mpi_case cases[] = {
	    {"together", together},	{"in order", in_order},
	    {"vectors", vectors},	{"floating", floating},
	    {"misaligned", misaligned}, {NULL, NULL},
	};
	static const struct mpi_case alone[] = {{"passive", passive},
						{NULL, NULL}};

	return mpi_test_run(argc, argv,
			    argc > 1 && !strcmp(argv[1], "passive") ? alone
								    : cases);
}
