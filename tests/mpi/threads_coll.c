/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads_coll.c: collectives and communicators from four threads of each rank
 * at once, each thread on communicators of its own (MPI 4.1, 6.14 and 11.6);
 * and objects that threads make and free without any communication.
 */
#include "tests/mpi/mpi_threads.h"

enum { ROUNDS = 25, LONGEST = 3000 };

static MPI_Comm own[THREADS];

static void own_make(void)
{
	for (int k = 0; k < THREADS; k++)
		OK(MPI_Comm_dup(W, &own[k]));
}

static void own_free(void)
{
	for (int k = 0; k < THREADS; k++)
		OK(MPI_Comm_free(&own[k]));
}

/* Sums a vector over a communicator of any size, to which each rank
 * contributes. */
static void allreduce(MPI_Comm comm, int n, int *out, int *in)
{
	int rank, size, bad = 0;

	OK(MPI_Comm_rank(comm, &rank));
	OK(MPI_Comm_size(comm, &size));
	for (int k = 0; k < n; k++)
		out[k] = rank + k;
	OK(MPI_Allreduce(out, in, n, MPI_INT, MPI_SUM, comm));
	for (int k = 0; k < n; k++)
		bad += in[k] != size * (size - 1) / 2 + size * k;
	CHECK_EQ(bad, 0);
}

static void bcast(MPI_Comm comm, int n, int root, int *v)
{
	int bad = 0;

	for (int k = 0; k < n; k++)
		v[k] = me == root ? root * 31 + k : -1;
	OK(MPI_Bcast(v, n, MPI_INT, root, comm));
	for (int k = 0; k < n; k++)
		bad += v[k] != root * 31 + k;
	CHECK_EQ(bad, 0);
}

static void alltoall(MPI_Comm comm, int n, int *out, int *in)
{
	int bad = 0;

	n = n / np;
	for (int k = 0; k < n * np; k++)
		out[k] = me * 100 + k / (n ? n : 1);
	OK(MPI_Alltoall(out, n, MPI_INT, in, n, MPI_INT, comm));
	for (int k = 0; k < n * np; k++)
		bad += in[k] != k / n * 100 + me;
	CHECK_EQ(bad, 0);
}

static void gather(MPI_Comm comm, int root, int *in)
{
	int out = me * 7;

	OK(MPI_Gather(&out, 1, MPI_INT, in, 1, MPI_INT, root, comm));
	if (me == root)
		for (int k = 0; k < np; k++)
			CHECK_EQ(in[k], k * 7);
}

static void blocking_thread(int thread)
{
	int *out = malloc(LONGEST * sizeof(int));
	int *in = malloc(LONGEST * sizeof(int));
	uint64_t random = thread_seed(thread);

	for (int round = 0; round < ROUNDS; round++) {
		int n = random_below(&random, 8) ? random_below(&random, 40)
						 : LONGEST;
		int root = random_below(&random, np);

		switch (random_below(&random, 5)) {
		case 0:
			OK(MPI_Barrier(own[thread]));
			break;
		case 1:
			allreduce(own[thread], n, out, in);
			break;
		case 2:
			bcast(own[thread], n, root, in);
			break;
		case 3:
			alltoall(own[thread], n, out, in);
			break;
		default:
			gather(own[thread], root, in);
		}
	}
	free(out);
	free(in);
}

static void blocking(void)
{
	own_make();
	on_threads(blocking_thread);
	own_free();
}

/* Two collectives are under way, with messages on the same communicator. */
static void nonblocking_thread(int thread)
{
	uint64_t random = thread_seed(thread);

	for (int round = 0; round < ROUNDS; round++) {
		int root = random_below(&random, np);
		int sum = -1, word = me == root ? round : -1, in = -1;
		int out = me * 100 + round;
		MPI_Request r[4];

		OK(MPI_Iallreduce(&me, &sum, 1, MPI_INT, MPI_SUM, own[thread],
				  &r[0]));
		OK(MPI_Irecv(&in, 1, MPI_INT, left_of(me), 0, own[thread],
			     &r[1]));
		OK(MPI_Ibcast(&word, 1, MPI_INT, root, own[thread], &r[2]));
		OK(MPI_Isend(&out, 1, MPI_INT, right_of(me), 0, own[thread],
			     &r[3]));
		OK(MPI_Waitall(4, r, MPI_STATUSES_IGNORE));
		CHECK_EQ(sum, np * (np - 1) / 2);
		CHECK_EQ(word, round);
		CHECK_EQ(in, left_of(me) * 100 + round);
	}
}

static void nonblocking(void)
{
	own_make();
	on_threads(nonblocking_thread);
	own_free();
}

/* Makes communicators from communicators, uses and frees them, while the other
 * threads do so too: the agreements of the ranks must not mix. */
