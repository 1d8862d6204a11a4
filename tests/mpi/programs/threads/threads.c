/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads.c: four threads of each process, which use nothing but
 * MPI_THREAD_MULTIPLE: each has its own communicator for collectives, and all
 * send to the threads of the next process in the world, told apart by tags.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

enum { THREADS = 4, ROUNDS = 100 };

struct worker {
	pthread_t thread;
	int id, rank, size;
	MPI_Comm comm;
	long wrong;
};

static void p2p(struct worker *w, int round)
{
	int next = (w->rank + 1) % w->size;
	int before = (w->rank + w->size - 1) % w->size;
	int out[300], in[300], count;
	MPI_Request r[2];
	MPI_Status s[2];

	for (int i = 0; i < 300; i++)
		out[i] = w->rank * 100000 + w->id * 10000 + round + i;
	MPI_Irecv(in, 300, MPI_INT, before, w->id, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(out, 1 + round, MPI_INT, next, w->id, MPI_COMM_WORLD, &r[1]);
	MPI_Waitall(2, r, s);
	MPI_Get_count(&s[0], MPI_INT, &count);
	w->wrong += count != 1 + round || s[0].MPI_SOURCE != before ||
		    s[0].MPI_TAG != w->id;
	for (int i = 0; i < count; i++)
		w->wrong +=
		    in[i] != before * 100000 + w->id * 10000 + round + i;
}

static void collectives(struct worker *w, int round)
{
	long mine = w->rank + round, sum = -1, from = -1, root;
	int *all = malloc((size_t)w->size * sizeof(*all)), own = w->rank * 7;

	MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, w->comm);
	w->wrong +=
	    sum != (long)w->size * (w->size - 1) / 2 + (long)w->size * round;
	root = round % w->size;
	from = w->rank == root ? w->id * 1000 + round : -1;
	MPI_Bcast(&from, 1, MPI_LONG, (int)root, w->comm);
	w->wrong += from != w->id * 1000 + round;
	MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, w->comm);
	for (int r = 0; r < w->size; r++)
		w->wrong += all[r] != r * 7;
	if (round % 10 == 0)
		MPI_Barrier(w->comm);
	free(all);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	for (int round = 0; round < ROUNDS; round++) {
		p2p(w, round);
		collectives(w, round);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct worker workers[THREADS];
	int provided, rank, size;
	long wrong = 0, all = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE) {
		fprintf(stderr, "threads: no MPI_THREAD_MULTIPLE\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int k = 0; k < THREADS; k++) {
		workers[k] =
		    (struct worker){.id = k, .rank = rank, .size = size};
		MPI_Comm_dup(MPI_COMM_WORLD, &workers[k].comm);
	}
	for (int k = 0; k < THREADS; k++)
		pthread_create(&workers[k].thread, NULL, work, &workers[k]);
	for (int k = 0; k < THREADS; k++) {
		pthread_join(workers[k].thread, NULL);
		wrong += workers[k].wrong;
		MPI_Comm_free(&workers[k].comm);
	}
	MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("threads: %d x %d, %ld wrong\n", size, THREADS, all);
	MPI_Finalize();
	return all != 0;
}
