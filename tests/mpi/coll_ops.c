/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_ops.c tests which operations are defined for which types (MPI 4.1, 6.9.2
 * and 6.9.4), and the pairs of a value and an index.
 */
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
#define ROW(type, group)                                                       \
	{                                                                      \
		MPI_##type, group, #type                                       \
	}
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
#define ROW(op, groups, commutes)                                              \
	{                                                                      \
		MPI_##op, groups, commutes, #op                                \
	}
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
    {"locally", local},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
