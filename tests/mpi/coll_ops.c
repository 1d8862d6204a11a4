/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_ops.c: which operation is for which type (MPI 4.1, 6.9.2 and 6.9.4),
 * the pairs of a value and an index, and user-defined operations.
 */
#include <stddef.h>

#include "tests/mpi/mpi_test.h"

/* ---- The table ---------------------------------------------------------- */

enum group {
	C_INTEGER = 1,
	FORTRAN_INTEGER = 2,
	FLOATING = 4,
	LOGICAL = 8,
	COMPLEX = 16,
	BYTE = 32,
	MULTI = 64,
	PAIR = 128,
	TEXT = 256
};

static const struct {
	MPI_Datatype type;
	enum group group;
	const char *name;
} types[] = {
#define ROW(type, group) {MPI_##type, group, #type}
    ROW(INT, C_INTEGER),
    ROW(LONG, C_INTEGER),
    ROW(SHORT, C_INTEGER),
    ROW(UNSIGNED_SHORT, C_INTEGER),
    ROW(UNSIGNED, C_INTEGER),
    ROW(UNSIGNED_LONG, C_INTEGER),
    ROW(LONG_LONG_INT, C_INTEGER),
    ROW(LONG_LONG, C_INTEGER),
    ROW(UNSIGNED_LONG_LONG, C_INTEGER),
    ROW(SIGNED_CHAR, C_INTEGER),
    ROW(UNSIGNED_CHAR, C_INTEGER),
    ROW(INT8_T, C_INTEGER),
    ROW(INT16_T, C_INTEGER),
    ROW(INT32_T, C_INTEGER),
    ROW(INT64_T, C_INTEGER),
    ROW(UINT8_T, C_INTEGER),
    ROW(UINT16_T, C_INTEGER),
    ROW(UINT32_T, C_INTEGER),
    ROW(UINT64_T, C_INTEGER),
    ROW(FLOAT, FLOATING),
    ROW(DOUBLE, FLOATING),
    ROW(LONG_DOUBLE, FLOATING),
    ROW(C_BOOL, LOGICAL),
    ROW(C_COMPLEX, COMPLEX),
    ROW(C_FLOAT_COMPLEX, COMPLEX),
    ROW(C_DOUBLE_COMPLEX, COMPLEX),
    ROW(C_LONG_DOUBLE_COMPLEX, COMPLEX),
    ROW(BYTE, BYTE),
    ROW(AINT, MULTI),
    ROW(OFFSET, MULTI),
    ROW(COUNT, MULTI),
    ROW(FLOAT_INT, PAIR),
    ROW(DOUBLE_INT, PAIR),
    ROW(LONG_INT, PAIR),
    ROW(2INT, PAIR),
    ROW(SHORT_INT, PAIR),
    ROW(LONG_DOUBLE_INT, PAIR),
    ROW(CHAR, TEXT),
    ROW(WCHAR, TEXT),
    ROW(PACKED, TEXT),
#ifndef PEER
    ROW(INTEGER, FORTRAN_INTEGER),
    ROW(INTEGER1, FORTRAN_INTEGER),
    ROW(INTEGER2, FORTRAN_INTEGER),
    ROW(INTEGER4, FORTRAN_INTEGER),
    ROW(INTEGER8, FORTRAN_INTEGER),
    ROW(REAL, FLOATING),
    ROW(DOUBLE_PRECISION, FLOATING),
    ROW(REAL4, FLOATING),
    ROW(REAL8, FLOATING),
    ROW(LOGICAL, LOGICAL),
    ROW(COMPLEX, COMPLEX),
    ROW(DOUBLE_COMPLEX, COMPLEX),
    ROW(COMPLEX8, COMPLEX),
    ROW(COMPLEX16, COMPLEX),
    ROW(CXX_BOOL, LOGICAL),
    ROW(CXX_FLOAT_COMPLEX, COMPLEX),
    ROW(CXX_DOUBLE_COMPLEX, COMPLEX),
    ROW(CXX_LONG_DOUBLE_COMPLEX, COMPLEX),
    ROW(2REAL, PAIR),
    ROW(2DOUBLE_PRECISION, PAIR),
    ROW(2INTEGER, PAIR),
    ROW(CHARACTER, TEXT),
#endif
};
#undef ROW
enum { TYPES = sizeof(types) / sizeof(*types) };

enum {
	NUMBERS = C_INTEGER | FORTRAN_INTEGER | FLOATING | MULTI,
	BITS = C_INTEGER | FORTRAN_INTEGER | BYTE | MULTI
};

static const struct {
	MPI_Op op;
	int groups;
	bool commutes;
	const char *name;
} ops[] = {
#define ROW(op, groups, commutes) {MPI_##op, groups, commutes, #op}
    ROW(MAX, NUMBERS, true),
    ROW(MIN, NUMBERS, true),
    ROW(SUM, NUMBERS | COMPLEX, true),
    ROW(PROD, NUMBERS | COMPLEX, true),
    ROW(LAND, C_INTEGER | LOGICAL, true),
    ROW(LOR, C_INTEGER | LOGICAL, true),
    ROW(LXOR, C_INTEGER | LOGICAL, true),
    ROW(BAND, BITS, true),
    ROW(BOR, BITS, true),
    ROW(BXOR, BITS, true),
    ROW(MINLOC, PAIR, true),
    ROW(MAXLOC, PAIR, true),
    ROW(REPLACE, 0, false),
    ROW(NO_OP, 0, false),
};
#undef ROW
enum { OPS = sizeof(ops) / sizeof(*ops) };

