/* SPDX-License-Identifier: Apache-2.0 */
/* attr_comm.c tests attributes of one communicator: keys, values, delete
 * callbacks, and what MPI_Finalize does with those of MPI_COMM_SELF (MPI 4.1,
 * 7.7). attr_copy.c tests what is copied with a communicator. */
#include <pthread.h>

#include "tests/mpi/mpi_test.h"

static struct {
	int deletes, keyval, result;
	MPI_Comm comm;
	void *value, *extra;
} seen;

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
	seen.deletes++;
	seen.comm = comm;
	seen.keyval = keyval;
	seen.value = value;
	seen.extra = extra;
	return seen.result;
}

static int new_key(void *extra)
{
	int keyval = MPI_KEYVAL_INVALID;

	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval,
				  extra));
	CHECK(keyval != MPI_KEYVAL_INVALID);
	seen.deletes = 0;
	return keyval;
}

static bool holds(MPI_Comm comm, int keyval, const void *want)
{
	void *value = &seen;
	int flag = -1;

	OK(MPI_Comm_get_attr(comm, keyval, &value, &flag));
	return flag == 1 && value == want;
}

static bool is_absent(MPI_Comm comm, int keyval)
{
	void *value = &seen;
	int flag = -1;

	OK(MPI_Comm_get_attr(comm, keyval, &value, &flag));
	return flag == 0 && value == &seen;
}

static void set_get_delete(void)
{
	int extra, a, b, keyval = new_key(&extra);

	CHECK(is_absent(W, keyval));
	OK(MPI_Comm_set_attr(W, keyval, &a));
	CHECK(holds(W, keyval, &a));
	CHECK(is_absent(MPI_COMM_SELF, keyval));
	CHECK_EQ(seen.deletes, 0);
	OK(MPI_Comm_set_attr(W, keyval, &b)); /* deletes the old value */
	CHECK_EQ(seen.deletes, 1);
	CHECK(seen.comm == W && seen.keyval == keyval);
	CHECK(seen.value == &a && seen.extra == &extra);
	CHECK(holds(W, keyval, &b));
	OK(MPI_Comm_delete_attr(W, keyval));
	CHECK_EQ(seen.deletes, 2);
	CHECK(seen.value == &b);
	CHECK(is_absent(W, keyval));
	OK(MPI_Comm_set_attr(W, keyval, NULL)); /* a value like any other */
	CHECK(holds(W, keyval, NULL));
	OK(MPI_Comm_delete_attr(W, keyval));
	OK(MPI_Comm_free_keyval(&keyval));
	CHECK(keyval == MPI_KEYVAL_INVALID);
}

/* An error of the callback is an error of the operation, which then does
 * nothing. */
static void callback_fails(void)
{
	int a, b, keyval = new_key(NULL);

	OK(MPI_Comm_set_attr(W, keyval, &a));
	seen.result = MPI_ERR_OTHER;
	CHECK(MPI_Comm_delete_attr(W, keyval) != MPI_SUCCESS);
	CHECK(holds(W, keyval, &a));
	CHECK(MPI_Comm_set_attr(W, keyval, &b) != MPI_SUCCESS);
	CHECK(holds(W, keyval, &a));
	seen.result = MPI_SUCCESS;
	OK(MPI_Comm_delete_attr(W, keyval));
	CHECK(is_absent(W, keyval));
	OK(MPI_Comm_free_keyval(&keyval));
}

static void key_freed_in_use(void)
{
	int a, keyval = new_key(NULL), used = keyval, other;

	OK(MPI_Comm_set_attr(W, keyval, &a));
	OK(MPI_Comm_free_keyval(&keyval));
	CHECK_EQ(seen.deletes, 0);
	other = new_key(NULL);
	CHECK(other != used);
	CHECK(is_absent(W, other));
	OK(MPI_Comm_delete_attr(W, used));
	CHECK_EQ(seen.deletes, 1);
	OK(MPI_Comm_free_keyval(&other));
}

