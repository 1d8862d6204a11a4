/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_alike.c makes collectives that ranks may call with different arguments:
 * in place on some ranks only, other types of the same signature, other
 * layouts, arguments that do not count at this rank, requests in other orders.
 * All of this is right by the standard; disagree.t runs this program with
 * MRT_CHECK=1.
 */
#include "tests/mpi/mpi_test.h"

enum { MOST = 40000 };
static int in[MOST], out[MOST];
static const int lengths[] = {1, 7, 300, MOST / 8};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]) };

static bool is_odd(void)
{
	return me % 2;
}

static void fill(int n)
{
	for (int i = 0; i < n; i++)
		in[i] = out[i] = me + i;
}

/* Returns the sum of the ith element over the first `ranks` ranks. */
static int sum(int ranks, int i)
{
	return ranks * i + ranks * (ranks - 1) / 2;
}

static void in_place_of_some(void)
{
	for (int k = 0; k < LENGTHS; k++) {
		int n = lengths[k];
		MPI_Request q;

		fill(n);
		OK(MPI_Scan(is_odd() ? MPI_IN_PLACE : in, out, n, MPI_INT,
			    MPI_SUM, W));
		CHECK_EQ(out[n - 1], sum(me + 1, n - 1));
		fill(n);
		OK(MPI_Exscan(is_odd() ? in : MPI_IN_PLACE, out, n, MPI_INT,
			      MPI_SUM, W));
		CHECK(!me || out[n - 1] == sum(me, n - 1));
		fill(n);
		OK(MPI_Iscan(is_odd() ? MPI_IN_PLACE : in, out, n, MPI_INT,
			     MPI_SUM, W, &q));
		OK(MPI_Wait(&q, MPI_STATUS_IGNORE));
		CHECK_EQ(out[n - 1], sum(me + 1, n - 1));
	}
}

/* Some ranks have no result, and no memory for one. */
static void scattered_in_place(void)
{
	int counts[64];

	for (int k = 0; k < LENGTHS; k++) {
		int n = lengths[k] * 8 / np;
		bool some = is_odd();

		n = n ? n : 1;
		for (int r = 0; r < np; r++)
			counts[r] = r % 2 ? 0 : n;
		fill(n * np);
		OK(MPI_Reduce_scatter(some ? in : MPI_IN_PLACE,
				      some ? NULL : out, counts, MPI_INT,
				      MPI_SUM, W));
		CHECK(some || out[n - 1] == sum(np, me / 2 * n + n - 1));
	}
}

/* A predefined pair counts as two elements. */
static void pairs(void)
{
	struct {
		double value;
		int index;
	} p[2] = {{0, 0}, {0, 0}};
	int lens[2] = {1, 1}, all[128], mine[2] = {me, -me};
	MPI_Aint at[2] = {0, sizeof(double)};
	MPI_Datatype parts[2] = {MPI_DOUBLE, MPI_INT}, both, type;

	OK(MPI_Type_create_struct(2, lens, at, parts, &both));
	OK(MPI_Type_create_resized(both, 0, sizeof(p[0]), &type));
	OK(MPI_Type_commit(&type));
	if (me == 0)
		p[1].value = 2.5, p[1].index = 7;
	OK(MPI_Bcast(p, 2, is_odd() ? MPI_DOUBLE_INT : type, 0, W));
	CHECK(p[1].value == 2.5);
	CHECK_EQ(p[1].index, 7);
	OK(MPI_Type_free(&both));
	OK(MPI_Type_free(&type));
	OK(MPI_Allgather(mine, is_odd() ? 1 : 2, is_odd() ? MPI_2INT : MPI_INT,
			 all, 2, MPI_INT, W));
	for (int r = 0; r < np; r++)
		CHECK_EQ(all[2 * r + 1], -r);
}

