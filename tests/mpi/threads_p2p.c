/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads_p2p.c: point to point from four threads of each rank at once (MPI
 * 4.1, 11.6): messages with their own tags, probes, matched probes that
 * compete, waits for any of a thread's requests, and calls that block while
 * another thread does what they wait for.
 */
#include <sched.h>
#include <stdatomic.h>

#include "tests/mpi/mpi_threads.h"

enum { ROUNDS = 60, LONGEST = 20000, MANY = 8, EACH = 24 };

/* Draws a count: mostly short messages, some beyond any eager limit. */
static int some_count(uint64_t *random)
{
	return random_below(random, 12) ? random_below(random, 64)
					: random_below(random, LONGEST);
}

static int value_of(int rank, int thread, int round)
{
	return rank * 1000003 + thread * 10007 + round;
}

static bool all_are(const int *v, int n, int value)
{
	for (int k = 0; k < n; k++)
		if (v[k] != value)
			return false;
	return true;
}

static void fill(int *v, int n, int value)
{
	for (int k = 0; k < n; k++)
		v[k] = value;
}

static void complete(int way, MPI_Request r[2])
{
	int done = 0;

	if (way == 0) {
		OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	} else if (way == 1) {
		OK(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
		OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
	} else {
		while (!done) {
			OK(MPI_Testall(2, r, &done, MPI_STATUSES_IGNORE));
			sched_yield();
		}
	}
}

static void storm_thread(int thread)
{
	int *out = malloc(LONGEST * sizeof(int));
	int *in = malloc(LONGEST * sizeof(int));
	uint64_t random = thread_seed(thread);

	for (int round = 0; round < ROUNDS; round++) {
		int far = random_below(&random, np), n = some_count(&random);
		int to = (me + far) % np, from = (me + np - far) % np;
		MPI_Request r[2];

		fill(out, n, value_of(me, thread, round));
		OK(MPI_Irecv(in, LONGEST, MPI_INT, from, thread, W, &r[0]));
		OK(MPI_Isend(out, n, MPI_INT, to, thread, W, &r[1]));
		complete(random_below(&random, 3), r);
		CHECK(all_are(in, n, value_of(from, thread, round)));
	}
	free(out);
	free(in);
}

static void storm(void)
{
	on_threads(storm_thread);
}

/* Only a probe tells the length of a message. */
static void probe_thread(int thread)
{
	int *out = malloc(LONGEST * sizeof(int));
	int *in = malloc(LONGEST * sizeof(int));
	uint64_t random = thread_seed(thread);

	for (int round = 0; round < ROUNDS; round++) {
		int n = some_count(&random), got = -1, flag = 0;
		int any = random_below(&random, 2);
		int source = any ? MPI_ANY_SOURCE : left_of(me);
		MPI_Request request;
		MPI_Status s;

		fill(out, n, value_of(me, thread, round));
		OK(MPI_Isend(out, n, MPI_INT, right_of(me), thread, W,
			     &request));
		if (random_below(&random, 2)) {
			OK(MPI_Probe(source, thread, W, &s));
		} else {
			while (!flag) {
				OK(MPI_Iprobe(source, thread, W, &flag, &s));
				sched_yield();
			}
		}
		OK(MPI_Get_count(&s, MPI_INT, &got));
		CHECK_EQ(got, n);
		CHECK_EQ(s.MPI_SOURCE, left_of(me));
		OK(MPI_Recv(in, got, MPI_INT, s.MPI_SOURCE, thread, W, &s));
		CHECK(all_are(in, n, value_of(left_of(me), thread, round)));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	}
	free(out);
	free(in);
}

static void probes(void)
{
	on_threads(probe_thread);
}

/* All threads of a rank compete for the same messages; each message is
 * received once, and never by a thread other than the one that probed it. */
static atomic_int had[THREADS * EACH];

static void mprobe_thread(int thread)
{
	MPI_Request requests[EACH];
	int out[EACH], in, flag;
	MPI_Message message;
	MPI_Status s;

	for (int k = 0; k < EACH; k++) {
		out[k] = thread * EACH + k;
		OK(MPI_Isend(&out[k], 1, MPI_INT, right_of(me), out[k], W,
			     &requests[k]));
	}
	for (int k = 0; k < EACH; k++) {
		if (k % 2) {
			OK(MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &message,
				      &s));
		} else {
			for (flag = 0; !flag; sched_yield())
				OK(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, W,
					       &flag, &message, &s));
		}
		in = -1;
		OK(MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
		CHECK_EQ(in, s.MPI_TAG);
		CHECK(message == MPI_MESSAGE_NULL);
		if (CHECK(in >= 0 && in < THREADS * EACH))
			had[in]++;
	}
	OK(MPI_Waitall(EACH, requests, MPI_STATUSES_IGNORE));
}

