/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_win.c: windows: made, freed, named, with info and error handlers (MPI
 * 4.1, chapters 12.2 and 9.3). */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_info.h"
#include "mpi/mpi_win.h"

/* ---- Errors -------------------------------------------------------------- */

int mpi_win_failed(MPI_Win win, const char *function, int error)
{
	const struct mpi_win *w = mpi_win_of(win);
	char called[MPI_MAX_OBJECT_NAME + 64];

	if (!w)
		return mpi_failed(MPI_COMM_NULL, function, error);
	snprintf(called, sizeof(called), *w->object.name ? "%s on %s" : "%s",
		 function, w->object.name);
	return mpi_result_at(&w->object.errhandler, win, called, error);
}

int mpi_win_fail(MPI_Win win, const char *function, int class,
		 const char *detail)
{
	return mpi_win_failed(win, function, mpi_detailed(class, detail));
}

/* ---- Making and freeing -------------------------------------------------- */

/* Gives a new window its state. Returns 0, or an error after which the window
 * is gone. */
static int win_adopt(struct mrt_win *made, MPI_Info info, MPI_Win *win)
{
	struct mpi_win *w;
	struct mrt_win_info about;
	MPI_Info own = MPI_INFO_NULL;
	int rc = mpi_info_create(&own);

	if (!rc && info != MPI_INFO_NULL)
		rc = mpi_win_read_hints(own, info);
	w = rc ? NULL : (void *)mpi_object_make(MPI_KIND_WIN, made);
	if (!w) {
		if (own != MPI_INFO_NULL)
			PMPI_Info_free(&own);
		mrt_win_free(&made);
		return rc ? rc : MPI_ERR_NO_MEM;
	}
	mrt_win_describe(made, &about);
	w->info = own;
	w->base = about.base;
	w->size = (MPI_Aint)about.bytes;
	w->unit = (int)about.unit;
	w->flavor = (int)about.flavor;
	w->model = MPI_WIN_UNIFIED;
	*win = (MPI_Win)made;
	return 0;
}

/* Ends a function that has made a window, or failed to. Errors go to the
 * communicator's handler. */
static int win_made(MPI_Comm comm, const char *function, int rc,
		    struct mrt_win *const *window, MPI_Info info, MPI_Win *win)
{
	if (!rc)
		rc = win_adopt(*window, info, win);
	return mpi_result(comm, function, rc);
}

static int win_check(MPI_Comm comm, const char *function, MPI_Aint size,
		     MPI_Count unit, MPI_Info info, MPI_Win *win)
{
	int rc = mpi_info_check(info);

	if (rc)
		return mpi_raise(comm, function + 1, rc);
	if (!win)
		return mpi_null(comm, function, "win");
	if (size < 0)
		return mpi_fail(comm, function, MPI_ERR_SIZE, "size %td",
				(ptrdiff_t)size);
	if (unit <= 0 || unit > INT_MAX)
		return mpi_fail(comm, function, MPI_ERR_DISP, "disp_unit %lld",
				(long long)unit);
	return MPI_SUCCESS;
}

#define DISP int
#define NAME(name) name
#include "mpi/mpi_win_body.h"
#undef DISP
#undef NAME

#define DISP MPI_Aint
#define NAME(name) name##_c
#include "mpi/mpi_win_body.h"

API(Win_create_dynamic)(MPI_Info info, MPI_Comm comm, MPI_Win *win)
{
	int rc = win_check(comm, __func__, 0, 1, info, win);
	struct mrt_win *window = NULL;

	return rc ? rc
		  : win_made(comm, __func__,
			     mrt_win_create_dynamic(to_comm(comm), &window),
			     &window, info, win);
}

