/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intercomm_coll.c tests the collectives of intercommunicators: blocking,
 * nonblocking and persistent, on each division, in both directions.
 */
#include "tests/system/intercomm.h"

enum { FORMS = 3, ROOM = 8 * 8 * 5000, BLOCK = 5000 };

static struct pair *pair;  /* the division */
static struct mrt_comm *c; /* the intercommunicator of the division */
static int form, count;	   /* form of the call; elements */
static int to;		   /* the side that receives, or has the root */
static int root;	   /* rank of the root on that side */
static int root_arg;	   /* the root as the argument at this rank */
static int in[ROOM], out[ROOM];

/* ---- How it is called ---------------------------------------------------- */

static void finish(struct mrt_request **request)
{
	OK(mrt_wait(request, MRT_STATUS_IGNORE));
}

static void again(struct mrt_request **request)
{
	for (int i = 0; i < 2; i++) {
		OK(mrt_start(request));
		finish(request);
	}
	OK(mrt_request_free(request));
}

#define RUN(name, ...)                                                         \
	do {                                                                   \
		struct mrt_request *request;                                   \
                                                                               \
		if (form == 0) {                                               \
			OK(mrt_##name(__VA_ARGS__, c));                        \
		} else if (form == 1) {                                        \
			OK(mrt_i##name(__VA_ARGS__, c, &request));             \
			finish(&request);                                      \
		} else {                                                       \
			OK(mrt_##name##_init(__VA_ARGS__, c, &request));       \
			again(&request);                                       \
		}                                                              \
	} while (0)

/* ---- What is sent -------------------------------------------------------- */

static int value(int world, int block, int i)
{
	return world * 100000 + block * 10000 + i;
}

/* Fills out with so many blocks of `count` elements, and sets in to a pattern
 * that means untouched. */
static void fill(int blocks)
{
	for (int b = 0; b < blocks; b++)
		for (int i = 0; i < count; i++)
			out[b * count + i] = value(me, b, i);
	memset(in, 0xee, sizeof(in));
}

/* Checks that block b of world rank w is at `at`. */
static void check_block(const int *at, int world, int b, int n)
{
	bool good = true;

	for (int i = 0; i < n; i++)
		good &= at[i] == value(world, b, i);
	CHECK(good);
}

static void check_nothing(const int *at)
{
	CHECK(*at == (int)0xeeeeeeee);
}

/* Returns the sum over the other group of element i of block b. */
static int sum_of_others(int b, int i)
{
	int sum = 0;

	for (int r = 0; r < pair->other; r++)
		sum += value(opposite(pair, r), b, i);
	return sum;
}

static bool is_root(void)
{
	return root_arg == MRT_ROOT;
}

/* Returns whether this rank sends data in a collective towards a root. */
static bool gives(void)
{
	return pair->side != to;
}

/* ---- Collectives --------------------------------------------------------- */

static void barrier(void)
{
	struct mrt_request *r;

	if (form == 0) {
		OK(mrt_barrier(c));
	} else if (form == 1) {
		OK(mrt_ibarrier(c, &r));
		finish(&r);
	} else {
		OK(mrt_barrier_init(c, &r));
		again(&r);
	}
}

static void bcast(void)
{
	fill(0);
	if (is_root())
		for (int i = 0; i < count; i++)
			in[i] = value(member(pair->way, to, root), 0, i);
	RUN(bcast, in, (size_t)count, MRT_INT, root_arg);
	if (gives())
		check_block(in, member(pair->way, to, root), 0, count);
	else if (!is_root())
		check_nothing(in);
}

static void gather(void)
{
	fill(1);
	RUN(gather, out, (size_t)count, MRT_INT, in, (size_t)count, MRT_INT,
	    root_arg);
	for (int r = 0; r < pair->other && is_root(); r++)
		check_block(in + r * count, opposite(pair, r), 0, count);
	if (!is_root())
		check_nothing(in);
}

static void scatter(void)
{
	fill(pair->other);
	RUN(scatter, out, (size_t)count, MRT_INT, in, (size_t)count, MRT_INT,
	    root_arg);
	if (gives())
		check_block(in, member(pair->way, to, root), pair->rank, count);
	else
		check_nothing(in);
}

static void allgather(void)
{
	fill(1);
	RUN(allgather, out, (size_t)count, MRT_INT, in, (size_t)count, MRT_INT);
	for (int r = 0; r < pair->other; r++)
		check_block(in + r * count, opposite(pair, r), 0, count);
}

/* One side sends nothing. */
static void allgather_one_way(void)
{
	size_t own = gives() ? (size_t)count : 0;

	fill(1);
	RUN(allgather, out, own, MRT_INT, in, (size_t)count - own, MRT_INT);
	for (int r = 0; r < pair->other && !gives(); r++)
		check_block(in + r * count, opposite(pair, r), 0, count);
	if (gives())
		check_nothing(in);
}

static void alltoall(void)
{
	fill(pair->other);
	RUN(alltoall, out, (size_t)count, MRT_INT, in, (size_t)count, MRT_INT);
	for (int r = 0; r < pair->other; r++)
		check_block(in + r * count, opposite(pair, r), pair->rank,
			    count);
}

/* Rank r of the other group sends or gets these, the last rank first. */
static size_t counts[8], bytes[8];
static ptrdiff_t displs[8], offsets[8];
static struct mrt_type *types[8];

static size_t count_of(int from, int to_rank)
{
	return (size_t)((from + 2 * to_rank) % 3 * count / 3);
}

static void list(bool sends)
{
	for (int r = 0; r < pair->other; r++) {
		counts[r] =
		    sends ? count_of(pair->rank, r) : count_of(r, pair->rank);
		displs[r] = (pair->other - 1 - r) * (ptrdiff_t)count;
		offsets[r] = displs[r] * (ptrdiff_t)sizeof(int);
		bytes[r] = counts[r] * sizeof(int);
		types[r] = MRT_INT;
	}
}

static void gatherv(void)
{
	size_t mine = count_of(pair->rank, 0);

	fill(1);
	for (int r = 0; r < pair->other; r++) {
		counts[r] = count_of(r, 0);
		displs[r] = (pair->other - 1 - r) * (ptrdiff_t)count;
	}
	RUN(gatherv, out, mine, MRT_INT, in, is_root() ? counts : NULL,
	    is_root() ? displs : NULL, MRT_INT, root_arg);
	for (int r = 0; r < pair->other && is_root(); r++)
		check_block(in + displs[r], opposite(pair, r), 0,
			    (int)counts[r]);
	if (!is_root())
		check_nothing(in);
}

static void scatterv(void)
{
	size_t mine = count_of(0, pair->rank);

	fill(pair->other);
	for (int r = 0; r < pair->other; r++) {
		counts[r] = count_of(0, r);
		displs[r] = r * (ptrdiff_t)count;
	}
	RUN(scatterv, out, is_root() ? counts : NULL, is_root() ? displs : NULL,
	    MRT_INT, in, mine, MRT_INT, root_arg);
	if (gives())
		check_block(in, member(pair->way, to, root), pair->rank,
			    (int)mine);
	else
		check_nothing(in);
}

static void allgatherv(void)
{
	size_t mine = count_of(pair->rank, 0);

	fill(1);
	for (int r = 0; r < pair->other; r++) {
		counts[r] = count_of(r, 0);
		displs[r] = (pair->other - 1 - r) * (ptrdiff_t)count;
	}
	RUN(allgatherv, out, mine, MRT_INT, in, counts, displs, MRT_INT);
	for (int r = 0; r < pair->other; r++)
		check_block(in + displs[r], opposite(pair, r), 0,
			    (int)counts[r]);
}

static void check_lists(void)
{
	for (int r = 0; r < pair->other; r++)
		check_block(in + displs[r], opposite(pair, r), pair->rank,
			    (int)count_of(r, pair->rank));
}

static void alltoallv(void)
{
	size_t sent[8];
	ptrdiff_t from[8];

	fill(pair->other);
	list(false);
	for (int r = 0; r < pair->other; r++) {
		sent[r] = count_of(pair->rank, r);
		from[r] = r * (ptrdiff_t)count;
	}
	RUN(alltoallv, out, sent, from, MRT_INT, in, counts, displs, MRT_INT);
	check_lists();
}

static void alltoallw(void)
{
	struct mrt_type *raw[8];
	size_t sent[8];
	ptrdiff_t from[8];

	fill(pair->other);
	list(false);
	for (int r = 0; r < pair->other; r++) {
		sent[r] = count_of(pair->rank, r) * sizeof(int);
		from[r] = r * (ptrdiff_t)count * (ptrdiff_t)sizeof(int);
		raw[r] = MRT_BYTE;
	}
	RUN(alltoallw, out, sent, from, raw, in, counts, offsets, types);
	check_lists();
}

static void reduce(void)
{
	fill(1);
	RUN(reduce, out, in, (size_t)count, MRT_INT, MRT_SUM, root_arg);
	if (is_root())
		CHECK(in[0] == sum_of_others(0, 0) &&
		      in[count - 1] == sum_of_others(0, count - 1));
	else
		check_nothing(in);
}

static void allreduce(void)
{
	fill(1);
	RUN(allreduce, out, in, (size_t)count, MRT_INT, MRT_SUM);
	CHECK(in[0] == sum_of_others(0, 0));
	CHECK(in[count - 1] == sum_of_others(0, count - 1));
}

/* Composes affine maps x -> a x + b, which do not commute. */
static void compose(const void *left, void *right, size_t n,
		    struct mrt_type *type, void *context)
{
	const int *l = left;
	int *r = right;

	(void)type;
	(void)context;
	for (size_t i = 0; i + 1 < 2 * n; i += 2) {
		r[i + 1] = l[i] * r[i + 1] + l[i + 1];
		r[i] = l[i] * r[i];
	}
}

static void in_order(void)
{
	struct mrt_type *pair_type = MRT_INT64; /* an element of two int */
	int want[2] = {1, 0};
	struct mrt_op *op;

	OK(mrt_op_create(compose, NULL, 0, &op));
	fill(1);
	for (int i = 0; i < count; i++) {
		out[2 * i] = me % 3 + 2;
		out[2 * i + 1] = me + 1;
	}
	RUN(allreduce, out, in, (size_t)count, pair_type, op);
	for (int r = 0; r < pair->other; r++) {
		int w = opposite(pair, r);

		want[1] += want[0] * (w + 1);
		want[0] *= w % 3 + 2;
	}
	CHECK(in[0] == want[0] && in[1] == want[1]);
	CHECK(in[2 * count - 2] == want[0] && in[2 * count - 1] == want[1]);
	OK(mrt_op_free(&op));
}

/* Both sides have the same number of elements: own * other blocks. */
static void reduce_scatter_block(void)
{
	int n = count / 8 + 1, mine = n * pair->other;
	int all = mine * pair->own, at = mine * pair->rank;

	fill(0);
	for (int i = 0; i < all; i++)
		out[i] = value(me, 0, i);
	RUN(reduce_scatter_block, out, in, (size_t)mine, MRT_INT, MRT_SUM);
	CHECK(in[0] == sum_of_others(0, at));
	CHECK(in[mine - 1] == sum_of_others(0, at + mine - 1));
	check_nothing(in + mine);
}

/* All elements go to the last rank but one for each other rank. */
static void reduce_scatter(void)
{
	int all = 8 + count, last = pair->own - 1;

	fill(0);
	for (int i = 0; i < all; i++)
		out[i] = value(me, 0, i);
	for (int r = 0; r < last; r++)
		counts[r] = 1;
	counts[last] = (size_t)(all - last);
	RUN(reduce_scatter, out, in, counts, MRT_INT, MRT_SUM);
	CHECK(in[0] == sum_of_others(0, pair->rank));
	if (pair->rank == last)
		CHECK(in[all - last - 1] == sum_of_others(0, all - 1));
	else
		check_nothing(in + 1);
}

/* ---- All of them --------------------------------------------------------- */

static void with_counts(void (*one)(void))
{
	static const int some[] = {1, 7, 5000};

	for (form = 0; form < FORMS; form++)
		for (size_t k = 0; k < 3; k++) {
			count = some[k];
			one();
		}
}

static void each_root(void (*one)(void))
{
	for (to = 0; to < 2; to++) {
		int n = pair->side == to ? pair->own : pair->other;

		for (root = 0; root<n; root += n> 1 ? n - 1 : 1) {
			root_arg = pair->side != to	? root
				   : pair->rank == root ? MRT_ROOT
							: MRT_PROC_NULL;
			with_counts(one);
		}
	}
}

static void on_each_division(void (*one)(void), bool rooted)
{
	for (enum way way = 0; way < WAYS; way++) {
		struct pair p;

		if (!possible(way))
			continue;
		p = make_pair(way);
		pair = &p;
		c = p.inter;
		to = 0;
		if (p.side < 2 && rooted)
			each_root(one);
		else if (p.side < 2)
			with_counts(one);
		free_pair(&p);
	}
}

#define TEST(name, rooted)                                                     \
	static void test_##name(void)                                          \
	{                                                                      \
		on_each_division(name, rooted);                                \
	}
TEST(barrier, false)
TEST(bcast, true)
TEST(gather, true)
TEST(gatherv, true)
TEST(scatter, true)
TEST(scatterv, true)
TEST(allgather, false)
TEST(allgather_one_way, false)
TEST(allgatherv, false)
TEST(alltoall, false)
TEST(alltoallv, false)
TEST(alltoallw, false)
TEST(reduce, true)
TEST(allreduce, false)
TEST(in_order, false)
TEST(reduce_scatter_block, false)
TEST(reduce_scatter, false)

const struct api_case intercomm_coll[] = {
    {"barrier", test_barrier},
    {"bcast", test_bcast},
    {"gather", test_gather},
    {"gatherv", test_gatherv},
    {"scatter", test_scatter},
    {"scatterv", test_scatterv},
    {"allgather", test_allgather},
    {"allgather one way", test_allgather_one_way},
    {"allgatherv", test_allgatherv},
    {"alltoall", test_alltoall},
    {"alltoallv", test_alltoallv},
    {"alltoallw", test_alltoallw},
    {"reduce", test_reduce},
    {"allreduce", test_allreduce},
    {"allreduce in order", test_in_order},
    {"reduce_scatter_block", test_reduce_scatter_block},
    {"reduce_scatter", test_reduce_scatter},
    {NULL, NULL}};
