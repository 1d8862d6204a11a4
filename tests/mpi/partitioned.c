/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partitioned.c: partitioned communication (MPI 4.1, chapter 4) around the ring
 * of ranks: other partitions at the receiver, out of order, from threads, of
 * types with holes; which requests match; arrival; errors.
 */
#include <sched.h>

#include "tests/mpi/mpi_threads.h"

enum { LONGEST = 60000, ROUNDS = 3, TAG = 5 };

static int out[LONGEST], in[LONGEST];

static int value_of(int rank, int round, int k)
{
	return rank * 1000003 + round * 100003 + k;
}

static void fill(int n, int round)
{
	for (int k = 0; k < n; k++)
		out[k] = value_of(me, round, k);
}

/* Returns how many of n elements from first on are not the neighbour's. */
static int wrong_in(int first, int n, int round)
{
	int wrong = 0;

	for (int k = first; k < first + n; k++)
		wrong += in[k] != value_of(left_of(me), round, k);
	return wrong;
}

static void make_send(int partitions, int total, MPI_Request *r)
{
	OK(MPI_Psend_init(out, partitions, total / partitions, MPI_INT,
			  right_of(me), TAG, W, MPI_INFO_NULL, r));
}

static void make_recv(int partitions, int total, MPI_Request *r)
{
	OK(MPI_Precv_init(in, partitions, total / partitions, MPI_INT,
			  left_of(me), TAG, W, MPI_INFO_NULL, r));
}

static void wait_and_free(MPI_Request r[2])
{
	OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Request_free(&r[1]));
	CHECK(r[0] == MPI_REQUEST_NULL);
}

static void wait_for(int partition, MPI_Request r)
{
	int flag = 0;

	for (; !flag; sched_yield())
		OK(MPI_Parrived(r, partition, &flag));
}

/* Marks all partitions, from a random one on, in one of three ways. */
static void ready_all(int partitions, int round, uint64_t *random,
		      MPI_Request r)
{
	int first = random_below(random, partitions), *list;

	if (round == 0) {
		for (int k = partitions; k--;)
			OK(MPI_Pready((first + k) % partitions, r));
	} else if (round == 1) {
		OK(MPI_Pready_range(first, partitions - 1, r));
		if (first)
			OK(MPI_Pready_range(0, first - 1, r));
	} else {
		list = malloc((size_t)partitions * sizeof(int));
		for (int k = 0; k < partitions; k++)
			list[k] = (first + k) % partitions;
		OK(MPI_Pready_list(partitions, list, r));
		free(list);
	}
}

static void rounds(int senders, int receivers, int total)
{
	uint64_t random = mpi_test_seed + (uint64_t)me;
	MPI_Request r[2];
	int flag = -1;

	make_recv(receivers, total, &r[0]);
	make_send(senders, total, &r[1]);
	for (int round = 0; round < ROUNDS; round++) {
		fill(total, round);
		memset(in, 0xff, sizeof(in));
		OK(MPI_Parrived(r[0], 0, &flag));
		CHECK_EQ(flag, 1); /* inactive */
		OK(MPI_Startall(2, r));
		ready_all(senders, round, &random, r[1]);
		for (int k = 0; k < receivers; k++) {
			int n = total / receivers;

			if (total)
				wait_for(k, r[0]);
			if (total && !CHECK_EQ(wrong_in(k * n, n, round), 0))
				break;
		}
		OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
		CHECK_EQ(wrong_in(0, total, round), 0);
		CHECK(r[0] != MPI_REQUEST_NULL);
	}
	wait_and_free(r);
}

static void partitions(void)
{
	static const int counts[] = {1, 3, 8, 24};

	for (int k = 0; k < 4; k++)
		for (int j = 0; j < 4; j++)
			rounds(counts[k], counts[j], 24);
	rounds(1, 8, LONGEST / 24 * 24);
	rounds(24, 3, LONGEST / 24 * 24);
	rounds(3, 8, LONGEST / 24 * 24);
	rounds(500, 2, 3000);
	rounds(3, 2, 0);
}

