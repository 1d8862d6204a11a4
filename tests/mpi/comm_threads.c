/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_threads.c: several threads of each rank make communicators at once: of
 * different parents in any order, and of groups of one parent by different
 * tags.
 */
#include <pthread.h>

#include "tests/mpi/mpi_test.h"

enum { THREADS = 4, ROUNDS = 30 };

static MPI_Comm parent[THREADS];
static bool multiple;

/* Sends to the right: the message belongs to this communicator and no other. */
static void use(MPI_Comm comm, int value)
{
	int n = 0, r = 0, in = -1;

	OK(MPI_Comm_size(comm, &n));
	OK(MPI_Comm_rank(comm, &r));
	OK(MPI_Sendrecv(&value, 1, MPI_INT, (r + 1) % n, 0, &in, 1, MPI_INT,
			MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE));
	CHECK_EQ(in, value);
}

static void run_threads(void *(*work)(void *), int n)
{
	pthread_t thread[THREADS];

	for (int k = 0; k < n; k++)
		pthread_create(&thread[k], NULL, work, (void *)(intptr_t)k);
	for (int k = 0; k < n; k++)
		pthread_join(thread[k], NULL);
}

static bool begin(void)
{
	if (!multiple) {
		mpi_test_skip("no MPI_THREAD_MULTIPLE");
		return false;
	}
	for (int k = 0; k < THREADS; k++)
		OK(MPI_Comm_dup(W, &parent[k]));
	return true;
}

static void end(void)
{
	for (int k = 0; k < THREADS; k++)
		OK(MPI_Comm_free(&parent[k]));
}

static void dup_and_free(int k, int round)
{
	MPI_Comm c, half;
	MPI_Request r;

	if (round % 3 == 0) {
		OK(MPI_Comm_idup(parent[k], &c, &r));
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	} else {
		OK(MPI_Comm_dup(parent[k], &c));
	}
	use(c, k * ROUNDS + round);
	OK(MPI_Comm_split(c, me % 2, -me, &half));
	use(half, k * ROUNDS + round);
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_free(&half));
}

static void *own_parent(void *arg)
{
	for (int round = 0; round < ROUNDS; round++)
		dup_and_free((int)(intptr_t)arg, round);
	return NULL;
}

static void parents(void)
{
	if (!begin())
		return;
	run_threads(own_parent, THREADS);
	end();
}

/* Rank 0 has a thread for each of two parents. The other ranks have one thread
 * for both, which takes them in either order: whichever thread of rank 0 comes
 * first, it may have to wait for what the other one makes. */
static void orders(void)
{
	if (!begin())
		return;
	if (me == 0)
		run_threads(own_parent, 2);
	else
		for (int round = 0; round < ROUNDS; round++) {
			dup_and_free(round / 2 % 2, round);
			dup_and_free(!(round / 2 % 2), round);
		}
	end();
}

/* Thread k uses all ranks but the kth in reverse order, in odd rounds all
 * ranks. */
static void *own_group(void *arg)
{
	int k = (int)(intptr_t)arg, out = k % np, all[1][3] = {{np - 1, 0, -1}};
	MPI_Group world, back, g;
	MPI_Comm c;

	OK(MPI_Comm_group(W, &world));
	OK(MPI_Group_range_incl(world, 1, all, &back));
	for (int round = 0; round < ROUNDS; round++) {
		int left = np - 1 - out, n = np > 1 && round % 2 == 0;

		if (n && me == out)
			continue;
		OK(MPI_Group_excl(back, n, &left, &g));
		OK(MPI_Comm_create_group(W, g, k, &c));
		use(c, k * ROUNDS + round);
		OK(MPI_Comm_free(&c));
		OK(MPI_Group_free(&g));
	}
	OK(MPI_Group_free(&back));
	OK(MPI_Group_free(&world));
	return NULL;
}

static void groups(void)
{
	if (!begin())
		return;
	run_threads(own_group, THREADS);
	end();
}

static const struct mpi_case cases[] = {
    {"each thread from its own parent", parents},
    {"two threads of one rank, one of the others", orders},
    {"groups of one parent, by tags", groups},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
	int provided = 0;

	if (MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided))
		return 1;
	multiple = provided == MPI_THREAD_MULTIPLE;
	return mpi_test_run(argc, argv, cases);
}
