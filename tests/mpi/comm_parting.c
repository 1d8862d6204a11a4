/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_parting.c calls MPI_Comm_free at different times on different ranks (MPI
 * 4.1, 7.4.3): operations under way are completed, no rank waits for another
 * one, and the number of communicators that come and go has no bound.
 * MPI_Comm_disconnect (MPI 4.1, 11.10.4) waits for what is under way.
 */
#include "tests/mpi/mpi_test.h"

enum { ROUNDS = 20, MANY = 200 };

/* Rank 0 frees before, the other ranks after collectives elsewhere. */
static void early(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		MPI_Comm comm;
		int sum = -1;

		OK(MPI_Comm_dup(W, &comm));
		if (me == round % np) {
			OK(MPI_Comm_free(&comm));
			CHECK(comm == MPI_COMM_NULL);
		}
		OK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, W));
		CHECK_EQ(sum, np * (np - 1) / 2);
		OK(MPI_Barrier(W));
		if (comm != MPI_COMM_NULL)
			OK(MPI_Comm_free(&comm));
	}
}

/* A receive outlives the communicator and the communicators that are made
 * meanwhile: no message goes astray. */
static void under_way(void)
{
	int in[100] = {0}, out[100];
	MPI_Request requests[2];
	MPI_Comm comm, other[3];
	MPI_Status status[2];

	for (int k = 0; k < 100; k++)
		out[k] = me + k;
	OK(MPI_Comm_dup(W, &comm));
	OK(MPI_Irecv(in, 100, MPI_INT, left_of(me), 3, comm, &requests[0]));
	if (me % 2)
		OK(MPI_Barrier(W));
	OK(MPI_Issend(out, 100, MPI_INT, right_of(me), 3, comm, &requests[1]));
	OK(MPI_Comm_free(&comm));
	if (me % 2 == 0)
		OK(MPI_Barrier(W));
	for (int k = 0; k < 3; k++)
		OK(MPI_Comm_split(W, 0, -me, &other[k]));
	OK(MPI_Waitall(2, requests, status));
	CHECK_EQ(status[0].MPI_SOURCE, left_of(me));
	CHECK_EQ(in[99], left_of(me) + 99);
	for (int k = 0; k < 3; k++)
		OK(MPI_Comm_free(&other[k]));
}

static void many(void)
{
	MPI_Comm comm[MANY];
	int sum = -1;

	for (int k = 0; k < MANY; k++)
		OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm[k]));
	/* each rank in an order of its own */
	for (int k = 0; k < MANY; k++)
		OK(MPI_Comm_free(&comm[(k + me * 7) % MANY]));
	OK(MPI_Comm_dup(W, &comm[0]));
	OK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm[0]));
	CHECK_EQ(sum, np * (np - 1) / 2);
	OK(MPI_Comm_free(&comm[0]));
}

enum { LONG = 1 << 20 };

/* Messages are under way at MPI_Comm_disconnect, whose requests are freed, or
 * which are in a buffer or in no wait yet; a persistent request is idle. */
static void disconnect(void)
{
	static int out[LONG], in[2][LONG], room[LONG];
	MPI_Request idle, sent, r[2];
	MPI_Comm comm;
	void *at;
	int size, over;

	OK(MPI_Buffer_attach(room, sizeof(room)));
	for (int round = 0; round < ROUNDS; round++) {
		OK(MPI_Comm_dup(W, &comm));
		for (int k = 0; k < LONG; k++)
			out[k] = me + round;
		OK(MPI_Send_init(out, 1, MPI_INT, 0, 3, comm, &idle));
		OK(MPI_Isend(out, LONG, MPI_INT, right_of(me), 1, comm, &sent));
		OK(MPI_Request_free(&sent));
		OK(MPI_Bsend(out, LONG / 2, MPI_INT, right_of(me), 2, comm));
		for (int k = 0; k < 2; k++)
			OK(MPI_Irecv(in[k], LONG, MPI_INT, left_of(me), k + 1,
				     comm, &r[k]));
		OK(MPI_Comm_disconnect(&comm));
		CHECK(comm == MPI_COMM_NULL);
		memset(out, -1, sizeof(out));
		OK(MPI_Testall(2, r, &over, MPI_STATUSES_IGNORE));
		if (CHECK(over)) {
			CHECK_EQ(in[0][LONG - 1], left_of(me) + round);
			CHECK_EQ(in[1][LONG / 2 - 1], left_of(me) + round);
		} else {
			OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
		}
		OK(MPI_Request_free(&idle));
	}
	OK(MPI_Buffer_detach(&at, &size));
	comm = MPI_COMM_SELF;
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_disconnect(&comm));
}

enum { LEFT = 40 };

/* Messages that nobody receives end with their communicator, also if they come
 * when all ranks have freed it, or are sent by then. */
static void left_behind(void)
{
	static char out[500];
	MPI_Request r[LEFT];
	MPI_Comm comm;
	int flag;

	for (int round = 0; round < MANY; round++) {
		OK(MPI_Comm_dup(W, &comm));
		OK(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag,
			      MPI_STATUS_IGNORE));
		CHECK(!flag);
		OK(MPI_Barrier(W));
		for (int k = 0; k < LEFT; k++)
			OK(MPI_Isend(out, sizeof(out), MPI_CHAR, left_of(me), 0,
				     comm, &r[k]));
		OK(MPI_Comm_free(&comm));
		for (int k = 0; k < LEFT; k++) {
			OK(MPI_Test(&r[k], &flag, MPI_STATUS_IGNORE));
			if (flag)
				continue;
			OK(MPI_Cancel(&r[k])); /* it waits for its receiver */
			OK(MPI_Wait(&r[k], MPI_STATUS_IGNORE));
		}
	}
}

static const struct mpi_case cases[] = {
    {"a communicator is freed at different times", early},
    {"messages on a freed communicator arrive", under_way},
    {"many are freed in different orders", many},
    {"disconnect waits", disconnect},
    {"a message is left behind", left_behind},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
