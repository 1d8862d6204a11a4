/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint.c writes and reads checkpoints (see checkpoint.h) by MPI-IO: each
 * rank's view of the file is its block of the whole field, so all ranks write,
 * and read, the field in one collective call.
 */
#include "apps/kernels/checkpoint.h"

#include "apps/common/app.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* MAGIC is the text "heat2d 1" as a little-endian machine reads it: checkpoints
 * of big-endian ones are refused. */
#define MAGIC 0x3120643274616568u

struct head {
	uint64_t magic;
	int64_t cells[2];
	int64_t step;
	double dt;
	uint64_t hash; /* of the field */
};

/* ---- Errors -------------------------------------------------------------- */

/* `why` is this rank's first error since any_failed last reported, or "". */
static char why[MPI_MAX_ERROR_STRING];

static void error_keep(MPI_File *file, int *code, ...)
{
	int length;

	(void)file;
	if (!*why)
		MPI_Error_string(*code, why, &length);
}

/* Returns 1 if any rank has an error; the first of these ranks says it. */
static int any_failed(const char *doing, const char *path)
{
	int rank = mrt_rank(MRT_COMM_WORLD), mine = *why ? rank : INT_MAX;
	int first;

	mrt_allreduce(&mine, &first, 1, MRT_INT, MRT_MIN, MRT_COMM_WORLD);
	if (first == rank)
		fprintf(stderr, "mrt-heat2d: cannot %s %s: %s\n", doing, path,
			why);
	*why = 0;
	return first != INT_MAX;
}

/* ---- Files --------------------------------------------------------------- */

/* Opens a file whose errors are kept. Returns the class of the error. */
static int file_open(const char *path, int amode, MPI_File *file)
{
	MPI_Errhandler keep;
	int class, code = MPI_File_open(MPI_COMM_WORLD, path, amode,
					MPI_INFO_NULL, file);

	MPI_Error_class(code, &class);
	if (code) {
		error_keep(NULL, &code);
		return class;
	}
	MPI_File_create_errhandler(error_keep, &keep);
	MPI_File_set_errhandler(*file, keep);
	MPI_Errhandler_free(&keep);
	return class;
}

/* Returns the type of this rank's block in an array of which it begins at
 * (x, y). */
static MPI_Datatype block_type(const struct grid2d *g, int columns, int rows,
			       int x, int y)
{
	int all[] = {rows, columns}, first[] = {y, x};
	int mine[] = {g->mine[1], g->mine[0]};
	MPI_Datatype type;

	MPI_Type_create_subarray(2, all, mine, first, MPI_ORDER_C, MPI_DOUBLE,
				 &type);
	MPI_Type_commit(&type);
	return type;
}

/* Writes or reads the field. */
static void field_move(MPI_File file, const struct heat *h, int write)
{
	const struct grid2d *g = h->g;
	MPI_Datatype memory, place;

	memory = block_type(g, g->stride, g->mine[1] + 2, 1, 1);
	place =
	    block_type(g, g->cells[0], g->cells[1], g->first[0], g->first[1]);
	MPI_File_set_view(file, sizeof(struct head), MPI_DOUBLE, place,
			  "native", MPI_INFO_NULL);
	if (write)
		MPI_File_write_all(file, h->now, 1, memory, MPI_STATUS_IGNORE);
	else
		MPI_File_read_all(file, h->now, 1, memory, MPI_STATUS_IGNORE);
	MPI_Type_free(&memory);
	MPI_Type_free(&place);
}

/* ---- Writing ------------------------------------------------------------- */

/* Cuts off what a longer file of that name had, and waits for the disk. */
static void file_write(MPI_File file, const struct heat *h, long step)
{
	const int *cells = h->g->cells;
	struct head head = {
	    MAGIC, {cells[0], cells[1]}, step, h->dt, heat_hash(h)};
	MPI_Offset bytes = (MPI_Offset)cells[0] * cells[1] * 8;

	if (mrt_rank(MRT_COMM_WORLD) == 0)
		MPI_File_write_at(file, 0, &head, sizeof(head), MPI_BYTE,
				  MPI_STATUS_IGNORE);
	field_move(file, h, 1);
	MPI_File_set_size(file, (MPI_Offset)sizeof(head) + bytes);
	MPI_File_sync(file);
	MPI_File_close(&file);
}

/* Renames a file, and waits until its folder is on the disk. */
static void file_rename(const char *from, const char *to)
{
	char path[PATH_MAX];
	int folder;

	snprintf(path, sizeof(path), "%s", to);
	folder = open(dirname(path), O_RDONLY | O_DIRECTORY);
	if (folder < 0 || rename(from, to) || fsync(folder))
		snprintf(why, sizeof(why), "%s", strerror(errno));
	if (folder >= 0)
		close(folder);
}

int checkpoint_save(const char *path, const struct heat *h, long step)
{
	char new[PATH_MAX];
	MPI_File file;

	snprintf(new, sizeof(new), "%s.new", path);
	if (!file_open(new, MPI_MODE_CREATE | MPI_MODE_WRONLY, &file))
		file_write(file, h, step);
	if (any_failed("write", new))
		return APP_CANTCREAT;
	if (mrt_rank(MRT_COMM_WORLD) == 0)
		file_rename(new, path);
	return any_failed("replace", path) ? APP_CANTCREAT : APP_OK;
}

/* ---- Reading ------------------------------------------------------------- */

static int head_check(const struct head *head, const struct heat *h,
		      const char *path)
{
	const int *cells = h->g->cells;

	if (head->magic != MAGIC)
		return app_error(APP_DATAERR, "mrt-heat2d: %s is no checkpoint",
				 path);
	if (head->cells[0] != cells[0] || head->cells[1] != cells[1] ||
	    memcmp(&head->dt, &h->dt, sizeof(h->dt)) != 0)
		return app_error(APP_DATAERR,
				 "mrt-heat2d: %s is of %lld x %lld cells and "
				 "a time step of %.17g",
				 path, (long long)head->cells[0],
				 (long long)head->cells[1], head->dt);
	return APP_OK;
}

static int file_read(MPI_File file, struct heat *h, const char *path,
		     long *step)
{
	struct head head = {0};
	int code;

	if (mrt_rank(MRT_COMM_WORLD) == 0)
		MPI_File_read_at(file, 0, &head, sizeof(head), MPI_BYTE,
				 MPI_STATUS_IGNORE);
	mrt_bcast(&head, sizeof(head), MRT_UINT8, 0, MRT_COMM_WORLD);
	if (any_failed("read", path))
		return APP_NOINPUT;
	code = head_check(&head, h, path);
	if (code)
		return code;
	field_move(file, h, 0);
	if (any_failed("read", path))
		return APP_NOINPUT;
	if (heat_hash(h) != head.hash)
		return app_error(APP_DATAERR,
				 "mrt-heat2d: %s is truncated or damaged",
				 path);
	*step = head.step;
	return APP_OK;
}

int checkpoint_load(const char *path, struct heat *h, long *step)
{
	MPI_File file;
	int class = file_open(path, MPI_MODE_RDONLY, &file), code;

	if (class == MPI_ERR_NO_SUCH_FILE)
		*why = 0;
	if (any_failed("read", path))
		return APP_NOINPUT;
	if (class)
		return APP_OK;
	code = file_read(file, h, path, step);
	MPI_File_close(&file);
	return code;
}