static void table(void)
{
	long double in[8] = {0}, out[8] = {0};

	for (int o = 0; o < OPS; o++) {
		for (int t = 0; t < TYPES; t++) {
			bool good = types[t].group & ops[o].groups;
			int class = 0;
			int rc = MPI_Allreduce(in, out, 1, types[t].type,
					       ops[o].op, W);

			if (rc)
				MPI_Error_class(rc, &class);
			if (class != (good ? MPI_SUCCESS : MPI_ERR_OP))
				fprintf(stderr, "%s of %s: class %d\n",
					ops[o].name, types[t].name, class);
			CHECK(class == (good ? MPI_SUCCESS : MPI_ERR_OP));
		}
	}
}

static void commutes(void)
{
	for (int o = 0; o < OPS; o++) {
		int flag = -1;

		OK(MPI_Op_commutative(ops[o].op, &flag));
		if (flag != ops[o].commutes)
			fprintf(stderr, "%s: %d\n", ops[o].name, flag);
		CHECK_EQ(flag, ops[o].commutes);
	}
}

static void not_for_derived(void)
{
	int in[2] = {1, 2}, out[2];
	MPI_Datatype two;

	OK(MPI_Type_contiguous(2, MPI_INT, &two));
	OK(MPI_Type_commit(&two));
	CHECK_ERROR(MPI_ERR_OP, MPI_Allreduce(in, out, 1, two, MPI_SUM, W));
	OK(MPI_Type_free(&two));
}

/* ---- Pairs -------------------------------------------------------------- */

#define PAIR_CASE(name, ctype, datatype)                                       \
	static void name(void)                                                 \
	{                                                                      \
		struct {                                                       \
			ctype value;                                           \
			int index;                                             \
		} in[4], low[4], high[4];                                      \
                                                                               \
		memset(in, 0x11, sizeof(in));                                  \
		memset(low, 0x22, sizeof(low));                                \
		for (int k = 0; k < 4; k++) {                                  \
			in[k].value = (ctype)((me * 3 + k) % 4);               \
			in[k].index = 100 - me;                                \
		}                                                              \
		OK(MPI_Allreduce(in, low, 4, datatype, MPI_MINLOC, W));        \
		OK(MPI_Reduce(in, high, 4, datatype, MPI_MAXLOC, np - 1, W));  \
		for (int k = 0; k < 4; k++) {                                  \
			int least = 9, most = -9, at_least = 0, at_most = 0;   \
                                                                               \
			for (int r = 0; r < np; r++) {                         \
				int v = (r * 3 + k) % 4;                       \
                                                                               \
				if (v <= least)                                \
					least = v, at_least = 100 - r;         \
				if (v >= most)                                 \
					most = v, at_most = 100 - r;           \
			}                                                      \
			CHECK(low[k].value == (ctype)least);                   \
			CHECK_EQ(low[k].index, at_least);                      \
			if (me != np - 1)                                      \
				continue;                                      \
			CHECK(high[k].value == (ctype)most);                   \
			CHECK_EQ(high[k].index, at_most);                      \
		}                                                              \
		OK(MPI_Reduce_local(in, low, 4, datatype, MPI_MAXLOC));        \
		CHECK(low[0].value >= in[0].value);                            \
	}
PAIR_CASE(float_int, float, MPI_FLOAT_INT)
PAIR_CASE(double_int, double, MPI_DOUBLE_INT)
PAIR_CASE(long_int, long, MPI_LONG_INT)
PAIR_CASE(two_ints, int, MPI_2INT)
PAIR_CASE(short_int, short, MPI_SHORT_INT)
PAIR_CASE(long_double_int, long double, MPI_LONG_DOUBLE_INT)

static void pairs(void)
{
	float_int();
	double_int();
	long_int();
	two_ints();
	short_int();
	long_double_int();
}

/* ---- Users' ------------------------------------------------------------- */

/* x -> a x + b over the integers modulo 2^32, in a structure with holes:
 * composing these is associative, and not commutative. */
struct map {
	char hole;
	unsigned a;
	double other_hole;
	unsigned b;
};
static MPI_Datatype map_type;
static int largest_call;

static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
	const struct map *l = in;
	struct map *r = inout;

	CHECK(*type == map_type);
	for (int i = 0; i < *n; i++) {
		struct map both = r[i]; /* copies the holes */

		both.a = l[i].a * r[i].a;
		both.b = l[i].b * r[i].a + r[i].b;
		r[i] = both;
	}
	largest_call = *n > largest_call ? *n : largest_call;
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

/* Of ranks first .. last. */
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

/* out[n] are those of ranks first .. last from element `from` on, and their
 * holes as they were. */
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

/* Freed while it is in use; counts of MPI_Count. */
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

/* One element larger than what is kept on the stack. */
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
	struct large *in = calloc(2, sizeof(*in)), *out = calloc(2, sizeof(*in));
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

static void local(void)
{
	int in[2] = {3, 4}, out[2] = {10, 20};
	MPI_Op op = MPI_SUM;

	OK(MPI_Reduce_local(in, out, 2, MPI_INT, MPI_SUM));
	CHECK(out[0] == 13 && out[1] == 24);
	OK(MPI_Reduce_local_c(in, out, 1, MPI_INT, MPI_PROD));
	CHECK(out[0] == 39 && out[1] == 24);
	CHECK_ERROR(MPI_ERR_OP, MPI_Op_free(&op));
	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_Reduce_local(in, out, -1, MPI_INT, MPI_SUM));
}

static const struct mpi_case cases[] = {
    {"the table of operations and types", table},
    {"which operations commute", commutes},
    {"predefined operations are not for derived types", not_for_derived},
    {"pairs", pairs},
    {"order, of a type with holes", ordered},
    {"an operation freed under way", freed},
    {"large elements", large},
    {"locally", local},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
