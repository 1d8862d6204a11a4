/* SPDX-License-Identifier: Apache-2.0 */
/* coll_wrong.c calls every collective with wrong arguments, in its three
 * forms. What is wrong on any communicator is tried on self, where each rank
 * is the root. */
#include "tests/system/coll_all.h"

#define SELF MRT_COMM_SELF

/* All three forms must fail with this code and set no request. */
#define WRONG(code, name, ...)                                                 \
	do {                                                                   \
		struct mrt_request *q_ = NULL;                                 \
		FAILS(code, mrt_##name(__VA_ARGS__));                          \
		FAILS(code, mrt_i##name(__VA_ARGS__, &q_));                    \
		FAILS(code, mrt_##name##_init(__VA_ARGS__, &q_));              \
		CHECK(!q_);                                                    \
	} while (0)

static struct mrt_type *const bad_type = (struct mrt_type *)0x300;
static struct mrt_comm *const bad_comm = (struct mrt_comm *)0x42;
static const size_t huge = (size_t)-1;
static int a[8], b[8];

static void test_handles(void)
{
	struct mrt_type *types[1] = {bad_type};
	const size_t one = 1;
	const ptrdiff_t zero = 0;

	WRONG(MRT_ERR_COMM, barrier, bad_comm);
	WRONG(MRT_ERR_COMM, scan, a, b, 1, MRT_INT, MRT_SUM, MRT_COMM_NULL);
	FAILS(MRT_ERR_ARG, mrt_ibarrier(W, NULL));
	FAILS(MRT_ERR_ARG, mrt_barrier_init(W, NULL));
	WRONG(MRT_ERR_TYPE, bcast, a, 1, bad_type, 0, SELF);
	WRONG(MRT_ERR_TYPE, gather, a, 1, bad_type, b, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_TYPE, gather, a, 1, MRT_INT, b, 1, bad_type, 0, SELF);
	WRONG(MRT_ERR_TYPE, scatter, a, 1, bad_type, b, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_TYPE, allgather, a, 1, MRT_INT, b, 1, bad_type, SELF);
	WRONG(MRT_ERR_TYPE, alltoall, a, 1, bad_type, b, 1, MRT_INT, SELF);
	WRONG(MRT_ERR_TYPE, alltoallv, a, &one, &zero, bad_type, b, &one, &zero,
	      MRT_INT, SELF);
	WRONG(MRT_ERR_TYPE, alltoallw, a, &one, &zero, types, b, &one, &zero,
	      types, SELF);
	WRONG(MRT_ERR_TYPE, reduce_scatter, a, b, &one, bad_type, MRT_SUM,
	      SELF);
	WRONG(MRT_ERR_TYPE, exscan, a, b, 1, bad_type, MRT_SUM, SELF);
	WRONG(MRT_ERR_OP, scan, a, b, 1, MRT_INT, MRT_OP_NULL, SELF);
	WRONG(MRT_ERR_OP, reduce, a, b, 1, MRT_DOUBLE, MRT_BAND, 0, SELF);
	WRONG(MRT_ERR_OP, reduce_scatter_block, a, b, 1, MRT_BYTE, MRT_SUM,
	      SELF);
}

static void test_roots(void)
{
	const size_t ones[1] = {1};
	const ptrdiff_t zeros[1] = {0};

	WRONG(MRT_ERR_ROOT, bcast, a, 1, MRT_INT, np, W);
	WRONG(MRT_ERR_ROOT, reduce, a, b, 1, MRT_INT, MRT_SUM, -1, W);
	WRONG(MRT_ERR_ROOT, gather, a, 1, MRT_INT, b, 1, MRT_INT, np, W);
	WRONG(MRT_ERR_ROOT, scatter, a, 1, MRT_INT, b, 1, MRT_INT, -1, W);
	WRONG(MRT_ERR_ROOT, gatherv, a, 1, MRT_INT, b, ones, zeros, MRT_INT, 1,
	      SELF);
	WRONG(MRT_ERR_ROOT, scatterv, a, ones, zeros, MRT_INT, b, 1, MRT_INT, 1,
	      SELF);
}

static void test_counts(void)
{
	const size_t one = 1, two = 2;
	const ptrdiff_t zero = 0;

	WRONG(MRT_ERR_COUNT, bcast, a, huge, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_COUNT, allreduce, a, b, huge, MRT_INT, MRT_SUM, SELF);
	WRONG(MRT_ERR_COUNT, gather, a, huge, MRT_CHAR, b, 1, MRT_CHAR, 0,
	      SELF);
	WRONG(MRT_ERR_COUNT, alltoallv, a, &huge, &zero, MRT_INT, b, &one,
	      &zero, MRT_INT, SELF);
	WRONG(MRT_ERR_COUNT, allgatherv, a, 1, MRT_INT, b, &huge, &zero,
	      MRT_INT, SELF);
	WRONG(MRT_ERR_COUNT, reduce_scatter, a, b, &huge, MRT_INT, MRT_SUM,
	      SELF);
	WRONG(MRT_ERR_TRUNCATE, gather, a, 2, MRT_INT, b, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_ARG, scatter, a, 1, MRT_CHAR, b, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_ARG, allgather, a, 1, MRT_INT, b, 2, MRT_INT, SELF);
	WRONG(MRT_ERR_TRUNCATE, alltoall, a, 2, MRT_INT, b, 1, MRT_INT, SELF);
	WRONG(MRT_ERR_TRUNCATE, alltoallv, a, &two, &zero, MRT_INT, b, &one,
	      &zero, MRT_INT, SELF);
	WRONG(MRT_ERR_ARG, gatherv, a, 1, MRT_INT, b, &two, &zero, MRT_INT, 0,
	      SELF);
	WRONG(MRT_ERR_TRUNCATE, scatterv, a, &two, &zero, MRT_INT, b, 1,
	      MRT_INT, 0, SELF);
	WRONG(MRT_ERR_ARG, gatherv, a, 1, MRT_INT, b, NULL, &zero, MRT_INT, 0,
	      SELF);
	WRONG(MRT_ERR_ARG, allgatherv, a, 1, MRT_INT, b, &one, NULL, MRT_INT,
	      SELF);
	WRONG(MRT_ERR_ARG, reduce_scatter, a, b, NULL, MRT_INT, MRT_SUM, SELF);
}

static void test_buffers(void)
{
	const size_t one = 1;
	const ptrdiff_t zero = 0;

	WRONG(MRT_ERR_BUFFER, bcast, NULL, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_BUFFER, bcast, MRT_IN_PLACE, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_BUFFER, gather, NULL, 1, MRT_INT, b, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_BUFFER, gather, a, 1, MRT_INT, NULL, 1, MRT_INT, 0, SELF);
	WRONG(MRT_ERR_BUFFER, gather, a, 1, MRT_INT, MRT_IN_PLACE, 1, MRT_INT,
	      0, SELF);
	WRONG(MRT_ERR_BUFFER, scatter, MRT_IN_PLACE, 1, MRT_INT, b, 1, MRT_INT,
	      0, SELF);
	WRONG(MRT_ERR_BUFFER, alltoallv, a, &one, &zero, MRT_INT, NULL, &one,
	      &zero, MRT_INT, SELF);
	WRONG(MRT_ERR_BUFFER, reduce_scatter, a, NULL, &one, MRT_INT, MRT_SUM,
	      SELF);
	WRONG(MRT_ERR_BUFFER, scan, a, a, 4, MRT_INT, MRT_SUM, SELF);
	WRONG(MRT_ERR_BUFFER, allreduce, a, a + 2, 4, MRT_INT, MRT_SUM, SELF);
	WRONG(MRT_ERR_BUFFER, reduce_scatter_block, a + 2, a, 4, MRT_INT,
	      MRT_SUM, SELF);
	WRONG(MRT_ERR_BUFFER, allgather, a, 1, MRT_INT, a, 1, MRT_INT, SELF);
	WRONG(MRT_ERR_BUFFER, gatherv, a, 1, MRT_INT, a, &one, &zero, MRT_INT,
	      0, SELF);
	WRONG(MRT_ERR_BUFFER, alltoallv, a, &one, &zero, MRT_INT, a, &one,
	      &zero, MRT_INT, SELF);
	if (np == 1)
		return;
	/* only the root may be in place */
	if (me == 0) {
		WRONG(MRT_ERR_BUFFER, reduce, MRT_IN_PLACE, b, 1, MRT_INT,
		      MRT_SUM, 1, W);
		WRONG(MRT_ERR_BUFFER, gather, MRT_IN_PLACE, 1, MRT_INT, b, 1,
		      MRT_INT, 1, W);
		WRONG(MRT_ERR_BUFFER, scatter, a, 1, MRT_INT, MRT_IN_PLACE, 1,
		      MRT_INT, 1, W);
	}
}

static void test_neighbors(void)
{
	const int self[1] = {0}, other[1] = {1}, below[1] = {-1};
	struct mrt_neighbors near = {1, self, 1, self, 0};

	WRONG(MRT_ERR_ARG, neighbor_allgather, a, 1, MRT_INT, b, 1, MRT_INT,
	      NULL, SELF);
	WRONG(MRT_ERR_TRUNCATE, neighbor_alltoall, a, 2, MRT_INT, b, 1, MRT_INT,
	      &near, SELF);
	WRONG(MRT_ERR_BUFFER, neighbor_alltoall, MRT_IN_PLACE, 1, MRT_INT, b, 1,
	      MRT_INT, &near, SELF);
	near.sources = other;
	WRONG(MRT_ERR_RANK, neighbor_allgather, a, 1, MRT_INT, b, 1, MRT_INT,
	      &near, SELF);
	near.sources = self;
	near.ndests = 0;
	WRONG(MRT_ERR_ARG, neighbor_alltoall, a, 1, MRT_INT, b, 1, MRT_INT,
	      &near, SELF);
	near.nsources = 0;
	near.ndests = 1;
	WRONG(MRT_ERR_ARG, neighbor_allgather, a, 1, MRT_INT, b, 1, MRT_INT,
	      &near, SELF);
	near.nsources = 1;
	near.dests = below;
	WRONG(MRT_ERR_RANK, neighbor_alltoall, a, 1, MRT_INT, b, 1, MRT_INT,
	      &near, SELF);
	near.dests = NULL;
	WRONG(MRT_ERR_ARG, neighbor_alltoall, a, 1, MRT_INT, b, 1, MRT_INT,
	      &near, SELF);
	near.ndests = -1;
	WRONG(MRT_ERR_ARG, neighbor_alltoall, a, 1, MRT_INT, b, 1, MRT_INT,
	      &near, SELF);
}

static void no_op(const void *in, void *inout, size_t count,
		  struct mrt_type *type, void *context)
{
	(void)in;
	(void)inout;
	(void)count;
	(void)type;
	(void)context;
}

static void test_ops(void)
{
	struct mrt_op *op = MRT_SUM;

	FAILS(MRT_ERR_ARG, mrt_op_create(NULL, NULL, 1, &op));
	FAILS(MRT_ERR_ARG, mrt_op_create(no_op, NULL, 1, NULL));
	FAILS(MRT_ERR_OP, mrt_op_free(&op));
	FAILS(MRT_ERR_ARG, mrt_op_free(NULL));
	CHECK(op == MRT_SUM);
}

/* Counts of an empty transfer may be any: with NULL buffers, or above 2^31 for
 * blocks that are not moved. */
static void test_nothing(void)
{
	const ptrdiff_t big = (ptrdiff_t)1 << 33;
	const size_t zero = 0;
	int x = 7;

	OK(mrt_bcast(NULL, 0, MRT_INT, 0, W));
	OK(mrt_alltoall(NULL, 0, MRT_INT, NULL, 0, MRT_CHAR, W));
	OK(mrt_gatherv(NULL, 0, MRT_INT, NULL, &zero, &big, MRT_INT, 0, SELF));
	OK(mrt_alltoallv(NULL, &zero, &big, MRT_INT, NULL, &zero, &big, MRT_INT,
			 SELF));
	/* arguments that do not count at this rank may be wrong */
	if (np > 1 && me != 0)
		OK(mrt_gather(&x, 1, MRT_INT, NULL, huge, bad_type, 0, W));
	if (me == 0) {
		int *all = calloc((size_t)np, sizeof(*all));

		OK(mrt_gather(&x, 1, MRT_INT, all, 1, MRT_INT, 0, W));
		CHECK(all[np - 1] == 7);
		free(all);
	}
}

const struct api_case coll_wrong[] = {
    {"wrong handles", test_handles},	  {"wrong roots", test_roots},
    {"wrong counts", test_counts},	  {"wrong buffers", test_buffers},
    {"wrong neighbours", test_neighbors}, {"wrong operations", test_ops},
    {"nothing to move", test_nothing},	  {NULL, NULL}};
