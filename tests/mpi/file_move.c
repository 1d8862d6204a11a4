/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_move.c tests that files keep what is written (MPI 4.1, chapter 14): at
 * offsets and at pointers, alone and together, through views with gaps, ordered
 * and shared, at once and split in two.
 */
#include "tests/mpi/file_data.h"

static void check_back(int n)
{
	CHECK_EQ(count_of(&status, MPI_INT), n);
	check_same(n);
}

static void at_offsets(void)
{
	MPI_Offset size, at = (MPI_Offset)me * N * 4;
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_File_write_at(f, at, mine, N / 2, MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), N / 2);
	OK(MPI_File_write_at_all(f, at + N / 2 * 4, mine + N / 2, N / 2,
				 MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), N / 2);
	OK(MPI_File_sync(f));
	OK(MPI_Barrier(W));
	OK(MPI_File_get_size(f, &size));
	CHECK_EQ(size, (MPI_Offset)np * N * 4);
	OK(MPI_File_read_at(f, at, back, N, MPI_INT, &status));
	check_back(N);
	fill();
	OK(MPI_File_read_at_all(f, at, back, N, MPI_INT, &status));
	check_back(N);
	/* a read behind the end gets nothing */
	OK(MPI_File_read_at(f, size - 4, back, N, MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), 1);
	OK(MPI_File_read_at(f, size, back, N, MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), 0);
	file_close(&f);
}

static void at_pointers(void)
{
	MPI_Offset at = -1;
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_File_seek(f, (MPI_Offset)me * N * 4, MPI_SEEK_SET));
	OK(MPI_File_write(f, mine, N, MPI_INT, &status));
	OK(MPI_File_get_position(f, &at));
	CHECK_EQ(at, (MPI_Offset)(me + 1) * N * 4);
	OK(MPI_File_sync(f));
	OK(MPI_Barrier(W));
	OK(MPI_File_seek(f, (MPI_Offset)(me - np) * N * 4, MPI_SEEK_END));
	OK(MPI_File_read(f, back, N, MPI_INT, &status));
	check_back(N);
	fill();
	OK(MPI_File_seek(f, (MPI_Offset)-N * 4, MPI_SEEK_CUR));
	OK(MPI_File_read_all(f, back, N, MPI_INT, &status));
	check_back(N);
	file_close(&f);
}

/* ---- Views -------------------------------------------------------------- */

/* Writes and reads through a view, whose type is freed; then rank 0 looks at
 * the whole file: element k of rank r has to be where place(r, k) says. */
static void through_view(MPI_Datatype type, MPI_Offset disp, int n,
			 int (*place)(int rank, int k))
{
	int *whole = malloc((size_t)np * N * sizeof(int) + 4096);
	MPI_File f = file_open();

	OK(MPI_Type_commit(&type));
	OK(MPI_File_set_view(f, disp, MPI_INT, type, "native", MPI_INFO_NULL));
	OK(MPI_Type_free(&type));
	fill();
	OK(MPI_File_write_all(f, mine, n, MPI_INT, &status));
	CHECK_EQ(count_of(&status, MPI_INT), n);
	OK(MPI_File_read_at_all(f, 0, back, n, MPI_INT, &status));
	check_back(n);
	OK(MPI_File_set_size(f, 0));
	/* alone, with a hole in memory after each element */
	for (int k = 0; k < n / 2; k++)
		OK(MPI_File_write_at(f, k, &mine[k], 1, MPI_INT, &status));
	OK(MPI_File_write_at(f, n / 2, &mine[n / 2], n - n / 2, MPI_INT,
			     &status));
	OK(MPI_File_sync(f));
	OK(MPI_Barrier(W));
	fill();
	OK(MPI_File_read_at(f, 0, back, n, MPI_INT, &status));
	check_back(n);
	OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
	OK(MPI_File_read_at(f, 0, whole, np * n, MPI_INT, &status));
	for (int rank = 0; rank < np; rank++)
		for (int k = 0; k < n; k++)
			if (!CHECK_EQ(whole[place(rank, k)], value(rank, k)))
				rank = k = np * N;
	file_close(&f);
	free(whole);
}

static int place_in_turn(int rank, int k)
{
	return k * np + rank;
}

static void vectors(void)
{
	MPI_Datatype one, type;

	if (!file_begin())
		return;
	/* each rank has one int of every np */
	OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)np * 4, &one));
	OK(MPI_Type_contiguous(1, one, &type));
	OK(MPI_Type_free(&one));
	through_view(type, me * 4, N, place_in_turn);
	OK(MPI_Type_vector(N, 1, np, MPI_INT, &type));
	through_view(type, me * 4, N, place_in_turn);
}

enum { ROWS = 6, COLUMNS = 10 };

