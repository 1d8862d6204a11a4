/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_blocks.c tests strided calls of one rank, whose view has blocks that lie
 * far apart, which libmrt moves one by one, or near by, which ROMIO sieves.
 */
#include "tests/mpi/file_data.h"

enum { LOT = 7 }; /* ints of a call */

/* Reads block b of rank 0 from the plain file. */
static void check_block(MPI_File f, int b, int stride)
{
	int block[3];

	OK(MPI_File_read_at(f, (MPI_Offset)b * stride, block, 3, MPI_INT,
			    &status));
	for (int k = 0; k < 3; k++)
		CHECK_EQ(block[k], value(0, b * 3 + k));
}

static void view_blocks(MPI_File f, int stride)
{
	MPI_Datatype blocks, type;

	OK(MPI_Type_vector(N / 6, 3, stride, MPI_INT, &blocks));
	OK(MPI_Type_create_resized(blocks, 0, (MPI_Aint)N / 6 * stride * 4,
				   &type));
	OK(MPI_Type_free(&blocks));
	OK(MPI_Type_commit(&type));
	OK(MPI_File_set_view(f, me * 12, MPI_INT, type, "native",
			     MPI_INFO_NULL));
	OK(MPI_Type_free(&type));
}

/* Reads n elements, and checks that the file has `there` of them. */
static void read_some(MPI_File f, int at, int n, int there)
{
	OK(MPI_File_read_at(f, at, back + at, n, MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), there);
}

static int started_count(MPI_Request r)
{
	OK(MPI_Wait(&r, &status));
	return count_of(&status, MPI_INT);
}

static void read_to_end(MPI_File f)
{
	MPI_Offset at = -1;
	MPI_Request r;

	OK(MPI_File_seek(f, N - 4, MPI_SEEK_SET));
	OK(MPI_File_read(f, back + N - 4, LOT, MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), 4);
	OK(MPI_File_get_position(f, &at));
	CHECK_EQ(at, N - 4 + LOT);
	OK(MPI_File_read_at_all(f, N - 5, back + N - 5, 28, MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), 5);
	OK(MPI_File_iread_at(f, N - 2, back + N - 2, 9, MPI_INT, &r));
	CHECK_EQ(started_count(r), 2);
	OK(MPI_File_iread_at_all(f, N - 3, back + N - 3, 28, MPI_INT, &r));
	CHECK_EQ(started_count(r), 3);
	OK(MPI_File_iread_at_all(f, 5, back + 5, 28, MPI_INT, &r));
	CHECK_EQ(started_count(r), 28);
	read_some(f, N + 1, 1, 0);
}

/* Moves blocks of three, from one to the next `stride` ints, in lots that begin
 * and end inside of blocks, at pointers and at offsets, and up to the end. */
static void move_blocks(int stride)
{
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	view_blocks(f, stride);
	for (int k = 0; k < N; k += LOT)
		OK(MPI_File_write(f, mine + k, k + LOT > N ? N - k : LOT,
				  MPI_INT, &status));
	read_some(f, 0, N, N);
	check_same(N);
	fill();
	read_some(f, 0, LOT, LOT);
	read_some(f, LOT, N / 2, N / 2);
	read_some(f, N / 2 + LOT, N / 2 - LOT, N / 2 - LOT);
	OK(MPI_Barrier(W));
	read_to_end(f);
	check_same(N);
	OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
	for (int b = 0; b < N / 3; b++)
		check_block(f, b, stride);
	file_close(&f);
}

/* Blocks more than a page apart are moved one by one on local file systems. */
static void far_apart(void)
{
	move_blocks(1500);
}

static void near_by(void)
{
	move_blocks(3 * np + 2);
}

static const struct mpi_case cases[] = {
    {"blocks far apart", far_apart}, {"blocks near by", near_by}, {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
