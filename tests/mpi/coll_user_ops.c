/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_user_ops.c tests user-defined operations (MPI 4.1, 6.9.5): not
 * commutative, on types with holes, large, and freed while in use.
 */
#include <stddef.h>

#include "tests/mpi/mpi_test.h"

/* A struct map is x -> a x + b over the integers modulo 2^32, in a structure
 * with holes: composing maps is associative, and not commutative. */
struct map {
	char hole;
	unsigned a;
	double other_hole;
	unsigned b;
};
static MPI_Datatype map_type;
static int calls, combined;

static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const struct map *l = in;
	struct map *r = inout;

	CHECK(*type == map_type);
	for (int i = 0; i < *n; i++) {
		struct map both = r[i]; /* copies the holes as well */

		both.a = l[i].a * r[i].a;
		both.b = l[i].b * r[i].a + r[i].b;
		r[i] = both;
	}
	calls++;
	combined += *n;
}

static void make_map_type(void)
{
	const int ones[2] = {1, 1};
	const MPI_Aint at[2] = {offsetof(struct map, a),
				offsetof(struct map, b)};
	const MPI_Datatype parts[2] = {MPI_UNSIGNED, MPI_UNSIGNED};
	MPI_Datatype t;

	OK(MPI_Type_create_struct(2, ones, at, parts, &t));
	OK(MPI_Type_create_resized(t, 0, sizeof(struct map), &map_type));
	OK(MPI_Type_commit(&map_type));
	OK(MPI_Type_free(&t));
}

static struct map map_of(int rank, int i, int round)
{
	return (struct map){.hole = 'h',
			    .a = 2 * (unsigned)(rank * 7 + i) + 3,
			    .other_hole = 0.5,
			    .b = (unsigned)(rank + 1) * 1000 + (unsigned)i +
				 (unsigned)round};
}

/* Returns the composition of the maps of ranks first .. last. */
static struct map composed(int first, int last, int i, int round)
{
	struct map all = map_of(first, i, round);

	for (int r = first + 1; r <= last; r++) {
		struct map next = map_of(r, i, round);

		all.b = all.b * next.a + next.b;
		all.a *= next.a;
	}
	return all;
}

enum { MAPS = 40 };

static void set_maps(struct map *maps, int n, int round)
{
	for (int i = 0; i < n; i++)
		maps[i] = map_of(me, i, round);
}

/* Checks that out[n] has the compositions of ranks first .. last from element
 * `from` on, and that its holes are unchanged. */
static void check_maps(const struct map *out, int n, int from, int last,
		       int round)
{
	int good = 0;

	for (int i = 0; i < n; i++) {
		struct map want = composed(0, last, from + i, round);

		good += out[i].a == want.a && out[i].b == want.b &&
			out[i].hole == 'x' && out[i].other_hole == -1;
	}
	CHECK_EQ(good, n);
}

static void clear(struct map *out, int n)
{
	for (int i = 0; i < n; i++)
		out[i] = (struct map){'x', 0, -1, 0};
}

static void ordered_blocking(MPI_Op op)
{
	static struct map in[8 * MAPS], out[8 * MAPS];
	int counts[64], from = 0;

	set_maps(in, MAPS, 0);
	clear(out, MAPS);
	OK(MPI_Allreduce(in, out, MAPS, map_type, op, W));
	check_maps(out, MAPS, 0, np - 1, 0);
	for (int root = 0; root < np; root++) {
		clear(out, MAPS);
		OK(MPI_Reduce(in, out, MAPS, map_type, op, root, W));
		if (me == root)
			check_maps(out, MAPS, 0, np - 1, 0);
	}
	clear(out, MAPS);
	OK(MPI_Scan(in, out, MAPS, map_type, op, W));
	check_maps(out, MAPS, 0, me, 0);
	clear(out, MAPS);
	OK(MPI_Exscan(in, out, MAPS, map_type, op, W));
	if (me)
		check_maps(out, MAPS, 0, me - 1, 0);
	else
		CHECK(out[0].a == 0 && out[0].hole == 'x');
	if (np > 8)
		return;
	set_maps(in, np * MAPS, 0);
	clear(out, MAPS);
	OK(MPI_Reduce_scatter_block(in, out, MAPS, map_type, op, W));
	check_maps(out, MAPS, me * MAPS, np - 1, 0);
	for (int r = 0; r < np; r++) {
		counts[r] = (r * 5 + 3) % MAPS * (r % 3 != 1);
		from += r < me ? counts[r] : 0;
	}
	clear(out, MAPS);
	OK(MPI_Reduce_scatter(in, out, counts, map_type, op, W));
	check_maps(out, counts[me], from, np - 1, 0);
}

static void ordered_in_place(MPI_Op op)
{
	static struct map both[8 * MAPS];

	set_maps(both, MAPS, 0);
	for (int i = 0; i < MAPS; i++)
		both[i].hole = 'x', both[i].other_hole = -1;
	OK(MPI_Allreduce(MPI_IN_PLACE, both, MAPS, map_type, op, W));
	check_maps(both, MAPS, 0, np - 1, 0);
	set_maps(both, MAPS, 0);
	for (int i = 0; i < MAPS; i++)
		both[i].hole = 'x', both[i].other_hole = -1;
	OK(MPI_Scan(MPI_IN_PLACE, both, MAPS, map_type, op, W));
	check_maps(both, MAPS, 0, me, 0);
}

