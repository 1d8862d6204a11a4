/* SPDX-License-Identifier: Apache-2.0 */
/* win_move.c tests put, get and accumulate on windows of all flavors, with all
 * kinds of epochs (MPI 4.1, 12.2, 12.3 and 12.5). */
#include "tests/mpi/mpi_test.h"

enum { WORDS = 1200 };

/* A window of WORDS ints on each rank, by the way it is made. */
struct window {
	const char *name;
	MPI_Win win;
	int *mem;
	MPI_Aint *base; /* [np]: displacements of a dynamic window begin here */
};

static int *own; /* memory of MPI_Win_create and of dynamic windows */

static void make_created(struct window *w)
{
	w->mem = own = calloc(WORDS, sizeof(int));
	OK(MPI_Win_create(own, WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL,
			  W, &w->win));
}

static void make_allocated(struct window *w)
{
	OK(MPI_Win_allocate(WORDS * sizeof(int), sizeof(int), MPI_INFO_NULL, W,
			    &w->mem, &w->win));
	memset(w->mem, 0, WORDS * sizeof(int));
	OK(MPI_Barrier(W));
}

static void make_dynamic(struct window *w)
{
	MPI_Aint here;

	w->mem = own = calloc(WORDS, sizeof(int));
	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &w->win));
	OK(MPI_Win_attach(w->win, own, WORDS * sizeof(int)));
	OK(MPI_Get_address(own, &here));
	OK(MPI_Allgather(&here, 1, MPI_AINT, w->base, 1, MPI_AINT, W));
}

static void (*const makers[])(struct window *) = {make_created, make_allocated,
						  make_dynamic};
enum { FLAVORS = sizeof(makers) / sizeof(makers[0]) };

static MPI_Aint at(const struct window *w, int rank, int word)
{
	return w->base[rank] ? w->base[rank] + (MPI_Aint)sizeof(int) * word
			     : word;
}

/* Runs a test on a window of each flavor. */
static void each(void (*test)(struct window *w))
{
	for (int k = 0; k < FLAVORS; k++) {
		struct window w = {.base =
				       calloc((size_t)np, sizeof(MPI_Aint))};

		own = NULL;
		makers[k](&w);
		test(&w);
		MPI_Barrier(W);
		if (w.base[me])
			OK(MPI_Win_detach(w.win, own));
		OK(MPI_Win_free(&w.win));
		CHECK(w.win == MPI_WIN_NULL);
		free(own);
		free(w.base);
	}
}

/* ---- Fences -------------------------------------------------------------- */

static void fence_put(struct window *w)
{
	int out[100], in[100];

	for (int k = 0; k < 100; k++)
		out[k] = 1000 * me + k;
	OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, w->win));
	for (int r = 0; r < np; r++)
		OK(MPI_Put(out, 100, MPI_INT, r, at(w, r, 100 * me), 100,
			   MPI_INT, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int r = 0; r < np; r++)
		for (int k = 0; k < 100; k++)
			if (!CHECK_EQ(w->mem[100 * r + k], 1000 * r + k))
				return;
	OK(MPI_Win_fence(0, w->win));
	OK(MPI_Get(in, 100, MPI_INT, right_of(me),
		   at(w, right_of(me), 100 * left_of(me)), 100, MPI_INT,
		   w->win));
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w->win));
	for (int k = 0; k < 100; k++)
		if (!CHECK_EQ(in[k], 1000 * left_of(me) + k))
			return;
}

static void put_and_get(void)
{
	if (np <= WORDS / 100)
		each(fence_put);
}

/* ---- Types --------------------------------------------------------------- */

