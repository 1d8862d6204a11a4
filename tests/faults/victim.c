/* SPDX-License-Identifier: Apache-2.0 */
/*
 * victim.c passes through all parts of a message-passing library. It uses mpi.h
 * alone, so that it can be compiled for any. `victim [-l PLACE] [PHASE...]`
 * runs the named phases, or all; with -l the phase PLACE is repeated for ever.
 * The place of a phase is its name; those before and after all phases are
 * "before" and "end".
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/faults/fault_act.h"
#include "tests/faults/odd.h"

enum { SHORT = 16, LONG = 1 << 18, TAG = 7 };

static int me, np;
static char *from, *to; /* LONG ints each */
static const char *forever = "";

static void expect(int good, const char *what)
{
	if (good)
		return;
	printf("rank %d: wrong data: %s\n", me, what);
	fflush(stdout);
	MPI_Abort(MPI_COMM_WORLD, 99);
}

static int right(void)
{
	return (me + 1) % np;
}

static int left(void)
{
	return (me + np - 1) % np;
}

static void shift(int bytes, const char *what)
{
	memset(from, me + 1, (size_t)bytes);
	memset(to, 0, (size_t)bytes);
	MPI_Sendrecv(from, bytes, MPI_CHAR, right(), TAG, to, bytes, MPI_CHAR,
		     left(), TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	expect(to[0] == left() + 1 && to[bytes - 1] == left() + 1, what);
}

static void idle(void)
{
	usleep(2000);
}

static void eager(void)
{
	for (int k = 0; k < 8; k++) {
		shift(8, "eager");
		shift(4000, "eager");
	}
}

static void rendezvous(void)
{
	shift(LONG, "rendezvous");
	shift(4 * LONG, "rendezvous");
}

/* One rank sends and another one receives, by blocking calls. */
static void send(void)
{
	if (np < 2 || me > 1)
		return;
	for (int k = 0; k < 8; k++) {
		if (me == 1)
			MPI_Send(from, 100, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
		else
			MPI_Recv(to, 100, MPI_CHAR, 1, TAG, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
	}
}

static void barrier(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

static void reduce_all(int n, MPI_Comm comm)
{
	int *in = (int *)from, *out = (int *)to, size;

	MPI_Comm_size(comm, &size);
	for (int k = 0; k < n; k++)
		in[k] = k;
	MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
	expect(out[n - 1] == size * (n - 1), "allreduce");
}

static void direct(void)
{
	int *all = (int *)to;

	for (int k = 0; k < 4; k++) {
		reduce_all(1, MPI_COMM_WORLD);
		MPI_Bcast(from, SHORT, MPI_INT, k % np, MPI_COMM_WORLD);
		MPI_Allgather(&me, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
		expect(all[np - 1] == np - 1, "allgather");
		MPI_Reduce(from, to, SHORT, MPI_INT, MPI_MAX, k % np,
			   MPI_COMM_WORLD);
		MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD);
	}
}

static void direct_long(void)
{
	reduce_all(LONG, MPI_COMM_WORLD);
	MPI_Bcast(from, LONG, MPI_INT, np - 1, MPI_COMM_WORLD);
	MPI_Reduce(from, to, LONG, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Allgather(from, LONG / np, MPI_INT, to, LONG / np, MPI_INT,
		      MPI_COMM_WORLD);
}

static void plan(void)
{
	MPI_Request requests[3];

	MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
	MPI_Ibcast(from, SHORT, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Iallreduce(from, to, LONG, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
		       &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void comms(void)
{
	MPI_Comm twin, half;

	MPI_Comm_dup(MPI_COMM_WORLD, &twin);
	reduce_all(4, twin);
	MPI_Comm_split(twin, me % 2, -me, &half);
	reduce_all(4, half);
	MPI_Comm_free(&half);
	MPI_Comm_free(&twin);
}

static void cancel(void)
{
	MPI_Request request;

	MPI_Irecv(to, 10, MPI_CHAR, left(), 99, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void nonblocking(void)
{
	MPI_Request requests[16];

	for (int k = 0; k < 8; k++) {
		MPI_Irecv(to + 100 * k, 100, MPI_CHAR, left(), TAG + k,
			  MPI_COMM_WORLD, &requests[2 * k]);
		MPI_Isend(from + 100 * k, 100, MPI_CHAR, right(), TAG + k,
			  MPI_COMM_WORLD, &requests[2 * k + 1]);
	}
	MPI_Waitall(16, requests, MPI_STATUSES_IGNORE);
}

static void bsend(void)
{
	static char room[1 << 16];
	void *buffer;
	int size;

	MPI_Buffer_attach(room, sizeof(room));
	MPI_Bsend(from, 20000, MPI_CHAR, right(), TAG, MPI_COMM_WORLD);
	MPI_Recv(to, 20000, MPI_CHAR, left(), TAG, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	MPI_Buffer_detach(&buffer, &size);
}

static const struct phase {
	const char *name;
	void (*run)(void);
} phases[] = {{"idle", idle},
	      {"eager", eager},
	      {"send", send},
	      {"barrier", barrier},
	      {"direct", direct},
	      {"direct_long", direct_long},
	      {"rendezvous", rendezvous},
	      {"plan", plan},
	      {"comms", comms},
	      {"cancel", cancel},
	      {"nonblocking", nonblocking},
	      {"bsend", bsend}};

static void run(const struct phase *phase)
{
	fault_place(phase->name);
	do
		phase->run();
	while (!strcmp(phase->name, forever));
}

static int run_named(const char *name)
{
	int found = odd_run(name);

	for (size_t k = 0; k < sizeof(phases) / sizeof(phases[0]); k++) {
		if (!strcmp(name, "all") || !strcmp(name, phases[k].name)) {
			run(&phases[k]);
			found = 1;
		}
	}
	return found;
}

static void *finalize(void *arg)
{
	MPI_Finalize();
	return arg;
}

/* Calls MPI_Finalize in a thread that has not called init. */
static void finalize_apart(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, finalize, NULL);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	int first = 1, apart = 0;

	if (argc > 2 && !strcmp(argv[1], "-l")) {
		forever = argv[2];
		first = 3;
	}
	fault_place("before");
	if (first < argc && odd_before(argv[first]))
		return 0;
	apart = first < argc && !strcmp(argv[first], "apart");
	if (apart || (first < argc && !strcmp(argv[first], "threads"))) {
		int level;

		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
		first++;
	} else {
		MPI_Init(&argc, &argv);
	}
	fault_say("in");
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &np);
	from = calloc(LONG, sizeof(int));
	to = calloc(LONG, sizeof(int));
	for (int k = first; from && to && k < argc; k++)
		if (!run_named(argv[k]))
			return 64;
	fault_place("finalize");
	fault_say("out");
	if (apart)
		finalize_apart();
	else
		finalize(NULL);
	fault_place("end");
	free(from);
	free(to);
	return 0;
}
