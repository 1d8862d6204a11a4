/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_reuse.c repeats collectives of a few shapes, in all forms, several at
 * once, and counts the allocations of this process meanwhile. At first plans
 * and pools are made. Later there are no allocations except for messages that
 * come earlier than ever before: less than one in ten rounds.
 *
 *   coll_reuse [ROUNDS [ODD]]
 *
 * In each round, ODD collectives of shapes that do not come again are called in
 * between. With MRT_STATS=1 it tells how many plans it built.
 */
#include <stdatomic.h>

#include "tests/system/api.h"

int me, np, api_failures;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||           \
    !defined(__GLIBC__)
enum { COUNTS = 0 };
static atomic_long allocations;
#else
enum { COUNTS = 1 };
static atomic_long allocations;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

/* These replace the functions of the allocator, for the library as well. */
#pragma GCC visibility push(default)
void *malloc(size_t bytes)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t size)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t bytes)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_realloc(p, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
	atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
	return __libc_memalign(align, bytes);
}
#pragma GCC visibility pop
#endif

enum { MOST = 16, COUNT = 30, AT_ONCE = 8, KEPT = 4 };

static int in[MOST * COUNT], out[AT_ONCE + KEPT][MOST * COUNT];
static size_t counts[MOST];
static ptrdiff_t displs[MOST];
static struct mrt_request *kept[KEPT];

static void blocking(void)
{
	OK(mrt_bcast(out[0], COUNT, MRT_INT, 0, W));
	OK(mrt_allreduce(in, out[0], COUNT, MRT_INT, MRT_SUM, W));
	OK(mrt_reduce_scatter(in, out[0], counts, MRT_INT, MRT_SUM, W));
	OK(mrt_alltoallv(in, counts, displs, MRT_INT, out[0], counts, displs,
			 MRT_INT, W));
	OK(mrt_gatherv(in, COUNT, MRT_INT, out[0], counts, displs, MRT_INT,
		       np - 1, W));
	OK(mrt_barrier(W));
}

/* Several requests of one shape are active at once as well. */
static void nonblocking(void)
{
	struct mrt_request *r[AT_ONCE];

	OK(mrt_ibarrier(W, &r[0]));
	for (int k = 1; k < 4; k++)
		OK(mrt_iallreduce(in, out[k], COUNT, MRT_INT, MRT_MAX, W,
				  &r[k]));
	OK(mrt_iallgather(in, COUNT, MRT_INT, out[4], COUNT, MRT_INT, W,
			  &r[4]));
	OK(mrt_ialltoall(in, COUNT, MRT_INT, out[5], COUNT, MRT_INT, W, &r[5]));
	OK(mrt_iscan(in, out[6], COUNT, MRT_INT, MRT_SUM, W, &r[6]));
	OK(mrt_ialltoallv(in, counts, displs, MRT_INT, out[7], counts, displs,
			  MRT_INT, W, &r[7]));
	OK(mrt_waitall(AT_ONCE, r, MRT_STATUSES_IGNORE));
}

static void make_persistent(void)
{
	OK(mrt_allreduce_init(in, out[8], COUNT, MRT_INT, MRT_SUM, W,
			      &kept[0]));
	OK(mrt_reduce_scatter_init(in, out[9], counts, MRT_INT, MRT_SUM, W,
				   &kept[1]));
	OK(mrt_alltoallv_init(in, counts, displs, MRT_INT, out[10], counts,
			      displs, MRT_INT, W, &kept[2]));
	OK(mrt_barrier_init(W, &kept[3]));
}

/* Calls a collective of another shape each time. */
static void odd(void)
{
	static int calls;
	size_t each[MOST];
	ptrdiff_t at[MOST];

	for (int r = 0; r < np; r++) {
		each[r] = 1 + (size_t)(calls % COUNT);
		at[r] = (ptrdiff_t)r * COUNT + calls / COUNT;
	}
	calls++;
	OK(mrt_alltoallv(in, each, at, MRT_INT, out[0], each, at, MRT_INT, W));
}

static void rounds(int n, int odds)
{
	for (int k = 0; k < n; k++) {
		blocking();
		for (int i = 0; i < odds; i++)
			odd();
		nonblocking();
		OK(mrt_startall(KEPT, kept));
		OK(mrt_waitall(KEPT, kept, MRT_STATUSES_IGNORE));
	}
}

static void report(int n, long made, long before)
{
	bool good;
	long most;

	OK(mrt_allreduce(&made, &most, 1, MRT_LONG, MRT_MAX, W));
	good = before > 0 && most <= n / 10;
	if (!COUNTS && me == 0)
		printf("ok - repeated calls allocate nothing # SKIP no counts "
		       "with this allocator\n");
	if (!COUNTS)
		return;
	api_failures += !good;
	if (me == 0)
		printf("%sok - repeated calls allocate nothing: %ld (%ld "
		       "before)\n",
		       good ? "" : "not ", most, before);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 300;
	int odds = argc > 2 ? atoi(argv[2]) : 0;
	long before;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	if (np > MOST)
		return 1;
	for (int r = 0; r < np; r++) {
		counts[r] = COUNT;
		displs[r] = (ptrdiff_t)r * COUNT;
	}
	make_persistent();
	rounds(odds ? 1 : 50, odds);
	before = atomic_load(&allocations);
	rounds(n, odds);
	if (!odds)
		report(n, atomic_load(&allocations) - before, before);
	for (int k = 0; k < KEPT; k++)
		OK(mrt_request_free(&kept[k]));
	return mrt_finalize() || api_failures;
}
