/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group_algebra.c compares operations on random groups with a naive reference,
 * which keeps the world ranks of each group in a list and searches it; it also
 * tests handles, empty groups and wrong arguments.
 */
#include "tests/mpi/mpi_test.h"

enum { MOST = 64, ROUNDS = 300 };

/* A struct list is the reference: world ranks in order. */
struct list {
	int n, rank[MOST];
};

static MPI_Group world;

static int find(const struct list *l, int rank)
{
	for (int k = 0; k < l->n; k++)
		if (l->rank[k] == rank)
			return k;
	return MPI_UNDEFINED;
}

static void append(struct list *l, int rank)
{
	l->rank[l->n++] = rank;
}

/* Checks by world ranks that the group is the one of the list. */
static void check_same(MPI_Group group, const struct list *want)
{
	int n = -1, rank = -1, own[MOST], in_world[MOST];

	OK(MPI_Group_size(group, &n));
	OK(MPI_Group_rank(group, &rank));
	CHECK_EQ(rank, find(want, me));
	if (!CHECK_EQ(n, want->n))
		return;
	for (int k = 0; k < n; k++)
		own[k] = k;
	OK(MPI_Group_translate_ranks(group, n, own, world, in_world));
	for (int k = 0; k < n; k++)
		CHECK_EQ(in_world[k], want->rank[k]);
}

/* Draws random members in random order. */
static struct list random_list(uint64_t *seed, int most)
{
	struct list l = {0};
	int n = random_below(seed, most + 1);

	while (l.n < n) {
		int rank = random_below(seed, np);

		if (find(&l, rank) == MPI_UNDEFINED)
			append(&l, rank);
	}
	return l;
}

static MPI_Group group_of(const struct list *l)
{
	MPI_Group group = MPI_GROUP_NULL;

	OK(MPI_Group_incl(world, l->n, l->rank, &group));
	return group;
}

static void begin(void)
{
	OK(MPI_Comm_group(W, &world));
}

static void end(void)
{
	OK(MPI_Group_free(&world));
	CHECK(world == MPI_GROUP_NULL);
}

static void sets(void)
{
	uint64_t seed = mpi_test_seed + (uint64_t)me;

	begin();
	for (int round = 0; round < ROUNDS; round++) {
		struct list a = random_list(&seed, np);
		struct list b = random_list(&seed, np);
		struct list all = a, both = {0}, rest = {0};
		MPI_Group ga = group_of(&a), gb = group_of(&b), g;

		for (int k = 0; k < b.n; k++)
			if (find(&a, b.rank[k]) == MPI_UNDEFINED)
				append(&all, b.rank[k]);
		for (int k = 0; k < a.n; k++)
			append(find(&b, a.rank[k]) == MPI_UNDEFINED ? &rest
								    : &both,
			       a.rank[k]);
		check_same(ga, &a);
		OK(MPI_Group_union(ga, gb, &g));
		check_same(g, &all);
		OK(MPI_Group_free(&g));
		OK(MPI_Group_intersection(ga, gb, &g));
		check_same(g, &both);
		OK(MPI_Group_free(&g));
		OK(MPI_Group_difference(ga, gb, &g));
		check_same(g, &rest);
		OK(MPI_Group_free(&g));
		OK(MPI_Group_free(&ga));
		OK(MPI_Group_free(&gb));
	}
	end();
}

static void lists(void)
{
	uint64_t seed = mpi_test_seed + (uint64_t)me;

	begin();
	for (int round = 0; round < ROUNDS; round++) {
		struct list a = random_list(&seed, np), in = {0}, out = {0};
		MPI_Group ga = group_of(&a), g;
		int named[MOST], n = 0;

		for (int k = a.n - 1; k >= 0; k--)
			if (random_below(&seed, 2))
				named[n++] = k;
		for (int k = 0; k < n; k++)
			append(&in, a.rank[named[k]]);
		for (int k = 0; k < a.n; k++)
			if (find(&in, a.rank[k]) == MPI_UNDEFINED)
				append(&out, a.rank[k]);
		OK(MPI_Group_incl(ga, n, named, &g));
		check_same(g, &in);
		OK(MPI_Group_free(&g));
		OK(MPI_Group_excl(ga, n, named, &g));
		check_same(g, &out);
		OK(MPI_Group_free(&g));
		OK(MPI_Group_free(&ga));
	}
	end();
}

/* Draws a random range of ranks below n, and its members into `in`. Returns
 * false if the range would name a rank twice. */
static bool random_range(uint64_t *seed, const struct list *a, int range[3],
			 struct list *in)
{
	struct list more = *in;
	int stride = 1 + random_below(seed, 3), last;