/* A partition arrives although others are not ready. */
static void arrival(void)
{
	int total = LONGEST / 8 * 8, flag, go = 0;
	MPI_Request r[2];

	for (int n = 8; n <= total; n += total - 8) {
		make_recv(4, n, &r[0]);
		make_send(8, n, &r[1]);
		fill(n, 0);
		OK(MPI_Startall(2, r));
		OK(MPI_Pready(5, r[1]));
		OK(MPI_Pready(4, r[1]));
		wait_for(2, r[0]);
		CHECK_EQ(wrong_in(n / 2, n / 4, 0), 0);
		OK(MPI_Pready(1, r[1])); /* half of one */
		OK(MPI_Barrier(W));
		for (int k = 0; k < 4; k++) {
			OK(MPI_Parrived(r[0], k, &flag));
			CHECK_EQ(flag, k == 2);
		}
		OK(MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE));
		CHECK_EQ(flag, 0);
		OK(MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE));
		CHECK_EQ(flag, 0);
		OK(MPI_Sendrecv(&go, 1, MPI_INT, left_of(me), 1, &go, 1,
				MPI_INT, right_of(me), 1, W,
				MPI_STATUS_IGNORE));
		OK(MPI_Pready(0, r[1]));
		OK(MPI_Pready_range(2, 3, r[1]));
		OK(MPI_Pready_range(6, 7, r[1]));
		wait_for(0, r[0]);
		wait_and_free(r);
		CHECK_EQ(wrong_in(0, n, 0), 0);
	}
}

/* A receive that has started waits for its send while another moves. The case
 * is the first one, for libraries that number partitions. */
static void waiting(void)
{
	MPI_Request r[2], later[2];

	make_recv(1, 8, &r[0]);
	make_send(8, 8, &r[1]);
	make_recv(1, 8, &later[0]);
	OK(MPI_Start(&later[0]));
	OK(MPI_Startall(2, r));
	fill(8, 0);
	OK(MPI_Pready_range(0, 7, r[1]));
	wait_and_free(r);
	CHECK_EQ(wrong_in(0, 8, 0), 0);
	OK(MPI_Barrier(W));
	make_send(8, 8, &later[1]);
	OK(MPI_Start(&later[1]));
	fill(8, 1);
	OK(MPI_Pready_range(0, 7, later[1]));
	wait_and_free(later);
	CHECK_EQ(wrong_in(0, 8, 1), 0);
}

