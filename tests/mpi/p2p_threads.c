/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_threads.c: in MPI_THREAD_MULTIPLE four threads of each rank exchange
 * messages of their own; receive any thread's messages by matched probes, each
 * message once; and wait for generalized requests that another thread
 * completes.
 */
#include <pthread.h>

#include "tests/mpi/mpi_test.h"

enum { THREADS = 4, ROUNDS = 150, LONG = 9000 };

static void run(void *(*work)(void *))
{
	pthread_t t[THREADS];

	for (intptr_t k = 0; k < THREADS; k++)
		pthread_create(&t[k], NULL, work, (void *)k);
	for (int k = 0; k < THREADS; k++)
		pthread_join(t[k], NULL);
}

/* ---- Each on its own ------------------------------------------------------
 */

static void *exchange(void *arg)
{
	int k = (int)(intptr_t)arg, *out = malloc(LONG * sizeof(int)),
	    *in = malloc(LONG * sizeof(int));
	MPI_Request r[2];
	MPI_Status s[2];

	for (int round = 0; round < ROUNDS; round++) {
		int n = round % 10 ? round : LONG, flag = 0;

		out[0] = out[n ? n - 1 : 0] = me * 10000 + k * 1000 + round;
		in[0] = -1;
		OK(MPI_Irecv(in, n, MPI_INT, left_of(me), k, W, &r[0]));
		OK(MPI_Isend(out, n, MPI_INT, right_of(me), k, W, &r[1]));
		if (round % 2)
			OK(MPI_Waitall(2, r, s));
		while (round % 2 == 0 && !flag)
			OK(MPI_Testall(2, r, &flag, s));
		if (n)
			CHECK_EQ(in[n - 1],
				 left_of(me) * 10000 + k * 1000 + round);
		CHECK_EQ(s[0].MPI_TAG, k);
	}
	free(out);
	free(in);
	return NULL;
}

static void test_exchange(void)
{
	run(exchange);
}

/* ---- Matched probes --------------------------------------------------------
 */

static int taken[THREADS * ROUNDS];

/* All threads send with one tag and receive whatever is there: between probe
 * and receive no other thread gets it. */
static void *probe(void *arg)
{
	int k = (int)(intptr_t)arg, in[64];
	MPI_Message m = MPI_MESSAGE_NULL;
	MPI_Request r;
	MPI_Status s;

	for (int round = 0; round < ROUNDS; round++) {
		int out[64], n = round % 63 + 1, count = 0, flag = 0;

		for (int j = 0; j < n; j++)
			out[j] = k * ROUNDS + round;
		OK(MPI_Isend(out, n, MPI_INT, right_of(me), 5, W, &r));
		if (round % 2)
			OK(MPI_Mprobe(MPI_ANY_SOURCE, 5, W, &m, &s));
		while (round % 2 == 0 && !flag)
			OK(MPI_Improbe(left_of(me), 5, W, &flag, &m, &s));
		OK(MPI_Get_count(&s, MPI_INT, &count));
		OK(MPI_Mrecv(in, count, MPI_INT, &m, MPI_STATUS_IGNORE));
		if (CHECK(in[0] >= 0 && in[0] < THREADS * ROUNDS)) {
			__atomic_add_fetch(&taken[in[0]], 1, __ATOMIC_RELAXED);
			CHECK_EQ(count, in[0] % ROUNDS % 63 + 1);
			CHECK_EQ(in[count - 1], in[0]);
		}
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	}
	return NULL;
}

static void test_probe(void)
{
	memset(taken, 0, sizeof(taken));
	run(probe);
	for (int k = 0; k < THREADS * ROUNDS; k++)
		CHECK_EQ(taken[k], 1);
}

/* ---- Generalized requests ---------------------------------------------------
 */

static MPI_Request given[THREADS / 2][ROUNDS];
static int announced[THREADS / 2], freed;

static int query(void *extra, MPI_Status *s)
{
	s->MPI_TAG = *(int *)extra;
	return MPI_SUCCESS;
}

static int free_it(void *extra)
{
	(void)extra;
	__atomic_add_fetch(&freed, 1, __ATOMIC_RELAXED);
	return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
	(void)extra;
	(void)complete;
	return MPI_SUCCESS;
}

/* Even threads wait for what the next odd one completes. */
static void *general(void *arg)
{
	int k = (int)(intptr_t)arg, pair = k / 2;

	for (int round = 0; round < ROUNDS; round++) {
		MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
		MPI_Status s;
		int tag = 70 + pair, index;

		if (k % 2) {
			while (__atomic_load_n(&announced[pair],
					       __ATOMIC_ACQUIRE) <= round)
				OK(MPI_Iprobe(MPI_PROC_NULL, 0, W, &index,
					      MPI_STATUS_IGNORE));
			OK(MPI_Grequest_complete(given[pair][round]));
			continue;
		}
		OK(MPI_Grequest_start(query, free_it, cancel, &tag, &r[1]));
		given[pair][round] = r[1];
		__atomic_store_n(&announced[pair], round + 1, __ATOMIC_RELEASE);
		OK(MPI_Waitany(2, r, &index, &s));
		CHECK_EQ(index, 1);
		CHECK_EQ(s.MPI_TAG, tag);
	}
	return NULL;
}

static void test_general(void)
{
	freed = 0;
	run(general);
	CHECK_EQ(freed, THREADS / 2 * ROUNDS);
}

static const struct mpi_case cases[] = {
    {"four threads exchange", test_exchange},
    {"matched probes", test_probe},
    {"generalized requests", test_general},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE) {
		printf("ok - threads # SKIP no MPI_THREAD_MULTIPLE\n");
		MPI_Finalize();
		return 0;
	}
	return mpi_test_run(argc, argv, cases);
}
