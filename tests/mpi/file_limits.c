/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_limits.c tests files whose file system ends a write, or gives no way to
 * write: each case by its name, in a TMPDIR where it applies. One with limits
 * has room for less than 4 MiB a rank (tests/cluster/files.t).
 */
#include "tests/mpi/file_data.h"

enum { BIG = 1 << 20 }; /* ints a rank that do not fit */

static int big[BIG];

static void read_again(MPI_File f)
{
	memset(back, -1, sizeof(back));
	OK(MPI_File_read_at_all(f, (MPI_Offset)me * N, back, N, MPI_INT,
				&status));
	CHECK_EQ(count_of(&status, MPI_INT), N);
	check_same(N);
}

/* Opens a file in which each rank has written N ints; false: there are no
 * files. */
static bool begin_file(MPI_File *f)
{
	if (!file_begin())
		return false;
	fill();
	*f = file_open();
	OK(MPI_File_set_view(*f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
	OK(MPI_File_write_at_all(*f, (MPI_Offset)me * N, mine, N, MPI_INT,
				 &status));
	return true;
}

/* Collective writes that do not fit fail on all ranks. What was written before
 * is there, and when the file has been cut there is room again. */
static void write_beyond(int class)
{
	MPI_Offset at = (MPI_Offset)np * N + (MPI_Offset)me * BIG;
	MPI_Request r;
	MPI_File f;

	if (!begin_file(&f))
		return;
	CHECK_ERROR(class,
		    MPI_File_write_at_all(f, at, big, BIG, MPI_INT, &status));
	OK(MPI_File_iwrite_at_all(f, at, big, BIG, MPI_INT, &r));
	CHECK_ERROR(class, MPI_Wait(&r, &status));
	read_again(f);
	OK(MPI_File_set_size(f, (MPI_Offset)np * N * 4));
	OK(MPI_File_write_at_all(f, at, mine, N, MPI_INT, &status));
	read_again(f);
	file_close(&f);
}

static void full(void)
{
	write_beyond(MPI_ERR_NO_SPACE);
}

static void quota(void)
{
	write_beyond(MPI_ERR_QUOTA);
}

/* TMPDIR is on a file system that is mounted read-only, and has a file `there`
 * of 4 bytes. */
static void read_only(void)
{
	MPI_File f = MPI_FILE_NULL;
	char word[8] = "";

	snprintf(file_name, sizeof(file_name), "%s/there", getenv("TMPDIR"));
	CHECK_ERROR(
	    MPI_ERR_READ_ONLY,
	    MPI_File_open(W, file_name, MPI_MODE_RDWR, MPI_INFO_NULL, &f));
	OK(MPI_File_open(W, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
	OK(MPI_File_read_at_all(f, 0, word, 8, MPI_CHAR, &status));
	CHECK_EQ(count_of(&status, MPI_CHAR), 4);
	file_close(&f);
	CHECK_ERROR(MPI_ERR_READ_ONLY,
		    MPI_File_delete(file_name, MPI_INFO_NULL));
	strcat(file_name, "s");
	CHECK_ERROR(MPI_ERR_READ_ONLY,
		    MPI_File_open(W, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR,
				  MPI_INFO_NULL, &f));
}

/* Checks that all ranks got the same class of error, or none. */
static void check_alike(int code)
{
	int class, least, most;

	MPI_Error_class(code, &class);
	OK(MPI_Allreduce(&class, &least, 1, MPI_INT, MPI_MIN, W));
	OK(MPI_Allreduce(&class, &most, 1, MPI_INT, MPI_MAX, W));
	CHECK_EQ(least, most);
}

/* Calls on a file that somebody deletes end, alike on all ranks. */
static void deleted(void)
{
	MPI_Request r;
	MPI_File f;

	if (!begin_file(&f))
		return;
	OK(MPI_File_sync(f));
	if (me == np - 1)
		CHECK_EQ(unlink(file_name), 0);
	OK(MPI_Barrier(W));
	check_alike(MPI_File_write_at_all(f, (MPI_Offset)me * N, mine, N,
					  MPI_INT, &status));
	check_alike(MPI_File_read_at_all(f, (MPI_Offset)me * N, back, N,
					 MPI_INT, &status));
	OK(MPI_File_iread_at_all(f, (MPI_Offset)me * N, back, N, MPI_INT, &r));
	check_alike(MPI_Wait(&r, &status));
	check_alike(MPI_File_sync(f));
	check_alike(MPI_File_close(&f));
}

static const struct mpi_case cases[] = {{"full", full},
					{"quota", quota},
					{"read-only", read_only},
					{"deleted", deleted},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
