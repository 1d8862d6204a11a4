/* SPDX-License-Identifier: Apache-2.0 */
/*
 * p2p_blocking.c tests blocking receives beside everything that may compete
 * with them: receives posted before, messages that came before, messages that
 * need more than a copy; and that other ranks make progress while one receives
 * without end.
 */
#include "tests/mpi/mpi_test.h"

enum { LONG = 300000, ROUNDS = 50 };

static int right, left, big[LONG], got[LONG];

static void neighbours(void)
{
	right = (me + 1) % np;
	left = (me + np - 1) % np;
}

static int receive(int source, int tag)
{
	MPI_Status status;
	int value = -1;

	OK(MPI_Recv(&value, 1, MPI_INT, source, tag, W, &status));
	CHECK_EQ(status.MPI_SOURCE, left);
	return value;
}

static void older_receives_win(void)
{
	MPI_Request exact, any, sent[3];
	int first, second, values[3];

	neighbours();
	for (int k = 0; k < ROUNDS; k++) {
		OK(MPI_Irecv(&first, 1, MPI_INT, left, 1, W, &exact));
		OK(MPI_Irecv(&second, 1, MPI_INT, left, MPI_ANY_TAG, W, &any));
		OK(MPI_Barrier(W));
		for (int j = 0; j < 3; j++) {
			values[j] = k * 10 + j;
			OK(MPI_Isend(&values[j], 1, MPI_INT, right, 1, W,
				     &sent[j]));
		}
		CHECK_EQ(receive(left, 1), k * 10 + 2);
		OK(MPI_Wait(&exact, MPI_STATUS_IGNORE));
		OK(MPI_Wait(&any, MPI_STATUS_IGNORE));
		OK(MPI_Waitall(3, sent, MPI_STATUSES_IGNORE));
		CHECK_EQ(first, k * 10);
		CHECK_EQ(second, k * 10 + 1);
	}
}

/* Messages that came before are received by tag, and in order. */
static void messages_before(void)
{
	neighbours();
	for (int k = 0; k < ROUNDS; k++) {
		MPI_Request sent[4];
		int values[4] = {k, k + 1000, k + 2000, k + 3000};
		static const int tags[4] = {1, 2, 2, 3};

		for (int j = 0; j < 4; j++)
			OK(MPI_Isend(&values[j], 1, MPI_INT, right, tags[j], W,
				     &sent[j]));
		CHECK_EQ(receive(left, 3), k + 3000);
		CHECK_EQ(receive(MPI_ANY_SOURCE, 2), k + 1000);
		CHECK_EQ(receive(left, 1), k);
		CHECK_EQ(receive(left, 2), k + 2000);
		OK(MPI_Waitall(4, sent, MPI_STATUSES_IGNORE));
	}
}

static void fill(int n, int k)
{
	for (int j = 0; j < n; j++)
		big[j] = me + j * 3 + k;
}

/* Messages have any length and are synchronous or not; the receiver may come
 * first. */
static void of_any_length(void)
{
	static const int lengths[] = {0, 1, 2, 12, 13, 256, 5000, LONG};

	neighbours();
	for (int k = 0; k < 32; k++) {
		int n = lengths[k % 8], count;
		MPI_Request sent;
		MPI_Status status;

		fill(n, k);
		if (k / 8 % 2)
			OK(MPI_Issend(big, n, MPI_INT, right, k, W, &sent));
		else
			OK(MPI_Isend(big, n, MPI_INT, right, k, W, &sent));
		memset(got, 0xff, sizeof(got));
		OK(MPI_Recv(got, LONG, MPI_INT, left, k, W, &status));
		OK(MPI_Get_count(&status, MPI_INT, &count));
		CHECK_EQ(count, n);
		CHECK_EQ(status.MPI_TAG, k);
		for (int j = 0; j < n; j++)
			if (!CHECK_EQ(got[j], left + j * 3 + k))
				break;
		CHECK(n == LONG || got[n] == -1);
		OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
	}
}

/* A message that is too long fills the buffer and no more. */
static void too_long(void)
{
	static const int lengths[] = {3, 40, 5000, LONG};

	neighbours();
	for (int k = 0; k < 8; k++) {
		int n = lengths[k % 4];
		MPI_Request sent;

		fill(n, k);
		if (k / 4)
			OK(MPI_Issend(big, n, MPI_INT, right, k, W, &sent));
		else
			OK(MPI_Isend(big, n, MPI_INT, right, k, W, &sent));
		got[2] = -7;
		CHECK_ERROR(MPI_ERR_TRUNCATE, MPI_Recv(got, 2, MPI_INT, left, k,
						       W, MPI_STATUS_IGNORE));
		CHECK_EQ(got[2], -7);
		OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
	}
}

static void exchanges(void)
{
	neighbours();
	for (int k = 0; k < ROUNDS; k++) {
		int n = k % 2 ? LONG / 100 * k / 20 : k;
		MPI_Status status;

		fill(n, k);
		OK(MPI_Sendrecv(big, n, MPI_INT, right, k, got, LONG, MPI_INT,
				left, k, W, &status));
		CHECK_EQ(status.MPI_SOURCE, left);
		CHECK(!n || got[n - 1] == left + (n - 1) * 3 + k);
	}
}

/* Rank 0 has a long message under way to rank 2, and only receives what rank 1
 * sends until rank 2 has received it. */
static void others_get_on(void)
{
	MPI_Request sent;
	int flag = 0, value = 0;

	if (np < 3 || me > 2)
		return;
	if (me == 0) {
		fill(LONG, 0);
		OK(MPI_Isend(big, LONG, MPI_INT, 2, 5, W, &sent));
		while (!value)
			OK(MPI_Recv(&value, 1, MPI_INT, 1, 1, W,
				    MPI_STATUS_IGNORE));
		OK(MPI_Wait(&sent, MPI_STATUS_IGNORE));
	} else if (me == 1) {
		OK(MPI_Irecv(&flag, 1, MPI_INT, 2, 2, W, &sent));
		for (int done = 0; !done;) {
			OK(MPI_Test(&sent, &done, MPI_STATUS_IGNORE));
			OK(MPI_Send(&done, 1, MPI_INT, 0, 1, W));
		}
	} else {
		OK(MPI_Recv(got, LONG, MPI_INT, 0, 5, W, MPI_STATUS_IGNORE));
		CHECK_EQ(got[LONG - 1], (LONG - 1) * 3);
		OK(MPI_Send(&me, 1, MPI_INT, 1, 2, W));
	}
}

static const struct mpi_case cases[] = {
    {"older receives win", older_receives_win},
    {"messages that came before", messages_before},
    {"of any length", of_any_length},
    {"too long", too_long},
    {"exchanges", exchanges},
    {"others get on", others_get_on},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
