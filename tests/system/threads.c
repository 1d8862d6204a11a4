/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads.c: in MRT_THREAD_MULTIPLE, four threads of each rank exchange
 * messages with their counterparts in the next rank, each with its own tag or
 * its own communicator, while one of them does collectives. Then a thread waits
 * in a barrier that the other ranks enter after a message of another thread. A
 * user's operation asks what it is called with.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "tests/system/api.h"

enum { THREADS = 4, ROUNDS = 300, BARRIERS = 50 };

int me, np, api_failures;

static atomic_int failures;
static struct mrt_comm *comms[THREADS];

static void expect(int good)
{
	if (!good)
		atomic_fetch_add(&failures, 1);
}

static void exchange(int thread, int round, int *out, int *in)
{
	size_t n = round % 50 == 0 ? 20000 : (size_t)round % 64 + 1;
	struct mrt_comm *comm = round % 2 ? W : comms[thread];
	int tag = round % 2 ? thread + 100 : 7;
	struct mrt_request *r[2];
	int flag = 0;

	for (size_t k = 0; k < n; k++)
		out[k] = me * 1000000 + thread * 100000 + round;
	expect(!mrt_irecv(in, n, MRT_INT, left_of(me), tag, comm, &r[0]));
	if (round % 3) {
		expect(!mrt_isend(out, n, MRT_INT, right_of(me), tag, comm,
				  &r[1]));
		if (round % 3 == 1)
			while (!flag)
				expect(!mrt_testall(2, r, &flag, NULL));
		else
			expect(!mrt_waitall(2, r, NULL));
	} else {
		expect(!mrt_send(out, n, MRT_INT, right_of(me), tag, comm));
		expect(!mrt_wait(&r[0], NULL));
	}
	for (size_t k = 0; k < n; k++)
		if (in[k] != left_of(me) * 1000000 + thread * 100000 + round) {
			expect(0);
			return;
		}
}

static void *work(void *arg)
{
	int thread = (int)(intptr_t)arg;
	int *out = malloc(20000 * sizeof(int)),
	    *in = malloc(20000 * sizeof(int));

	for (int round = 0; round < ROUNDS; round++) {
		int sum = 0;

		exchange(thread, round, out, in);
		if (thread != 0)
			continue;
		expect(!mrt_allreduce(&round, &sum, 1, MRT_INT, MRT_SUM, W));
		expect(sum == round * np);
	}
	free(out);
	free(in);
	return NULL;
}

static atomic_int entering;

static void *enter(void *arg)
{
	entering = 1;
	expect(!mrt_barrier(comms[0]));
	return NULL;
}

/* The barrier must release the lock, however long it spins. */
static void barrier(void)
{
	pthread_t thread;
	int x = 0;

	if (me) {
		expect(!mrt_recv(&x, 1, MRT_INT, 0, 1, W, NULL));
		enter(NULL);
		return;
	}
	entering = 0;
	pthread_create(&thread, NULL, enter, NULL);
	while (!entering)
		sched_yield();
	for (int r = 1; r < np; r++)
		expect(!mrt_send(&x, 1, MRT_INT, r, 1, W));
	pthread_join(thread, NULL);
}

static void add_first(const void *in, void *inout, size_t count,
		      struct mrt_type *type, void *context)
{
	ptrdiff_t values[2], lb, extent;
	struct mrt_type *old;

	expect(!mrt_type_contents(type, 2, 1, values, &old));
	expect(!mrt_type_extent(type, &lb, &extent));
	expect(old == MRT_INT && !values[0] && values[1] == extent);
	for (size_t k = 0; k < count; k++)
		*(int *)((char *)inout + (ptrdiff_t)k * extent) +=
		    *(const int *)((const char *)in + (ptrdiff_t)k * extent);
}

static void operation(void)
{
	int out[4] = {me, 0, me, 0}, sum[4];
	struct mrt_type *type;
	struct mrt_op *op;

	expect(!mrt_type_resized(MRT_INT, 0, 2 * sizeof(int), &type));
	expect(!mrt_type_commit(type));
	expect(!mrt_op_create(add_first, NULL, 1, &op));
	expect(!mrt_allreduce(out, sum, 2, type, op, W));
	expect(sum[0] == np * (np - 1) / 2 && sum[2] == sum[0]);
	mrt_op_free(&op);
	mrt_type_free(&type);
}

int main(int argc, char **argv)
{
	enum mrt_thread_level provided;
	pthread_t threads[THREADS];
	int mine, all;

	mrt_init_thread(&argc, &argv, MRT_THREAD_MULTIPLE, &provided);
	me = mrt_rank(W);
	np = mrt_size(W);
	expect(provided == MRT_THREAD_MULTIPLE);
	expect(mrt_thread_level() == MRT_THREAD_MULTIPLE);
	for (int k = 0; k < THREADS; k++)
		mrt_comm_dup(W, &comms[k]);
	for (intptr_t k = 0; k < THREADS; k++)
		pthread_create(&threads[k], NULL, work, (void *)k);
	for (int k = 0; k < THREADS; k++)
		pthread_join(threads[k], NULL);
	for (int k = 0; k < BARRIERS; k++)
		barrier();
	operation();
	for (int k = 0; k < THREADS; k++)
		mrt_comm_free(&comms[k]);
	mine = failures;
	mrt_allreduce(&mine, &all, 1, MRT_INT, MRT_SUM, W);
	if (me == 0)
		printf("%sok - 4 threads per rank, %d rounds\n",
		       all ? "not " : "", ROUNDS);
	return mrt_finalize() || all;
}
