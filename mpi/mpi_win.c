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

static struct mpi_link *all;

/* ---- Errors -------------------------------------------------------------- */

int mpi_win_failed(MPI_Win win, const char *function, int error)
{
	const struct mpi_win *w = mpi_win_of(win);
	char called[MPI_MAX_OBJECT_NAME + 64];

	if (!w)
		return mpi_failed(MPI_COMM_NULL, function, error);
	snprintf(called, sizeof(called), *w->name ? "%s on %s" : "%s", function,
		 w->name);
	return mpi_result_at(&w->errhandler, win, called, error);
}

int mpi_win_fail(MPI_Win win, const char *function, int class,
		 const char *detail)
{
	return mpi_win_failed(win, function, mpi_detailed(class, detail));
}

static int no_window(MPI_Win win, const char *function)
{
	return mpi_win_fail(win, function, MRT_ERR_WIN,
			    "the handle is no window");
}

API(Win_set_errhandler)(MPI_Win win, MPI_Errhandler errhandler)
{
	struct mpi_win *w = mpi_win_of(win);

	if (!w)
		return no_window(win, __func__);
	if (!mpi_errhandler_fits(errhandler, MPI_HANDLER_OF_WIN))
		return mpi_win_fail(win, __func__, MPI_ERR_ERRHANDLER,
				    "no error handler for windows");
	mpi_errhandler_attach(&w->errhandler, errhandler);
	return MPI_SUCCESS;
}

API(Win_get_errhandler)(MPI_Win win, MPI_Errhandler *errhandler)
{
	struct mpi_win *w = mpi_win_of(win);

	if (!w)
		return no_window(win, __func__);
	if (!errhandler)
		return mpi_win_fail(win, __func__, MPI_ERR_ARG,
				    "errhandler is NULL");
	*errhandler = mpi_errhandler_at(&w->errhandler);
	return MPI_SUCCESS;
}

API(Win_call_errhandler)(MPI_Win win, int errorcode)
{
	if (!mpi_win_of(win))
		return no_window(win, __func__);
	mpi_win_fail(win, __func__, errorcode, "called by the program");
	return MPI_SUCCESS;
}

/* ---- Making and freeing -------------------------------------------------- */

/* Gives a new window its state. Returns 0, or an error after which the window
 * is gone. */
static int win_adopt(struct mrt_win *made, MPI_Info info, MPI_Win *win)
{
	struct mpi_win *w = calloc(1, sizeof(*w));
	struct mrt_win_info about;
	int rc = w ? mpi_info_create(&w->info) : MPI_ERR_NO_MEM;

	if (!rc && info != MPI_INFO_NULL)
		rc = mpi_win_read_hints(w->info, info);
	if (rc) {
		free(w);
		mrt_win_free(&made);
		return rc;
	}
	mrt_win_describe(made, &about);
	w->errhandler = mpi_initial_errhandler();
	w->base = about.base;
	w->size = (MPI_Aint)about.bytes;
	w->unit = (int)about.unit;
	w->flavor = (int)about.flavor;
	w->model = MPI_WIN_UNIFIED;
	mpi_lock();
	mpi_link_add(&all, &w->link);
	mpi_unlock();
	mrt_win_set_data(made, w);
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

static void mpi_win_destroy(struct mpi_win *w)
{
	mpi_attr_forget(&w->attrs);
	mpi_errhandler_release(w->errhandler);
	PMPI_Info_free(&w->info);
	free(w);
}

API(Win_free)(MPI_Win *win)
{
	struct mpi_win *w = win ? mpi_win_of(*win) : NULL;
	int rc;

	if (!w)
		return no_window(win ? *win : MPI_WIN_NULL, __func__);
	rc = mpi_attr_delete_all(MPI_KIND_WIN, *win);
	if (!rc)
		rc = mrt_win_free((struct mrt_win **)win);
	if (rc)
		return mpi_win_failed(*win, __func__, rc);
	mpi_lock();
	mpi_link_remove(&w->link);
	mpi_unlock();
	mpi_win_destroy(w);
	return MPI_SUCCESS;
}

void mpi_windows_free(void)
{
	while (all) {
		struct mpi_win *w = (struct mpi_win *)all;

		mpi_link_remove(all);
		mpi_win_destroy(w);
	}
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

API(Win_set_name)(MPI_Win win, const char *win_name)
{
	struct mpi_win *w = mpi_win_of(win);

	if (!w)
		return no_window(win, __func__);
	if (!win_name)
		return mpi_win_fail(win, __func__, MPI_ERR_ARG,
				    "win_name is NULL");
	snprintf(w->name, sizeof(w->name), "%s", win_name);
	return MPI_SUCCESS;
}

API(Win_get_name)(MPI_Win win, char *win_name, int *resultlen)
{
	const struct mpi_win *w = mpi_win_of(win);

	if (!w && win != MPI_WIN_NULL)
		return no_window(win, __func__);
	if (!win_name || !resultlen)
		return mpi_win_fail(win, __func__, MPI_ERR_ARG,
				    "win_name or resultlen is NULL");
	strcpy(win_name, w ? w->name : "MPI_WIN_NULL");
	*resultlen = (int)strlen(win_name);
	return MPI_SUCCESS;
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
		return no_window(win, __func__);
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
		return no_window(win, __func__);
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
