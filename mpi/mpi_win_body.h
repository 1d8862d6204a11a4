/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_win_body.h: windows with a displacement unit, for int and for MPI_Aint;
 * included by mpi_win.c with DISP and NAME. */

APIS(Win_create)
(void *base, MPI_Aint size, DISP disp_unit, MPI_Info info, MPI_Comm comm,
 MPI_Win *win)
{
	int rc = win_check(comm, __func__, size, disp_unit, info, win);
	struct mrt_win *window = NULL;

	return rc ? rc
		  : win_made(comm, __func__,
			     mrt_win_create(base, (size_t)size,
					    (size_t)disp_unit, to_comm(comm),
					    &window),
			     &window, info, win);
}

/* baseptr is the address of a pointer of any type. */
APIS(Win_allocate)
(MPI_Aint size, DISP disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
 MPI_Win *win)
{
	int rc = win_check(comm, __func__, size, disp_unit, info, win);
	struct mrt_win *window = NULL;

	return rc ? rc
		  : win_made(comm, __func__,
			     mrt_win_allocate((size_t)size, (size_t)disp_unit,
					      to_comm(comm), baseptr, &window),
			     &window, info, win);
}

APIS(Win_allocate_shared)
(MPI_Aint size, DISP disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
 MPI_Win *win)
{
	int flag = 0,
	    rc = win_check(comm, __func__, size, disp_unit, info, win);
	struct mrt_win *window = NULL;
	char apart[8] = "";

	if (!rc && info != MPI_INFO_NULL)
		rc = mpi_info_get(info, "alloc_shared_noncontig", sizeof(apart),
				  apart, &flag);
	return rc ? rc
		  : win_made(comm, __func__,
			     mrt_win_allocate_shared(
				 (size_t)size, (size_t)disp_unit,
				 strcmp(apart, "true") != 0, to_comm(comm),
				 baseptr, &window),
			     &window, info, win);
}

APIS(Win_shared_query)
(MPI_Win win, int rank, MPI_Aint *size, DISP *disp_unit, void *baseptr)
{
	struct mrt_win_info info;
	int rc = size && disp_unit && baseptr
		     ? mrt_win_shared(to_win(win), rank, &info)
		     : mpi_detailed(MPI_ERR_ARG, "an output argument is NULL");

	if (!rc) {
		*size = (MPI_Aint)info.bytes;
		*disp_unit = (DISP)info.unit;
		*(void **)baseptr = info.base;
	}
	return mpi_win_result(
	    win, __func__,
	    rc == MRT_ERR_WIN && mpi_win_of(win) ? MPI_ERR_RMA_FLAVOR : rc);
}
