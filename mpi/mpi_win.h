/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_win.h: what the files about windows (mpi_win*.c, mpi_rma.c) share, with
 * attributes. */
#ifndef MPI_MPI_WIN_H
#define MPI_MPI_WIN_H

#include "mpi/mpi_impl.h"

struct mpi_win {
	struct mpi_object object;
	MPI_Info info; /* the hints that were given */
	/* what the predefined attributes point to */
	void *base;
	MPI_Aint size;
	int unit, flavor, model;
};

static inline struct mrt_win *to_win(MPI_Win win)
{
	return (struct mrt_win *)win;
}

/* The state of a window, or NULL if it is none. */
static inline struct mpi_win *mpi_win_of(MPI_Win win)
{
	return mrt_win_data(to_win(win));
}

/* Ends a function on a window: returns MPI_SUCCESS for 0, else passes an error
 * of libmrt or a class to the window's error handler, or to that of
 * MPI_COMM_SELF if it is no window. */
int mpi_win_failed(MPI_Win win, const char *function, int error);
static inline int mpi_win_result(MPI_Win win, const char *function, int error)
{
	return __builtin_expect(error == 0, 1)
		   ? MPI_SUCCESS
		   : mpi_win_failed(win, function, error);
}
/* Likewise, with a class and its detail. */
int mpi_win_fail(MPI_Win win, const char *function, int class,
		 const char *detail);

/* Adds the hints for windows in `from` to `to`. Returns 0 or MPI_ERR_*. */
int mpi_win_read_hints(MPI_Info to, MPI_Info from);

/* The value of a predefined attribute such as MPI_WIN_BASE, or NULL if keyval
 * is none of them. */
void *mpi_win_predefined(struct mpi_win *win, int keyval);
#endif
