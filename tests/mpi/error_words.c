/* SPDX-License-Identifier: Apache-2.0 */
/* error_words.c makes mistakes that beginners make, one by its name as
 * argument, at rank 0 of two or at both. docs/mistakes.md shows what is
 * printed, and error_words.t compares. Without an argument it prints the names.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static int me, x[100], y[100];
static const MPI_Comm world = MPI_COMM_WORLD;
static MPI_Comm named;

static void to(int peer, int count, MPI_Datatype type, int tag, MPI_Comm comm)
{
	MPI_Send(x, count, type, peer, tag, comm);
}

static void from(int peer, int count, int tag)
{
	MPI_Recv(y, count, MPI_INT, peer, tag, world, MPI_STATUS_IGNORE);
}

static void bad_count(void)
{
	to(1, -3, MPI_INT, 0, world);
}

/* The product of two numbers of int, as a program computes its elements. */
static void overflow(void)
{
	volatile unsigned rows = 50000, columns = 50000;

	to(1, (int)(rows * columns), MPI_INT, 0, world);
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
	from(-5, 1, 0);
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
	MPI_Send(NULL, 3, MPI_INT, 1, 0, world);
}

static void truncated(void)
{
	if (me)
		to(0, 10, MPI_INT, 4, world);
	else
		from(1, 2, 4);
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

static void in_place_message(void)
{
	MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 1, 0, world);
}

static void in_place_result(void)
{
	MPI_Allreduce(x, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, world);
}

static void in_place_bcast(void)
{
	MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, world);
}

static void in_place_no_root(void)
{
	MPI_Reduce(MPI_IN_PLACE, x, 1, MPI_INT, MPI_SUM, 1, world);
}

static void in_place_scatter(void)
{
	MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, x, 1, MPI_INT, 0, world);
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

/* Uninitialised memory may hold an address where there is nothing. */
static void wait_for_nothing(void)
{
	MPI_Request junk = (MPI_Request)0x123456789abc;

	MPI_Wait(&junk, MPI_STATUS_IGNORE);
}

static void init_again(void)
{
	MPI_Init(NULL, NULL);
}

static void after_finalize(void)
{
	MPI_Finalize();
	if (me)
		exit(0);
	MPI_Barrier(world);
}