/* Either side may come first; a sender of short messages is rounds ahead. */
static void early(void)
{
	int sent = 0, done = 1;
	MPI_Request r[2];

	make_recv(2, 8, &r[0]);
	OK(MPI_Start(&r[0]));
	OK(MPI_Barrier(W));
	make_send(4, 8, &r[1]);
	for (int round = 0; round < ROUNDS; round++) {
		for (; done && sent < ROUNDS; sent++) {
			fill(8, sent);
			OK(MPI_Start(&r[1]));
			OK(MPI_Pready_range(0, 3, r[1]));
			OK(MPI_Test(&r[1], &done, MPI_STATUS_IGNORE));
		}
		OK(MPI_Barrier(W));
		if (round)
			OK(MPI_Start(&r[0]));
		OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
		CHECK_EQ(wrong_in(0, 8, round), 0);
		if (sent == round + 1)
			done = OK(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
	}
	wait_and_free(r);
	make_send(2, 8, &r[1]);
	OK(MPI_Start(&r[1]));
	OK(MPI_Pready(0, r[1]));
	OK(MPI_Barrier(W));
	make_recv(1, 8, &r[0]);
	OK(MPI_Start(&r[0]));
	OK(MPI_Pready(1, r[1]));
	wait_and_free(r);
}

/* Requests match in the order of the calls that make them, whatever is started
 * first, and no other messages, receives or probes. */
static void matching(void)
{
	int values[3] = {me, me + 100, me + 200}, got[3] = {-1, -1, -1}, flag;
	MPI_Request s[3], r[3], plain;
	int x = -1;

	OK(MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W, &plain));
	for (int k = 0; k < 3; k++)
		OK(MPI_Psend_init_c(&values[k], 1, 1, MPI_INT, right_of(me),
				    TAG, W, MPI_INFO_NULL, &s[k]));
	OK(MPI_Barrier(W));
	OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &flag,
		      MPI_STATUS_IGNORE));
	CHECK_EQ(flag, 0);
	for (int k = 0; k < 3; k++)
		OK(MPI_Precv_init_c(&got[k], 1, 1, MPI_INT, left_of(me), TAG, W,
				    MPI_INFO_NULL, &r[k]));
	for (int k = 3; k--;)
		OK(MPI_Start(&r[k]));
	OK(MPI_Startall(3, s));
	for (int k = 0; k < 3; k++)
		OK(MPI_Pready(0, s[(k + 1) % 3]));
	OK(MPI_Waitall(3, r, MPI_STATUSES_IGNORE));
	OK(MPI_Waitall(3, s, MPI_STATUSES_IGNORE));
	for (int k = 0; k < 3; k++)
		CHECK_EQ(got[k], left_of(me) + 100 * k);
	CHECK_EQ(x, -1);
	OK(MPI_Barrier(W));
	OK(MPI_Send(&values[2], 1, MPI_INT, right_of(me), TAG, W));
	OK(MPI_Wait(&plain, MPI_STATUS_IGNORE));
	CHECK_EQ(x, left_of(me) + 200);
	for (int k = 0; k < 3; k++) {
		OK(MPI_Request_free(&r[k]));
		OK(MPI_Request_free(&s[k]));
	}
}

/* A pair of requests that is never started, of which the receive is freed
 * before the send is made, is a pair all the same; another communicator has
 * pairs of its own. */
static void unused(void)
{
	MPI_Request r[2];
	MPI_Comm comm;

	make_recv(1, 4, &r[0]);
	OK(MPI_Request_free(&r[0]));
	OK(MPI_Comm_dup(W, &comm));
	make_send(1, 8, &r[1]);
	OK(MPI_Request_free(&r[1]));
	make_recv(2, 8, &r[0]);
	OK(MPI_Psend_init(in, 1, 1, MPI_INT, right_of(me), TAG, comm,
			  MPI_INFO_NULL, &r[1]));
	OK(MPI_Request_free(&r[1]));
	OK(MPI_Precv_init(in, 1, 1, MPI_INT, left_of(me), TAG, comm,
			  MPI_INFO_NULL, &r[1]));
	OK(MPI_Request_free(&r[1]));
	make_send(4, 8, &r[1]);
	fill(8, 1);
	OK(MPI_Startall(2, r));
	OK(MPI_Pready_range(0, 3, r[1]));
	wait_and_free(r);
	CHECK_EQ(wrong_in(0, 8, 1), 0);
	OK(MPI_Comm_free(&comm));
}

/* Elements with holes; the receiver's are larger than the sender's
 * partitions. */
static void types(void)
{
	MPI_Datatype pair, every_other;
	int senders[] = {1, 2, 3, 6, 12, 24};
	MPI_Request r[2];

	OK(MPI_Type_vector(2, 1, 3, MPI_INT, &pair));
	OK(MPI_Type_commit(&pair));
	OK(MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_other));
	OK(MPI_Type_commit(&every_other));
	fill(LONGEST, 0);
	for (int large = 1; large <= 1000; large += 999) {
		for (int k = 0; k < 6; k++) {
			int n = 24 * large, wrong = 0;

			memset(in, 0xff, sizeof(in));
			OK(MPI_Precv_init(in, 4, n / 8, pair, left_of(me), TAG,
					  W, MPI_INFO_NULL, &r[0]));
			OK(MPI_Psend_init(out, senders[k], n / senders[k],
					  every_other, right_of(me), TAG, W,
					  MPI_INFO_NULL, &r[1]));
			OK(MPI_Startall(2, r));
			OK(MPI_Pready_range(0, senders[k] - 1, r[1]));
			wait_and_free(r);
			for (int i = 0; i < n; i++) {
				int at = i / 2 * 4 + i % 2 * 3;

				wrong +=
				    in[at] != value_of(left_of(me), 0, 2 * i);
				wrong += i % 2 && in[at - 1] != -1;
			}
			CHECK_EQ(wrong, 0);
		}
	}
	OK(MPI_Type_free(&pair));
	OK(MPI_Type_free(&every_other));
}

