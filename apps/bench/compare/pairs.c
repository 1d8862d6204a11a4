/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.c: patterns of pairs of ranks, after the OSU benchmarks: ping-pong, and
 * windows of messages, each answered by a message of four bytes. */
#include "apps/bench/compare/frame.h"

enum { TAG_DATA = 1, TAG_REPLY = 2, BLOCK = 64 /* doubles of a vector */ };
#define W MPI_COMM_WORLD

static void pairs_exchange(struct frame *f, int n, MPI_Datatype type,
			   long iterations)
{
	int peer = 1 - f->me;

	for (long i = 0; i < iterations; i++) {
		if (f->me == 0)
			MPI_Send(f->send, n, type, peer, TAG_DATA, W);
		MPI_Recv(f->recv, n, type, peer, TAG_DATA, W,
			 MPI_STATUS_IGNORE);
		if (f->me == 1)
			MPI_Send(f->send, n, type, peer, TAG_DATA, W);
	}
}

static void pairs_pingpong(struct frame *f, size_t bytes, long iterations)
{
	pairs_exchange(f, (int)bytes, MPI_BYTE, iterations);
}

static MPI_Datatype holes;

/* Elements of three doubles, of which the first has a hole behind it. */
static void make_struct(struct frame *f, size_t bytes)
{
	int lengths[] = {1, 2};
	MPI_Aint at[] = {0, 16};
	MPI_Datatype types[] = {MPI_DOUBLE, MPI_DOUBLE};

	MPI_Type_create_struct(2, lengths, at, types, &holes);
	MPI_Type_commit(&holes);
}

/* Every other block of doubles, as from a face of a grid. */
static void make_vector(struct frame *f, size_t bytes)
{
	int blocks = (int)(bytes / sizeof(double) / BLOCK);

	MPI_Type_vector(blocks, BLOCK, 2 * BLOCK, MPI_DOUBLE, &holes);
	MPI_Type_commit(&holes);
}

static void free_type(struct frame *f)
{
	MPI_Type_free(&holes);
}

static void pingpong_struct(struct frame *f, size_t bytes, long iterations)
{
	pairs_exchange(f, (int)(bytes / 24), holes, iterations);
}

static void pingpong_vector(struct frame *f, size_t bytes, long iterations)
{
	pairs_exchange(f, 1, holes, iterations);
}

/* All sends use one buffer, and all receives. */
static void begin_sends(struct frame *f, int n, int dest, MPI_Request *r)
{
	for (int w = 0; w < WINDOW; w++)
		MPI_Isend(f->send, n, MPI_BYTE, dest, TAG_DATA, W, &r[w]);
}

static void begin_recvs(struct frame *f, int n, int source, MPI_Request *r)
{
	for (int w = 0; w < WINDOW; w++)
		MPI_Irecv(f->recv, n, MPI_BYTE, source, TAG_DATA, W, &r[w]);
}

static void send_window(struct frame *f, int n, int dest)
{
	char reply[4];

	begin_sends(f, n, dest, f->requests);
	MPI_Waitall(WINDOW, f->requests, MPI_STATUSES_IGNORE);
	MPI_Recv(reply, 4, MPI_BYTE, dest, TAG_REPLY, W, MPI_STATUS_IGNORE);
}

static void recv_window(struct frame *f, int n, int source)
{
	char reply[4] = {0};

	begin_recvs(f, n, source, f->requests);
	MPI_Waitall(WINDOW, f->requests, MPI_STATUSES_IGNORE);
	MPI_Send(reply, 4, MPI_BYTE, source, TAG_REPLY, W);
}

/* The lower half of the ranks sends to the upper half. */
static void run_windows(struct frame *f, size_t bytes, long iterations)
{
	int half = f->ranks / 2;

	for (long i = 0; i < iterations; i++)
		if (f->me < half)
			send_window(f, (int)bytes, f->me + half);
		else if (f->me < 2 * half)
			recv_window(f, (int)bytes, f->me - half);
}

static int pairs(const struct frame *f)
{
	return f->ranks / 2;
}

static void both_ways(struct frame *f, size_t bytes, long iterations)
{
	MPI_Request r[2 * WINDOW];
	char out[4] = {0}, in[4];
	int peer = 1 - f->me;

	for (long i = 0; i < iterations; i++) {
		begin_recvs(f, (int)bytes, peer, r);
		begin_sends(f, (int)bytes, peer, r + WINDOW);
		MPI_Waitall(2 * WINDOW, r, MPI_STATUSES_IGNORE);
		MPI_Sendrecv(out, 4, MPI_BYTE, peer, TAG_REPLY, in, 4, MPI_BYTE,
			     peer, TAG_REPLY, W, MPI_STATUS_IGNORE);
	}
}

static int pairs_two(const struct frame *f)
{
	return 2;
}

static double of_peer(const struct frame *f, size_t count, size_t i)
{
	return frame_value(1 - f->me, i);
}

static double of_struct(const struct frame *f, size_t count, size_t i)
{
	return i % 4 == 1 || i >= count / 3 * 4 ? -1 : of_peer(f, count, i);
}

static double of_vector(const struct frame *f, size_t count, size_t i)
{
	return i / BLOCK % 2 ? -1 : of_peer(f, count, i);
}

static double of_sender(const struct frame *f, size_t count, size_t i)
{
	int half = f->ranks / 2;

	return f->me >= half && f->me < 2 * half ? frame_value(f->me - half, i)
						 : f->recv[i];
}

/* clang-format off */
const struct pattern pairs_patterns[] = {
    {.name = "latency", .unit = US_ONE_WAY, .pair = 1, .run = pairs_pingpong,
     .expected = of_peer},
    {.name = "struct_latency", .unit = US_ONE_WAY, .pair = 1,
     .begin = make_struct, .end = free_type, .run = pingpong_struct,
     .expected = of_struct},
    {.name = "vector_latency", .unit = US_ONE_WAY, .pair = 1,
     .begin = make_vector, .end = free_type, .run = pingpong_vector,
     .expected = of_vector},
    {.name = "bandwidth", .unit = MB_S, .pair = 1, .run = run_windows,
     .expected = of_sender},
    {.name = "rate", .unit = MSG_S, .pair = 1, .run = run_windows,
     .expected = of_sender},
    {.name = "bidirectional", .unit = MB_S, .pair = 1, .run = both_ways,
     .expected = of_peer, .streams = pairs_two},
    {.name = "multi_pair", .unit = MB_S, .run = run_windows,
     .expected = of_sender, .streams = pairs},
    {.name = NULL}};

/* clang-format on */