static void no_epoch(void)
{
	MPI_Win win;

	MPI_Win_create(x, sizeof(x), 4, MPI_INFO_NULL, world, &win);
	MPI_Win_set_name(win, "the board");
	if (!me)
		MPI_Put(y, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
}

static void outside(void)
{
	MPI_Win win;

	MPI_Win_create(x, sizeof(x), 4, MPI_INFO_NULL, world, &win);
	MPI_Win_fence(0, win);
	if (!me)
		MPI_Put(y, 1, MPI_INT, 0, 5000, 1, MPI_INT, win);
}

static void never_locked(void)
{
	MPI_Win win;

	MPI_Win_create(x, sizeof(x), 4, MPI_INFO_NULL, world, &win);
	if (!me)
		MPI_Win_unlock(1, win);
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

static void op(void *in, void *inout, int *len, MPI_Datatype *type)
{
	(void)in, (void)inout, (void)len, (void)type;
}

static void freed_op(void)
{
	MPI_Op mine, other;

	MPI_Op_create(op, 1, &mine);
	other = mine;
	MPI_Op_free(&other);
	MPI_Allreduce(x, y, 1, MPI_INT, mine, world);
}

static void before_init(void)
{
	MPI_Comm_size(world, &me);
}

static void no_finalize(void)
{
	if (!me)
		exit(0);
}

static void exits(void)
{
	if (!me)
		exit(3);
}

static void crashes(void)
{
	if (!me)
		raise(SIGSEGV);
}

static void aborts(void)
{
	MPI_Abort(world, 42);
}

/* The barriers let the message arrive before the end. */
static void unreceived(void)
{
	if (me)
		to(0, 2, MPI_INT, 4, world);
	MPI_Barrier(world);
}

static void not_waited_for(void)
{
	static MPI_Request request;

	MPI_Irecv(y, 1, MPI_INT, 1, 4, world, &request);
}

static void ports(void)
{
	char port[MPI_MAX_PORT_NAME];

	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Open_port(MPI_INFO_NULL, port);
}

/* Rank 1 prints what it gets, 1 if the message is right. */
static void reused(void)
{
	MPI_Request r;

	if (!me) {
		x[0] = 1;
		MPI_Isend(x, 100, MPI_INT, 1, 0, world, &r);
		x[0] = 2;
		MPI_Barrier(world);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		return;
	}
	MPI_Barrier(world);
	from(0, 100, 0);
	printf("%d\n", y[0]);
}

static void race(void)
{
	MPI_Request r;

	MPI_Isend(x, 1, MPI_INT, 0, 0, world, &r);
	for (int k = 0; !me && k < 2; k++)
		from(MPI_ANY_SOURCE, 1, 0);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void other_type(void)
{
	double values[3] = {0};

	if (me)
		MPI_Send(values, 3, MPI_DOUBLE, 0, 4, world);
	else
		from(1, 10, 4);
}

static void receive_first(void)
{
	from(1 - me, 1, 0);
	to(1 - me, 1, MPI_INT, 0, world);
}

static void long_sends(void)
{
	static char data[1 << 20];

	MPI_Send(data, 1 << 20, MPI_CHAR, 1 - me, 0, world);
	MPI_Recv(data, 1 << 20, MPI_CHAR, 1 - me, 0, world, MPI_STATUS_IGNORE);
}

static void other_tag(void)
{
	if (me)
		to(0, 1, MPI_INT, 4, world);
	else
		from(1, 1, 5);
}

static void barrier_of_one(void)
{
	if (me)
		from(0, 1, 0);
}

/* clang-format off */
#define ONE(name) {#name, name, 0} /* by rank 0 alone */
#define BOTH(name) {#name, name, 1}
static const struct mistake {
	const char *name;
	void (*make)(void);
	int last; /* the last rank that makes it */
} mistakes[] = {
	ONE(before_init), BOTH(init_again), BOTH(after_finalize),
	BOTH(no_finalize), BOTH(exits), BOTH(crashes), ONE(aborts),
	ONE(bad_count), ONE(overflow), ONE(bad_dest), ONE(any_dest),
	ONE(bad_source),
	ONE(bad_tag), ONE(null_comm), ONE(null_type), ONE(uncommitted),
	ONE(freed_type), BOTH(freed_comm), BOTH(unnamed_comm),
	ONE(null_buffer), BOTH(truncated), BOTH(other_type),
	BOTH(receive_first),
	BOTH(long_sends), BOTH(other_tag), BOTH(unreceived), ONE(overlapping),
	ONE(not_waited_for), ONE(wait_again), ONE(wait_for_junk),
	ONE(wait_for_nothing),
	BOTH(barrier_of_one), BOTH(other_collective), ONE(bad_root),
	BOTH(other_root), ONE(bad_op), ONE(null_op), ONE(freed_op),
	ONE(aliased), ONE(in_place_message), ONE(in_place_result),
	ONE(in_place_bcast), ONE(in_place_no_root), ONE(in_place_scatter),
	ONE(negative_block), ONE(null_block_type),
	ONE(null_counts), BOTH(no_epoch), BOTH(outside), BOTH(never_locked),
	ONE(null_window), ONE(free_predefined), ONE(negative_vector),
	ONE(no_memory_of_mpi), BOTH(ports), BOTH(reused),
	BOTH(race)};
/* clang-format on */

/* Errors of rank 1 return, so that rank 0 is the one that ends the job. */
static void start(void)
{
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(world, &me);
	MPI_Comm_dup(world, &named);
	MPI_Comm_set_name(named, "workers");
	if (!me)
		return;
	MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(named, MPI_ERRORS_RETURN);
}

int main(int argc, char **argv)
{
	const struct mistake *m = mistakes;
	size_t left = sizeof(mistakes) / sizeof(*mistakes);

	for (; left; left--, m++)
		if (argc < 2)
			puts(m->name);
		else if (!strcmp(argv[1], m->name))
			break;
	if (!left)
		return 0;
	if (m->make != before_init)
		start();
	if (me <= m->last)
		m->make();
	MPI_Barrier(world); /* until the job is ended */
	MPI_Comm_free(&named);
	return MPI_Finalize();
}