	range[0] = random_below(seed, a->n);
	last = range[0] + stride * random_below(seed, 4);
	if (last >= a->n) {
		stride = -stride;
		last = range[0] + stride * random_below(seed, 4);
	}
	if (last < 0)
		last = range[0];
	range[1] = last;
	range[2] = stride;
	for (int r = range[0];; r += stride) {
		if (find(&more, a->rank[r]) != MPI_UNDEFINED)
			return false;
		append(&more, a->rank[r]);
		if (r == last)
			break;
	}
	/* an end between two steps does not matter */
	if (stride > 1 && last > range[0] && random_below(seed, 2))
		range[1] = last + 1;
	*in = more;
	return true;
}

static void ranges(void)
{
	uint64_t seed = mpi_test_seed + (uint64_t)me;

	begin();
	for (int round = 0; round < ROUNDS; round++) {
		struct list a = random_list(&seed, np), in = {0}, out = {0};
		MPI_Group ga = group_of(&a), g;
		int range[4][3], n = 0;

		for (int k = 0; k < 4 && a.n; k++)
			n += random_range(&seed, &a, range[n], &in);
		for (int k = 0; k < a.n; k++)
			if (find(&in, a.rank[k]) == MPI_UNDEFINED)
				append(&out, a.rank[k]);
		OK(MPI_Group_range_incl(ga, n, range, &g));
		check_same(g, &in);
		OK(MPI_Group_free(&g));
		OK(MPI_Group_range_excl(ga, n, range, &g));
		check_same(g, &out);
		OK(MPI_Group_free(&g));
		OK(MPI_Group_free(&ga));
	}
	end();
}

static void compare(void)
{
	uint64_t seed = mpi_test_seed + (uint64_t)me;

	begin();
	for (int round = 0; round < ROUNDS; round++) {
		struct list a = random_list(&seed, np < 3 ? np : 3);
		struct list b = random_list(&seed, np < 3 ? np : 3);
		MPI_Group ga = group_of(&a), gb = group_of(&b);
		int want = a.n == b.n ? MPI_IDENT : MPI_UNEQUAL, got = -1;

		for (int k = 0; k < a.n && want != MPI_UNEQUAL; k++)
			if (find(&b, a.rank[k]) == MPI_UNDEFINED)
				want = MPI_UNEQUAL;
			else if (a.rank[k] != b.rank[k])
				want = MPI_SIMILAR;
		OK(MPI_Group_compare(ga, gb, &got));
		CHECK_EQ(got, want);
		OK(MPI_Group_free(&ga));
		OK(MPI_Group_free(&gb));
	}
	end();
}

static void translate(void)
{
	uint64_t seed = mpi_test_seed + (uint64_t)me;

	begin();
	for (int round = 0; round < ROUNDS; round++) {
		struct list a = random_list(&seed, np);
		struct list b = random_list(&seed, np);
		MPI_Group ga = group_of(&a), gb = group_of(&b);
		int from[MOST], to[MOST];

		for (int k = 0; k < MOST && a.n; k++) {
			from[k] = random_below(&seed, a.n + 1);
			if (from[k] == a.n)
				from[k] = b.n ? MPI_PROC_NULL : 0;
		}
		OK(MPI_Group_translate_ranks(ga, a.n ? MOST : 0, from, gb, to));
		for (int k = 0; k < MOST && a.n; k++)
			CHECK_EQ(to[k], from[k] == MPI_PROC_NULL
					    ? MPI_PROC_NULL
					    : find(&b, a.rank[from[k]]));
		OK(MPI_Group_free(&ga));
		OK(MPI_Group_free(&gb));
	}
	end();
}

static void empty(void)
{
	int n = -1, rank = -1, got = -1;
	MPI_Group g;

	begin();
	OK(MPI_Group_size(MPI_GROUP_EMPTY, &n));
	CHECK_EQ(n, 0);
	OK(MPI_Group_rank(MPI_GROUP_EMPTY, &rank));
	CHECK_EQ(rank, MPI_UNDEFINED);
	OK(MPI_Group_incl(world, 0, NULL, &g));
	OK(MPI_Group_compare(g, MPI_GROUP_EMPTY, &got));
	CHECK_EQ(got, MPI_IDENT);
	OK(MPI_Group_compare(g, world, &got));
	CHECK_EQ(got, MPI_UNEQUAL);
	OK(MPI_Group_free(&g));
	CHECK(g == MPI_GROUP_NULL);
	OK(MPI_Group_excl(world, 0, NULL, &g));
	OK(MPI_Group_compare(g, world, &got));
	CHECK_EQ(got, MPI_IDENT);
	OK(MPI_Group_free(&g));
	OK(MPI_Group_difference(world, world, &g));
	OK(MPI_Group_size(g, &n));
	CHECK_EQ(n, 0);
	OK(MPI_Group_union(MPI_GROUP_EMPTY, world, &g));
	OK(MPI_Group_compare(g, world, &got));
	CHECK_EQ(got, MPI_IDENT);
	OK(MPI_Group_free(&g));
	end();
}

