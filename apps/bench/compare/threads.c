/* SPDX-License-Identifier: Apache-2.0 */
/* threads.c: patterns of two ranks whose threads call MPI at once, after the
 * OSU benchmarks. */
#include <pthread.h>
#include <stdlib.h>

#include "apps/bench/compare/frame.h"

enum { THREADS = 2, TAG_DATA = 1, TAG_REPLY = 2 };
#define W MPI_COMM_WORLD

struct task {
	struct frame *f;
	void *buf;
	int bytes, index;
	long iterations;
	MPI_Comm comm;
};

static MPI_Comm comms[THREADS];

/* Runs the task in THREADS threads, and waits for them. */
static void in_threads(void *(*run)(void *), const struct task *common)
{
	struct task tasks[THREADS];
	pthread_t threads[THREADS];

	for (int t = 0; t < THREADS; t++) {
		tasks[t] = *common;
		tasks[t].index = t;
		tasks[t].comm = comms[t];
		if (pthread_create(&threads[t], NULL, run, &tasks[t]))
			MPI_Abort(W, 71);
	}
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
}

/* Answers every THREADSth message, whichever it is. */
static void *threads_answer(void *arg)
{
	struct task *t = arg;

	for (long i = t->index; i < t->iterations; i += THREADS) {
		MPI_Recv(t->f->recv, t->bytes, MPI_BYTE, 0, TAG_DATA, W,
			 MPI_STATUS_IGNORE);
		MPI_Send(t->f->send, t->bytes, MPI_BYTE, 0, TAG_REPLY, W);
	}
	return NULL;
}

/* One thread sends, two receive and answer. */
static void latency_run(struct frame *f, size_t bytes, long iterations)
{
	struct task task = {
	    .f = f, .bytes = (int)bytes, .iterations = iterations};

	if (f->me == 1) {
		in_threads(threads_answer, &task);
		return;
	}
	for (long i = 0; i < iterations; i++) {
		MPI_Send(f->send, (int)bytes, MPI_BYTE, 1, TAG_DATA, W);
		MPI_Recv(f->recv, (int)bytes, MPI_BYTE, 1, TAG_REPLY, W,
			 MPI_STATUS_IGNORE);
	}
}

static void begin_pairs(struct frame *f, size_t bytes)
{
	for (int t = 0; t < THREADS; t++)
		MPI_Comm_dup(W, &comms[t]);
}

static void end_pairs(struct frame *f)
{
	for (int t = 0; t < THREADS; t++)
		MPI_Comm_free(&comms[t]);
}

static void *threads_window(void *arg)
{
	struct task *t = arg;
	MPI_Request r[WINDOW];
	char reply[4] = {0};

	for (long i = 0; i < t->iterations; i++) {
		for (int w = 0; w < WINDOW; w++)
			if (t->f->me == 0)
				MPI_Isend(t->f->send, t->bytes, MPI_BYTE, 1,
					  TAG_DATA, t->comm, &r[w]);
			else
				MPI_Irecv(t->f->recv, t->bytes, MPI_BYTE, 0,
					  TAG_DATA, t->comm, &r[w]);
		MPI_Waitall(WINDOW, r, MPI_STATUSES_IGNORE);
		if (t->f->me == 0)
			MPI_Recv(reply, 4, MPI_BYTE, 1, TAG_REPLY, t->comm,
				 MPI_STATUS_IGNORE);
		else
			MPI_Send(reply, 4, MPI_BYTE, 0, TAG_REPLY, t->comm);
	}
	return NULL;
}

/* Each thread has a communicator and a peer of its own. */
static void threads_rate(struct frame *f, size_t bytes, long iterations)
{
	struct task task = {
	    .f = f, .bytes = (int)bytes, .iterations = iterations};

	in_threads(threads_window, &task);
}

static int threads_pairs(const struct frame *f)
{
	return THREADS;
}

static double of_peer(const struct frame *f, size_t count, size_t i)
{
	return frame_value(1 - f->me, i);
}

static double of_sender(const struct frame *f, size_t count, size_t i)
{
	return f->me == 1 ? frame_value(0, i) : f->recv[i];
}

/* clang-format off */
const struct pattern threads_patterns[] = {
    {.name = "thread_latency", .unit = US_ONE_WAY, .pair = 1,
     .run = latency_run, .expected = of_peer, .threads = 1},
    {.name = "thread_rate", .unit = MSG_S, .pair = 1, .run = threads_rate,
     .begin = begin_pairs, .end = end_pairs, .expected = of_sender,
     .threads = 1, .streams = threads_pairs},
    {.name = NULL}};
/* clang-format on */
