/* SPDX-License-Identifier: Apache-2.0 */
/*
 * files.c: writes and reads of one file by all ranks, in the folder that
 * COMPARE_FILES names. Each rank has `bytes` of it: in one piece, in pieces
 * that take turns with those of the other ranks, or as a block of a matrix.
 * pwrite_all and pwrite_over measure the system alone: all ranks call pwrite,
 * in a thread of their own while they compute.
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/bench/compare/frame.h"

#define W MPI_COMM_WORLD

static char path[4096];
static MPI_File file;
static int fd;

static void files_name(void)
{
	const char *folder = getenv("COMPARE_FILES");

	snprintf(path, sizeof(path), "%s/compare.file", folder ? folder : ".");
}

/* Ends the program if a call on files fails, whose errors return. */
static void must_work(int rc)
{
	char text[MPI_MAX_ERROR_STRING];
	int len;

	if (rc == MPI_SUCCESS)
		return;
	MPI_Error_string(rc, text, &len);
	fprintf(stderr, "%s: %s\n", path, text);
	MPI_Abort(W, 74);
}

static void files_open(void)
{
	must_work(MPI_File_open(W, path, MPI_MODE_CREATE | MPI_MODE_RDWR,
				MPI_INFO_NULL, &file));
}

/* Opens the file with the bytes that `type` selects from `at` on as this rank's
 * view of it; frees the type. */
static void files_view(MPI_Offset at, MPI_Datatype type)
{
	files_name();
	files_open();
	MPI_Type_commit(&type);
	must_work(MPI_File_set_view(file, at, MPI_BYTE, type, "native",
				    MPI_INFO_NULL));
	if (type != MPI_BYTE)
		MPI_Type_free(&type);
}

static void files_close(struct frame *f)
{
	must_work(MPI_File_close(&file));
	if (f->me == 0)
		must_work(MPI_File_delete(path, MPI_INFO_NULL));
}

/* ---- Which bytes a rank has ---------------------------------------------- */

static void in_one(struct frame *f, size_t bytes)
{
	files_view((MPI_Offset)(bytes * (size_t)f->me), MPI_BYTE);
}

static void in_turns(struct frame *f, int piece)
{
	MPI_Datatype one, type;

	MPI_Type_contiguous(piece, MPI_BYTE, &one);
	MPI_Type_create_resized(one, 0, (MPI_Aint)piece * f->ranks, &type);
	MPI_Type_free(&one);
	files_view((MPI_Offset)f->me * piece, type);
}

static void in_64(struct frame *f, size_t bytes)
{
	in_turns(f, 64);
}

static void in_4096(struct frame *f, size_t bytes)
{
	in_turns(f, 4096);
}

/* A block of a matrix of doubles of `n` dimensions, as near to a cube as its
 * power of two allows. */
static void in_block(struct frame *f, size_t bytes, int n)
{
	int grid[3] = {0}, sizes[3], parts[3], starts[3], at = f->me;
	int bits = (int)log2((double)(bytes / sizeof(double)));
	MPI_Datatype type;

	MPI_Dims_create(f->ranks, n, grid);
	for (int d = n - 1; d >= 0; d--) {
		parts[d] = 1 << (bits + d) / n;
		sizes[d] = parts[d] * grid[d];
		starts[d] = parts[d] * (at % grid[d]);
		at /= grid[d];
	}
	MPI_Type_create_subarray(n, sizes, parts, starts, MPI_ORDER_C,
				 MPI_DOUBLE, &type);
	files_view(0, type);
}

static void in_tile(struct frame *f, size_t bytes)
{
	in_block(f, bytes, 2);
}

static void in_cube(struct frame *f, size_t bytes)
{
	in_block(f, bytes, 3);
}

/* Defines filled_BEGIN, which opens the file as BEGIN does and lets each rank
 * write its part of it, for patterns that read. */
#define FILLED(begin)                                                          \
	static void filled_##begin(struct frame *f, size_t bytes)              \
	{                                                                      \
		begin(f, bytes);                                               \
		must_work(MPI_File_write_at_all(file, 0, f->send, (int)bytes,  \
						MPI_BYTE, MPI_STATUS_IGNORE)); \
		MPI_Barrier(W);                                                \
	}
FILLED(in_one)
FILLED(in_64)
FILLED(in_4096)

/* ---- Patterns ------------------------------------------------------------ */

static void read_back(struct frame *f, size_t bytes)
{
	MPI_Barrier(W);
	must_work(MPI_File_read_at_all(file, 0, f->recv, (int)bytes, MPI_BYTE,
				       MPI_STATUS_IGNORE));
}

static void write_all(struct frame *f, size_t bytes, long n)
{
	for (long i = 0; i < n; i++)
		must_work(MPI_File_write_at_all(file, 0, f->send, (int)bytes,
						MPI_BYTE, MPI_STATUS_IGNORE));
	if (n == 1)
		read_back(f, bytes);
}

