/* SPDX-License-Identifier: Apache-2.0 */
/* win_count.c tests the functions of windows with large counts (MPI 4.1, 12.2
 * and 12.3), with data that is checked. */
#include "tests/mpi/mpi_test.h"

enum { N = 10 };

/* Makes a window of 4 * N longs by each of the three functions. */
static int make(int way, long *given, long **mem, MPI_Win *win)
{
	MPI_Aint bytes = 4 * N * sizeof(long), unit = sizeof(long);

	*mem = given;
	if (way == 0)
		return MPI_Win_create_c(given, bytes, unit, MPI_INFO_NULL, W,
					win);
	if (way == 1)
		return MPI_Win_allocate_c(bytes, unit, MPI_INFO_NULL, W, mem,
					  win);
	return MPI_Win_allocate_shared_c(bytes, unit, MPI_INFO_NULL, W, mem,
					 win);
}

static void in_window(void (*test)(MPI_Win win, long *mem))
{
	static long given[4 * N];

	for (int way = 0; way < 3; way++) {
		MPI_Win win;
		long *mem;
		int rc = make(way, given, &mem, &win);

		if (rc && way == 2) { /* the ranks cannot share memory */
			CHECK_ERROR(MPI_ERR_RMA_SHARED, rc);
			continue;
		}
		OK(rc);
		OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
		for (int k = 0; k < 4 * N; k++)
			mem[k] = 1000L * me + k;
		OK(MPI_Win_fence(0, win));
		test(win, mem);
		OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
		OK(MPI_Win_free(&win));
	}
}

/* Checks what all ranks have done to the window of the rank on their right:
 * they have put N longs, added to N, added to N while fetching them, and got
 * N. */
static void check_all(const long *mem, const long *old, const long *got)
{
	long left = 1000L * left_of(me), right = 1000L * right_of(me);

	for (int k = 0; k < N; k++) {
		CHECK_EQ(mem[k], left + k);
		CHECK_EQ(mem[N + k], 1000L * me + N + k + left + k);
		CHECK_EQ(mem[2 * N + k], 1000L * me + 2 * N + k - left - k);
		CHECK_EQ(mem[3 * N + k], 1000L * me + 3 * N + k);
		CHECK_EQ(old[k], right + 2 * N + k);
		CHECK_EQ(got[k], right + 3 * N + k);
	}
}

static void blocking(MPI_Win win, long *mem)
{
	long mine[N], minus[N], old[N], got[N];
	MPI_Count n = N;
	int r = right_of(me);

	for (int k = 0; k < N; k++) {
		mine[k] = 1000L * me + k;
		minus[k] = -mine[k];
	}
	OK(MPI_Put_c(mine, n, MPI_LONG, r, 0, n, MPI_LONG, win));
	OK(MPI_Accumulate_c(mine, n, MPI_LONG, r, N, n, MPI_LONG, MPI_SUM,
			    win));
	OK(MPI_Get_accumulate_c(minus, n, MPI_LONG, old, n, MPI_LONG, r, 2 * N,
				n, MPI_LONG, MPI_SUM, win));
	OK(MPI_Get_c(got, n, MPI_LONG, r, 3 * N, n, MPI_LONG, win));
	OK(MPI_Win_fence(0, win));
	check_all(mem, old, got);
}

static void with_requests(MPI_Win win, long *mem)
{
	long mine[N], minus[N], old[N], got[N];
	MPI_Request requests[4];
	MPI_Count n = N;
	int r = right_of(me);

	for (int k = 0; k < N; k++) {
		mine[k] = 1000L * me + k;
		minus[k] = -mine[k];
	}
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	OK(MPI_Win_lock_all(0, win));
	OK(MPI_Rput_c(mine, n, MPI_LONG, r, 0, n, MPI_LONG, win, &requests[0]));
	OK(MPI_Raccumulate_c(mine, n, MPI_LONG, r, N, n, MPI_LONG, MPI_SUM, win,
			     &requests[1]));
	OK(MPI_Rget_accumulate_c(minus, n, MPI_LONG, old, n, MPI_LONG, r, 2 * N,
				 n, MPI_LONG, MPI_SUM, win, &requests[2]));
	OK(MPI_Rget_c(got, n, MPI_LONG, r, 3 * N, n, MPI_LONG, win,
		      &requests[3]));
	OK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Win_fence(0, win));
	check_all(mem, old, got);
}

/* A count that is 1 in 32 bits is beyond the window. */
static void beyond(MPI_Win win, long *mem)
{
	MPI_Count n = (1LL << 32) + 1;
	int r = right_of(me);

	CHECK_ERROR(MPI_ERR_RMA_RANGE,
		    MPI_Put_c(mem, n, MPI_BYTE, r, 0, n, MPI_BYTE, win));
	CHECK_ERROR(MPI_ERR_RMA_RANGE,
		    MPI_Get_c(mem, n, MPI_BYTE, r, 0, n, MPI_BYTE, win));
	CHECK_ERROR(MPI_ERR_RMA_RANGE,
		    MPI_Accumulate_c(mem, n, MPI_BYTE, r, 0, n, MPI_BYTE,
				     MPI_BXOR, win));
	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_Put_c(mem, n, MPI_BYTE, r, 0, 1, MPI_BYTE, win));
	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_Put_c(mem, -1, MPI_BYTE, r, 0, 1, MPI_BYTE, win));
	for (int k = 0; k < 4 * N; k++)
		CHECK_EQ(mem[k], 1000L * me + k);
}

static void operations(void)
{
	in_window(blocking);
}

static void requests(void)
{
	in_window(with_requests);
}

static void bounds(void)
{
	in_window(beyond);
}

static const struct mpi_case cases[] = {{"operations", operations},
					{"with requests", requests},
					{"counts beyond the window", bounds},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