static void mprobes(void)
{
	for (int k = 0; k < THREADS * EACH; k++)
		had[k] = 0;
	on_threads(mprobe_thread);
	for (int k = 0; k < THREADS * EACH; k++)
		CHECK_EQ(had[k], 1);
}

static void receive_thread(int thread)
{
	MPI_Request request;
	MPI_Status s;
	int in;

	for (int k = 0; k < EACH; k++) {
		int out = thread * EACH + k;

		OK(MPI_Isend(&out, 1, MPI_INT, right_of(me), out, W, &request));
		OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W,
			    &s));
		CHECK_EQ(in, s.MPI_TAG);
		had[in]++;
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	}
}

static void wildcards(void)
{
	for (int k = 0; k < THREADS * EACH; k++)
		had[k] = 0;
	on_threads(receive_thread);
	for (int k = 0; k < THREADS * EACH; k++)
		CHECK_EQ(had[k], 1);
}

/* Completes requests by waitany, waitsome or testany: the messages come in
 * another order than the requests. */
static int collect(int way, MPI_Request *r, int *indices, MPI_Status *s)
{
	int n = 0, flag = 0;

	if (way == 0) {
		OK(MPI_Waitany(MANY, r, indices, s));
		return 1;
	}
	if (way == 1) {
		OK(MPI_Waitsome(MANY, r, &n, indices, s));
		return n;
	}
	for (; !flag; sched_yield())
		OK(MPI_Testany(MANY, r, indices, &flag, s));
	return 1;
}

static void any_thread(int thread)
{
	int in[MANY], indices[MANY], out[MANY], seen, n;
	MPI_Request r[MANY], sends[MANY];
	uint64_t random = thread_seed(thread);
	MPI_Status s[MANY];

	for (int round = 0; round < ROUNDS / 4; round++) {
		int first = random_below(&random, MANY), base = thread * MANY;

		for (int k = 0; k < MANY; k++)
			OK(MPI_Irecv(&in[k], 1, MPI_INT, left_of(me), base + k,
				     W, &r[k]));
		for (int k = 0; k < MANY; k++) {
			int which = (first + 3 * k) % MANY;

			out[which] = value_of(me, thread, which);
			OK(MPI_Isend(&out[which], 1, MPI_INT, right_of(me),
				     base + which, W, &sends[which]));
		}
		for (seen = 0; seen < MANY; seen += n) {
			n = collect(round % 3, r, indices, s);
			for (int k = 0; k < n; k++) {
				int i = indices[k];

				CHECK_EQ(s[k].MPI_TAG, base + i);
				CHECK_EQ(in[i],
					 value_of(left_of(me), thread, i));
				CHECK(r[i] == MPI_REQUEST_NULL);
			}
		}
		OK(MPI_Waitany(MANY, r, indices, s));
		CHECK_EQ(indices[0], MPI_UNDEFINED);
		OK(MPI_Waitall(MANY, sends, MPI_STATUSES_IGNORE));
	}
}

static void any(void)
{
	on_threads(any_thread);
}

/* Three threads block in receives, synchronous sends and probes of messages
 * from their own rank, until the fourth thread frees them one by one. */
static atomic_int blocked;

static void self_thread(int thread)
{
	int x = 5;

	if (thread == 0) {
		while (blocked < THREADS - 1)
			sched_yield();
		OK(MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
		OK(MPI_Send(&x, 1, MPI_INT, 0, 2, MPI_COMM_SELF));
		OK(MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_SELF,
			    MPI_STATUS_IGNORE));
		return;
	}
	blocked++;
	x = 0;
	if (thread == 1)
		OK(MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
			    MPI_STATUS_IGNORE));
	else if (thread == 2) {
		OK(MPI_Probe(0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE));
		OK(MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_SELF,
			    MPI_STATUS_IGNORE));
	} else {
		x = 5;
		OK(MPI_Ssend(&x, 1, MPI_INT, 0, 3, MPI_COMM_SELF));
	}
	CHECK_EQ(x, 5);
}

static void self(void)
{
	for (int round = 0; round < 10; round++) {
		blocked = 0;
		on_threads(self_thread);
	}
}

static const struct mpi_case cases[] = {
    {"four threads exchange messages", storm},
    {"four threads probe", probes},
    {"four threads compete with matched probes", mprobes},
    {"four threads compete with wildcards", wildcards},
    {"four threads wait for any of their requests", any},
    {"threads block until one of their own rank acts", self},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return thread_main(argc, argv, cases);
}
