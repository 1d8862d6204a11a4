/* SPDX-License-Identifier: Apache-2.0 */
/* datatype_contents.c tests how types say what they were made from (MPI 4.1,
 * chapter 5.1.13), names, copies, and types by size. */
#include "tests/mpi/mpi_test.h"

/* Large enough for the contents of any type here. */
static int ints[40];
static MPI_Aint addresses[40];
static MPI_Datatype types[40];

/* Checks the envelope of a type and reads its contents. */
static void read(MPI_Datatype t, int combiner, int ni, int na, int nd)
{
	int i = -1, a = -1, d = -1, how = -1;

	memset(ints, 0x7f, sizeof(ints));
	OK(MPI_Type_get_envelope(t, &i, &a, &d, &how));
	CHECK_EQ(i, ni);
	CHECK_EQ(a, na);
	CHECK_EQ(d, nd);
	CHECK_EQ(how, combiner);
	OK(MPI_Type_get_contents(t, ni, na, nd, ints, addresses, types));
	if (ni)
		CHECK(MPI_SUCCESS != MPI_Type_get_contents(t, ni - 1, na, nd,
							   ints, addresses,
							   types));
}

static void check_ints(const int *want, int n)
{
	for (int i = 0; i < n; i++)
		CHECK_EQ(ints[i], want[i]);
}

static void regular(void)
{
	MPI_Datatype t, u;

	OK(MPI_Type_contiguous(3, MPI_INT, &t));
	read(t, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
	check_ints((int[]){3}, 1);
	CHECK(types[0] == MPI_INT);
	OK(MPI_Type_vector(4, 2, -5, t, &u));
	read(u, MPI_COMBINER_VECTOR, 3, 0, 1);
	check_ints((int[]){4, 2, -5}, 3);
	OK(MPI_Type_free(&types[0]));
	OK(MPI_Type_free(&u));
	OK(MPI_Type_create_hvector(4, 2, 50, MPI_CHAR, &u));
	read(u, MPI_COMBINER_HVECTOR, 2, 1, 1);
	check_ints((int[]){4, 2}, 2);
	CHECK_EQ(addresses[0], 50);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_create_resized(MPI_CHAR, -4, 12, &u));
	read(u, MPI_COMBINER_RESIZED, 0, 2, 1);
	CHECK_EQ(addresses[0], -4);
	CHECK_EQ(addresses[1], 12);
	OK(MPI_Type_free(&u));
	OK(MPI_Type_dup(t, &u));
	read(u, MPI_COMBINER_DUP, 0, 0, 1);
	OK(MPI_Type_free(&types[0]));
	OK(MPI_Type_free(&u));
	OK(MPI_Type_free(&t));
}

static void lists(void)
{
	int lengths[3] = {1, 0, 2}, displs[3] = {5, 1, -2};
	MPI_Aint bytes[3] = {100, 0, -20};
	MPI_Datatype parts[3] = {MPI_INT, MPI_CHAR, MPI_DOUBLE}, t;

	OK(MPI_Type_indexed(3, lengths, displs, MPI_INT, &t));
	read(t, MPI_COMBINER_INDEXED, 7, 0, 1);
	check_ints((int[]){3, 1, 0, 2, 5, 1, -2}, 7);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &t));
	read(t, MPI_COMBINER_HINDEXED, 4, 3, 1);
	check_ints((int[]){3, 1, 0, 2}, 4);
	CHECK_EQ(addresses[2], -20);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_create_indexed_block(3, 2, displs, MPI_INT, &t));
	read(t, MPI_COMBINER_INDEXED_BLOCK, 5, 0, 1);
	check_ints((int[]){3, 2, 5, 1, -2}, 5);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &t));
	read(t, MPI_COMBINER_HINDEXED_BLOCK, 2, 3, 1);
	check_ints((int[]){3, 2}, 2);
	CHECK_EQ(addresses[0], 100);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_create_struct(3, lengths, bytes, parts, &t));
	read(t, MPI_COMBINER_STRUCT, 4, 3, 3);
	check_ints((int[]){3, 1, 0, 2}, 4);
	CHECK_EQ(addresses[1], 0);
	CHECK(types[0] == MPI_INT && types[2] == MPI_DOUBLE);
	OK(MPI_Type_free(&t));
}