static void create_thread(int thread)
{
	uint64_t random = thread_seed(thread);
	int out[16], in[16];

	for (int round = 0; round < ROUNDS / 2; round++) {
		MPI_Comm a, b = MPI_COMM_NULL;
		int colours = 1 + random_below(&random, 3);
		int rank, size, mine = me % colours;

		OK(MPI_Comm_dup(own[thread], &a));
		OK(MPI_Comm_split(a, mine, -me, &b));
		allreduce(b, 16, out, in);
		OK(MPI_Comm_rank(b, &rank));
		OK(MPI_Comm_size(b, &size));
		CHECK_EQ(size, (np - mine + colours - 1) / colours);
		/* the highest rank of the parent is the first rank here */
		CHECK_EQ(rank, size - 1 - me / colours);
		OK(MPI_Comm_free(&a));
		allreduce(b, 16, out, in);
		OK(MPI_Comm_free(&b));
	}
}

static void create(void)
{
	own_make();
	on_threads(create_thread);
	own_free();
}

/* The tag alone tells four creations on one communicator apart. */
static void group_thread(int thread)
{
	int out[16], in[16], first = thread % np;
	MPI_Group world, part;
	int range[1][3] = {{first, np - 1, 1}};

	OK(MPI_Comm_group(W, &world));
	OK(MPI_Group_range_incl(world, 1, range, &part));
	for (int round = 0; round < ROUNDS / 2 && me >= first; round++) {
		MPI_Comm comm = MPI_COMM_NULL;
		int size = -1;

		OK(MPI_Comm_create_group(W, part, thread, &comm));
		OK(MPI_Comm_size(comm, &size));
		CHECK_EQ(size, np - first);
		allreduce(comm, 16, out, in);
		OK(MPI_Comm_free(&comm));
	}
	OK(MPI_Group_free(&part));
	OK(MPI_Group_free(&world));
}

static void create_group(void)
{
	on_threads(group_thread);
}

/* Tests types, operations, info and keys, which have shared tables behind
 * them. */
static int copied(MPI_Comm comm, int key, void *extra, void *in, void *out,
		  int *flag)
{
	*(void **)out = in;
	*flag = comm != MPI_COMM_NULL && key != MPI_KEYVAL_INVALID && !extra;
	return MPI_SUCCESS;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
	for (int k = 0; k < *n && *type == MPI_INT; k++)
		((int *)inout)[k] += ((int *)in)[k];
}

static void keys(int thread, int *value)
{
	int key = MPI_KEYVAL_INVALID, *found = NULL, flag = 0;
	MPI_Comm dup;

	OK(MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, NULL));
	OK(MPI_Comm_set_attr(own[thread], key, value));
	OK(MPI_Comm_dup(own[thread], &dup));
	OK(MPI_Comm_get_attr(dup, key, &found, &flag));
	CHECK(flag && found == value);
	OK(MPI_Comm_free(&dup));
	OK(MPI_Comm_delete_attr(own[thread], key));
	OK(MPI_Comm_free_keyval(&key));
}

static void infos(int thread)
{
	char text[10], got[10] = "";
	MPI_Info info;
	int flag = 0, length = sizeof(got);

	snprintf(text, sizeof(text), "%d", thread);
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "key", text));
	OK(MPI_Info_get(info, "key", length - 1, got, &flag));
	CHECK(flag && !strcmp(got, text));
	OK(MPI_Info_free(&info));
}

static void objects_thread(int thread)
{
	for (int round = 0; round < ROUNDS * 4; round++) {
		MPI_Datatype type = MPI_DATATYPE_NULL;
		int one = thread, sum = round, size = -1;
		MPI_Op op;

		OK(MPI_Type_vector(3, thread + 1, thread + 2, MPI_INT, &type));
		OK(MPI_Type_commit(&type));
		OK(MPI_Type_size(type, &size));
		CHECK_EQ(size, 3 * (thread + 1) * (int)sizeof(int));
		OK(MPI_Type_free(&type));
		OK(MPI_Op_create(add, 1, &op));
		OK(MPI_Reduce_local(&one, &sum, 1, MPI_INT, op));
		CHECK_EQ(sum, thread + round);
		OK(MPI_Op_free(&op));
		infos(thread);
		if (round % 8 == 0)
			keys(thread, &one);
	}
}

static void objects(void)
{
	own_make();
	on_threads(objects_thread);
	own_free();
}

static void level_thread(int thread)
{
	int flag = -1, level = -1;

	(void)thread;
	OK(MPI_Is_thread_main(&flag));
	CHECK_EQ(flag, 0);
	OK(MPI_Query_thread(&level));
	CHECK_EQ(level, MPI_THREAD_MULTIPLE);
}

static void level(void)
{
	int flag = -1;

	OK(MPI_Is_thread_main(&flag));
	CHECK_EQ(flag, 1);
	on_threads(level_thread);
}

static const struct mpi_case cases[] = {
    {"threads know what they are", level},
    {"four threads, collectives", blocking},
    {"four threads, nonblocking collectives", nonblocking},
    {"four threads make communicators", create},
    {"four threads make communicators of groups by tag", create_group},
    {"four threads make types, operations, info and keys", objects},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return thread_main(argc, argv, cases);
}
