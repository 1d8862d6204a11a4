/* SPDX-License-Identifier: Apache-2.0 */
/* info_pairs.c tests info objects: pairs, their order, limits and errors, and
 * what MPI_INFO_ENV knows of the start (MPI 4.1, chapters 10 and 11.5). */
#include "tests/mpi/mpi_test.h"

#define KEYS 40

static void set_and_get(void)
{
	char value[MPI_MAX_INFO_VAL + 1] = "";
	int flag = -1, n = -1, len;
	MPI_Info info;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_get_nkeys(info, &n));
	CHECK_EQ(n, 0);
	OK(MPI_Info_set(info, "soft", "1:5"));
	OK(MPI_Info_set(info, " a key with blanks ", ""));
	OK(MPI_Info_set(info, "soft", "3"));
	OK(MPI_Info_get_nkeys(info, &n));
	CHECK_EQ(n, 2);
	OK(MPI_Info_get(info, "soft", MPI_MAX_INFO_VAL, value, &flag));
	CHECK(flag && !strcmp(value, "3"));
	OK(MPI_Info_get_valuelen(info, " a key with blanks ", &len, &flag));
	CHECK(flag && len == 0);
	flag = 1;
	OK(MPI_Info_get(info, "sof", MPI_MAX_INFO_VAL, value, &flag));
	CHECK(!flag);
	flag = 1;
	len = 77;
	OK(MPI_Info_get_valuelen(info, "Soft", &len, &flag));
	CHECK(!flag && len == 77);
	OK(MPI_Info_free(&info));
	CHECK(info == MPI_INFO_NULL);
}

static void cut(void)
{
	char value[16];
	int flag = -1;
	MPI_Info info;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "k", "0123456789"));
	memset(value, '#', sizeof(value));
	OK(MPI_Info_get(info, "k", 4, value, &flag));
	CHECK(flag && !strcmp(value, "0123"));
	CHECK_EQ(value[5], '#');
	OK(MPI_Info_free(&info));
}

/* In MPI 4.0 *buflen is the space and the need, both with the terminating
 * NUL. */
static void get_string(void)
{
#if MPI_VERSION >= 4
	char value[16] = "########";
	int flag = -1, len = 0;
	MPI_Info info;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "k", "0123456789"));
	OK(MPI_Info_get_string(info, "k", &len, value, &flag));
	CHECK(flag);
	CHECK_EQ(len, 11);
	CHECK_EQ(value[0], '#');
	len = 5;
	OK(MPI_Info_get_string(info, "k", &len, value, &flag));
	CHECK_EQ(len, 11);
	CHECK(!strcmp(value, "0123"));
	OK(MPI_Info_get_string(info, "k", &len, value, &flag));
	CHECK(flag && !strcmp(value, "0123456789"));
	len = 9;
	OK(MPI_Info_get_string(info, "j", &len, value, &flag));
	CHECK(!flag && len == 9 && !strcmp(value, "0123456789"));
	OK(MPI_Info_free(&info));
#else
	mpi_test_skip("before MPI 4.0");
#endif
}

static void fill(MPI_Info info)
{
	for (int k = 0; k < KEYS; k++) {
		char key[16], value[16];

		snprintf(key, sizeof(key), "key%d", k * 7 % KEYS);
		snprintf(value, sizeof(value), "value%d", k);
		OK(MPI_Info_set(info, key, value));
	}
}

/* Returns whether the nth key is the key of number k. */
static bool nth_is(MPI_Info info, int n, int k)
{
	char key[MPI_MAX_INFO_KEY + 1] = "", want[16];

	snprintf(want, sizeof(want), "key%d", k * 7 % KEYS);
	OK(MPI_Info_get_nthkey(info, n, key));
	return !strcmp(key, want);
}

static void order(void)
{
	MPI_Info info, copy;
	int n;

	OK(MPI_Info_create(&info));
	fill(info);
	for (int k = 0; k < KEYS; k++)
		CHECK(nth_is(info, k, k));
	OK(MPI_Info_dup(info, &copy));
	OK(MPI_Info_delete(info, "key7")); /* deletes the second key */
	OK(MPI_Info_get_nkeys(info, &n));
	CHECK_EQ(n, KEYS - 1);
	CHECK(nth_is(info, 0, 0));
	for (int k = 1; k < KEYS - 1; k++)
		CHECK(nth_is(info, k, k + 1));
	OK(MPI_Info_set(info, "key0", "changed"));
	CHECK(nth_is(info, 0, 0));
	OK(MPI_Info_free(&info));
	OK(MPI_Info_get_nkeys(copy, &n));
	CHECK_EQ(n, KEYS);
	for (int k = 0; k < KEYS; k++)
		CHECK(nth_is(copy, k, k));
	OK(MPI_Info_free(&copy));
}