static void arrays(void)
{
	int sizes[2] = {5, 6}, subsizes[2] = {2, 3}, starts[2] = {1, 2};
	int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
	int dargs[2] = {MPI_DISTRIBUTE_DFLT_DARG, 2}, psizes[2] = {2, 2};
	MPI_Datatype t;

	OK(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C,
				    MPI_INT, &t));
	read(t, MPI_COMBINER_SUBARRAY, 8, 0, 1);
	check_ints((int[]){2, 5, 6, 2, 3, 1, 2, MPI_ORDER_C}, 8);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_create_darray(4, 3, 2, sizes, distribs, dargs, psizes,
				  MPI_ORDER_FORTRAN, MPI_INT, &t));
	read(t, MPI_COMBINER_DARRAY, 12, 0, 1);
	check_ints((int[]){4, 3, 2, 5, 6, MPI_DISTRIBUTE_BLOCK,
			   MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG, 2,
			   2, 2, MPI_ORDER_FORTRAN},
		   12);
	OK(MPI_Type_free(&t));
}

static void named(void)
{
	int i = -1, a = -1, d = -1, how = -1;

	OK(MPI_Type_get_envelope(MPI_DOUBLE_INT, &i, &a, &d, &how));
	CHECK_EQ(how, MPI_COMBINER_NAMED);
	CHECK(!i && !a && !d);
	CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_get_contents(MPI_INT, 1, 1, 1, ints,
							addresses, types));
}

#if MPI_VERSION >= 4
/* Types made with large counts report them as such. */
static void large(void)
{
	MPI_Count lengths[2] = {1, 2}, displs[2] = {8, 0}, ni, na, nc, nd;
	MPI_Count counts[8] = {0}, size = 0;
	MPI_Datatype parts[2] = {MPI_INT, MPI_CHAR}, t;
	int how = -1;

	OK(MPI_Type_create_struct_c(2, lengths, displs, parts, &t));
	OK(MPI_Type_get_envelope_c(t, &ni, &na, &nc, &nd, &how));
	CHECK(ni == 0 && na == 0 && nc == 5 && nd == 2);
	CHECK_EQ(how, MPI_COMBINER_STRUCT);
	OK(MPI_Type_get_contents_c(t, ni, na, nc, nd, ints, addresses, counts,
				   types));
	CHECK(counts[0] == 2 && counts[1] == 1 && counts[2] == 2 &&
	      counts[3] == 8 && counts[4] == 0);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_contiguous(3, MPI_INT, &t));
	OK(MPI_Type_get_envelope_c(t, &ni, &na, &nc, &nd, &how));
	CHECK(ni == 1 && na == 0 && nc == 0 && nd == 1);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_contiguous_c(5000000000, MPI_INT, &t));
	OK(MPI_Type_size_c(t, &size));
	CHECK_EQ(size, 20000000000);
	OK(MPI_Type_free(&t));
}
#endif

static void names(void)
{
	char name[MPI_MAX_OBJECT_NAME];
	MPI_Datatype t, u;
	int len = -1;

	OK(MPI_Type_get_name(MPI_DOUBLE_INT, name, &len));
	CHECK(!strcmp(name, "MPI_DOUBLE_INT") && len == 14);
	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &t));
	OK(MPI_Type_get_name(t, name, &len));
	CHECK(!name[0] && !len);
	OK(MPI_Type_set_name(t, "every other"));
	OK(MPI_Type_get_name(t, name, &len));
	CHECK(!strcmp(name, "every other") && len == 11);
	OK(MPI_Type_dup(t, &u));
	OK(MPI_Type_get_name(u, name, &len));
	CHECK(!name[0]);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_free(&u));
}

static int copies, deletes;

static int on_copy(MPI_Datatype type, int keyval, void *extra, void *in,
		   void *out, int *flag)
{
	copies++;
	*(void **)out = (char *)in + 1;
	*flag = 1;
	return MPI_SUCCESS;
}

static int on_delete(MPI_Datatype type, int keyval, void *value, void *extra)
{
	deletes++;
	return MPI_SUCCESS;
}