static void no_callback(void)
{
	int a, keyval;

	OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN,
				  &keyval, NULL));
	OK(MPI_Comm_set_attr(W, keyval, &a));
	OK(MPI_Comm_set_attr(W, keyval, &keyval));
	CHECK(holds(W, keyval, &keyval));
	OK(MPI_Comm_delete_attr(W, keyval));
	OK(MPI_Comm_free_keyval(&keyval));
}

static void many_keys(void)
{
	enum { N = 200 };
	int keys[N];

	for (int k = 0; k < N; k++)
		keys[k] = new_key(NULL);
	for (int k = 0; k < N; k++)
		OK(MPI_Comm_set_attr(k % 2 ? W : MPI_COMM_SELF, keys[k],
				     &keys[k]));
	for (int k = 0; k < N; k++)
		CHECK(holds(k % 2 ? W : MPI_COMM_SELF, keys[k], &keys[k]));
	for (int k = N - 1; k >= 0; k--) {
		OK(MPI_Comm_delete_attr(k % 2 ? W : MPI_COMM_SELF, keys[k]));
		OK(MPI_Comm_free_keyval(&keys[k]));
	}
	CHECK_EQ(seen.deletes, N);
}

static void erroneous(void)
{
	int a, flag, keyval = new_key(NULL), invalid = MPI_KEYVAL_INVALID;
	int type_key;
	void *value;

	CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_set_attr(W, invalid, &a));
	CHECK_ERROR(MPI_ERR_KEYVAL, MPI_Comm_delete_attr(W, invalid));
	CHECK_ERROR(MPI_ERR_KEYVAL,
		    MPI_Comm_get_attr(W, invalid, &value, &flag));
	CHECK(MPI_Comm_free_keyval(&invalid) != MPI_SUCCESS);
	OK(MPI_Comm_delete_attr(W, keyval)); /* the attribute is not set */
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_set_attr(MPI_COMM_NULL, keyval, &a));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_delete_attr(MPI_COMM_NULL, keyval));
	OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN,
				  MPI_TYPE_NULL_DELETE_FN, &type_key, NULL));
	CHECK(MPI_Comm_set_attr(W, type_key, &a) != MPI_SUCCESS);
	OK(MPI_Type_free_keyval(&type_key));
	OK(MPI_Comm_free_keyval(&keyval));
}

/* Tests the names of MPI 1. */
static void old_names(void)
{
	int a, flag = 0, keyval;
	void *value;

	OK(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &keyval,
			     NULL));
	OK(MPI_Attr_put(W, keyval, &a));
	OK(MPI_Attr_get(W, keyval, &value, &flag));
	CHECK(flag && value == &a);
	OK(MPI_Attr_delete(W, keyval));
	OK(MPI_Attr_get(W, keyval, &value, &flag));
	CHECK(!flag);
	OK(MPI_Keyval_free(&keyval));
	CHECK(keyval == MPI_KEYVAL_INVALID);
}

/* A callback that uses attributes itself. */
static int nested(MPI_Comm comm, int keyval, void *value, void *extra)
{
	int mine = *(int *)extra;

	seen.deletes++;
	return mine == MPI_KEYVAL_INVALID ? MPI_SUCCESS
					  : MPI_Comm_delete_attr(comm, mine);
}

static void callback_deletes_another(void)
{
	int inner = new_key(NULL), outer;

	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, nested, &outer,
				  &inner));
	OK(MPI_Comm_set_attr(W, inner, &inner));
	OK(MPI_Comm_set_attr(W, outer, &inner));
	OK(MPI_Comm_delete_attr(W, outer));
	CHECK_EQ(seen.deletes, 2);
	CHECK(is_absent(W, inner) && is_absent(W, outer));
	OK(MPI_Comm_free_keyval(&outer));
	OK(MPI_Comm_free_keyval(&inner));
}

static void *make_and_use(void *arg)
{
	long bad = 0;

	for (int k = 0; k < 300; k++) {
		void *value;
		int keyval, flag;

		bad += MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
					      MPI_COMM_NULL_DELETE_FN, &keyval,
					      NULL);
		bad += MPI_Comm_set_attr(W, keyval, arg);
		bad += MPI_Comm_get_attr(W, keyval, &value, &flag);
		bad += !flag || value != arg;
		bad += MPI_Comm_delete_attr(W, keyval);
		bad += MPI_Comm_free_keyval(&keyval);
	}
	return (void *)bad;
}

