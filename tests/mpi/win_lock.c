/* SPDX-License-Identifier: Apache-2.0 */
/* win_lock.c tests locks and atomics of windows: nothing is lost and nobody is
 * let in twice (MPI 4.1, 12.3 and 12.5.3). */
#include "tests/mpi/mpi_test.h"

enum { TURNS = 30, ROUNDS = 50 };

/* A window of eight longs on each rank. */
static MPI_Win make(bool allocate, long **mem)
{
	MPI_Win win;

	if (allocate) {
		OK(MPI_Win_allocate(8 * sizeof(long), sizeof(long),
				    MPI_INFO_NULL, W, mem, &win));
		memset(*mem, 0, 8 * sizeof(long));
		OK(MPI_Barrier(W));
		return win;
	}
	*mem = calloc(8, sizeof(long));
	OK(MPI_Win_create(*mem, 8 * sizeof(long), sizeof(long), MPI_INFO_NULL,
			  W, &win));
	return win;
}

static void end(bool allocate, long *mem, MPI_Win *win)
{
	OK(MPI_Win_free(win));
	if (!allocate)
		free(mem);
}

/* An increment by get and put is safe only under an exclusive lock. Word 1 is
 * the square of word 0 whenever no one is inside. */
static void count_up(bool allocate)
{
	long *mem, now[2];
	MPI_Win win = make(allocate, &mem);

	for (int turn = 0; turn < TURNS; turn++) {
		OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
		OK(MPI_Get(now, 2, MPI_LONG, 0, 0, 2, MPI_LONG, win));
		OK(MPI_Win_flush(0, win));
		CHECK_EQ(now[1], now[0] * now[0]);
		now[0]++;
		now[1] = now[0] * now[0];
		OK(MPI_Put(now, 2, MPI_LONG, 0, 0, 2, MPI_LONG, win));
		OK(MPI_Win_unlock(0, win));
		OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
		OK(MPI_Get(now, 2, MPI_LONG, 0, 0, 2, MPI_LONG, win));
		OK(MPI_Win_unlock(0, win));
		CHECK_EQ(now[1], now[0] * now[0]);
	}
	OK(MPI_Barrier(W));
	OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
	OK(MPI_Get(now, 2, MPI_LONG, 0, 0, 2, MPI_LONG, win));
	OK(MPI_Win_unlock(0, win));
	CHECK_EQ(now[0], (long)np * TURNS);
	end(allocate, mem, &win);
}

static void exclusion(void)
{
	count_up(true);
	count_up(false);
}

/* Shared locks are held by all at once: each waits, inside, for all others. */
static void readers(bool allocate)
{
	long *mem, one = 1, seen = 0;
	MPI_Win win = make(allocate, &mem);

	OK(MPI_Win_lock(MPI_LOCK_SHARED, np - 1, 0, win));
	OK(MPI_Accumulate(&one, 1, MPI_LONG, np - 1, 3, 1, MPI_LONG, MPI_SUM,
			  win));
	while (seen < np) {
		OK(MPI_Fetch_and_op(NULL, &seen, MPI_LONG, np - 1, 3, MPI_NO_OP,
				    win));
		OK(MPI_Win_flush(np - 1, win));
	}
	OK(MPI_Win_unlock(np - 1, win));
	end(allocate, mem, &win);
}

static void sharing(void)
{
	readers(true);
	readers(false);
}

/* Tickets by fetch_and_op: each number is drawn once. */
static void tickets(bool allocate)
{
	long *mem, one = 1, mine[ROUNDS], *all;
	MPI_Win win = make(allocate, &mem);

	OK(MPI_Win_lock_all(0, win));
	for (int k = 0; k < ROUNDS; k++) {
		OK(MPI_Fetch_and_op(&one, &mine[k], MPI_LONG, 0, 2, MPI_SUM,
				    win));
		OK(MPI_Win_flush(0, win));
		CHECK(k == 0 || mine[k] > mine[k - 1]);
	}
	OK(MPI_Win_unlock_all(win));
	all = calloc((size_t)np * ROUNDS, sizeof(*all));
	OK(MPI_Gather(mine, ROUNDS, MPI_LONG, all, ROUNDS, MPI_LONG, 0, W));
	for (int want = 0; me == 0 && want < np * ROUNDS; want++) {
		int found = 0;

		for (int k = 0; k < np * ROUNDS; k++)
			found += all[k] == want;
		if (!CHECK_EQ(found, 1))
			break;
	}
	free(all);
	end(allocate, mem, &win);
}

static void fetching(void)
{
	tickets(true);
	tickets(false);
}

/* A sum by compare-and-swap, for words of 8, 4 and 1 bytes. */
static void swap_up(MPI_Win win, MPI_Datatype type, int size, MPI_Aint disp)
{
	uint64_t old = 0, new, seen;

	for (int turn = 0; turn < 7;) {
		new = (old + 1) & (size < 8 ? (1ull << 8 * size) - 1 : ~0ull);
		seen = 0;
		OK(MPI_Compare_and_swap(&new, &old, &seen, type, 0, disp, win));
		OK(MPI_Win_flush(0, win));
		turn += seen == old;
		old = seen == old ? new : seen;
	}
}