static void ordered_later(MPI_Op op)
{
	static struct map in[MAPS], out[3][MAPS];
	MPI_Request requests[3];

	set_maps(in, MAPS, 0);
	for (int k = 0; k < 3; k++)
		clear(out[k], MAPS);
	OK(MPI_Iallreduce(in, out[0], MAPS, map_type, op, W, &requests[0]));
	OK(MPI_Ireduce(in, out[1], MAPS, map_type, op, 0, W, &requests[1]));
	OK(MPI_Iscan(in, out[2], MAPS, map_type, op, W, &requests[2]));
	OK(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
	check_maps(out[0], MAPS, 0, np - 1, 0);
	if (me == 0)
		check_maps(out[1], MAPS, 0, np - 1, 0);
	check_maps(out[2], MAPS, 0, me, 0);
	OK(MPI_Allreduce_init(in, out[0], MAPS, map_type, op, W, MPI_INFO_NULL,
			      &requests[0]));
	for (int round = 1; round < 4; round++) {
		set_maps(in, MAPS, round);
		clear(out[0], MAPS);
		OK(MPI_Start(&requests[0]));
		OK(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
		check_maps(out[0], MAPS, 0, np - 1, round);
	}
	OK(MPI_Request_free(&requests[0]));
}

/* The function gets many elements in a call. */
static void in_runs(MPI_Op op)
{
	enum { MANY = 10000 };
	static struct map in[MANY], out[MANY];

	set_maps(in, MANY, 0);
	clear(out, MANY);
	calls = combined = 0;
	OK(MPI_Allreduce(in, out, MANY, map_type, op, W));
	check_maps(out, MANY, 0, np - 1, 0);
	CHECK(100ll * calls <= combined);
}

static void ordered(void)
{
	MPI_Op op;
	int flag;

	make_map_type();
	OK(MPI_Op_create(compose, 0, &op));
	OK(MPI_Op_commutative(op, &flag));
	CHECK_EQ(flag, 0);
	ordered_blocking(op);
	ordered_in_place(op);
	ordered_later(op);
	in_runs(op);
	OK(MPI_Op_free(&op));
	CHECK(op == MPI_OP_NULL);
	OK(MPI_Type_free(&map_type));
}

static void add(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)
{
	const int *l = in;
	int *r = inout;

	CHECK(*type == MPI_INT);
	for (MPI_Count i = 0; i < *n; i++)
		r[i] += l[i];
}

/* The operation is freed while it is in use; counts are MPI_Count. */
static void freed(void)
{
	int in[3] = {me, 1, 2}, out[3] = {0};
	MPI_Request request;
	MPI_Op op;

	OK(MPI_Op_create_c(add, 1, &op));
	OK(MPI_Iallreduce_c(in, out, 3, MPI_INT, op, W, &request));
	OK(MPI_Op_free(&op));
	OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
	CHECK_EQ(out[0], np * (np - 1) / 2);
	CHECK_EQ(out[1], np);
	CHECK_EQ(out[2], 2 * np);
}

/* One element is larger than what is kept on the stack. */
struct large {
	int first;
	char hole[5000];
	int last;
};

static void add_large(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const struct large *l = in;
	struct large *r = inout;

	(void)type;
	for (int i = 0; i < *n; i++) {
		r[i].first += l[i].first;
		r[i].last += l[i].last;
	}
}

static void large(void)
{
	const int ones[2] = {1, 1};
	const MPI_Aint at[2] = {0, offsetof(struct large, last)};
	const MPI_Datatype parts[2] = {MPI_INT, MPI_INT};
	struct large *in = calloc(2, sizeof(*in)),
		     *out = calloc(2, sizeof(*in));
	MPI_Datatype type, bytes;
	MPI_Op op;

	OK(MPI_Op_create(add_large, 0, &op));
	OK(MPI_Type_create_struct(2, ones, at, parts, &type));
	OK(MPI_Type_commit(&type));
	OK(MPI_Type_contiguous(sizeof(struct large) / 4, MPI_INT, &bytes));
	OK(MPI_Type_commit(&bytes));
	in[1].first = me;
	in[1].last = 2;
	OK(MPI_Allreduce(in, out, 2, type, op, W));
	CHECK_EQ(out[1].first, np * (np - 1) / 2);
	CHECK_EQ(out[1].last, 2 * np);
	memset(out, 0, 2 * sizeof(*out));
	OK(MPI_Scan(in, out, 2, bytes, op, W));
	CHECK_EQ(out[1].first, me * (me + 1) / 2);
	OK(MPI_Type_free(&type));
	OK(MPI_Type_free(&bytes));
	OK(MPI_Op_free(&op));
	free(in);
	free(out);
}

static const struct mpi_case cases[] = {
    {"order, of a type with holes", ordered},
    {"an operation freed under way", freed},
    {"large elements", large},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
