/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_object.c tests what a communicator has beside its ranks: name, hints,
 * attributes, error handler; which of these new communicators inherit; how
 * communicators compare; parts of the machine; wrong arguments.
 */
#include "tests/mpi/mpi_test.h"

static void check_name(MPI_Comm comm, const char *want)
{
	char name[MPI_MAX_OBJECT_NAME] = "?";
	int len = -1;

	OK(MPI_Comm_get_name(comm, name, &len));
	CHECK(!strcmp(name, want));
	CHECK_EQ(len, strlen(want));
}

static void names(void)
{
	char longest[MPI_MAX_OBJECT_NAME + 8];
	MPI_Comm c;

	check_name(W, "MPI_COMM_WORLD");
	check_name(MPI_COMM_SELF, "MPI_COMM_SELF");
	OK(MPI_Comm_dup(W, &c));
	check_name(c, "");
	OK(MPI_Comm_set_name(c, "halo"));
	check_name(c, "halo");
	OK(MPI_Comm_set_name(c, ""));
	check_name(c, "");
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	OK(MPI_Comm_set_name(c, longest));
	longest[MPI_MAX_OBJECT_NAME - 1] = '\0';
	check_name(c, longest);
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_set_name(MPI_COMM_SELF, "mine"));
	check_name(MPI_COMM_SELF, "mine");
	OK(MPI_Comm_set_name(MPI_COMM_SELF, "MPI_COMM_SELF"));
}

/* A duplicate has no name of its own. */
static void name_of_dup(void)
{
	MPI_Comm a, b;

	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_name(a, "a"));
	OK(MPI_Comm_dup(a, &b));
	check_name(b, "");
	OK(MPI_Comm_free(&a));
	OK(MPI_Comm_free(&b));
}

/* ---- Hints --------------------------------------------------------------- */

static void check_hint(MPI_Comm comm, const char *key, const char *want)
{
	char value[32] = "";
	MPI_Info info;
	int flag = -1;

	OK(MPI_Comm_get_info(comm, &info));
	OK(MPI_Info_get(info, key, sizeof(value) - 1, value, &flag));
	CHECK_EQ(flag, want != NULL);
	CHECK(!flag || !want || !strcmp(value, want));
	OK(MPI_Info_free(&info));
}

static const char any_tag[] = "mpi_assert_no_any_tag";
static const char any_source[] = "mpi_assert_no_any_source";

static void hints(void)
{
	MPI_Info info;
	MPI_Comm a, b, c;
	MPI_Request r;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, any_tag, "true"));
	OK(MPI_Info_set(info, "no such hint", "true"));
	OK(MPI_Comm_dup_with_info(W, info, &a));
	check_hint(a, any_tag, "true");
	check_hint(a, any_source, "false");
	check_hint(a, "mpi_memory_alloc_kinds", "mpi,system");
	check_hint(W, any_tag, "false");
	OK(MPI_Comm_idup_with_info(W, info, &b, &r));
	OK(MPI_Info_free(&info));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	check_hint(b, any_tag, "true");
	/* keys that are not given keep their value; an invalid value is
	 * ignored */
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, any_source, "true"));
	OK(MPI_Comm_set_info(a, info));
	OK(MPI_Info_set(info, any_source, "perhaps"));
	OK(MPI_Comm_set_info(a, info));
	OK(MPI_Info_free(&info));
	check_hint(a, any_tag, "true");
	check_hint(a, any_source, "true");
	OK(MPI_Comm_dup(a, &c));
	check_hint(c, any_tag, "false");
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_dup_with_info(a, MPI_INFO_NULL, &c));
	check_hint(c, any_tag, "false");
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_free(&a));
	OK(MPI_Comm_free(&b));
}

/* MPI 4.1 requires this; other libraries may not have it yet. */
static void unknown_hint(void)
{
	check_hint(W, "mpi_assert_strict_persistent_collective_ordering",
		   "false");
	check_hint(W, "no such hint", NULL);
}

/* ---- Attributes and error handlers --------------------------------------- */