/* Sets its own key in the callback, once. */
static struct {
	int deletes, to_set;
	void *value; /* last deleted */
	int result;
} reset;

static int on_delete_set(MPI_Comm comm, int keyval, void *value, void *extra)
{
	reset.deletes++;
	reset.value = value;
	if (reset.to_set-- > 0)
		OK(MPI_Comm_set_attr(comm, keyval, extra));
	return reset.result;
}

static void callback_sets_own_key(void)
{
	int keyval = MPI_KEYVAL_INVALID, again, a, b;
	MPI_Comm comm;

	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete_set, &keyval,
				  &again));
	OK(MPI_Comm_dup(MPI_COMM_SELF, &comm));
	OK(MPI_Comm_set_attr(comm, keyval, &a));
	reset.to_set = 1;
	OK(MPI_Comm_delete_attr(comm, keyval));
	CHECK(reset.deletes == 1 && reset.value == &a &&
	      holds(comm, keyval, &again));
	reset.to_set = 1;
	OK(MPI_Comm_set_attr(comm, keyval, &b));
	CHECK(reset.deletes == 2 && reset.value == &again &&
	      holds(comm, keyval, &b));
	reset.to_set = 1;
	reset.result = MPI_ERR_OTHER;
	CHECK_ERROR(MPI_ERR_OTHER, MPI_Comm_delete_attr(comm, keyval));
	CHECK(reset.deletes == 3 && reset.value == &b &&
	      holds(comm, keyval, &again));
	reset.to_set = 1;
	reset.result = MPI_SUCCESS;
	OK(MPI_Comm_free(&comm));
	CHECK(reset.deletes == 5 && reset.value == &again);
	OK(MPI_Comm_free_keyval(&keyval));
}

static void threads(void)
{
	static int values[4];
	pthread_t all[4];
	int level;

	OK(MPI_Query_thread(&level));
	if (level < MPI_THREAD_MULTIPLE) {
		mpi_test_skip("no MPI_THREAD_MULTIPLE");
		return;
	}
	for (int k = 0; k < 4; k++)
		CHECK(!pthread_create(&all[k], NULL, make_and_use, &values[k]));
	for (int k = 0; k < 4; k++) {
		void *bad;

		pthread_join(all[k], &bad);
		CHECK(!bad);
	}
}

/* MPI_Finalize deletes the attributes of self, the last one first, while MPI
 * still works; their keys may have been freed before. */
enum { LAST = 5 };
static int ends;

static int at_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
	int finalized = -1, rank = -1;

	MPI_Finalized(&finalized);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (comm != MPI_COMM_SELF || finalized || rank != me ||
	    (intptr_t)value != LAST - 1 - ends)
		ends = 100;
	ends++;
	return MPI_SUCCESS;
}

static void prepare_end(void)
{
	for (int k = 0; k < LAST; k++) {
		int keyval;

		OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end,
					  &keyval, NULL));
		OK(MPI_Comm_set_attr(MPI_COMM_SELF, keyval,
				     (void *)(intptr_t)k));
		OK(MPI_Comm_free_keyval(&keyval));
	}
}

static const struct mpi_case cases[] = {
    {"set, get, delete", set_get_delete},
    {"a delete callback fails", callback_fails},
    {"a key is freed while it is used", key_freed_in_use},
    {"no callbacks", no_callback},
    {"many keys", many_keys},
    {"errors", erroneous},
    {"the names of MPI 1", old_names},
    {"a callback deletes another attribute", callback_deletes_another},
    {"a callback sets its own key", callback_sets_own_key},
    {"threads", threads},
    {"attributes for MPI_Finalize", prepare_end},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	int level, failed;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	failed = mpi_test_run(argc, argv, cases);
	if (argc < 2 && ends != LAST) {
		fprintf(stderr, "rank %d: %d calls at the end\n", me, ends);
		failed = 1;
	}
	return failed;
}
