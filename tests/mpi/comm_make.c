/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_make.c makes communicators from others in every way and tests that they
 * have the right ranks and groups, that their messages stay apart, and that
 * communicators can be made and freed for ever.
 */
#include "tests/mpi/mpi_test.h"

static int size_of(MPI_Comm comm)
{
	int n = -1;

	OK(MPI_Comm_size(comm, &n));
	return n;
}

static int rank_of(MPI_Comm comm)
{
	int r = -1;

	OK(MPI_Comm_rank(comm, &r));
	return r;
}

static int compare(MPI_Comm a, MPI_Comm b)
{
	int result = -1;

	OK(MPI_Comm_compare(a, b, &result));
	return result;
}

/* Sends from each rank to all, received by wildcards: all ranks of comm take
 * part and no others. */
static void use(MPI_Comm comm)
{
	int n = size_of(comm), r = rank_of(comm), in = -1, sum = 0;
	MPI_Request send[64];
	MPI_Status status;

	for (int k = 0; k < n; k++)
		OK(MPI_Isend(&r, 1, MPI_INT, k, 3, comm, &send[k]));
	for (int k = 0; k < n; k++) {
		OK(MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
			    &status));
		CHECK_EQ(status.MPI_SOURCE, in);
		sum += in;
	}
	CHECK_EQ(sum, n * (n - 1) / 2);
	OK(MPI_Waitall(n, send, MPI_STATUSES_IGNORE));
}

static void free_comm(MPI_Comm *comm)
{
	OK(MPI_Comm_free(comm));
	CHECK(*comm == MPI_COMM_NULL);
}

static void dup(void)
{
	MPI_Comm c = MPI_COMM_NULL, self;

	OK(MPI_Comm_dup(W, &c));
	CHECK_EQ(compare(c, W), MPI_CONGRUENT);
	CHECK_EQ(compare(c, c), MPI_IDENT);
	use(c);
	OK(MPI_Comm_dup(MPI_COMM_SELF, &self));
	use(self);
	CHECK_EQ(compare(self, c), np == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
	free_comm(&self);
	free_comm(&c);
}

/* Messages with equal source and tag stay on their communicators. */
static void isolation(void)
{
	int one = 1, two = 2, got = 0;
	MPI_Comm c;
	MPI_Request r[3];

	OK(MPI_Comm_dup(W, &c));
	OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c, &r[0]));
	OK(MPI_Isend(&one, 1, MPI_INT, right_of(me), 1, W, &r[1]));
	OK(MPI_Isend(&two, 1, MPI_INT, right_of(me), 1, c, &r[2]));
	OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
	CHECK_EQ(got, 2);
	OK(MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, W,
		    MPI_STATUS_IGNORE));
	CHECK_EQ(got, 1);
	OK(MPI_Wait(&r[1], MPI_STATUS_IGNORE));
	OK(MPI_Wait(&r[2], MPI_STATUS_IGNORE));
	free_comm(&c);
}