static int copies, deletes;

static int copy(MPI_Comm comm, int keyval, void *extra, void *value, void *out,
		int *flag)
{
	(void)comm, (void)keyval, (void)extra;
	copies++;
	*(void **)out = (char *)value + 1;
	*flag = 1;
	return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra)
{
	int size;

	(void)keyval, (void)value, (void)extra;
	/* the communicator still exists */
	OK(MPI_Comm_size(comm, &size));
	deletes++;
	return MPI_SUCCESS;
}

static void check_attr(MPI_Comm comm, int key, const char *want)
{
	char *value = NULL;
	int flag = -1;

	OK(MPI_Comm_get_attr(comm, key, &value, &flag));
	CHECK_EQ(flag, want != NULL);
	CHECK(!flag || value == want);
}

static void attributes(void)
{
	static char at[4];
	MPI_Comm a, b, c;
	MPI_Request r;
	int key;

	copies = deletes = 0;
	OK(MPI_Comm_create_keyval(copy, delete, &key, NULL));
	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_attr(a, key, at));
	OK(MPI_Comm_dup(a, &b));
	check_attr(b, key, at + 1);
	CHECK_EQ(copies, 1);
	/* the attributes that exist when the call begins */
	OK(MPI_Comm_idup(b, &c, &r));
	OK(MPI_Comm_set_attr(b, key, at));
	CHECK_EQ(deletes, 1);
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	check_attr(c, key, at + 2);
	OK(MPI_Comm_free(&c));
	CHECK_EQ(deletes, 2);
	OK(MPI_Comm_split(a, 0, 0, &c));
	check_attr(c, key, NULL);
	OK(MPI_Comm_free(&c));
	CHECK_EQ(deletes, 2);
	CHECK_EQ(copies, 2);
	OK(MPI_Comm_free(&b));
	OK(MPI_Comm_free(&a));
	CHECK_EQ(deletes, 4);
	OK(MPI_Comm_free_keyval(&key));
}

static int fail_copy(MPI_Comm comm, int keyval, void *extra, void *value,
		     void *out, int *flag)
{
	(void)comm, (void)keyval, (void)extra, (void)value, (void)out;
	(void)flag;
	return MPI_ERR_OTHER;
}

static int fail_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm, (void)keyval, (void)extra;
	return *(int *)value ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static void callbacks_fail(void)
{
	MPI_Comm a, b = W;
	int key, fails = 1;

	OK(MPI_Comm_create_keyval(fail_copy, fail_delete, &key, NULL));
	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_attr(a, key, &fails));
	CHECK(MPI_Comm_dup(a, &b) != MPI_SUCCESS);
	CHECK(b == MPI_COMM_NULL);
	CHECK(MPI_Comm_free(&a) != MPI_SUCCESS);
	fails = 0;
	OK(MPI_Comm_free(&a));
	CHECK(a == MPI_COMM_NULL);
	OK(MPI_Comm_free_keyval(&key));
}

static int handled;

static void handle(MPI_Comm *comm, int *code, ...)
{
	(void)comm, (void)code;
	handled++;
}

static void check_handler(MPI_Comm *comm)
{
	handled = 0;
	CHECK_ERROR(MPI_ERR_RANK, MPI_Send(NULL, 0, MPI_INT, 1000, 0, *comm));
	CHECK_EQ(handled, 1);
	OK(MPI_Comm_free(comm));
}