/* A column of a matrix of 30 x 40 goes to a row, and back to a column. */
static void columns(struct window *w)
{
	MPI_Datatype column;
	int from[WORDS], to[WORDS], r = right_of(me);

	for (int k = 0; k < WORDS; k++) {
		from[k] = me * WORDS + k;
		to[k] = -1;
	}
	OK(MPI_Type_vector(30, 1, 40, MPI_INT, &column));
	OK(MPI_Type_commit(&column));
	OK(MPI_Win_fence(0, w->win));
	/* to a row, to a column, from a row to a column */
	OK(MPI_Put(from + 3, 1, column, r, at(w, r, 80), 30, MPI_INT, w->win));
	OK(MPI_Put(from + 5, 1, column, r, at(w, r, 39), 1, column, w->win));
	OK(MPI_Put(from, 30, MPI_INT, r, at(w, r, 35), 1, column, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < 30; k++) {
		CHECK_EQ(w->mem[80 + k],
			 k == 35 - 40 ? 0 : left_of(me) * WORDS + 3 + 40 * k);
		CHECK_EQ(w->mem[39 + 40 * k], left_of(me) * WORDS + 5 + 40 * k);
		CHECK_EQ(w->mem[35 + 40 * k], left_of(me) * WORDS + k);
	}
	OK(MPI_Get(to + 7, 1, column, r, at(w, r, 39), 1, column, w->win));
	OK(MPI_Get(to, 1, column, r, at(w, r, 80), 30, MPI_INT, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < 30; k++) {
		CHECK_EQ(to[7 + 40 * k], me * WORDS + 5 + 40 * k);
		CHECK_EQ(to[40 * k], me * WORDS + 3 + 40 * k);
	}
	OK(MPI_Type_free(&column));
}

static void types(void)
{
	each(columns);
}

/* ---- Accumulate ---------------------------------------------------------- */

/* All ranks add to all, ten times; the sums are exact. */
static void sums(struct window *w)
{
	int ones[WORDS];

	for (int k = 0; k < WORDS; k++)
		ones[k] = k + me;
	OK(MPI_Win_fence(0, w->win));
	for (int turn = 0; turn < 10; turn++)
		for (int r = 0; r < np; r++)
			OK(MPI_Accumulate(ones, WORDS, MPI_INT, r, at(w, r, 0),
					  WORDS, MPI_INT, MPI_SUM, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < WORDS; k++)
		if (!CHECK_EQ(w->mem[k], 10 * (k * np + np * (np - 1) / 2)))
			return;
}

/* Every kind of type that has operations, by a target of its own. */
struct pair {
	double value;
	int index;
};

static void pairs(struct window *w)
{
	struct pair out[20], *in = (struct pair *)w->mem;

	for (int k = 0; k < 20; k++)
		out[k] = (struct pair){(double)((me + k) % np), me};
	OK(MPI_Win_fence(0, w->win));
	OK(MPI_Accumulate(out, 20, MPI_DOUBLE_INT, 0, at(w, 0, 0), 20,
			  MPI_DOUBLE_INT, MPI_MAXLOC, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < 20 && me == 0; k++) {
		int best = (np - 1 - k % np + np) % np;

		/* the window began with zeros of index 0 */
		if (np == 1)
			continue;
		CHECK(in[k].value == (double)(np - 1));
		CHECK_EQ(in[k].index, best);
	}
}

static void short_sums(struct window *w)
{
	short out[50], *in = (short *)w->mem;

	for (int k = 0; k < 50; k++)
		out[k] = (short)(k + 1);
	OK(MPI_Win_fence(0, w->win));
	OK(MPI_Accumulate(out, 50, MPI_SHORT, 0, at(w, 0, 0), 50, MPI_SHORT,
			  MPI_SUM, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < 50 && me == 0; k++)
		CHECK_EQ(in[k], np * (k + 1));
}

static void double_products(struct window *w)
{
	double two[3] = {2, 2, 2}, *in = (double *)w->mem;

	for (int k = 0; k < 5; k++)
		in[k] = 1;
	OK(MPI_Win_fence(0, w->win));
	/* double 1 is at word 2 */
	OK(MPI_Accumulate(two, 3, MPI_DOUBLE, np - 1, at(w, np - 1, 2), 3,
			  MPI_DOUBLE, MPI_PROD, w->win));
	OK(MPI_Win_fence(0, w->win));
	if (me < np - 1)
		return;
	for (int k = 0; k < 5; k++)
		CHECK(in[k] == (k < 1 || k > 3 ? 1 : (double)(1 << np)));
}

static void replaces(struct window *w)
{
	int mine[4] = {me, me, me, me}, result[4] = {-1, -1, -1, -1};
	int r = right_of(me);

	OK(MPI_Win_fence(0, w->win));
	OK(MPI_Get_accumulate(mine, 4, MPI_INT, result, 4, MPI_INT, r,
			      at(w, r, 8), 4, MPI_INT, MPI_REPLACE, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < 4; k++) {
		CHECK_EQ(w->mem[8 + k], left_of(me));
		CHECK_EQ(result[k], 0);
	}
	OK(MPI_Win_fence(0, w->win));
	OK(MPI_Get_accumulate(NULL, 0, MPI_INT, result, 4, MPI_INT, r,
			      at(w, r, 8), 4, MPI_INT, MPI_NO_OP, w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < 4; k++)
		CHECK_EQ(result[k], me);
}

static void accumulates(void)
{
	each(sums);
	each(pairs);
	each(short_sums);
	each(replaces);
}

static void products(void)
{
	each(double_products);
}

/* A vector of the target's words, added to from contiguous ones, and fetched.
 */
static void vectors(struct window *w)
{
	MPI_Datatype every_third;
	int add[300], was[300];

	OK(MPI_Type_vector(300, 1, 3, MPI_INT, &every_third));
	OK(MPI_Type_commit(&every_third));
	for (int k = 0; k < 300; k++)
		add[k] = k;
	OK(MPI_Win_fence(0, w->win));
	OK(MPI_Accumulate(add, 300, MPI_INT, 0, at(w, 0, 1), 1, every_third,
			  MPI_SUM, w->win));
	OK(MPI_Win_fence(0, w->win));
	OK(MPI_Get_accumulate(add, 300, MPI_INT, was, 300, MPI_INT, np - 1,
			      at(w, np - 1, 1), 1, every_third, MPI_NO_OP,
			      w->win));
	OK(MPI_Win_fence(0, w->win));
	for (int k = 0; k < 300; k++) {
		int sum = np * k;

		CHECK_EQ(was[k], np == 1 ? sum : 0);
		if (me == 0)
			CHECK_EQ(w->mem[1 + 3 * k], sum);
	}
	OK(MPI_Type_free(&every_third));
}

static void vector_sums(void)
{
	each(vectors);
}

/* ---- Groups -------------------------------------------------------------- */

static void ring(struct window *w)
{
	int left[] = {left_of(me)}, right[] = {right_of(me)}, flag = 0;
	MPI_Group all, to, from;

	OK(MPI_Win_get_group(w->win, &all));
	OK(MPI_Group_incl(all, 1, right, &to));
	OK(MPI_Group_incl(all, 1, left, &from));
	for (int turn = 0; turn < 20; turn++) {
		int out = 100 * turn + me;

		OK(MPI_Win_post(from, 0, w->win));
		OK(MPI_Win_start(to, 0, w->win));
		OK(MPI_Put(&out, 1, MPI_INT, right[0], at(w, right[0], turn), 1,
			   MPI_INT, w->win));
		OK(MPI_Accumulate(&turn, 1, MPI_INT, right[0],
				  at(w, right[0], 30), 1, MPI_INT, MPI_SUM,
				  w->win));
		OK(MPI_Win_complete(w->win));
		if (turn % 2)
			OK(MPI_Win_wait(w->win));
		for (flag = turn % 2; !flag;)
			OK(MPI_Win_test(w->win, &flag));
		CHECK_EQ(w->mem[turn], 100 * turn + left[0]);
	}
	CHECK_EQ(w->mem[30], 190);
	OK(MPI_Group_free(&all));
	OK(MPI_Group_free(&to));
	OK(MPI_Group_free(&from));
}

static void post_and_start(void)
{
	each(ring);
}

/* ---- Requests ------------------------------------------------------------ */

static void with_requests(struct window *w)
{
	int out[2] = {me, -me}, in[2] = {77, 77}, r = right_of(me);
	MPI_Request request[2];

	OK(MPI_Win_lock_all(0, w->win));
	OK(MPI_Rput(out, 2, MPI_INT, r, at(w, r, 4), 2, MPI_INT, w->win,
		    &request[0]));
	OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
	CHECK(request[0] == MPI_REQUEST_NULL);
	OK(MPI_Win_flush(r, w->win));
	OK(MPI_Raccumulate(out, 2, MPI_INT, r, at(w, r, 4), 2, MPI_INT, MPI_SUM,
			   w->win, &request[0]));
	OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
	OK(MPI_Win_flush_all(w->win));
	OK(MPI_Rget(&in[0], 1, MPI_INT, r, at(w, r, 4), 1, MPI_INT, w->win,
		    &request[0]));
	OK(MPI_Rget_accumulate(NULL, 0, MPI_INT, &in[1], 1, MPI_INT, r,
			       at(w, r, 5), 1, MPI_INT, MPI_NO_OP, w->win,
			       &request[1]));
	OK(MPI_Waitall(2, request, MPI_STATUSES_IGNORE));
	CHECK_EQ(in[0], 2 * me);
	CHECK_EQ(in[1], -2 * me);
	OK(MPI_Rput(out, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w->win,
		    &request[0]));
	OK(MPI_Wait(&request[0], MPI_STATUS_IGNORE));
	OK(MPI_Win_unlock_all(w->win));
}

static void requests(void)
{
	each(with_requests);
}

/* ---- Long ones ----------------------------------------------------------- */

/* Larger than any message or bounce buffer, from a random place. */
static void long_moves(void)
{
	enum { LONG = 300000 };
	uint64_t state = mpi_test_seed + (uint64_t)me;
	char *mem = NULL, *out = malloc(LONG), *in = malloc(LONG);
	MPI_Win win;

	OK(MPI_Win_create(own = calloc(1, LONG), LONG, 1, MPI_INFO_NULL, W,
			  &win));
	mem = (char *)own;
	for (int turn = 0; turn < 10; turn++) {
		int len = 1 + random_below(&state, LONG), r = right_of(me);
		int from = random_below(&state, LONG - len + 1);

		for (int k = 0; k < len; k++)
			out[k] = (char)(k * 7 + turn + me);
		OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, r, 0, win));
		OK(MPI_Put(out, len, MPI_CHAR, r, from, len, MPI_CHAR, win));
		OK(MPI_Win_flush(r, win));
		OK(MPI_Get(in, len, MPI_CHAR, r, from, len, MPI_CHAR, win));
		OK(MPI_Win_unlock(r, win));
		CHECK(!memcmp(in, out, (size_t)len));
	}
	OK(MPI_Win_fence(0, win));
	OK(MPI_Win_free(&win));
	free(mem);
	free(out);
	free(in);
}

/* ---- Shared memory ------------------------------------------------------- */

static void load_and_store(const char *apart)
{
	MPI_Aint size, want = (MPI_Aint)sizeof(long) * (me + 1);
	long *mine, *his, before = 0;
	MPI_Info info;
	MPI_Win win;
	int unit;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "alloc_shared_noncontig", apart));
	OK(MPI_Win_allocate_shared(want, sizeof(long), info, W, &mine, &win));
	OK(MPI_Info_free(&info));
	OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
	for (int k = 0; k <= me; k++)
		mine[k] = 100 * me + k;
	OK(MPI_Win_sync(win));
	OK(MPI_Barrier(W));
	OK(MPI_Win_sync(win));
	for (int r = 0; r < np; r++) {
		OK(MPI_Win_shared_query(win, r, &size, &unit, &his));
		CHECK_EQ(size, (MPI_Aint)sizeof(long) * (r + 1));
		CHECK_EQ(unit, sizeof(long));
		for (int k = 0; k <= r; k++)
			CHECK_EQ(his[k], 100 * r + k);
		if (r == me)
			CHECK(his == mine);
		before += r < me ? r + 1 : 0;
	}
	OK(MPI_Win_shared_query(win, 0, &size, &unit, &his));
	if (apart[0] == 'f')
		CHECK(mine == his + before);
	OK(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &mine));
	CHECK(mine == his);
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Win_free(&win));
}

/* Whether the ranks can share memory. The error says so where they cannot. */
static bool can_share(void)
{
	char *mem;
	MPI_Win win;
	int rc = MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, W, &mem, &win);

	if (rc) {
		CHECK_ERROR(MPI_ERR_RMA_SHARED, rc);
		return false;
	}
	OK(MPI_Win_free(&win));
	return true;
}

static void shared_memory(void)
{
	if (!can_share()) {
		mpi_test_skip("the ranks cannot share memory");
		return;
	}
	load_and_store("false");
	load_and_store("true");
}

static const struct mpi_case cases[] = {
    {"put and get between fences", put_and_get},
    {"elements that are not contiguous", types},
    {"accumulate and get_accumulate", accumulates},
    {"products of targets that overlap", products},
    {"accumulate to a vector", vector_sums},
    {"post, start, complete, wait and test", post_and_start},
    {"operations with requests", requests},
    {"long ones", long_moves},
    {"loads and stores in shared memory", shared_memory},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