static MPI_Request shared[2];

static void ready_thread(int thread)
{
	for (int k = thread; k < 120; k += THREADS) {
		for (int i = k * 500; i < (k + 1) * 500; i++)
			out[i] = value_of(me, 7, i);
		OK(MPI_Pready(k, shared[1]));
		if (k >= 8 && k % 8 == 0) /* no thread holds up others */
			wait_for(k / 8 - 1, shared[0]);
	}
}

static void threads(void)
{
	make_recv(15, LONGEST, &shared[0]);
	make_send(120, LONGEST, &shared[1]);
	for (int round = 0; round < ROUNDS; round++) {
		memset(in, 0xff, sizeof(in));
		OK(MPI_Startall(2, shared));
		on_threads(ready_thread);
		OK(MPI_Waitall(2, shared, MPI_STATUSES_IGNORE));
		CHECK_EQ(wrong_in(0, LONGEST, 7), 0);
		OK(MPI_Barrier(W));
	}
	wait_and_free(shared);
}

static void statuses(void)
{
	MPI_Request r[2];
	MPI_Status s[2];
	int count;

	make_recv(3, 24, &r[0]);
	make_send(4, 24, &r[1]);
	OK(MPI_Startall(2, r));
	OK(MPI_Pready_range(0, 3, r[1]));
	OK(MPI_Waitall(2, r, s));
	CHECK_EQ(s[0].MPI_SOURCE, left_of(me));
	CHECK_EQ(s[0].MPI_TAG, TAG);
	OK(MPI_Get_count(&s[0], MPI_INT, &count));
	CHECK_EQ(count, 24);
	OK(MPI_Test_cancelled(&s[1], &count));
	CHECK_EQ(count, 0);
	wait_and_free(r);
	OK(MPI_Precv_init(in, 2, 1, MPI_INT, MPI_PROC_NULL, TAG, W,
			  MPI_INFO_NULL, &r[0]));
	OK(MPI_Psend_init(out, 2, 1, MPI_INT, MPI_PROC_NULL, TAG, W,
			  MPI_INFO_NULL, &r[1]));
	OK(MPI_Startall(2, r));
	OK(MPI_Parrived(r[0], 1, &count));
	CHECK_EQ(count, 1);
	OK(MPI_Pready(1, r[1]));
	OK(MPI_Test(&r[1], &count, MPI_STATUS_IGNORE));
	CHECK_EQ(count, 0);
	OK(MPI_Pready(0, r[1]));
	OK(MPI_Waitall(2, r, s));
	CHECK_EQ(s[0].MPI_SOURCE, MPI_PROC_NULL);
	wait_and_free(r);
}

/* The receiver learns that the lengths differ; both can go on. */
static void lengths(void)
{
	static const int lengths[] = {8, LONGEST};
	MPI_Request r[2];

	for (int k = 0; k < 4; k++) {
		make_recv(2, lengths[k % 2] + (k < 2 ? 2 : -2), &r[0]);
		make_send(4, lengths[k % 2], &r[1]);
		OK(MPI_Startall(2, r));
		OK(MPI_Pready_range(0, 3, r[1]));
		CHECK_ERROR(MPI_ERR_TRUNCATE,
			    MPI_Wait(&r[0], MPI_STATUS_IGNORE));
		wait_and_free(r);
	}
}