/* The tiles lie side by side: a row of the file has a row of each. */
static int place_in_tile(int rank, int k)
{
	return k / COLUMNS * COLUMNS * np + rank * COLUMNS + k % COLUMNS;
}

static void subarrays(void)
{
	const int sizes[2] = {ROWS, COLUMNS * np};
	const int subsizes[2] = {ROWS, COLUMNS}, starts[2] = {0, me * COLUMNS};
	MPI_Datatype type;

	if (!file_begin())
		return;
	OK(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C,
				    MPI_INT, &type));
	through_view(type, 0, ROWS * COLUMNS, place_in_tile);
}

/* Blocks of three go around among the ranks. */
static int place_of_cycle(int rank, int k)
{
	return k / 3 * 3 * np + rank * 3 + k % 3;
}

static void darrays(void)
{
	const int size = N * np, distribution = MPI_DISTRIBUTE_CYCLIC;
	const int block = 3;
	MPI_Datatype type;

	if (!file_begin())
		return;
	OK(MPI_Type_create_darray(np, me, 1, &size, &distribution, &block, &np,
				  MPI_ORDER_C, MPI_INT, &type));
	through_view(type, 0, N, place_of_cycle);
}

/* Moves elements that have holes in memory and in the file. */
static void gaps_in_memory(void)
{
	MPI_Datatype memory, view;
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_Type_vector(N / 2, 1, 2, MPI_INT, &memory));
	OK(MPI_Type_commit(&memory));
	OK(MPI_Type_vector(N / 4, 2, 2 * np, MPI_INT, &view));
	OK(MPI_Type_commit(&view));
	OK(MPI_File_set_view(f, me * 8, MPI_INT, view, "native",
			     MPI_INFO_NULL));
	OK(MPI_File_write_all(f, mine, 1, memory, &status));
	CHECK_EQ(count_of(&status, memory), 1);
	OK(MPI_File_read_at_all(f, 0, back, N / 2, MPI_INT, &status));
	for (int k = 0; k < N / 2; k++)
		if (!CHECK_EQ(back[k], mine[2 * k]))
			break;
	OK(MPI_Type_free(&memory));
	OK(MPI_Type_free(&view));
	file_close(&f);
}

/* ---- Shared pointers, and two halves ------------------------------------ */

static void shared_pointers(void)
{
	int *found = calloc((size_t)np * N, sizeof(int)), records = 0;
	MPI_Offset at = -1;
	MPI_File f;

	if (!file_begin())
		goto free_found;
	fill();
	f = file_open();
	OK(MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
	OK(MPI_File_write_ordered(f, mine, N - me, MPI_INT, &status));
	OK(MPI_File_get_position_shared(f, &at));
	CHECK_EQ(at, (MPI_Offset)np * N - np * (np - 1) / 2);
	OK(MPI_Barrier(W));
	OK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
	OK(MPI_File_read_ordered(f, back, N - me, MPI_INT, &status));
	check_back(N - me);
	/* the pieces are whole, in any order */
	OK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
	OK(MPI_File_write_shared(f, mine, N, MPI_INT, &status));
	OK(MPI_File_sync(f));
	OK(MPI_Barrier(W));
	OK(MPI_File_read_at(f, 0, found, np * N, MPI_INT, &status));
	for (int k = 0; k < np * N; k++)
		records += found[k] == value(found[k] / 10000 - 1, k % N);
	CHECK_EQ(records, np * N);
	file_close(&f);
free_found:
	free(found);
}

static void split_in_two(void)
{
	MPI_Offset at = (MPI_Offset)me * N * 4;
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_File_write_at_all_begin(f, at, mine, N, MPI_INT));
	CHECK(MPI_File_write_at_all_begin(f, at, mine, N, MPI_INT) !=
	      MPI_SUCCESS);
	OK(MPI_File_write_at_all_end(f, mine, &status));
	CHECK_EQ(count_of(&status, MPI_INT), N);
	OK(MPI_File_read_at_all_begin(f, at, back, N, MPI_INT));
	OK(MPI_File_read_at_all_end(f, back, &status));
	check_back(N);
	OK(MPI_File_read_ordered_begin(f, back, N, MPI_INT));
	OK(MPI_File_read_ordered_end(f, back, &status));
	check_back(N);
	file_close(&f);
}

/* ---- Requests ----------------------------------------------------------- */

static void nonblocking(void)
{
	MPI_Offset at = (MPI_Offset)me * N * 4;
	MPI_Request r[3];
	MPI_Status s[3];
	int flag = 0, got = -1;
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_File_iwrite_at(f, at, mine, N, MPI_INT, &r[0]));
	while (!flag)
		OK(MPI_Test(&r[0], &flag, &status));
	CHECK_EQ(count_of(&status, MPI_INT), N);
	/* among others */
	OK(MPI_Irecv(&got, 1, MPI_INT, left_of(me), 7, W, &r[0]));
	OK(MPI_File_iread_at(f, at, back, N, MPI_INT, &r[1]));
	OK(MPI_Isend(&me, 1, MPI_INT, right_of(me), 7, W, &r[2]));
	OK(MPI_Waitall(3, r, s));
	CHECK_EQ(got, left_of(me));
	status = s[1];
	check_back(N);
	file_close(&f);
}