static void read_all(struct frame *f, size_t bytes, long n)
{
	for (long i = 0; i < n; i++)
		must_work(MPI_File_read_at_all(file, 0, f->recv, (int)bytes,
					       MPI_BYTE, MPI_STATUS_IGNORE));
}

static void write_alone(struct frame *f, size_t bytes, long n)
{
	for (long i = 0; i < n; i++)
		must_work(MPI_File_write_at(file, 0, f->send, (int)bytes,
					    MPI_BYTE, MPI_STATUS_IGNORE));
	if (n == 1)
		read_back(f, bytes);
}

static void read_alone(struct frame *f, size_t bytes, long n)
{
	for (long i = 0; i < n; i++)
		must_work(MPI_File_read_at(file, 0, f->recv, (int)bytes,
					   MPI_BYTE, MPI_STATUS_IGNORE));
}

/* Computes for some milliseconds: each step needs the result of the last. */
static void files_compute(void)
{
	volatile double value = 2; /* not known to the compiler */
	double x = value;

	for (int k = 0; k < 1 << 20; k++)
		x = x * 0.999 + 0.001;
	value = x;
}

static void iwrite_over(struct frame *f, size_t bytes, long n)
{
	MPI_Request request;

	for (long i = 0; i < n; i++) {
		must_work(MPI_File_iwrite_at(file, 0, f->send, (int)bytes,
					     MPI_BYTE, &request));
		files_compute();
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	if (n == 1)
		read_back(f, bytes);
}

static void open_close(struct frame *f, size_t bytes, long n)
{
	files_name();
	for (long i = 0; i < n; i++) {
		files_open();
		must_work(MPI_File_close(&file));
	}
}

static void remove_file(struct frame *f)
{
	if (f->me == 0)
		unlink(path);
}

/* ---- The system alone ---------------------------------------------------- */

static void plain_open(struct frame *f, size_t bytes)
{
	files_name();
	fd = open(path, O_CREAT | O_RDWR, 0600);
	if (fd < 0) {
		perror(path);
		MPI_Abort(W, 74);
	}
}

static void plain_close(struct frame *f)
{
	close(fd);
	remove_file(f);
}

static void must_move(ssize_t got, size_t bytes)
{
	if (got != (ssize_t)bytes) {
		perror(path);
		MPI_Abort(W, 74);
	}
}

static void pwrite_all(struct frame *f, size_t bytes, long n)
{
	off_t at = (off_t)(bytes * (size_t)f->me);

	for (long i = 0; i < n; i++) {
		must_move(pwrite(fd, f->send, bytes, at), bytes);
		MPI_Barrier(W);
	}
	if (n == 1)
		must_move(pread(fd, f->recv, bytes, at), bytes);
}

struct part {
	const void *data;
	size_t bytes;
	off_t at;
};

static void *pwrite_thread(void *arg)
{
	struct part *p = arg;

	must_move(pwrite(fd, p->data, p->bytes, p->at), p->bytes);
	return NULL;
}

static void pwrite_over(struct frame *f, size_t bytes, long n)
{
	struct part p = {f->send, bytes, (off_t)(bytes * (size_t)f->me)};
	pthread_t thread;

	for (long i = 0; i < n; i++) {
		pthread_create(&thread, NULL, pwrite_thread, &p);
		files_compute();
		pthread_join(thread, NULL);
	}
	if (n == 1)
		must_move(pread(fd, f->recv, bytes, p.at), bytes);
}

static double of_mine(const struct frame *f, size_t count, size_t i)
{
	return frame_value(f->me, i);
}

/* clang-format off */
#define ROW(row, open, runs) \
	{.name = row, .unit = MB_S_ALL, .begin = open, .run = runs, \
	 .end = files_close, .expected = of_mine}
const struct pattern files_patterns[] = {
    ROW("write_all", in_one, write_all),
    ROW("read_all", filled_in_one, read_all),
    ROW("write_all_64", in_64, write_all),
    ROW("read_all_64", filled_in_64, read_all),
    ROW("write_all_4096", in_4096, write_all),
    ROW("read_all_4096", filled_in_4096, read_all),
    ROW("write_tile", in_tile, write_all),
    ROW("write_cube", in_cube, write_all),
    ROW("write_strided", in_4096, write_alone),
    ROW("read_strided", filled_in_64, read_alone),
    {.name = "open_close", .unit = US, .no_size = 1, .run = open_close,
     .end = remove_file},
    {.name = "iwrite_over", .unit = US, .begin = in_one, .run = iwrite_over,
     .end = files_close, .expected = of_mine},
    {.name = "pwrite_over", .unit = US, .begin = plain_open,
     .run = pwrite_over, .end = plain_close, .expected = of_mine},
    {.name = "pwrite_all", .unit = MB_S_ALL, .begin = plain_open,
     .run = pwrite_all, .end = plain_close, .expected = of_mine},
    {.name = NULL}};
/* clang-format on */