static void wrong_init(void)
{
	MPI_Request r;

#define WRONG(class, call, ...)                                                \
	CHECK_ERROR(class, MPI_##call##_init(__VA_ARGS__, MPI_INFO_NULL, &r))
	WRONG(MPI_ERR_ARG, Psend, out, 0, 1, MPI_INT, 0, 0, W);
	WRONG(MPI_ERR_ARG, Precv, in, -1, 1, MPI_INT, 0, 0, W);
	WRONG(MPI_ERR_COUNT, Psend, out, 1, -1, MPI_INT, 0, 0, W);
	WRONG(MPI_ERR_COUNT, Psend, out, 1 << 30, (MPI_Count)1 << 40, MPI_INT,
	      0, 0, W);
	WRONG(MPI_ERR_BUFFER, Psend, NULL, 1, 1, MPI_INT, 0, 0, W);
	WRONG(MPI_ERR_TYPE, Precv, in, 1, 1, MPI_DATATYPE_NULL, 0, 0, W);
	WRONG(MPI_ERR_RANK, Psend, out, 1, 1, MPI_INT, np, 0, W);
	WRONG(MPI_ERR_RANK, Precv, in, 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, W);
	WRONG(MPI_ERR_TAG, Precv, in, 1, 1, MPI_INT, 0, MPI_ANY_TAG, W);
	WRONG(MPI_ERR_COMM, Precv, in, 1, 1, MPI_INT, 0, 0, MPI_COMM_NULL);
	CHECK_ERROR(MPI_ERR_ARG, MPI_Precv_init(in, 1, 1, MPI_INT, 0, 0, W,
						MPI_INFO_NULL, NULL));
}

static void wrong_use(void)
{
	static const int twice[] = {1, 2, 1}, outside[] = {1, 4};
	int flag;
	MPI_Request r[2], plain;

	make_recv(2, 8, &r[0]);
	make_send(4, 8, &r[1]);
	fill(8, 0);
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Pready(0, r[1])); /* not started */
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Cancel(&r[1]));
	OK(MPI_Startall(2, r));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Start(&r[1]));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Cancel(&r[1]));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Cancel(&r[0]));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Request_free(&r[1]));
	CHECK(r[1] != MPI_REQUEST_NULL);
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready(4, r[1]));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready(-1, r[1]));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready_range(2, 4, r[1]));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready_range(2, 1, r[1]));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready_list(3, twice, r[1]));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready_list(2, outside, r[1]));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready_list(2, NULL, r[1]));
	CHECK_ERROR(MPI_ERR_COUNT, MPI_Pready_list(-1, twice, r[1]));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Pready(0, r[0]));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Pready(0, MPI_REQUEST_NULL));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Parrived(r[1], 0, &flag));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Parrived(r[0], 2, &flag));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Parrived(r[0], -1, &flag));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Parrived(r[0], 0, NULL));
	OK(MPI_Parrived(MPI_REQUEST_NULL, 3, &flag));
	CHECK_EQ(flag, 1);
	/* what has failed has marked nothing */
	OK(MPI_Pready_list(0, NULL, r[1]));
	OK(MPI_Pready_range(1, 2, r[1]));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Pready_range(0, 3, r[1]));
	OK(MPI_Pready(0, r[1]));
	OK(MPI_Pready(3, r[1]));
	wait_and_free(r);
	CHECK_EQ(wrong_in(0, 8, 0), 0);
	OK(MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, 0, W, &plain));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Pready(0, plain));
	CHECK_ERROR(MPI_ERR_REQUEST, MPI_Parrived(plain, 0, &flag));
	OK(MPI_Wait(&plain, MPI_STATUS_IGNORE));
}

static const struct mpi_case cases[] = {
    {"one waits for its send", waiting},
    {"as many partitions as each side likes", partitions},
    {"some arrive before others are ready", arrival},
    {"either side comes first", early},
    {"what matches", matching},
    {"pairs that are not used", unused},
    {"elements with holes", types},
    {"four threads mark partitions", threads},
    {"statuses", statuses},
    {"lengths that differ", lengths},
    {"wrong arguments", wrong_init},
    {"wrong use", wrong_use},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return thread_main(argc, argv, cases);
}