static void error_handlers(void)
{
	MPI_Errhandler h;
	MPI_Comm a, c;
	MPI_Group g;
	MPI_Request r;

	OK(MPI_Comm_create_errhandler(handle, &h));
	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_errhandler(a, h));
	OK(MPI_Errhandler_free(&h));
	OK(MPI_Comm_dup(a, &c));
	check_handler(&c);
	OK(MPI_Comm_split(a, me % 2, 0, &c));
	check_handler(&c);
	OK(MPI_Comm_group(a, &g));
	OK(MPI_Comm_create(a, g, &c));
	check_handler(&c);
	OK(MPI_Comm_create_group(a, g, 1, &c));
	check_handler(&c);
	OK(MPI_Group_free(&g));
	OK(MPI_Comm_split_type(a, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
	check_handler(&c);
	OK(MPI_Comm_idup(a, &c, &r));
	OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
	check_handler(&c);
	check_handler(&a);
}

/* ---- Comparing, and parts of the machine ----------------------------------
 */

static int compare(MPI_Comm a, MPI_Comm b)
{
	int result = -1;

	OK(MPI_Comm_compare(a, b, &result));
	return result;
}

static void compares(void)
{
	MPI_Comm dup, back, some;

	OK(MPI_Comm_dup(W, &dup));
	OK(MPI_Comm_split(W, 0, -me, &back));
	OK(MPI_Comm_split(W, me == np - 1, 0, &some));
	CHECK_EQ(compare(W, W), MPI_IDENT);
	CHECK_EQ(compare(W, dup), MPI_CONGRUENT);
	CHECK_EQ(compare(dup, back), np == 1 ? MPI_CONGRUENT : MPI_SIMILAR);
	CHECK_EQ(compare(W, some), np == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
	OK(MPI_Comm_free(&dup));
	OK(MPI_Comm_free(&back));
	OK(MPI_Comm_free(&some));
}

static void shared(void)
{
	MPI_Comm c;
	int n = -1, r = -1;

	OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL,
			       &c));
	OK(MPI_Comm_size(c, &n));
	OK(MPI_Comm_rank(c, &r));
	CHECK(n >= 1 && n <= np);
	CHECK(n != np || r == np - 1 - me);
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_split_type(W, me % 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED,
			       0, MPI_INFO_NULL, &c));
	CHECK((c == MPI_COMM_NULL) == (me % 2 == 1));
	if (c != MPI_COMM_NULL)
		OK(MPI_Comm_free(&c));
}

static void guided(void)
{
	static const char key[] = "mpi_hw_resource_type";
	MPI_Comm c = W, node;
	MPI_Info info;

	OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, 0, MPI_INFO_NULL,
			       &c));
	CHECK(c == MPI_COMM_NULL);
	OK(MPI_Info_create(&info));
	OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, 0, info, &c));
	CHECK(c == MPI_COMM_NULL);
	OK(MPI_Info_set(info, key, "no such thing"));
	OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, 0, info, &c));
	CHECK(c == MPI_COMM_NULL);
	OK(MPI_Info_set(info, key, "mpi_shared_memory"));
	OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_HW_GUIDED, 0, info, &c));
	OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, info, &node));
	CHECK_EQ(compare(c, node), MPI_CONGRUENT);
	OK(MPI_Comm_free(&c));
	OK(MPI_Comm_free(&node));
	OK(MPI_Info_free(&info));
}

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
/* The names of resources are those that a split takes. */
static void hw_info(void)
{
	char name[MPI_MAX_INFO_KEY], value[64];
	MPI_Info info, wish;
	int n = -1, flag;
	MPI_Comm c;

	OK(MPI_Get_hw_resource_info(&info));
	OK(MPI_Info_get_nkeys(info, &n));
	CHECK(n > 0);
	OK(MPI_Info_create(&wish));
	for (int k = 0; k < n; k++) {
		OK(MPI_Info_get_nthkey(info, k, name));
		OK(MPI_Info_get(info, name, sizeof(value) - 1, value, &flag));
		CHECK(strstr(name, "://"));
		CHECK(!strcmp(value, "true") || !strcmp(value, "false"));
		OK(MPI_Info_set(wish, "mpi_hw_resource_type", name));
		OK(MPI_Comm_split_type(MPI_COMM_SELF, MPI_COMM_TYPE_HW_GUIDED,
				       0, wish, &c));
		/* of what is larger than the process is no part left */
		CHECK((c != MPI_COMM_NULL) == !strcmp(value, "true"));
		if (c != MPI_COMM_NULL)
			OK(MPI_Comm_free(&c));
	}
	OK(MPI_Info_free(&wish));
	OK(MPI_Info_free(&info));
}
#endif