/* The longest key and value that fit are kept; one more byte is an error. */
static void limits(void)
{
	static char key[MPI_MAX_INFO_KEY + 2], value[MPI_MAX_INFO_VAL + 2],
	    got[MPI_MAX_INFO_VAL + 2];
	int flag = 0, len = 0;
	MPI_Info info;

	OK(MPI_Info_create(&info));
	memset(key, 'k', MPI_MAX_INFO_KEY - 1);
	memset(value, 'v', MPI_MAX_INFO_VAL - 1);
	OK(MPI_Info_set(info, key, value));
	OK(MPI_Info_get_valuelen(info, key, &len, &flag));
	CHECK(flag && len == MPI_MAX_INFO_VAL - 1);
	OK(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, got, &flag));
	CHECK(flag && !strcmp(got, value));
	memset(key, 'k', MPI_MAX_INFO_KEY + 1);
	memset(value, 'v', MPI_MAX_INFO_VAL + 1);
	CHECK_ERROR(MPI_ERR_INFO_KEY, MPI_Info_set(info, key, "x"));
	CHECK_ERROR(MPI_ERR_INFO_VALUE, MPI_Info_set(info, "x", value));
	OK(MPI_Info_free(&info));
}

static void erroneous(void)
{
	MPI_Info info, null = MPI_INFO_NULL;
	char key[MPI_MAX_INFO_KEY + 1];
	int n;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "a", "1"));
	CHECK_ERROR(MPI_ERR_INFO_NOKEY, MPI_Info_delete(info, "b"));
	CHECK_ERROR(MPI_ERR_INFO_KEY, MPI_Info_set(info, "", "1"));
	CHECK(MPI_Info_get_nthkey(info, 1, key) != MPI_SUCCESS);
	CHECK(MPI_Info_get_nthkey(info, -1, key) != MPI_SUCCESS);
	CHECK_ERROR(MPI_ERR_INFO, MPI_Info_get_nkeys(null, &n));
	CHECK_ERROR(MPI_ERR_INFO, MPI_Info_set(null, "a", "b"));
	CHECK_ERROR(MPI_ERR_INFO, MPI_Info_dup(null, &info));
	CHECK_ERROR(MPI_ERR_INFO, MPI_Info_free(&null));
	OK(MPI_Info_get_nkeys(info, &n));
	CHECK_EQ(n, 1);
	OK(MPI_Info_free(&info));
}

static bool holds(MPI_Info info, const char *key, const char *want)
{
	char value[MPI_MAX_INFO_VAL + 1] = "";
	int flag = 0;

	OK(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag));
	return flag && (!want || !strcmp(value, want));
}

static void environment(void)
{
	char size[16];

	snprintf(size, sizeof(size), "%d", np);
	CHECK(holds(MPI_INFO_ENV, "command", NULL));
	CHECK(holds(MPI_INFO_ENV, "maxprocs", size));
	CHECK(holds(MPI_INFO_ENV, "wdir", NULL));
	CHECK(!holds(MPI_INFO_ENV, "no such key", NULL));
}

static void create_env(void)
{
#if MPI_VERSION >= 4
	char command[] = "solver", one[] = "-n", two[] = "7",
	     *argv[] = {command, one, two, NULL};
	MPI_Info info;

	OK(MPI_Info_create_env(3, argv, &info));
	CHECK(holds(info, "command", "solver"));
	CHECK(holds(info, "argv", "-n 7"));
	OK(MPI_Info_free(&info));
	OK(MPI_Info_create_env(0, NULL, &info));
	OK(MPI_Info_free(&info));
#else
	mpi_test_skip("before MPI 4.0");
#endif
}

static const struct mpi_case cases[] = {{"set and get", set_and_get},
					{"a value that is cut", cut},
					{"MPI_Info_get_string", get_string},
					{"keys stay in order", order},
					{"the longest key and value", limits},
					{"errors", erroneous},
					{"MPI_INFO_ENV", environment},
					{"MPI_Info_create_env", create_env},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
