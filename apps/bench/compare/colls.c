/* SPDX-License-Identifier: Apache-2.0 */
/* colls.c: collectives called back to back. The root is rank 0, reductions add
 * doubles, and the size is one rank's block. */
#include "apps/bench/compare/frame.h"

#define W MPI_COMM_WORLD
#define COUNT ((int)(bytes / sizeof(double)))

/* Defines a pattern's run(): executes `body` n times. */
#define LOOP(name, body)                                                       \
	static void name(struct frame *f, size_t bytes, long n)                \
	{                                                                      \
		int b = (int)bytes;                                            \
                                                                               \
		for (long i = 0; i < n; i++)                                   \
			body;                                                  \
		(void)b;                                                       \
	}

LOOP(barrier, MPI_Barrier(W))
/* The root sends from the buffer into which others receive. */
LOOP(bcast, MPI_Bcast(f->me ? f->recv : f->send, b, MPI_BYTE, 0, W))
LOOP(reduce, MPI_Reduce(f->send, f->recv, COUNT, MPI_DOUBLE, MPI_SUM, 0, W))
LOOP(allreduce, MPI_Allreduce(f->send, f->recv, COUNT, MPI_DOUBLE, MPI_SUM, W))
LOOP(gather, MPI_Gather(f->send, b, MPI_BYTE, f->recv, b, MPI_BYTE, 0, W))
LOOP(scatter, MPI_Scatter(f->send, b, MPI_BYTE, f->recv, b, MPI_BYTE, 0, W))
LOOP(allgather, MPI_Allgather(f->send, b, MPI_BYTE, f->recv, b, MPI_BYTE, W))
LOOP(alltoall, MPI_Alltoall(f->send, b, MPI_BYTE, f->recv, b, MPI_BYTE, W))
LOOP(reduce_scatter_block,
     MPI_Reduce_scatter_block(f->send, f->recv, COUNT, MPI_DOUBLE, MPI_SUM, W))
LOOP(scan, MPI_Scan(f->send, f->recv, COUNT, MPI_DOUBLE, MPI_SUM, W))
LOOP(exscan, MPI_Exscan(f->send, f->recv, COUNT, MPI_DOUBLE, MPI_SUM, W))

enum { MOST_RANKS = 1024 };
static int counts[MOST_RANKS], starts[MOST_RANKS];

/* Divides n elements among the ranks, as equally as can be. */
static void colls_divide(int ranks, int n)
{
	if (ranks > MOST_RANKS)
		MPI_Abort(W, 64);
	for (int r = 0, at = 0; r < ranks; at += counts[r++]) {
		counts[r] = n / ranks + (r < n % ranks);
		starts[r] = at;
	}
}

static void begin_blocks(struct frame *f, size_t bytes)
{
	colls_divide(f->ranks, (int)bytes * f->ranks);
}

LOOP(gatherv,
     MPI_Gatherv(f->send, b, MPI_BYTE, f->recv, counts, starts, MPI_BYTE, 0, W))
LOOP(alltoallv, MPI_Alltoallv(f->send, counts, starts, MPI_BYTE, f->recv,
			      counts, starts, MPI_BYTE, W))

/* Starts a nonblocking call and waits for it. */
#define WAITED(call)                                                           \
	do {                                                                   \
		MPI_Request r;                                                 \
                                                                               \
		call;                                                          \
		MPI_Wait(&r, MPI_STATUS_IGNORE);                               \
	} while (0)

LOOP(ibarrier, WAITED(MPI_Ibarrier(W, &r)))
LOOP(ibcast,
     WAITED(MPI_Ibcast(f->me ? f->recv : f->send, b, MPI_BYTE, 0, W, &r)))
LOOP(iallreduce, WAITED(MPI_Iallreduce(f->send, f->recv, COUNT, MPI_DOUBLE,
				       MPI_SUM, W, &r)))
LOOP(ialltoall,
     WAITED(MPI_Ialltoall(f->send, b, MPI_BYTE, f->recv, b, MPI_BYTE, W, &r)))

/* The size of reduce_scatter is that of the whole vector, which may have fewer
 * elements than there are ranks. */
static void begin_shares(struct frame *f, size_t bytes)
{
	colls_divide(f->ranks, COUNT);
}

LOOP(reduce_scatter,
     MPI_Reduce_scatter(f->send, f->recv, counts, MPI_DOUBLE, MPI_SUM, W))

/* ---- Results ---- */

/* Returns element i summed over the first k ranks. */
static double colls_sum(int k, size_t i)
{
	return k * (k + 1) / 2.0 + k * (double)(i % 7);
}

static double of_root(const struct frame *f, size_t n, size_t i)
{
	return f->me ? frame_value(0, i) : f->recv[i];
}

static double of_each(const struct frame *f, size_t n, size_t i)
{
	return frame_value((int)(i / n), i % n);
}

static double of_each_for_me(const struct frame *f, size_t n, size_t i)
{
	return frame_value((int)(i / n), (size_t)f->me * n + i % n);
}

static double of_root_for_me(const struct frame *f, size_t n, size_t i)
{
	return frame_value(0, (size_t)f->me * n + i);
}

static double sum_of_all(const struct frame *f, size_t n, size_t i)
{
	return colls_sum(f->ranks, i);
}

static double sum_for_me(const struct frame *f, size_t n, size_t i)
{
	return colls_sum(f->ranks, (size_t)f->me * n + i);
}

static double sum_of_share(const struct frame *f, size_t n, size_t i)
{
	return i < (size_t)counts[f->me]
		   ? colls_sum(f->ranks, (size_t)starts[f->me] + i)
		   : f->recv[i];
}

static double sum_with_me(const struct frame *f, size_t n, size_t i)
{
	return colls_sum(f->me + 1, i);
}

static double sum_before_me(const struct frame *f, size_t n, size_t i)
{
	return f->me ? colls_sum(f->me, i) : f->recv[i];
}

#define COLL(call, result)                                                     \
	.name = #call, .unit = US, .run = call, .expected = result

const struct pattern colls_patterns[] = {
    {.name = "barrier", .unit = US, .run = barrier, .no_size = 1},
    {COLL(bcast, of_root)},
    {COLL(reduce, sum_of_all), .root_only = 1},
    {COLL(allreduce, sum_of_all)},
    {COLL(gather, of_each), .root_only = 1, .wide = 1},
    {COLL(scatter, of_root_for_me)},
    {COLL(allgather, of_each), .wide = 1},
    {COLL(alltoall, of_each_for_me), .wide = 1},
    {COLL(reduce_scatter_block, sum_for_me)},
    {COLL(gatherv, of_each), .root_only = 1, .wide = 1, .begin = begin_blocks},
    {COLL(alltoallv, of_each_for_me), .wide = 1, .begin = begin_blocks},
    {.name = "ibarrier", .unit = US, .run = ibarrier, .no_size = 1},
    {COLL(ibcast, of_root)},
    {COLL(iallreduce, sum_of_all)},
    {COLL(ialltoall, of_each_for_me), .wide = 1},
    {COLL(reduce_scatter, sum_of_share), .begin = begin_shares},
    {COLL(scan, sum_with_me)},
    {COLL(exscan, sum_before_me)},
    {.name = NULL}};