/* The same ints are sent in other layouts. */
static void layouts(void)
{
	MPI_Datatype matrix, list, type[3];
	MPI_Aint at[4] = {0, 12, 20, 40};
	const int last[3] = {5, 10, 3};
	int m[16] = {0};

	OK(MPI_Type_vector(2, 2, 4, MPI_INT, &matrix));
	OK(MPI_Type_create_hindexed_block(4, 1, at, MPI_INT, &list));
	OK(MPI_Type_commit(&matrix));
	OK(MPI_Type_commit(&list));
	type[0] = matrix;
	type[1] = list;
	type[2] = MPI_INT;
	for (int i = 0; me == 0 && i < 16; i++)
		m[i] = i;
	OK(MPI_Bcast(m, me % 3 == 2 ? 4 : 1, type[me % 3], 0, W));
	CHECK_EQ(m[last[me % 3]], 5);
	OK(MPI_Type_free(&matrix));
	OK(MPI_Type_free(&list));
}

/* Arguments that do not count at a rank may be anything. */
static void junk(void)
{
	const MPI_Datatype none = MPI_DATATYPE_NULL;
	int root = np - 1, all[64], x = me, counts[64], displs[64];
	bool is_root = me == root;

	for (int r = 0; r < np; r++) {
		counts[r] = r % 3;
		displs[r] = 2 * r;
	}
	OK(MPI_Gather(&x, 1, MPI_INT, is_root ? all : NULL, is_root ? 1 : -7,
		      is_root ? MPI_INT : none, root, W));
	CHECK(!is_root || all[0] == 0);
	OK(MPI_Scatter(is_root ? all : NULL, is_root ? 1 : 77,
		       is_root ? MPI_INT : none, is_root ? MPI_IN_PLACE : &x,
		       is_root ? -5 : 1, is_root ? none : MPI_INT, root, W));
	CHECK_EQ(x, me);
	OK(MPI_Gatherv(in, me % 3, MPI_INT, is_root ? out : NULL,
		       is_root ? counts : NULL, is_root ? displs : NULL,
		       is_root ? MPI_INT : none, root, W));
	all[me] = me;
	OK(MPI_Allgather(MPI_IN_PLACE, me, is_odd() ? none : MPI_DOUBLE, all, 1,
			 MPI_INT, W));
	CHECK_EQ(all[np - 1], np - 1);
	OK(MPI_Bcast(NULL, 0, is_odd() ? MPI_INT : MPI_DOUBLE, 0, W));
}

/* Requests of several communicators, and persistent requests of one, are used
 * in different orders. */
static void orders(void)
{
	enum { COMMS = 5 };
	MPI_Comm comm[COMMS];
	MPI_Request q[2 * COMMS], p[COMMS];
	int x[COMMS], y[COMMS], z[COMMS], all[COMMS];

	for (int i = 0; i < COMMS; i++) {
		OK(MPI_Comm_dup(W, &comm[i]));
		OK(MPI_Allreduce_init(&x[i], &all[i], 1, MPI_INT, MPI_SUM, W,
				      MPI_INFO_NULL, &p[i]));
	}
	for (int k = 0; k < COMMS; k++) {
		int i = is_odd() ? COMMS - 1 - k : k;

		x[i] = z[i] = me + i;
		OK(MPI_Iallreduce(&x[i], &y[i], 1, MPI_INT, MPI_SUM, comm[i],
				  &q[2 * k]));
		OK(MPI_Ibcast(&z[i], 1, MPI_INT, 0, comm[i], &q[2 * k + 1]));
		OK(MPI_Start(&p[i]));
	}
	OK(MPI_Barrier(W));
	OK(MPI_Waitall(2 * COMMS, q, MPI_STATUSES_IGNORE));
	OK(MPI_Waitall(COMMS, p, MPI_STATUSES_IGNORE));
	for (int k = 0; k < COMMS; k++) {
		int i = (me + k) % COMMS;

		CHECK_EQ(y[i], sum(np, i));
		CHECK_EQ(all[i], sum(np, i));
		CHECK_EQ(z[i], i);
		OK(MPI_Comm_free(&comm[i]));
		OK(MPI_Request_free(&p[i]));
	}
}

int main(int argc, char **argv)
{
	static const struct mpi_case cases[] = {
	    {"in place at some ranks", in_place_of_some},
	    {"in place at those that have a result", scattered_in_place},
	    {"pairs and their parts", pairs},
	    {"layouts", layouts},
	    {"arguments that do not count", junk},
	    {"other orders", orders},
	    {NULL, NULL}};

	return mpi_test_run(argc, argv, cases);
}