static void attributes(void)
{
	char text[4], *value = NULL;
	MPI_Datatype t, u;
	int key, flag = 0;

	copies = deletes = 0;
	OK(MPI_Type_create_keyval(on_copy, on_delete, &key, NULL));
	OK(MPI_Type_contiguous(2, MPI_INT, &t));
	OK(MPI_Type_get_attr(t, key, &value, &flag));
	CHECK(!flag);
	OK(MPI_Type_set_attr(t, key, text));
	OK(MPI_Type_dup(t, &u));
	OK(MPI_Type_get_attr(u, key, &value, &flag));
	CHECK(flag && value == text + 1);
	OK(MPI_Type_free(&t));
	OK(MPI_Type_free(&u));
	CHECK(copies == 1 && deletes == 2);
	OK(MPI_Type_set_attr(MPI_INT, key, text));
	OK(MPI_Type_get_attr(MPI_INT, key, &value, &flag));
	CHECK(flag && value == text);
	OK(MPI_Type_delete_attr(MPI_INT, key));
	OK(MPI_Type_free_keyval(&key));
}

static void by_size(void)
{
	MPI_Datatype t = MPI_DATATYPE_NULL;
	int size = -1;

	OK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &t));
	OK(MPI_Type_size(t, &size));
	CHECK_EQ(size, 8);
	OK(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 8, &t));
	OK(MPI_Type_size(t, &size));
	CHECK_EQ(size, 8);
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 3, &t));
}

static void check_f90(MPI_Datatype t, int bytes, int combiner, const int *want,
		      int n)
{
	int size = -1;

	OK(MPI_Type_size(t, &size));
	CHECK_EQ(size, bytes);
	read(t, combiner, n, 0, 0);
	check_ints(want, n);
}

/* Types by precision and range are predefined, but for their combiner. */
static void by_precision(void)
{
	static const int range_of[] = {2, 4, 9, 18};
	enum { NONE = MPI_UNDEFINED };
	double in = me, sum = -1;
	MPI_Datatype t, u, v;

	OK(MPI_Type_create_f90_real(6, 37, &t));
	check_f90(t, 4, MPI_COMBINER_F90_REAL, (int[]){6, 37}, 2);
	OK(MPI_Type_create_f90_real(NONE, 38, &t));
	check_f90(t, 8, MPI_COMBINER_F90_REAL, (int[]){NONE, 38}, 2);
	OK(MPI_Type_create_f90_complex(7, NONE, &u));
	check_f90(u, 16, MPI_COMBINER_F90_COMPLEX, (int[]){7, NONE}, 2);
	for (int k = 0; k < 4; k++) {
		OK(MPI_Type_create_f90_integer(range_of[k], &v));
		check_f90(v, 1 << k, MPI_COMBINER_F90_INTEGER, &range_of[k], 1);
	}
	OK(MPI_Type_create_f90_real(NONE, 38, &u));
	CHECK(t == u);
	OK(MPI_Type_create_f90_real(7, NONE, &v));
	CHECK(t != v);

	OK(MPI_Allreduce(&in, &sum, 1, t, MPI_SUM, W));
	CHECK(sum == np * (np - 1) / 2);
	OK(MPI_Type_contiguous(2, t, &v));
	read(v, MPI_COMBINER_CONTIGUOUS, 1, 0, 1);
	CHECK(types[0] == t);
	OK(MPI_Type_free(&v));
	OK(MPI_Type_dup(t, &v));
	read(v, MPI_COMBINER_DUP, 0, 0, 1);
	CHECK(types[0] == t);
	OK(MPI_Allreduce(&in, &sum, 1, v, MPI_MAX, W));
	CHECK(sum == np - 1);
	OK(MPI_Type_free(&v));
	CHECK_ERROR(MPI_ERR_TYPE, MPI_Type_free(&u));
	CHECK(u == t);

	CHECK_ERROR(MPI_ERR_ARG, MPI_Type_create_f90_real(34, 1, &u));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Type_create_f90_real(-1, 1, &u));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Type_create_f90_complex(1, 4932, &u));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Type_create_f90_complex(NONE, NONE, &u));
	CHECK_ERROR(MPI_ERR_ARG, MPI_Type_create_f90_integer(39, &u));
	CHECK(u == t);
}

static const struct mpi_case cases[] = {
    {"contiguous, vector, resized, dup", regular},
    {"indexed and struct", lists},
    {"subarray and darray", arrays},
    {"predefined types", named},
#if MPI_VERSION >= 4
    {"large counts", large},
#endif
    {"names", names},
    {"attributes", attributes},
    {"types by size", by_size},
    {"types by precision", by_precision},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