/* A group outlives its communicator and does not depend on other
 * communicators. */
static void outlives(void)
{
	MPI_Comm half;
	MPI_Group g;
	int n, rank, want;

	OK(MPI_Comm_split(W, me % 2, -me, &half));
	OK(MPI_Comm_group(half, &g));
	OK(MPI_Comm_size(half, &want));
	OK(MPI_Comm_free(&half));
	OK(MPI_Group_size(g, &n));
	CHECK_EQ(n, want);
	OK(MPI_Group_rank(g, &rank));
	CHECK_EQ(rank, n - 1 - me / 2);
	OK(MPI_Group_free(&g));
}

static void wrong(void)
{
	int r[2] = {0, 0}, range[1][3] = {{0, 0, 0}}, x;
	MPI_Group g = MPI_GROUP_NULL;

	begin();
	CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &x));
	CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_rank(MPI_GROUP_NULL, &x));
	CHECK_ERROR(MPI_ERR_GROUP,
		    MPI_Group_compare(world, MPI_GROUP_NULL, &x));
	CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_union(MPI_GROUP_NULL, world, &g));
	CHECK_ERROR(MPI_ERR_GROUP,
		    MPI_Group_intersection(world, MPI_GROUP_NULL, &g));
	CHECK_ERROR(MPI_ERR_GROUP,
		    MPI_Group_difference(MPI_GROUP_NULL, world, &g));
	CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_incl(MPI_GROUP_NULL, 1, r, &g));
	CHECK_ERROR(MPI_ERR_GROUP, MPI_Group_free(&g));
	CHECK_ERROR(MPI_ERR_GROUP,
		    MPI_Group_translate_ranks(world, 1, r, MPI_GROUP_NULL, &x));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_group(MPI_COMM_NULL, &g));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Group_incl(world, -1, r, &g));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Group_range_excl(world, -1, range, &g));
	r[0] = np;
	CHECK_ERROR(MPI_ERR_RANK, MPI_Group_incl(world, 1, r, &g));
	CHECK_ERROR(MPI_ERR_RANK, MPI_Group_excl(world, 1, r, &g));
	CHECK_ERROR(MPI_ERR_RANK,
		    MPI_Group_translate_ranks(world, 1, r, world, &x));
	r[0] = -1;
	CHECK_ERROR(MPI_ERR_RANK, MPI_Group_incl(world, 1, r, &g));
	CHECK(g == MPI_GROUP_NULL);
	end();
}

/* Of an empty group this is MPI_PROC_NULL, also where others say
 * MPI_UNDEFINED. */
static void null_of_none(void)
{
	int none = MPI_PROC_NULL, to = 0;

	begin();
	OK(MPI_Group_translate_ranks(world, 1, &none, MPI_GROUP_EMPTY, &to));
	CHECK_EQ(to, MPI_PROC_NULL);
	OK(MPI_Group_translate_ranks(MPI_GROUP_EMPTY, 1, &none, world, &to));
	CHECK_EQ(to, MPI_PROC_NULL);
	end();
}

/* Other libraries report less here: MPICH and Open MPI do not look for
 * repeated ranks, and do not agree on the class of wrong ranges. */
static void wrong_lists(void)
{
	int r[2] = {0, 0}, none[1][3] = {{0, 0, 0}}, back[1][3] = {{0, -1, 1}};
	int far[1][3] = {{0, 0x7fffffff, 1}},
	    twice[2][3] = {{0, 0, 1}, {0, 0, 5}};
	MPI_Group g;

	begin();
	CHECK_ERROR(MPI_ERR_RANK, MPI_Group_incl(world, 2, r, &g));
	CHECK_ERROR(MPI_ERR_RANK, MPI_Group_excl(world, 2, r, &g));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Group_range_incl(world, 1, none, &g));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Group_range_excl(world, 1, back, &g));
	CHECK_ERROR(MPI_ERR_RANK, MPI_Group_range_incl(world, 1, far, &g));
	CHECK_ERROR(MPI_ERR_RANK, MPI_Group_range_incl(world, 2, twice, &g));
	end();
}

static const struct mpi_case cases[] = {
    {"union, intersection, difference of random groups", sets},
    {"incl, excl of random lists", lists},
    {"range_incl, range_excl of random ranges", ranges},
    {"compare of random groups", compare},
    {"translate_ranks between random groups", translate},
    {"the empty group", empty},
    {"a group outlives its communicator", outlives},
    {"wrong handles, counts and ranks", wrong},
    {"MPI_PROC_NULL in the empty group", null_of_none},
    {"repeated ranks, wrong ranges", wrong_lists},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