/* A rank that waits for something else drives its part. */
static void nonblocking_together(void)
{
	MPI_Datatype type;
	MPI_Request r;
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_Type_vector(N, 1, np, MPI_INT, &type));
	OK(MPI_Type_commit(&type));
	OK(MPI_File_set_view(f, me * 4, MPI_INT, type, "native",
			     MPI_INFO_NULL));
	OK(MPI_Type_free(&type));
	OK(MPI_File_iwrite_all(f, mine, N, MPI_INT, &r));
	if (me % 2)
		OK(MPI_Wait(&r, &status));
	OK(MPI_Barrier(W));
	if (me % 2 == 0)
		OK(MPI_Wait(&r, &status));
	CHECK_EQ(count_of(&status, MPI_INT), N);
	OK(MPI_File_iread_at_all(f, 0, back, N, MPI_INT, &r));
	OK(MPI_Wait(&r, &status));
	check_back(N);
	file_close(&f);
}

/* Starts several collectives, and sets views between them. */
static void nonblocking_in_turn(void)
{
	enum { PARTS = 5 };
	MPI_Datatype turn;
	MPI_Request r[PARTS];
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)np * 4, &turn));
	OK(MPI_Type_commit(&turn));
	for (int k = 0; k < PARTS; k++) {
		OK(MPI_File_set_view(f,
				     ((MPI_Offset)k * np * N / PARTS + me) * 4,
				     MPI_INT, turn, "native", MPI_INFO_NULL));
		OK(MPI_File_iwrite_at_all(f, 0, &mine[k * N / PARTS], N / PARTS,
					  MPI_INT, &r[k]));
		if (k % 2 == me % 2)
			OK(MPI_Wait(&r[k], &status));
	}
	OK(MPI_Waitall(PARTS, r, MPI_STATUSES_IGNORE));
	OK(MPI_File_set_view(f, me * 4, MPI_INT, turn, "native",
			     MPI_INFO_NULL));
	OK(MPI_Type_free(&turn));
	for (int k = 0; k < PARTS; k++)
		OK(MPI_File_iread_at_all(f, k * N / PARTS, &back[k * N / PARTS],
					 N / PARTS, MPI_INT, &r[k]));
	OK(MPI_Waitall(PARTS, r, MPI_STATUSES_IGNORE));
	for (int k = 0; k < N; k++)
		if (!CHECK_EQ(back[k], mine[k]))
			break;
	file_close(&f);
}

/* The forms for large counts move the same bytes. */
static void large_counts(void)
{
	MPI_Offset at = (MPI_Offset)me * N * 4;
	const MPI_Count sizes[2] = {ROWS, (MPI_Count)COLUMNS * np};
	const MPI_Count subsizes[2] = {ROWS, COLUMNS};
	const MPI_Count starts[2] = {0, (MPI_Count)me * COLUMNS};
	MPI_Count extent = -1;
	MPI_Datatype type;
	MPI_Request r;
	MPI_File f;

	if (!file_begin())
		return;
	fill();
	f = file_open();
	OK(MPI_File_write_at_all_c(f, at, mine, N, MPI_INT, &status));
	OK(MPI_File_iread_at_c(f, at, back, N, MPI_INT, &r));
	OK(MPI_Wait(&r, &status));
	check_back(N);
	OK(MPI_File_get_type_extent_c(f, MPI_DOUBLE, &extent));
	CHECK_EQ(extent, 8);
	file_close(&f);
	/* a type may have been made with large counts */
	OK(MPI_Type_vector_c(N, 1, np, MPI_INT, &type));
	through_view(type, me * 4, N, place_in_turn);
	OK(MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C,
				      MPI_INT, &type));
	through_view(type, 0, ROWS * COLUMNS, place_in_tile);
}

static const struct mpi_case cases[] = {
    {"at offsets, alone and together", at_offsets},
    {"at individual pointers", at_pointers},
    {"a view of every n-th element", vectors},
    {"a view of tiles: subarrays", subarrays},
    {"a view of cyclic blocks: darrays", darrays},
    {"gaps in memory and in the file", gaps_in_memory},
    {"shared pointers", shared_pointers},
    {"split collectives", split_in_two},
    {"nonblocking, among messages", nonblocking},
    {"nonblocking collectives", nonblocking_together},
    {"nonblocking collectives, several", nonblocking_in_turn},
    {"large counts", large_counts},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
