/* SPDX-License-Identifier: Apache-2.0 */
/*
 * windows.c: one-sided operations of rank 0 on the window of rank 1, which
 * waits in a barrier; each is completed by a flush. Windows are allocated,
 * those of patterns *_created expose the program's memory. In `fence` all ranks
 * take part.
 */
#include "apps/bench/compare/frame.h"

#include <stdint.h>
#include <string.h>

#define W MPI_COMM_WORLD

/* ---- Windows ---- */

/* Windows of a few bytes are those in which MPICH 4.0.2 puts to the wrong rank.
 */
static void windows_allocate(struct frame *f, size_t bytes)
{
	MPI_Win_allocate((MPI_Aint)(bytes < 4096 ? 4096 : bytes), 1,
			 MPI_INFO_NULL, W, &f->window, &f->win);
	memset(f->window, 0, bytes);
	MPI_Barrier(W);
}

static void free_window(struct frame *f)
{
	MPI_Win_free(&f->win);
}

static void open_allocated(struct frame *f, size_t bytes)
{
	windows_allocate(f, bytes);
	MPI_Win_lock_all(0, f->win);
}

/* Fills the window with what a get is to find. */
static void open_filled(struct frame *f, size_t bytes)
{
	windows_allocate(f, bytes);
	memcpy(f->window, f->send, bytes);
	MPI_Barrier(W);
	MPI_Win_lock_all(0, f->win);
}

static void windows_create(struct frame *f, void *memory, size_t bytes)
{
	f->window = memory;
	MPI_Win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, W, &f->win);
	MPI_Win_lock_all(0, f->win);
}

static void create_recv(struct frame *f, size_t bytes)
{
	windows_create(f, f->recv, bytes);
}

static void create_send(struct frame *f, size_t bytes)
{
	windows_create(f, f->send, bytes);
}

static void close_window(struct frame *f)
{
	MPI_Win_unlock_all(f->win);
	MPI_Win_free(&f->win);
}

/* ---- Patterns ---- */

/* Defines a pattern's run(): rank 0 executes `body` n times, and rank 1 then
 * has what its window contains in recv, unless that is the window. */
#define LOOP(name, body)                                                       \
	static void name(struct frame *f, size_t bytes, long n)                \
	{                                                                      \
		int b = (int)bytes;                                            \
		int64_t *in = (int64_t *)(void *)f->send;                      \
		int64_t *out = (int64_t *)(void *)f->recv;                     \
                                                                               \
		for (long i = 0; f->me == 0 && i < n; i++) {                   \
			body;                                                  \
		}                                                              \
		MPI_Barrier(W);                                                \
		if (f->me == 1 && f->window != (void *)f->recv)                \
			memcpy(f->recv, f->window, bytes);                     \
		(void)b;                                                       \
		(void)in;                                                      \
		(void)out;                                                     \
	}

LOOP(put, MPI_Put(f->send, b, MPI_BYTE, 1, 0, b, MPI_BYTE, f->win);
     MPI_Win_flush(1, f->win))
LOOP(get, MPI_Get(f->recv, b, MPI_BYTE, 1, 0, b, MPI_BYTE, f->win);
     MPI_Win_flush(1, f->win))
LOOP(accumulate, int c = b / (int)sizeof(double);
     MPI_Accumulate(f->send, c, MPI_DOUBLE, 1, 0, c, MPI_DOUBLE, MPI_SUM,
		    f->win);
     MPI_Win_flush(1, f->win))
LOOP(fetch_and_op,
     MPI_Fetch_and_op(in, out, MPI_INT64_T, 1, 0, MPI_SUM, f->win);
     MPI_Win_flush(1, f->win))
LOOP(compare_and_swap,
     MPI_Compare_and_swap(in, in + 1, out, MPI_INT64_T, 1, 0, f->win);
     MPI_Win_flush(1, f->win))
LOOP(lock_put, MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, f->win);
     MPI_Put(f->send, b, MPI_BYTE, 1, 0, b, MPI_BYTE, f->win);
     MPI_Win_unlock(1, f->win))

static void windows_fence(struct frame *f, size_t bytes, long n)
{
	for (long i = 0; i < n; i++)
		MPI_Win_fence(0, f->win);
}

static double of_origin(const struct frame *f, size_t count, size_t i)
{
	return f->me == 1 ? frame_value(0, i) : f->recv[i];
}

static double of_target(const struct frame *f, size_t count, size_t i)
{
	return frame_value(1, i);
}

/* clang-format off */
#define PAIR(pattern, open, close, check) \
	{.name = #pattern, .unit = US, .pair = 1, .begin = open, \
	 .run = pattern, .end = close, .expected = check}
const struct pattern windows_patterns[] = {
    PAIR(put, open_allocated, close_window, of_origin),
    PAIR(get, open_filled, close_window, of_target),
    PAIR(accumulate, open_allocated, close_window, of_origin),
    PAIR(fetch_and_op, open_allocated, close_window, NULL),
    PAIR(compare_and_swap, open_allocated, close_window, NULL),
    PAIR(lock_put, windows_allocate, free_window, of_origin),
    {.name = "put_created", .unit = US, .pair = 1, .begin = create_recv,
     .run = put, .end = close_window, .expected = of_origin},
    {.name = "get_created", .unit = US, .pair = 1, .begin = create_send,
     .run = get, .end = close_window, .expected = of_target},
    {.name = "fence", .unit = US, .no_size = 1, .begin = windows_allocate,
     .run = windows_fence, .end = free_window},
    {.name = NULL}};

/* clang-format on */
