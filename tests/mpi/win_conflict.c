/* SPDX-License-Identifier: Apache-2.0 */
/* win_conflict.c tests that MRT_CHECK tells of operations that meet in a
 * target's memory before either is complete (MPI 4.1, 12.7), and of no
 * others. */
#include "tests/mpi/mpi_test.h"

enum { BYTES = 256 };

static MPI_Win win;
static long data[BYTES];

static int put(int rank, int at, int bytes)
{
	return MPI_Put(data, bytes, MPI_BYTE, rank, at, bytes, MPI_BYTE, win);
}

static int get(int rank, int at, int bytes)
{
	return MPI_Get(data, bytes, MPI_BYTE, rank, at, bytes, MPI_BYTE, win);
}

static int add(int rank, int at, MPI_Datatype type)
{
	return MPI_Accumulate(data, 1, type, rank, at, 1, type, MPI_SUM, win);
}

static void begin(void)
{
	char *mem;

	OK(MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, W, &mem, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Win_lock_all(0, win));
}

static void end(void)
{
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Win_free(&win));
}

#define CONFLICT(call) CHECK_ERROR(MPI_ERR_RMA_CONFLICT, call)

static void meetings(void)
{
	const int to = np - 1;
	long got;

	begin();
	OK(put(to, 8, 8));
	CONFLICT(put(to, 15, 2));
	CONFLICT(put(to, 0, 9));
	CONFLICT(get(to, 8, 1));
	CONFLICT(add(to, 8, MPI_LONG));
	CONFLICT(MPI_Compare_and_swap(data, data, &got, MPI_LONG, to, 8, win));
	OK(get(to, 32, 8));
	CONFLICT(put(to, 39, 1));
	CONFLICT(add(to, 32, MPI_INT));
	OK(add(to, 64, MPI_LONG));
	CONFLICT(add(to, 64, MPI_INT));
	CONFLICT(get(to, 71, 1));
	/* what was refused is not remembered */
	OK(put(to, 16, 1));
	OK(MPI_Win_flush_all(win));
	end();
}

static void others(void)
{
	const int to = np - 1;

	begin();
	OK(put(to, 8, 8));
	OK(put(to, 16, 8));
	OK(put(to, 7, 1));
	OK(put((to + 1) % np, np > 1 ? 8 : 100, 8));
	OK(get(to, 32, 8));
	OK(get(to, 36, 8));
	OK(add(to, 64, MPI_LONG));
	OK(MPI_Accumulate(data, 1, MPI_LONG, to, 64, 1, MPI_LONG, MPI_MAX,
			  win));
	OK(MPI_Win_flush(to, win));
	OK(get(to, 8, 8));
	OK(put(to, 64, 8));
	if (np > 1) /* that of another rank is not complete */
		CONFLICT(put((to + 1) % np, 8, 8));
	end();
}

static void epochs(void)
{
	char *mem;

	OK(MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, W, &mem, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Win_fence(0, win));
	OK(put(me, 0, 8));
	CONFLICT(get(me, 0, 8));
	OK(MPI_Win_fence(0, win));
	OK(get(me, 0, 8));
	CONFLICT(put(me, 0, 8));
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	for (int k = 0; k < 2; k++) {
		OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
		OK(put(me, 0, 8));
		CONFLICT(put(me, 0, 8));
		OK(MPI_Win_unlock(me, win));
	}
	OK(MPI_Win_free(&win));
}

static void pieces(void)
{
	MPI_Datatype comb;

	begin();
	OK(MPI_Type_vector(8, 4, 8, MPI_BYTE, &comb));
	OK(MPI_Type_commit(&comb));
	OK(MPI_Put(data, 32, MPI_BYTE, 0, 0, 1, comb, win));
	OK(MPI_Put(data, 32, MPI_BYTE, 0, 4, 1, comb, win));
	OK(MPI_Win_flush(0, win));
	OK(MPI_Put(data, 32, MPI_BYTE, 0, 0, 1, comb, win));
	CONFLICT(MPI_Put(data, 32, MPI_BYTE, 0, 3, 1, comb, win));
	OK(MPI_Type_free(&comb));
	end();
}

static int fence(void)
{
	return MPI_Win_fence(0, win);
}

/* The first two ranks work on the memory of the last one. */
static void ranks(void)
{
	const int to = np - 1;
	char *mem;
	bool first = me == 0, second = me == 1;

	if (np == 1)
		return;
	OK(MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, W, &mem, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(fence());
	OK(first ? put(to, 0, 8) : second ? put(to, 8, 8) : 0);
	OK(fence());
	OK(first ? put(to, 8, 9) : second ? put(to, 16, 8) : 0);
	CONFLICT(fence());
	/* before the next fence all that is forgotten */
	OK(second ? put(to, 8, 8) : 0);
	OK(fence());
	OK(first ? put(to, 0, 100) : second ? get(to, 50, 1) : 0);
	CONFLICT(fence());
	/* in whatever order they were called */
	OK(first ? put(to, 0, 8) : second ? put(to, 50, 1) : 0);
	OK(second ? put(to, 4, 1) : 0);
	CONFLICT(fence());
	OK(first || second ? get(to, 50, 8) : 0);
	OK(fence());
	OK(first || second ? add(to, 64, MPI_LONG) : 0);
	OK(fence());
	OK(first    ? add(to, 64, MPI_LONG)
	   : second ? add(to, 64, MPI_DOUBLE)
		    : 0);
	CONFLICT(fence());
	OK(put((me + 1) % np, 0, 8));
	OK(put(me, 8 + me, 1));
	OK(fence());
	OK(put(0, me, 2));
	CONFLICT(fence());
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	OK(MPI_Win_free(&win));
}

static const struct mpi_case cases[] = {
    {"operations that meet", meetings}, {"operations that may", others},
    {"the end of epochs", epochs},	{"pieces", pieces},
    {"ranks that meet", ranks},		{NULL, NULL},
};

int main(int argc, char **argv)
{
	setenv("MRT_CHECK", "yes", 1);
	return mpi_test_run(argc, argv, cases);
}
