/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c: patterns of two ranks, after the OSU benchmarks: ping-pong, and
 * windows of messages, each answered by a message of four bytes. */
#include "apps/bench/compare/frame.h"

enum { TAG_DATA = 1, TAG_REPLY = 2 };
#define W MPI_COMM_WORLD

static void pingpong(struct frame *f, size_t bytes, long iterations)
{
	int n = (int)bytes, peer = 1 - f->me;

	for (long i = 0; i < iterations; i++) {
		if (f->me == 0)
			MPI_Send(f->send, n, MPI_BYTE, peer, TAG_DATA, W);
		MPI_Recv(f->recv, n, MPI_BYTE, peer, TAG_DATA, W,
			 MPI_STATUS_IGNORE);
		if (f->me == 1)
			MPI_Send(f->send, n, MPI_BYTE, peer, TAG_DATA, W);
	}
}

static void send_window(struct frame *f, int n)
{
	char reply[4];

	for (int w = 0; w < WINDOW; w++)
		MPI_Isend(f->send, n, MPI_BYTE, 1, TAG_DATA, W,
			  &f->requests[w]);
	MPI_Waitall(WINDOW, f->requests, MPI_STATUSES_IGNORE);
	MPI_Recv(reply, 4, MPI_BYTE, 1, TAG_REPLY, W, MPI_STATUS_IGNORE);
}

/* All receives use one buffer. */
static void recv_window(struct frame *f, int n)
{
	char reply[4] = {0};

	for (int w = 0; w < WINDOW; w++)
		MPI_Irecv(f->recv, n, MPI_BYTE, 0, TAG_DATA, W,
			  &f->requests[w]);
	MPI_Waitall(WINDOW, f->requests, MPI_STATUSES_IGNORE);
	MPI_Send(reply, 4, MPI_BYTE, 0, TAG_REPLY, W);
}

static void windows(struct frame *f, size_t bytes, long iterations)
{
	for (long i = 0; i < iterations; i++)
		if (f->me == 0)
			send_window(f, (int)bytes);
		else
			recv_window(f, (int)bytes);
}

static double of_peer(const struct frame *f, size_t count, size_t i)
{
	return frame_value(1 - f->me, i);
}

/* In a window only rank 1 receives. */
static double of_sender(const struct frame *f, size_t count, size_t i)
{
	return f->me == 1 ? frame_value(0, i) : f->recv[i];
}

/* clang-format off */
const struct pattern pairs_patterns[] = {
    {.name = "latency", .unit = US_ONE_WAY, .pair = 1, .run = pingpong,
     .expected = of_peer},
    {.name = "bandwidth", .unit = MB_S, .pair = 1, .run = windows,
     .expected = of_sender},
    {.name = "rate", .unit = MSG_S, .pair = 1, .run = windows,
     .expected = of_sender},
    {.name = NULL}};

/* clang-format on */