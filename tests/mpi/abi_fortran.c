/* SPDX-License-Identifier: Apache-2.0 */
/* abi_fortran.c tests what a layer for Fortran asks of the library (MPI 5.0,
 * chapter "ABI"). */
#include "tests/mpi/mpi_test.h"

#ifdef MPI_ABI_VERSION
/* Fortran's default types have the sizes of int, float and double. */
static void fortran_sizes(void)
{
	static const struct {
		const char *key, *value;
	} rows[] = {{"mpi_logical_size", "4"},
		    {"mpi_integer_size", "4"},
		    {"mpi_real_size", "4"},
		    {"mpi_double_precision_size", "8"},
		    {"mpi_integer8_supported", "true"},
		    {"mpi_double_complex_supported", "true"}};
	char value[MPI_MAX_INFO_VAL];
	MPI_Info info;
	int flag;

	OK(MPI_Abi_get_fortran_info(&info));
	if (!CHECK(info != MPI_INFO_NULL))
		return;
	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		OK(MPI_Info_get(info, rows[k].key, MPI_MAX_INFO_VAL - 1, value,
				&flag));
		CHECK(flag && !strcmp(value, rows[k].value));
	}
	OK(MPI_Info_set(info, "mpi_real_size", "16"));
	CHECK_ERROR(MPI_ERR_ABI, MPI_Abi_set_fortran_info(info));
	OK(MPI_Info_free(&info));
}

static int size_of(MPI_Datatype type)
{
	int size = -1;

	OK(MPI_Type_size(type, &size));
	return size;
}

/* A library may know its compiler, and refuse. */
static void fortran_sizes_set(void)
{
	long long pair[2] = {1ll << 40, 1ll << 41}, best[2], sum;
	int rc, n;
	MPI_Info info;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "mpi_integer_size", "8"));
	OK(MPI_Info_set(info, "mpi_logical_size", "8"));
	rc = MPI_Abi_set_fortran_info(info);
	if (rc) {
		CHECK(rc == MPI_ERR_ABI && size_of(MPI_INTEGER) == 4);
		mpi_test_skip("the sizes cannot be set");
		return;
	}
	CHECK(size_of(MPI_INTEGER) == 8 && size_of(MPI_LOGICAL) == 8 &&
	      size_of(MPI_2INTEGER) == 16);
	CHECK_ERROR(MPI_ERR_ABI, MPI_Abi_set_fortran_info(info));
	OK(MPI_Info_free(&info));
	OK(MPI_Comm_size(MPI_COMM_WORLD, &n));
	OK(MPI_Allreduce(pair, &sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD));
	CHECK(sum == n * pair[0]);
	OK(MPI_Allreduce(pair, best, 1, MPI_2INTEGER, MPI_MAXLOC,
			 MPI_COMM_WORLD));
	CHECK(best[0] == pair[0] && best[1] == pair[1]);
}

/* The first values stay. */
static void fortran_booleans(void)
{
	int yes = -1, no = 0, is_set = -1;
	signed char small_yes = 7, small_no = 7;
	long long large_yes = 7, large_no = 7;

	CHECK_ERROR(MPI_ERR_ARG, MPI_Abi_get_fortran_booleans(
				     3, &large_yes, &large_no, &is_set));
	OK(MPI_Abi_get_fortran_booleans(4, &yes, &no, &is_set));
	if (is_set) {
		mpi_test_skip("a Fortran compiler is known");
		return;
	}
	CHECK_ERROR(MPI_ERR_ARG, MPI_Abi_set_fortran_booleans(3, &yes, &no));
	OK(MPI_Abi_set_fortran_booleans(4, &yes, &no));
	yes = 1;
	CHECK_ERROR(MPI_ERR_ABI, MPI_Abi_set_fortran_booleans(4, &yes, &no));
	yes = no = 7;
	OK(MPI_Abi_get_fortran_booleans(4, &yes, &no, &is_set));
	CHECK(is_set && yes == -1 && no == 0);
	OK(MPI_Abi_get_fortran_booleans(1, &small_yes, &small_no, &is_set));
	CHECK(is_set && small_yes == -1 && small_no == 0);
	OK(MPI_Abi_get_fortran_booleans(8, &large_yes, &large_no, &is_set));
	CHECK(is_set && large_yes == -1 && large_no == 0);
}

static const struct mpi_case cases[] = {
    {"sizes of Fortran's types", fortran_sizes},
    {"other sizes", fortran_sizes_set},
    {"Fortran's booleans", fortran_booleans},
    {NULL, NULL}};

#else
static void no_abi(void)
{
	mpi_test_skip("no standard ABI");
}

static const struct mpi_case cases[] = {{"ABI", no_abi}, {NULL, NULL}};
#endif

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
