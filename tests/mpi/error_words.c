/* SPDX-License-Identifier: Apache-2.0 */
/* error_words.c makes mistakes that beginners make, one by its name as
 * argument, at rank 0 of two or at both. error_words.t checks that what is
 * printed speaks MPI. Without an argument it prints the names. */
#include <stdio.h>
#include <string.h>

#include <mpi.h>

static int me, x[100], y[100];
static const MPI_Comm world = MPI_COMM_WORLD;
static MPI_Comm named;

static void to(int peer, int count, MPI_Datatype type, int tag, MPI_Comm comm)
{
	if (!me)
		MPI_Send(x, count, type, peer, tag, comm);
}

static void bad_count(void)
{
	to(1, -3, MPI_INT, 0, world);
}

static void bad_dest(void)
{
	to(7, 1, MPI_INT, 0, named);
}

static void any_dest(void)
{
	to(MPI_ANY_SOURCE, 1, MPI_INT, 0, world);
}

static void bad_source(void)
{
	MPI_Recv(x, 1, MPI_INT, -5, 0, world, MPI_STATUS_IGNORE);
}

static void bad_tag(void)
{
	to(1, 1, MPI_INT, -7, world);
}

static void null_comm(void)
{
	to(1, 1, MPI_INT, 0, MPI_COMM_NULL);
}

static void null_type(void)
{
	to(1, 1, MPI_DATATYPE_NULL, 0, world);
}

static void uncommitted(void)
{
	MPI_Datatype type;

	MPI_Type_contiguous(3, MPI_INT, &type);
	to(1, 1, type, 0, world);
}

static void freed_type(void)
{
	MPI_Datatype type, other;

	MPI_Type_contiguous(3, MPI_INT, &type);
	other = type;
	MPI_Type_free(&other);
	to(1, 1, type, 0, world);
}

static void freed_comm(void)
{
	MPI_Comm other = named;

	MPI_Comm_free(&other);
	MPI_Barrier(named);
}

static void unnamed_comm(void)
{
	MPI_Comm comm;

	MPI_Comm_split(world, 0, 0, &comm);
	to(2, 1, MPI_INT, 0, comm);
}

static void null_buffer(void)
{
	if (!me)
		MPI_Send(NULL, 3, MPI_INT, 1, 0, world);
}

static void truncated(void)
{
	MPI_Sendrecv(x, 10, MPI_INT, 1 - me, 4, y, 2, MPI_INT, 1 - me, 4, world,
		     MPI_STATUS_IGNORE);
}

static void other_collective(void)
{
	if (me)
		MPI_Bcast(x, 1, MPI_INT, 0, world);
	else
		MPI_Allreduce(x, y, 1, MPI_INT, MPI_SUM, world);
}

static void bad_root(void)
{
	MPI_Bcast(x, 1, MPI_INT, 9, world);
}

static void other_root(void)
{
	MPI_Bcast(x, 1, MPI_INT, me, world);
}

static void bad_op(void)
{
	MPI_Allreduce(x, y, 1, MPI_FLOAT, MPI_BAND, world);
}

static void null_op(void)
{
	MPI_Allreduce(x, y, 1, MPI_INT, MPI_OP_NULL, world);
}

static void aliased(void)
{
	MPI_Allreduce(x, x, 1, MPI_INT, MPI_SUM, world);
}

static void negative_block(void)
{
	MPI_Gather(x, -1, MPI_INT, y, 1, MPI_INT, 0, world);
}

static void null_block_type(void)
{
	MPI_Gather(x, 1, MPI_DATATYPE_NULL, y, 1, MPI_INT, 0, world);
}

static void null_counts(void)
{
	MPI_Allgatherv(x, 1, MPI_INT, y, NULL, NULL, MPI_INT, world);
}

static void overlapping(void)
{
	MPI_Request requests[2];

	if (me)
		return;
	for (int k = 0; k < 2; k++)
		MPI_Irecv(x + 2 * k, 3, MPI_INT, 1, 4 + k, world, &requests[k]);
}

static void wait_again(void)
{
	MPI_Request mine, copy;

	MPI_Irecv(y, 1, MPI_INT, me, 0, world, &mine);
	copy = mine;
	MPI_Send(x, 1, MPI_INT, me, 0, world);
	MPI_Wait(&mine, MPI_STATUS_IGNORE);
	MPI_Wait(&copy, MPI_STATUS_IGNORE);
}

static void wait_for_junk(void)
{
	MPI_Request junk = (MPI_Request)(void *)x;

	MPI_Wait(&junk, MPI_STATUS_IGNORE);
}

static void init_again(void)
{
	MPI_Init(NULL, NULL);
}

static void after_finalize(void)
{
	MPI_Finalize();
	MPI_Barrier(world);
}

static void no_epoch(void)
{
	MPI_Win win;

	MPI_Win_create(x, sizeof(x), 4, MPI_INFO_NULL, world, &win);
	MPI_Win_set_name(win, "the board");
	MPI_Put(y, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
}

static void outside(void)
{
	MPI_Win win;

	MPI_Win_create(x, sizeof(x), 4, MPI_INFO_NULL, world, &win);
	MPI_Win_fence(0, win);
	MPI_Put(y, 1, MPI_INT, 0, 5000, 1, MPI_INT, win);
}

static void null_window(void)
{
	MPI_Win_fence(0, MPI_WIN_NULL);
}

static void free_predefined(void)
{
	MPI_Datatype type = MPI_INT;

	MPI_Type_free(&type);
}

static void negative_vector(void)
{
	MPI_Datatype type;

	MPI_Type_vector(-2, 1, 1, MPI_INT, &type);
}

static void no_memory_of_mpi(void)
{
	MPI_Free_mem(x);
}

#define ROW(name)                                                              \
	{                                                                      \
#name, name                                                    \
	}
/* clang-format off */
static const struct {
	const char *name;
	void (*make)(void);
} mistakes[] = {
	ROW(bad_count), ROW(bad_dest), ROW(any_dest), ROW(bad_source),
	ROW(bad_tag), ROW(null_comm), ROW(null_type), ROW(uncommitted),
	ROW(freed_type), ROW(freed_comm), ROW(unnamed_comm), ROW(null_buffer),
	ROW(truncated), ROW(other_collective), ROW(bad_root), ROW(other_root),
	ROW(bad_op), ROW(null_op), ROW(aliased), ROW(negative_block),
	ROW(null_block_type), ROW(null_counts), ROW(overlapping),
	ROW(wait_again), ROW(wait_for_junk), ROW(init_again),
	ROW(after_finalize), ROW(no_epoch), ROW(outside), ROW(null_window),
	ROW(free_predefined), ROW(negative_vector), ROW(no_memory_of_mpi)};
/* clang-format on */

int main(int argc, char **argv)
{
	if (argc > 1) {
		MPI_Init(&argc, &argv);
		MPI_Comm_rank(world, &me);
		MPI_Comm_dup(world, &named);
		MPI_Comm_set_name(named, "workers");
	}
	for (size_t k = 0; k < sizeof(mistakes) / sizeof(*mistakes); k++)
		if (argc < 2)
			puts(mistakes[k].name);
		else if (!strcmp(argv[1], mistakes[k].name))
			mistakes[k].make();
	if (argc > 1)
		MPI_Barrier(world); /* until the job is ended */
	return 0;
}
