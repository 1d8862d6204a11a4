/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_threads.h is shared by the tests with four threads in each rank. */
#ifndef TESTS_MPI_THREADS_H
#define TESTS_MPI_THREADS_H

#include <pthread.h>
#include <stdint.h>

#include "tests/mpi/mpi_test.h"

enum { THREADS = 4 };

struct thread_work {
	void (*run)(int thread);
	int thread;
};

static inline void *thread_start(void *arg)
{
	struct thread_work *w = arg;

	w->run(w->thread);
	return NULL;
}

/* Runs a function in all threads at once, and joins them. */
static inline void on_threads(void (*run)(int thread))
{
	pthread_t threads[THREADS];
	struct thread_work work[THREADS];

	for (int k = 0; k < THREADS; k++) {
		work[k] = (struct thread_work){run, k};
		pthread_create(&threads[k], NULL, thread_start, &work[k]);
	}
	for (int k = 0; k < THREADS; k++)
		pthread_join(threads[k], NULL);
}

/* Returns the seed of a random sequence that this thread shares with the
 * threads of the same number in all ranks. */
static inline uint64_t thread_seed(int thread)
{
	return mpi_test_seed * 1000003 + (uint64_t)thread * 7919;
}

/* thread_main is the main function of such a program. */
static inline int thread_main(int argc, char **argv,
			      const struct mpi_case *cases)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided != MPI_THREAD_MULTIPLE) {
		printf("not ok - MPI_THREAD_MULTIPLE is provided\n");
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	return mpi_test_run(argc, argv, cases);
}
#endif
