/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inter_coll.c tests collectives of intercommunicators (MPI 4.1, 6.2.3):
 * blocking, nonblocking and persistent, between groups of unequal size, with
 * the root in either.
 */
#include "tests/mpi/inter_pair.h"

#if MPI_VERSION >= 4
#define PERSISTENT(call) call
enum { FORMS = 3 };
#else
#define PERSISTENT(call) MPI_ERR_OTHER
enum { FORMS = 2 };
#endif

enum { MOST = 3000, RANKS = 8 };

static struct pair *pair;
static MPI_Comm c;
static int form, count;
static int root_side, root; /* side and rank there */
static int root_here;	    /* as the argument at this rank */
static int in[RANKS * RANKS * MOST], out[RANKS * RANKS * MOST];
static int counts[RANKS], displs[RANKS], from[RANKS], offsets[RANKS];

static void repeat(MPI_Request *request)
{
	for (int i = 0; i < 2; i++) {
		OK(MPI_Start(request));
		OK(MPI_Wait(request, MPI_STATUS_IGNORE));
	}
	OK(MPI_Request_free(request));
}

/* Makes a call in one of its three forms, whose names differ in the case of
 * the first letter. */
#define RUN(Name, name, ...)                                                   \
	do {                                                                   \
		MPI_Request request;                                           \
                                                                               \
		if (form == 0) {                                               \
			OK(MPI_##Name(__VA_ARGS__, c));                        \
		} else if (form == 1) {                                        \
			OK(MPI_I##name(__VA_ARGS__, c, &request));             \
			OK(MPI_Wait(&request, MPI_STATUS_IGNORE));             \
		} else {                                                       \
			OK(PERSISTENT(MPI_##Name##_init(                       \
			    __VA_ARGS__, c, MPI_INFO_NULL, &request)));        \
			repeat(&request);                                      \
		}                                                              \
	} while (0)

/* ---- Data ---------------------------------------------------------------- */

static int value(int world, int block, int i)
{
	return world * 100000 + block * 10000 + i;
}

static void fill(int blocks)
{
	for (int b = 0; b < blocks; b++)
		for (int i = 0; i < count; i++)
			out[b * count + i] = value(me, b, i);
	memset(in, 0x77, sizeof(in));
}

static void check_block(const int *at, int world, int block, int n)
{
	bool good = true;

	for (int i = 0; i < n; i++)
		good &= at[i] == value(world, block, i);
	CHECK(good);
}

/* Checks that nothing was received from element n on. */
static void check_end(int n)
{
	CHECK_EQ(in[n], 0x77777777);
}

static void check_none(void)
{
	check_end(0);
}

static int sum_of_others(int i)
{
	int sum = 0;

	for (int r = 0; r < pair->other; r++)
		sum += value(opposite(pair, r), 0, i);
	return sum;
}

static bool is_root(void)
{
	return root_here == MPI_ROOT;
}

static bool on_other_side(void)
{
	return pair->side != root_side;
}

/* Returns the world rank of the root, for the ranks of the other side. */
static int root_world(void)
{
	return opposite(pair, root);
}

/* ---- Moving -------------------------------------------------------------- */

static void barrier(void)
{
	MPI_Request request;

	if (form == 0) {
		OK(MPI_Barrier(c));
	} else if (form == 1) {
		OK(MPI_Ibarrier(c, &request));
		OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	} else {
		OK(PERSISTENT(MPI_Barrier_init(c, MPI_INFO_NULL, &request)));
		repeat(&request);
	}
}

static void bcast(void)
{
	fill(0);
	for (int i = 0; i < count && is_root(); i++)
		in[i] = value(me, 0, i);
	RUN(Bcast, bcast, in, count, MPI_INT, root_here);
	if (on_other_side())
		check_block(in, root_world(), 0, count);
	else if (!is_root())
		check_none();
}

static void gather(void)
{
	fill(1);
	RUN(Gather, gather, out, count, MPI_INT, in, count, MPI_INT, root_here);
	for (int r = 0; r < pair->other && is_root(); r++)
		check_block(in + r * count, opposite(pair, r), 0, count);
	if (!is_root())
		check_none();
}

static void scatter(void)
{
	fill(pair->other);
	RUN(Scatter, scatter, out, count, MPI_INT, in, count, MPI_INT,
	    root_here);
	if (on_other_side())
		check_block(in, root_world(), pair->rank, count);
	else
		check_none();
}

/* Returns what a rank sends to another one; some send nothing. */
static int length(int sender, int receiver)
{
	return (sender + 2 * receiver) % 3 * count / 3;
}

/* Received blocks lie in reverse order. */
static void receive_lists(bool to_all)
{
	for (int r = 0; r < pair->other; r++) {
		counts[r] = length(r, to_all ? pair->rank : 0);
		displs[r] = (pair->other - 1 - r) * count;
	}
}

static void gatherv(void)
{
	fill(1);
	receive_lists(false);
	RUN(Gatherv, gatherv, out, length(pair->rank, 0), MPI_INT, in,
	    is_root() ? counts : NULL, is_root() ? displs : NULL, MPI_INT,
	    root_here);
	for (int r = 0; r < pair->other && is_root(); r++)
		check_block(in + displs[r], opposite(pair, r), 0, counts[r]);
	if (!is_root())
		check_none();
}

static void scatterv(void)
{
	int mine = length(0, pair->rank);

	fill(pair->other);
	for (int r = 0; r < pair->other; r++) {
		counts[r] = length(0, r);
		displs[r] = r * count;
	}
	RUN(Scatterv, scatterv, out, is_root() ? counts : NULL,
	    is_root() ? displs : NULL, MPI_INT, in, mine, MPI_INT, root_here);
	if (on_other_side())
		check_block(in, root_world(), pair->rank, mine);
	else
		check_none();
}

static void allgather(void)
{
	fill(1);
	RUN(Allgather, allgather, out, count, MPI_INT, in, count, MPI_INT);
	for (int r = 0; r < pair->other; r++)
		check_block(in + r * count, opposite(pair, r), 0, count);
}

/* Data go from side 0 to side 1 alone. */
static void allgather_one_way(void)
{
	int mine = pair->side ? 0 : count;

	fill(1);
	RUN(Allgather, allgather, out, mine, MPI_INT, in, count - mine,
	    MPI_INT);
	for (int r = 0; r < pair->other && pair->side; r++)
		check_block(in + r * count, opposite(pair, r), 0, count);
	if (!pair->side)
		check_none();
}

static void allgatherv(void)
{
	fill(1);
	receive_lists(false);
	RUN(Allgatherv, allgatherv, out, length(pair->rank, 0), MPI_INT, in,
	    counts, displs, MPI_INT);
	for (int r = 0; r < pair->other; r++)
		check_block(in + displs[r], opposite(pair, r), 0, counts[r]);
}

static void alltoall(void)
{
	fill(pair->other);
	RUN(Alltoall, alltoall, out, count, MPI_INT, in, count, MPI_INT);
	for (int r = 0; r < pair->other; r++)
		check_block(in + r * count, opposite(pair, r), pair->rank,
			    count);
}

static void check_lists(void)
{
	for (int r = 0; r < pair->other; r++)
		check_block(in + (pair->other - 1 - r) * count,
			    opposite(pair, r), pair->rank,
			    length(r, pair->rank));
}

static void alltoallv(void)
{
	int sent[RANKS];

	fill(pair->other);
	receive_lists(true);
	for (int r = 0; r < pair->other; r++) {
		sent[r] = length(pair->rank, r);
		from[r] = r * count;
	}
	RUN(Alltoallv, alltoallv, out, sent, from, MPI_INT, in, counts, displs,
	    MPI_INT);
	check_lists();
}

static void alltoallw(void)
{
	MPI_Datatype bytes[RANKS], ints[RANKS];
	int sent[RANKS], size = (int)sizeof(int);

	fill(pair->other);
	receive_lists(true);
	for (int r = 0; r < pair->other; r++) {
		sent[r] = length(pair->rank, r);
		from[r] = r * count * size;
		offsets[r] = displs[r] * size;
		counts[r] *= size;
		bytes[r] = MPI_BYTE;
		ints[r] = MPI_INT;
	}
	RUN(Alltoallw, alltoallw, out, sent, from, ints, in, counts, offsets,
	    bytes);
	check_lists();
}

/* ---- Reducing ------------------------------------------------------------ */

static void reduce(void)
{
	fill(1);
	RUN(Reduce, reduce, out, in, count, MPI_INT, MPI_SUM, root_here);
	if (is_root()) {
		CHECK_EQ(in[0], sum_of_others(0));
		CHECK_EQ(in[count - 1], sum_of_others(count - 1));
	} else {
		check_none();
	}
}

static void allreduce(void)
{
	fill(1);
	RUN(Allreduce, allreduce, out, in, count, MPI_INT, MPI_SUM);
	CHECK_EQ(in[0], sum_of_others(0));
	CHECK_EQ(in[count - 1], sum_of_others(count - 1));
}

/* Appends decimal digits, which shows the order of operands. World ranks are
 * 0..7; a number is its digits plus their count times 10^8. */
static void append(void *left, void *right, int *n, MPI_Datatype *type)
{
	const long long *l = left;
	long long *r = right;

	(void)type;
	for (int i = 0; i < *n; i++) {
		long long digits = r[i] / 100000000, shift = 1;

		for (int k = 0; k < digits; k++)
			shift *= 10;
		r[i] = (l[i] / 100000000 + digits) * 100000000 +
		       l[i] % 100000000 * shift + r[i] % 100000000;
	}
}

static void in_order(void)
{
	long long mine[7], got[7], want = 0;
	MPI_Op op;

	OK(MPI_Op_create(append, 0, &op));
	for (int i = 0; i < 7; i++)
		mine[i] = 100000000 + me + 1;
	RUN(Allreduce, allreduce, mine, got, 7, MPI_LONG_LONG, op);
	for (int r = 0; r < pair->other; r++)
		want = want * 10 + opposite(pair, r) + 1;
	want += 100000000ll * pair->other;
	for (int i = 0; i < 7; i++)
		CHECK_EQ(got[i], want);
	OK(MPI_Op_free(&op));
}

static void reduce_scatter_block(void)
{
	int mine = (count / RANKS + 1) * pair->other;

	fill(0);
	for (int i = 0; i < mine * pair->own; i++)
		out[i] = value(me, 0, i);
	RUN(Reduce_scatter_block, reduce_scatter_block, out, in, mine, MPI_INT,
	    MPI_SUM);
	CHECK_EQ(in[0], sum_of_others(mine * pair->rank));
	CHECK_EQ(in[mine - 1], sum_of_others(mine * (pair->rank + 1) - 1));
	check_end(mine);
}

/* Each rank gets one element, and the last rank the rest. */
static void reduce_scatter(void)
{
	int all = RANKS + count, last = pair->own - 1;

	fill(0);
	for (int i = 0; i < all; i++)
		out[i] = value(me, 0, i);
	for (int r = 0; r < last; r++)
		counts[r] = 1;
	counts[last] = all - last;
	RUN(Reduce_scatter, reduce_scatter, out, in, counts, MPI_INT, MPI_SUM);
	CHECK_EQ(in[0], sum_of_others(pair->rank));
	if (pair->rank == last)
		CHECK_EQ(in[all - last - 1], sum_of_others(all - 1));
	else
		check_end(1);
}

/* ---- All of them --------------------------------------------------------- */

static void (*what)(void);

static void with_counts(struct pair *p)
{
	const int lengths[] = {1, 10, MOST};

	pair = p;
	c = p->inter;
	for (form = 0; form < FORMS; form++)
		for (int k = 0; k < 3; k++) {
			count = lengths[k];
			what();
		}
}

static void with_roots(struct pair *p)
{
	for (root_side = 0; root_side < 2; root_side++) {
		int n = p->side == root_side ? p->own : p->other;

		for (root = 0; root<n; root += n> 1 ? n - 1 : 1) {
			root_here = p->side != root_side ? root
				    : p->rank == root	 ? MPI_ROOT
							 : MPI_PROC_NULL;
			with_counts(p);
		}
	}
}

/* Besides the divisions of each_pair: one whose ranks alternate, and one that
 * world rank 0 is not in. */
static void all(void (*one)(void), bool rooted)
{
	const struct division more[] = {{.apart = true},
					{.low = 1, .first = 1 + np / 2}};
	void (*run)(struct pair *) = rooted ? with_roots : with_counts;

	what = one;
	if (np > RANKS) {
		mpi_test_skip("for up to 8 ranks");
		return;
	}
	each_pair(run);
	for (int k = 0; k < 2 && np > 2; k++) {
		struct pair p = make_division(more[k]);

		if (p.side < 2) {
			run(&p);
			free_pair(&p);
		}
	}
}

#define TEST(name, rooted)                                                     \
	static void test_##name(void)                                          \
	{                                                                      \
		all(name, rooted);                                             \
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

static const struct mpi_case cases[] = {
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

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
