/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_order.c checks that messages do not overtake: of the messages that a
 * receive may match it gets the one sent first; of the receives that a message
 * may match the one posted first gets it; with wildcards, several tags, and
 * lengths of all protocols.
 */
#include "tests/mpi/mpi_test.h"

enum { MESSAGES = 120, LONGEST = 30000 };

struct message {
	int tag, length, number;
};

/* Returns what a rank sends, computed alike on every rank. */
static struct message message(int rank, int number)
{
	uint64_t state =
	    mpi_test_seed * 1000003 + (uint64_t)rank * 4099 + (uint64_t)number;
	static const int lengths[] = {1, 2, 9, 300, 4000, LONGEST};

	return (struct message){random_below(&state, 3),
				lengths[random_below(&state, 6)], number};
}

static int *sent[MESSAGES];
static MPI_Request sending[MESSAGES];

static void send_all(int to)
{
	for (int k = 0; k < MESSAGES; k++) {
		struct message m = message(me, k);

		sent[k] = malloc((size_t)m.length * sizeof(int));
		for (int j = 0; j < m.length; j++)
			sent[k][j] = me * 1000 + k;
		OK(MPI_Isend(sent[k], m.length, MPI_INT, to, m.tag, W,
			     &sending[k]));
	}
}

static void end_all(void)
{
	OK(MPI_Waitall(MESSAGES, sending, MPI_STATUSES_IGNORE));
	for (int k = 0; k < MESSAGES; k++)
		free(sent[k]);
}

static void check(const int *in, const MPI_Status *status, int number)
{
	struct message m = message(status->MPI_SOURCE, number);

	CHECK_EQ(status->MPI_TAG, m.tag);
	CHECK_EQ(in[0], status->MPI_SOURCE * 1000 + number);
	CHECK_EQ(in[m.length - 1], status->MPI_SOURCE * 1000 + number);
}

static int in[LONGEST];

/* With any tag, messages come exactly in the order sent. */
static void test_any_tag(void)
{
	MPI_Status status;

	send_all(right_of(me));
	for (int k = 0; k < MESSAGES; k++) {
		OK(MPI_Recv(in, LONGEST, MPI_INT, left_of(me), MPI_ANY_TAG, W,
			    &status));
		check(in, &status, k);
	}
	end_all();
}

/* The highest tag is received first; within a tag the order is that of
 * sending. */
static void test_by_tag(void)
{
	MPI_Status status;

	send_all(right_of(me));
	for (int tag = 2; tag >= 0; tag--)
		for (int k = 0; k < MESSAGES; k++) {
			if (message(left_of(me), k).tag != tag)
				continue;
			OK(MPI_Recv(in, LONGEST, MPI_INT,
				    tag == 1 ? MPI_ANY_SOURCE : left_of(me),
				    tag, W, &status));
			check(in, &status, k);
		}
	end_all();
}

/* All send to rank 0, which receives from any source; the messages of each
 * rank come in order. */
static void test_any_source(void)
{
	int *next = calloc((size_t)np, sizeof(int));
	MPI_Status status;

	send_all(0);
	for (int k = 0; k < MESSAGES * np && !me; k++) {
		if (k % 3) {
			OK(MPI_Recv(in, LONGEST, MPI_INT, MPI_ANY_SOURCE,
				    MPI_ANY_TAG, W, &status));
		} else {
			OK(MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, W, &status));
			OK(MPI_Recv(in, LONGEST, MPI_INT, status.MPI_SOURCE,
				    status.MPI_TAG, W, &status));
		}
		check(in, &status, next[status.MPI_SOURCE]++);
	}
	end_all();
	free(next);
}

/* Receives are posted before, some with wildcards: the first one posted that
 * fits gets each message. */
static void test_posted(void)
{
	static int bufs[6][4];
	/* tags of the receives, of the messages, and the receive that gets
	 * each */
	static const int tags[6] = {5, MPI_ANY_TAG, 6, 5, MPI_ANY_TAG, 6};
	static const int order[6] = {6, 5, 5, 6, 6, 6};
	static const int gets[6] = {1, 0, 3, 2, 4, 5};
	MPI_Request r[6];
	MPI_Status s[6];
	MPI_Comm ready; /* no wildcard matches its messages */
	int none = 0;

	OK(MPI_Comm_dup(W, &ready));
	for (int k = 0; k < 6; k++)
		OK(MPI_Irecv(bufs[k], 4, MPI_INT,
			     k % 2 ? left_of(me) : MPI_ANY_SOURCE, tags[k], W,
			     &r[k]));
	OK(MPI_Sendrecv(&none, 1, MPI_INT, left_of(me), 5, &none, 1, MPI_INT,
			right_of(me), 5, ready, MPI_STATUS_IGNORE));
	for (int k = 0; k < 6; k++)
		OK(MPI_Send(&k, 1, MPI_INT, right_of(me), order[k], W));
	OK(MPI_Waitall(6, r, s));
	for (int k = 0; k < 6; k++) {
		CHECK_EQ(bufs[gets[k]][0], k);
		CHECK_EQ(s[gets[k]].MPI_TAG, order[k]);
	}
	OK(MPI_Comm_free(&ready));
}

static const struct mpi_case cases[] = {
    {"any tag: as sent", test_any_tag},
    {"tag after tag", test_by_tag},
    {"any source, any tag", test_any_source},
    {"the first posted", test_posted},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
