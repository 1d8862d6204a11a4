/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_split.c compares random splits with a reference that every rank computes
 * by itself: colours and keys of all ranks come from one sequence.
 * Communicators are split again, three deep, and on all of them equal messages
 * go around at once: none may arrive on another communicator.
 */
#include "tests/mpi/mpi_test.h"

enum { MOST = 64, DEPTH = 3, ROUNDS = 40 };

/* A communicator and the world ranks that it must have. */
struct level {
	MPI_Comm comm;
	int n, rank, world[MOST];
};

struct member {
	int color, key, at;
};

static int by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->at - y->at;
}

static int random_color(uint64_t *seed)
{
	int c = random_below(seed, 5);

	return c == 4 ? MPI_UNDEFINED : c == 3 ? 0x7fffffff : c;
}

static int random_key(uint64_t *seed)
{
	static const int odd[] = {-0x7fffffff - 1, 0x7fffffff, -1, 0};
	int k = random_below(seed, 12);

	return k < 4 ? odd[k] : random_below(seed, 5) - 2;
}

/* Predicts what a split of `old` makes for the caller; n is 0 for nothing.
 * all[] has an entry for each rank, by world rank. */
static void predict(const struct level *old, const struct member *all,
		    struct level *new)
{
	struct member in[MOST];
	int n = 0, own = all[me].color;

	for (int r = 0; r < old->n; r++)
		if (own != MPI_UNDEFINED && all[old->world[r]].color == own) {
			in[n] = all[old->world[r]];
			in[n++].at = r;
		}
	qsort(in, (size_t)n, sizeof(*in), by_key);
	new->n = n;
	for (int k = 0; k < n; k++) {
		new->world[k] = old->world[in[k].at];
		if (new->world[k] == me)
			new->rank = k;
	}
}

/* Checks that the communicator has the world ranks that it should have. */
static void check_level(const struct level *l)
{
	int n = -1, rank = -1, own[MOST], got[MOST];
	MPI_Group of, world;

	OK(MPI_Comm_size(l->comm, &n));
	OK(MPI_Comm_rank(l->comm, &rank));
	CHECK_EQ(rank, l->rank);
	if (!CHECK_EQ(n, l->n))
		return;
	for (int k = 0; k < n; k++)
		own[k] = k;
	OK(MPI_Comm_group(l->comm, &of));
	OK(MPI_Comm_group(W, &world));
	OK(MPI_Group_translate_ranks(of, n, own, world, got));
	for (int k = 0; k < n; k++)
		CHECK_EQ(got[k], l->world[k]);
	OK(MPI_Group_free(&world));
	OK(MPI_Group_free(&of));
}

/* Sends to the right on all levels at once, with one tag and wildcards: each
 * message holds its round, its level and its sender. */
static void around(struct level *level, int depth, int round)
{
	MPI_Request r[2 * (DEPTH + 1)];
	MPI_Status s[2 * (DEPTH + 1)];
	int out[DEPTH + 1][3], in[DEPTH + 1][3];

	for (int d = depth; d >= 0; d--)
		OK(MPI_Irecv(in[d], 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
			     level[d].comm, &r[d]));
	for (int d = 0; d <= depth; d++) {
		out[d][0] = round;
		out[d][1] = d;
		out[d][2] = me;
		OK(MPI_Isend(out[d], 3, MPI_INT,
			     (level[d].rank + 1) % level[d].n, 9, level[d].comm,
			     &r[depth + 1 + d]));
	}
	OK(MPI_Waitall(2 * (depth + 1), r, s));
	for (int d = 0; d <= depth; d++) {
		int left = (level[d].rank + level[d].n - 1) % level[d].n;

		CHECK_EQ(s[d].MPI_SOURCE, left);
		CHECK_EQ(in[d][0], round);
		CHECK_EQ(in[d][1], d);
		CHECK_EQ(in[d][2], level[d].world[left]);
	}
}

static void nested(void)
{
	/* equal on all ranks: each knows what every other one draws */
	uint64_t seed = mpi_test_seed;
	struct level level[DEPTH + 1];

	level[0].comm = W;
	level[0].n = np;
	level[0].rank = me;
	for (int r = 0; r < np; r++)
		level[0].world[r] = r;
	for (int round = 0; round < ROUNDS; round++) {
		int depth = 0;

		for (int d = 0; d < DEPTH; d++) {
			struct member all[MOST];
			struct level *new = &level[depth + 1];

			for (int r = 0; r < np; r++) {
				all[r].color = random_color(&seed);
				all[r].key = random_key(&seed);
			}
			if (depth < d)
				continue; /* left out since the last level */
			OK(MPI_Comm_split(level[d].comm, all[me].color,
					  all[me].key, &new->comm));
			predict(&level[d], all, new);
			CHECK((new->comm == MPI_COMM_NULL) == (new->n == 0));
			if (!new->n)
				continue;
			check_level(new);
			depth++;
		}
		around(level, depth, round);
		/* any order: not all ranks have the same levels */
		for (int d = 1; d <= depth; d++)
			OK(MPI_Comm_free(&level[d].comm));
	}
}

/* Rows and columns are made one after the other; each waits for ranks that are
 * still busy with another. */
static void grid(void)
{
	MPI_Comm row, column;
	int r = -1, c = -1;

	OK(MPI_Comm_split(W, me / 3, me, &row));
	OK(MPI_Comm_split(W, me % 3, me, &column));
	OK(MPI_Comm_rank(row, &r));
	OK(MPI_Comm_rank(column, &c));
	CHECK_EQ(r, me % 3);
	CHECK_EQ(c, me / 3);
	OK(MPI_Comm_free(&row));
	OK(MPI_Comm_free(&column));
}

static void nobody(void)
{
	MPI_Comm c = W;

	OK(MPI_Comm_split(W, MPI_UNDEFINED, 0, &c));
	CHECK(c == MPI_COMM_NULL);
}

static void wrong(void)
{
	MPI_Comm c = W;

	CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_split(W, -1, 0, &c));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_split(MPI_COMM_NULL, 0, 0, &c));
	CHECK(c == W);
}

static const struct mpi_case cases[] = {
    {"random splits, three deep, apart from each other", nested},
    {"rows and columns", grid},
    {"all MPI_UNDEFINED", nobody},
    {"wrong arguments", wrong},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