API(Win_free)(MPI_Win *win)
{
	struct mpi_win *w = win ? mpi_win_of(*win) : NULL;
	int rc;

	if (!w)
		return mpi_object_check(MPI_KIND_WIN, win ? *win : MPI_WIN_NULL,
					__func__);
	rc = mpi_attr_delete_all(MPI_KIND_WIN, *win)
		 ?: mrt_win_free((struct mrt_win **)win);
	if (rc)
		return mpi_win_failed(*win, __func__, rc);
	mpi_object_forget(&w->object);
	return MPI_SUCCESS;
}

static int attach_result(MPI_Win win, const char *call, int rc)
{
	if (rc == MRT_ERR_WIN && mpi_win_of(win))
		rc = MPI_ERR_RMA_FLAVOR;
	return mpi_win_result(win, call,
			      rc == MRT_ERR_RANGE ? MPI_ERR_RMA_ATTACH : rc);
}

API(Win_attach)(MPI_Win win, void *base, MPI_Aint size)
{
	int rc;

	if (size < 0)
		return mpi_win_fail(win, __func__, MPI_ERR_SIZE,
				    "size is negative");
	rc = mrt_win_attach(to_win(win), base, (size_t)size);
	return attach_result(win, __func__, rc);
}

API(Win_detach)(MPI_Win win, const void *base)
{
	int rc = mrt_win_detach(to_win(win), base);

	return attach_result(win, __func__, rc);
}

/* ---- What is known ------------------------------------------------------- */

void *mpi_win_predefined(struct mpi_win *win, int keyval)
{
	switch (keyval) {
	case MPI_WIN_BASE:
		return win->base;
	case MPI_WIN_SIZE:
		return &win->size;
	case MPI_WIN_DISP_UNIT:
		return &win->unit;
	case MPI_WIN_CREATE_FLAVOR:
		return &win->flavor;
	case MPI_WIN_MODEL:
		return &win->model;
	default:
		return NULL;
	}
}

/* The hints of the standard, which libmrt does not need, with their defaults.
 * They are reported as they were given. */
static const struct hint {
	const char *key, *value;
} hints[] = {{"no_locks", "false"},
	     {"accumulate_ordering", "rar,raw,war,waw"},
	     {"accumulate_ops", "same_op_no_op"},
	     {"same_size", "false"},
	     {"same_disp_unit", "false"},
	     {"alloc_shared_noncontig", "false"},
	     {"mpi_accumulate_granularity", "0"}};
enum { HINTS = sizeof(hints) / sizeof(hints[0]) };

int mpi_win_read_hints(MPI_Info to, MPI_Info from)
{
	char value[MPI_MAX_INFO_VAL];
	int flag, rc = MPI_SUCCESS;

	for (int k = 0; k < HINTS && !rc; k++) {
		rc = mpi_info_get(from, hints[k].key, sizeof(value), value,
				  &flag);
		if (!rc && flag)
			rc = mpi_info_set(to, hints[k].key, value);
	}
	return rc;
}

API(Win_set_info)(MPI_Win win, MPI_Info info)
{
	struct mpi_win *w = mpi_win_of(win);
	int rc = mpi_info_check(info);

	if (!w)
		return mpi_object_check(MPI_KIND_WIN, win, __func__);
	if (!rc && info != MPI_INFO_NULL)
		rc = mpi_win_read_hints(w->info, info);
	return mpi_win_result(win, __func__, rc);
}

API(Win_get_info)(MPI_Win win, MPI_Info *info_used)
{
	struct mpi_win *w = mpi_win_of(win);
	MPI_Info info;
	int rc;

	if (!w)
		return mpi_object_check(MPI_KIND_WIN, win, __func__);
	if (!info_used)
		return mpi_win_fail(win, __func__, MPI_ERR_ARG,
				    "info_used is NULL");
	rc = mpi_info_create_used(&info);
	if (!rc) {
		for (int k = 0; k < HINTS && !rc; k++)
			rc = mpi_info_set(info, hints[k].key, hints[k].value);
		if (!rc)
			rc = mpi_win_read_hints(info, w->info);
		if (rc)
			PMPI_Info_free(&info);
		else
			*info_used = info;
	}
	return mpi_win_result(win, __func__, rc);
}