static void split(void)
{
	MPI_Comm c;

	OK(MPI_Comm_split(W, 7, -me, &c));
	CHECK_EQ(rank_of(c), np - 1 - me);
	CHECK_EQ(compare(c, W), np == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
	use(c);
	free_comm(&c);
	OK(MPI_Comm_split(W, me % 3 ? me % 3 : MPI_UNDEFINED, 0, &c));
	CHECK((c == MPI_COMM_NULL) == (me % 3 == 0));
	if (c != MPI_COMM_NULL) {
		CHECK_EQ(rank_of(c), me / 3);
		use(c);
		free_comm(&c);
	}
}

/* The parent may be freed first. */
static void nested(void)
{
	MPI_Comm half, c;

	OK(MPI_Comm_split(W, me < np / 2, 0, &half));
	OK(MPI_Comm_dup(half, &c));
	free_comm(&half);
	use(c);
	free_comm(&c);
}

/* Returns a group of the even ranks in reverse order; odd ranks pass the same
 * group. */
static MPI_Group even_backwards(void)
{
	int ranges[1][3] = {{(np - 1) / 2 * 2, 0, -2}};
	MPI_Group world, g;

	OK(MPI_Comm_group(W, &world));
	OK(MPI_Group_range_incl(world, 1, ranges, &g));
	OK(MPI_Group_free(&world));
	return g;
}

static void create(void)
{
	MPI_Group g = even_backwards(), of;
	MPI_Comm c = W;
	int same = -1;

	OK(MPI_Comm_create(W, g, &c));
	CHECK((c == MPI_COMM_NULL) == (me % 2 == 1));
	if (c != MPI_COMM_NULL) {
		CHECK_EQ(rank_of(c), (np - 1) / 2 - me / 2);
		OK(MPI_Comm_group(c, &of));
		OK(MPI_Group_compare(of, g, &same));
		CHECK_EQ(same, MPI_IDENT);
		OK(MPI_Group_free(&of));
		use(c);
		free_comm(&c);
	}
	OK(MPI_Group_free(&g));
	c = W;
	OK(MPI_Comm_create(W, MPI_GROUP_EMPTY, &c));
	CHECK(c == MPI_COMM_NULL);
}

/* One call makes several groups; each rank passes its own, some pass none. */
static void create_disjoint(void)
{
	MPI_Group world, g = MPI_GROUP_EMPTY;
	MPI_Comm c;
	int third[3], n = 0;

	OK(MPI_Comm_group(W, &world));
	for (int r = me / 3 * 3 + 2; r >= me / 3 * 3; r--)
		if (r < np)
			third[n++] = r;
	if (me / 3 != 1)
		OK(MPI_Group_incl(world, n, third, &g));
	OK(MPI_Comm_create(W, g, &c));
	if (me / 3 == 1) {
		CHECK(c == MPI_COMM_NULL);
	} else {
		CHECK_EQ(size_of(c), n);
		CHECK_EQ(third[rank_of(c)], me);
		use(c);
		free_comm(&c);
		OK(MPI_Group_free(&g));
	}
	OK(MPI_Group_free(&world));
}

/* Only members call; the other ranks do something else. */
static void create_group(void)
{
	MPI_Group g = even_backwards();
	MPI_Comm c = W;

	if (me % 2 == 0) {
		OK(MPI_Comm_create_group(W, g, 5, &c));
		CHECK_EQ(rank_of(c), (np - 1) / 2 - me / 2);
		use(c);
		free_comm(&c);
	}
	OK(MPI_Group_free(&g));
	OK(MPI_Comm_create_group(W, MPI_GROUP_EMPTY, 5, &c));
	CHECK(c == MPI_COMM_NULL);
}

/* Each pair of neighbours makes one after the other, with one tag: the order
 * of the calls matches them. */
static void create_pairs(void)
{
	MPI_Group world, g;
	MPI_Comm c;

	OK(MPI_Comm_group(W, &world));
	for (int r = 0; r + 1 < np; r++) {
		int pair[2] = {r + 1, r};

		if (me != r && me != r + 1)
			continue;
		OK(MPI_Group_incl(world, 2, pair, &g));
		OK(MPI_Comm_create_group(W, g, 0, &c));
		CHECK_EQ(rank_of(c), r + 1 - me);
		use(c);
		free_comm(&c);
		OK(MPI_Group_free(&g));
	}
	OK(MPI_Group_free(&world));
}

static void idup(void)
{
	enum { MANY = 8 };
	MPI_Comm c[MANY], other;
	MPI_Request r[MANY + 1];
	int in = -1;

	for (int k = 0; k < MANY; k++) {
		OK(MPI_Comm_idup(W, &c[k], &r[k]));
		if (k == MANY / 2)
			OK(MPI_Comm_dup(W, &other));
	}
	use(other);
	free_comm(&other);
	OK(MPI_Irecv(&in, 1, MPI_INT, left_of(me), 1, W, &r[MANY]));
	OK(MPI_Send(&me, 1, MPI_INT, right_of(me), 1, W));
	OK(MPI_Waitall(MANY + 1, r, MPI_STATUSES_IGNORE));
	CHECK_EQ(in, left_of(me));
	for (int k = MANY - 1; k >= 0; k--) {
		CHECK_EQ(compare(c[k], W), MPI_CONGRUENT);
		use(c[k]);
	}
	for (int k = 0; k < MANY; k++)
		free_comm(&c[k]);
}

/* Duplicates of different communicators are begun in different orders, while
 * others are made and freed, and the parent is freed. */
static void idup_any_order(void)
{
	MPI_Comm parent[2], c[2], other;
	MPI_Request r[2];

	for (int k = 0; k < 2; k++)
		OK(MPI_Comm_dup(W, &parent[k]));
	for (int round = 0; round < 20; round++) {
		int first = (me + round) % 2;

		OK(MPI_Comm_idup(parent[first], &c[first], &r[first]));
		OK(MPI_Comm_idup(parent[!first], &c[!first], &r[!first]));
		OK(MPI_Comm_dup(W, &other));
		use(other);
		OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
		use(c[0]);
		use(c[1]);
		free_comm(&other);
		free_comm(&c[0]);
		free_comm(&c[1]);
	}
	OK(MPI_Comm_idup(parent[0], &c[0], &r[0]));
	free_comm(&parent[0]);
	OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
	use(c[0]);
	free_comm(&c[0]);
	free_comm(&parent[1]);
}

/* Operations under way when a communicator is freed are still completed. */
static void free_early(void)
{
	MPI_Comm c, other;
	MPI_Request r;
	int in = -1;

	OK(MPI_Comm_dup(W, &c));
	OK(MPI_Irecv(&in, 1, MPI_INT, left_of(me), 1, c, &r));
	OK(MPI_Send(&me, 1, MPI_INT, right_of(me), 1, c));
	free_comm(&c);
	OK(MPI_Comm_dup(W, &other));
	use(other);
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	CHECK_EQ(in, left_of(me));
	free_comm(&other);
}

/* Makes more communicators than can exist at once, several at a time. */
static void again(void)
{
	MPI_Comm c[4];
	MPI_Request r;

	for (int k = 0; k < 300; k++) {
		OK(MPI_Comm_dup(W, &c[0]));
		OK(MPI_Comm_split(W, me % 2, 0, &c[1]));
		OK(MPI_Comm_idup(W, &c[2], &r));
		OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
		OK(MPI_Comm_dup(c[1], &c[3]));
		for (int i = 0; i < 4; i++)
			OK(MPI_Comm_free(&c[i]));
	}
}

static const struct mpi_case cases[] = {
    {"dup", dup},
    {"messages of communicators stay apart", isolation},
    {"split", split},
    {"a communicator outlives its parent", nested},
    {"create", create},
    {"create, of several groups at once", create_disjoint},
    {"create_group", create_group},
    {"create_group, pair by pair", create_pairs},
    {"idup, several at once", idup},
    {"idup in any order", idup_any_order},
    {"free before the end", free_early},
    {"made and freed 300 times", again},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