static void swaps(bool allocate)
{
	long *mem;
	MPI_Win win = make(allocate, &mem);

	OK(MPI_Win_lock_all(0, win));
	swap_up(win, MPI_UINT64_T, 8, 0);
	swap_up(win, MPI_UINT32_T, 4, 1);
	swap_up(win, MPI_UINT8_T, 1, 2);
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Barrier(W));
	if (me == 0) {
		uint32_t four;
		uint8_t one;

		OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
		memcpy(&four, &mem[1], sizeof(four));
		memcpy(&one, &mem[2], sizeof(one));
		CHECK_EQ(mem[0], 7 * np);
		CHECK_EQ(four, 7 * np);
		CHECK_EQ(one, 7 * np);
		OK(MPI_Win_unlock(0, win));
	}
	end(allocate, mem, &win);
}

static void swapping(void)
{
	swaps(true);
	swaps(false);
}

/* Random operations of all ranks on all ranks under lock_all. Sums of integers
 * and of doubles that are exact in any order come out right. */
static void storm(bool allocate)
{
	uint64_t state = mpi_test_seed + (uint64_t)me;
	double *mem, three = 3, sum = 0, all;
	long *words, one = 1, junk, mine = 0, total, here = 0;
	MPI_Win win = make(allocate, &words), doubles;

	OK(MPI_Win_allocate(sizeof(double), sizeof(double), MPI_INFO_NULL, W,
			    &mem, &doubles));
	*mem = 0;
	OK(MPI_Barrier(W));
	OK(MPI_Win_lock_all(0, win));
	OK(MPI_Win_lock_all(0, doubles));
	for (int k = 0; k < 10 * ROUNDS; k++) {
		int r = random_below(&state, np),
		    what = random_below(&state, 4);
		MPI_Aint at = random_below(&state, 8);

		if (what == 0)
			OK(MPI_Accumulate(&one, 1, MPI_LONG, r, at, 1, MPI_LONG,
					  MPI_SUM, win));
		else if (what == 1)
			OK(MPI_Fetch_and_op(&one, &junk, MPI_LONG, r, at,
					    MPI_SUM, win));
		else if (what == 2)
			OK(MPI_Accumulate(&three, 1, MPI_DOUBLE, r, 0, 1,
					  MPI_DOUBLE, MPI_SUM, doubles));
		else
			OK(MPI_Win_flush(r, win));
		mine += what < 2;
		sum += what == 2 ? 3 : 0;
	}
	OK(MPI_Win_unlock_all(doubles));
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Win_fence(0, win));
	for (int k = 0; k < 8; k++)
		here += words[k];
	OK(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_LONG, MPI_SUM, W));
	OK(MPI_Allreduce(&here, &total, 1, MPI_LONG, MPI_SUM, W));
	CHECK_EQ(total, mine);
	OK(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, W));
	OK(MPI_Allreduce(mem, &all, 1, MPI_DOUBLE, MPI_SUM, W));
	CHECK(all == sum);
	OK(MPI_Win_free(&doubles));
	end(allocate, words, &win);
}

static void storms(void)
{
	storm(true);
	storm(false);
}

/* Several ranks are locked at once, and unlocked in another order. */
static void several(void)
{
	long *mem, value = me;
	MPI_Win win = make(true, &mem);

	for (int r = 0; r < np; r++)
		OK(MPI_Win_lock(MPI_LOCK_SHARED, r, 0, win));
	for (int r = 0; r < np; r++)
		OK(MPI_Accumulate(&value, 1, MPI_LONG, r, 0, 1, MPI_LONG,
				  MPI_SUM, win));
	for (int r = np - 1; r >= 0; r--)
		OK(MPI_Win_unlock(r, win));
	OK(MPI_Win_fence(0, win));
	CHECK_EQ(mem[0], np * (np - 1) / 2);
	end(true, mem, &win);
}

/* Each form of flush completes what is got; afterwards the epoch goes on. */
static void flush(int form, int rank, MPI_Win win)
{
	OK(form == 0   ? MPI_Win_flush(rank, win)
	   : form == 1 ? MPI_Win_flush_all(win)
	   : form == 2 ? MPI_Win_flush_local(rank, win)
		       : MPI_Win_flush_local_all(win));
}

static void flushes(void)
{
	long mem[2] = {10 + me, 0}, got, zero = 0, fetched;
	MPI_Aint where, *all = calloc((size_t)np, sizeof(*all));
	MPI_Win win;

	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Win_attach(win, mem, sizeof(mem)));
	OK(MPI_Get_address(mem, &where));
	OK(MPI_Allgather(&where, 1, MPI_AINT, all, 1, MPI_AINT, W));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush_local_all(win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush_local(0, win));
	OK(MPI_Win_lock_all(0, win));
	for (int form = 0; form < 4; form++)
		for (int r = 0; r < np; r++) {
			got = fetched = -1;
			OK(MPI_Get(&got, 1, MPI_LONG, r, all[r], 1, MPI_LONG,
				   win));
			OK(MPI_Fetch_and_op(&zero, &fetched, MPI_LONG, r,
					    all[r], MPI_SUM, win));
			flush(form, r, win);
			CHECK_EQ(got, 10 + r);
			CHECK_EQ(fetched, 10 + r);
		}
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Barrier(W));
	OK(MPI_Win_detach(win, mem));
	OK(MPI_Win_free(&win));
	free(all);
}

static const struct mpi_case cases[] = {
    {"an exclusive lock excludes", exclusion},
    {"a shared lock does not", sharing},
    {"each ticket is drawn once", fetching},
    {"compare-and-swap", swapping},
    {"a storm of operations", storms},
    {"locks on several ranks", several},
    {"flush in its four forms", flushes},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
