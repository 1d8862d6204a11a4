/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_rma.c: operations and epochs of windows (MPI 4.1, chapters 12.3 and
 * 12.5). A negative count becomes a size_t beyond any bound, which libmrt
 * rejects. */
#include "mpi/mpi_win.h"

static const char no_request[] = "request is NULL";

#define COUNT int
#define NAME(name) name
#include "mpi/mpi_rma_body.h"
#undef COUNT
#undef NAME

#define COUNT MPI_Count
#define NAME(name) name##_c
#include "mpi/mpi_rma_body.h"

API(Fetch_and_op)
(const void *origin_addr, void *result_addr, MPI_Datatype datatype,
 int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win)
{
	const struct mrt_target target = {target_rank, target_disp, 1,
					  to_type(datatype)};

	return mpi_win_result(win, __func__,
			      mrt_get_accumulate(origin_addr, 1,
						 to_type(datatype), result_addr,
						 1, to_type(datatype), &target,
						 to_op(op), to_win(win), NULL));
}

API(Compare_and_swap)
(const void *origin_addr, const void *compare_addr, void *result_addr,
 MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win)
{
	return mpi_win_result(win, __func__,
			      mrt_compare_swap(origin_addr, compare_addr,
					       result_addr, to_type(datatype),
					       target_rank, target_disp,
					       to_win(win)));
}

/* ---- Epochs -------------------------------------------------------------- */

/* Returns 0 if only bits of `allowed` are set. */
static int check_assert(int assertion, int allowed)
{
	return assertion & ~allowed
		   ? mpi_detailed(MPI_ERR_ASSERT, "unknown bits in the assert")
		   : 0;
}

API(Win_fence)(int assert, MPI_Win win)
{
	int rc =
	    check_assert(assert, MPI_MODE_NOSTORE | MPI_MODE_NOPUT |
				     MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED);

	return mpi_win_result(win, __func__,
			      rc ? rc : mrt_win_fence(assert, to_win(win)));
}

API(Win_post)(MPI_Group group, int assert, MPI_Win win)
{
	int rc = check_assert(assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE |
					  MPI_MODE_NOPUT);

	return mpi_win_result(
	    win, __func__,
	    rc ? rc : mrt_win_post(to_group(group), assert, to_win(win)));
}

API(Win_start)(MPI_Group group, int assert, MPI_Win win)
{
	int rc = check_assert(assert, MPI_MODE_NOCHECK);

	return mpi_win_result(
	    win, __func__,
	    rc ? rc : mrt_win_start(to_group(group), assert, to_win(win)));
}

API(Win_complete)(MPI_Win win)
{
	return mpi_win_result(win, __func__, mrt_win_complete(to_win(win)));
}

API(Win_wait)(MPI_Win win)
{
	return mpi_win_result(win, __func__, mrt_win_wait(to_win(win)));
}

API(Win_test)(MPI_Win win, int *flag)
{
	return mpi_win_result(win, __func__, mrt_win_test(to_win(win), flag));
}

API(Win_lock)(int lock_type, int rank, int assert, MPI_Win win)
{
	int rc = check_assert(assert, MPI_MODE_NOCHECK);

	if (!rc && lock_type != MPI_LOCK_EXCLUSIVE &&
	    lock_type != MPI_LOCK_SHARED)
		rc = mpi_detailed(MPI_ERR_LOCKTYPE, "no such type of lock");
	if (rc || rank == MPI_PROC_NULL)
		return mpi_win_result(win, __func__, rc);
	return mpi_win_result(win, __func__,
			      mrt_win_lock(lock_type == MPI_LOCK_EXCLUSIVE,
					   rank, assert, to_win(win)));
}

API(Win_unlock)(int rank, MPI_Win win)
{
	return mpi_win_result(
	    win, __func__,
	    rank == MPI_PROC_NULL ? 0 : mrt_win_unlock(rank, to_win(win)));
}

API(Win_lock_all)(int assert, MPI_Win win)
{
	int rc = check_assert(assert, MPI_MODE_NOCHECK);

	return mpi_win_result(win, __func__,
			      rc ? rc : mrt_win_lock_all(assert, to_win(win)));
}

API(Win_unlock_all)(MPI_Win win)
{
	return mpi_win_result(win, __func__, mrt_win_unlock_all(to_win(win)));
}

/* MRT_ANY_SOURCE means all ranks there and no rank here. */
static int rma_flush(MPI_Win win, const char *function, int rank)
{
	if (rank == MPI_PROC_NULL)
		return MPI_SUCCESS;
	return mpi_win_result(
	    win, function,
	    rank < 0 ? mpi_detailed(MPI_ERR_RANK, "the rank is negative")
		     : mrt_win_flush(rank, to_win(win)));
}

API(Win_flush)(int rank, MPI_Win win)
{
	return rma_flush(win, __func__, rank);
}

API(Win_flush_local)(int rank, MPI_Win win)
{
	return rma_flush(win, __func__, rank);
}

API(Win_flush_all)(MPI_Win win)
{
	return mpi_win_result(win, __func__,
			      mrt_win_flush(MRT_ANY_SOURCE, to_win(win)));
}

API(Win_flush_local_all)(MPI_Win win)
{
	return mpi_win_result(win, __func__,
			      mrt_win_flush(MRT_ANY_SOURCE, to_win(win)));
}

API(Win_sync)(MPI_Win win)
{
	return mpi_win_result(win, __func__, mrt_win_sync(to_win(win)));
}