/* Repeated splits come to an end, and each part is smaller than the one
 * before. */
static void unguided(void)
{
	MPI_Comm old = W, c;
	int n = np, less = -1, flag;
	char value[64];
	MPI_Info info;

	for (;;) {
		OK(MPI_Info_create(&info));
		OK(MPI_Comm_split_type(old, MPI_COMM_TYPE_HW_UNGUIDED, 0, info,
				       &c));
		OK(MPI_Info_get(info, "mpi_hw_resource_type", sizeof(value) - 1,
				value, &flag));
		CHECK_EQ(flag, c != MPI_COMM_NULL);
		OK(MPI_Info_free(&info));
		if (old != W)
			OK(MPI_Comm_free(&old));
		if (c == MPI_COMM_NULL)
			break;
		OK(MPI_Comm_size(c, &less));
		CHECK(less < n);
		n = less;
		old = c;
	}
}

/* ---- Wrong arguments ----------------------------------------------------- */

static void wrong(void)
{
	MPI_Comm c = MPI_COMM_NULL, world = W, self = MPI_COMM_SELF;
	char name[MPI_MAX_OBJECT_NAME];
	MPI_Group g;
	MPI_Request r;
	MPI_Info info;
	int n;

	OK(MPI_Comm_group(W, &g));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_size(c, &n));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_rank(c, &n));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_compare(W, c, &n));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_compare(c, W, &n));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_dup(c, &world));
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_Comm_dup_with_info(c, MPI_INFO_NULL, &world));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_idup(c, &world, &r));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_create(c, g, &world));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_create_group(c, g, 0, &world));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_free(&c));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_set_name(c, "name"));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_get_info(c, &info));
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_Comm_split_type(c, MPI_COMM_TYPE_SHARED, 0,
					MPI_INFO_NULL, &world));
	CHECK_ERROR(MPI_ERR_GROUP, MPI_Comm_create(W, MPI_GROUP_NULL, &c));
	CHECK_ERROR(MPI_ERR_GROUP,
		    MPI_Comm_create_group(W, MPI_GROUP_NULL, 0, &c));
	CHECK_ERROR(MPI_ERR_TAG, MPI_Comm_create_group(W, g, -1, &c));
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Comm_split_type(W, 12345, 0, MPI_INFO_NULL, &c));
	CHECK_ERROR(MPI_ERR_INFO, MPI_Comm_set_info(W, MPI_INFO_NULL));
	CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_free(&self));
	CHECK(c == MPI_COMM_NULL && world == W && self == MPI_COMM_SELF);
	OK(MPI_Comm_get_name(MPI_COMM_SELF, name, &n));
	OK(MPI_Group_free(&g));
}

/* Other libraries report less here: a group that is not part of the
 * communicator. */
static void foreign_group(void)
{
	MPI_Comm c = W;
	MPI_Group g;

	OK(MPI_Comm_group(W, &g));
	if (np > 1)
		CHECK_ERROR(MPI_ERR_GROUP,
			    MPI_Comm_create(MPI_COMM_SELF, g, &c));
	CHECK(c == W);
	OK(MPI_Group_free(&g));
}

static void null_name(void)
{
	check_name(MPI_COMM_NULL, "MPI_COMM_NULL");
}

static const struct mpi_case cases[] = {
    {"names", names},
    {"a duplicate has no name", name_of_dup},
    {"hints", hints},
    {"hints of MPI 4.1, and no others", unknown_hint},
    {"attributes of duplicates", attributes},
    {"callbacks that fail", callbacks_fail},
    {"new communicators have the error handler", error_handlers},
    {"compare", compares},
    {"shared memory", shared},
    {"guided by hardware", guided},
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
    {"names of the hardware", hw_info},
#endif
    {"unguided, down to the last level", unguided},
    {"wrong arguments", wrong},
    {"a group of others", foreign_group},
    {"name of MPI_COMM_NULL", null_name},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
