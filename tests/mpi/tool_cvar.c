/* SPDX-License-Identifier: Apache-2.0 */
/* tool_cvar.c tests the tool interface's start and end, control variables and
 * enumerations, before MPI_Init and after (MPI 4.1, 15.3). */
#include "tests/mpi/mpi_test.h"

enum { ROOM = 1024 };

struct cvar {
	char name[ROOM], desc[ROOM];
	int verbosity, bind, scope;
	MPI_Datatype type;
	MPI_T_enum items;
};

static int number_of(void)
{
	int n = -1;

	OK(MPI_T_cvar_get_num(&n));
	return n;
}

static bool get(int k, struct cvar *v)
{
	int name_len = ROOM, desc_len = ROOM;

	return OK(MPI_T_cvar_get_info(k, v->name, &name_len, &v->verbosity,
				      &v->type, &v->items, v->desc, &desc_len,
				      &v->bind, &v->scope)) &&
	       CHECK_EQ(name_len, strlen(v->name) + 1) &&
	       CHECK_EQ(desc_len, strlen(v->desc) + 1);
}

/* Every variable has a name of its own, by which it is found. */
static void all(void)
{
	int n = number_of();
	static struct cvar v;

	for (int k = 0; k < n; k++) {
		int found = -1, len = 0;
		char cut[4] = "###";

		if (!get(k, &v))
			return;
		CHECK(*v.name && *v.desc);
		CHECK(v.verbosity >= MPI_T_VERBOSITY_USER_BASIC &&
		      v.verbosity <= MPI_T_VERBOSITY_MPIDEV_ALL);
		CHECK(v.scope >= MPI_T_SCOPE_CONSTANT &&
		      v.scope <= MPI_T_SCOPE_ALL_EQ);
		OK(MPI_T_cvar_get_index(v.name, &found));
		CHECK_EQ(found, k);
		/* what is NULL is not wanted */
		OK(MPI_T_cvar_get_info(k, NULL, &len, NULL, NULL, NULL, NULL,
				       NULL, NULL, NULL));
		CHECK_EQ(len, strlen(v.name) + 1);
		len = 3;
		OK(MPI_T_cvar_get_info(k, cut, &len, NULL, NULL, NULL, NULL,
				       NULL, NULL, NULL));
		CHECK(!strncmp(cut, v.name, 2) && !cut[2]);
	}
	CHECK_ERROR(MPI_T_ERR_INVALID_INDEX,
		    MPI_T_cvar_get_info(n, NULL, NULL, NULL, NULL, NULL, NULL,
					NULL, NULL, NULL));
	CHECK_ERROR(MPI_T_ERR_INVALID_INDEX,
		    MPI_T_cvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL,
					NULL, NULL, NULL));
	CHECK_ERROR(MPI_T_ERR_INVALID_NAME,
		    MPI_T_cvar_get_index("no variable", &n));
}

/* Reads a variable of any type; returns its value if it is a number. */
static long value_of(int k, char *text, size_t room)
{
	static struct cvar v;
	MPI_T_cvar_handle handle;
	int count = 0, number = -1;
	MPI_Count large = 0;
	long value = -1;

	if (!get(k, &v) ||
	    !OK(MPI_T_cvar_handle_alloc(k, NULL, &handle, &count)))
		return -1;
	*text = 0;
	if (v.type == MPI_CHAR) {
		if (CHECK((size_t)count <= room) &&
		    OK(MPI_T_cvar_read(handle, text)))
			CHECK(strlen(text) < (size_t)count);
	} else if (v.type == MPI_INT) {
		CHECK_EQ(count, 1);
		OK(MPI_T_cvar_read(handle, &number));
		value = number;
	} else if (CHECK(v.type == MPI_COUNT)) {
		CHECK_EQ(count, 1);
		OK(MPI_T_cvar_read(handle, &large));
		value = (long)large;
	}
	OK(MPI_T_cvar_handle_free(&handle));
	CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
	return value;
}

static void values(void)
{
	static char text[ROOM];
	int n = number_of();

	for (int k = 0; k < n; k++)
		value_of(k, text, sizeof(text));
	CHECK_ERROR(MPI_T_ERR_INVALID_HANDLE,
		    MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, text));
	CHECK_ERROR(
	    MPI_T_ERR_INVALID_INDEX,
	    MPI_T_cvar_handle_alloc(n, NULL, &(MPI_T_cvar_handle){0}, &n));
}

/* A value of an enumeration is one of its items. */
static void enumerations(void)
{
	static struct cvar v;
	static char text[ROOM];
	int n = number_of();

	for (int k = 0; k < n; k++) {
		int items = -1, found = 0, len = ROOM;
		long value = value_of(k, text, sizeof(text));

		if (!get(k, &v) || v.items == MPI_T_ENUM_NULL)
			continue;
		OK(MPI_T_enum_get_info(v.items, &items, text, &len));
		CHECK(items > 1);
		for (int i = 0; i < items; i++) {
			int item = -1;

			len = ROOM;
			OK(MPI_T_enum_get_item(v.items, i, &item, text, &len));
			CHECK(*text && !strchr(text, '|'));
			found += item == value;
		}
		CHECK_EQ(found, 1);
		CHECK_ERROR(
		    MPI_T_ERR_INVALID_INDEX,
		    MPI_T_enum_get_item(v.items, items, NULL, NULL, NULL));
	}
	CHECK_ERROR(MPI_T_ERR_INVALID_HANDLE,
		    MPI_T_enum_get_info(MPI_T_ENUM_NULL, &n, NULL, NULL));
}

/* Another library has other variables, which may be written. */
static void environment(void)
{
	static char text[ROOM];
	int stats, ring, file, number = 2;
	MPI_T_cvar_handle handle;

	if (MPI_T_cvar_get_index("MRT_STATS_FILE", &file)) {
		mpi_test_skip("only libmrt has its variables");
		return;
	}
	value_of(file, text, sizeof(text));
	CHECK(!strcmp(text, "/dev/null"));
	OK(MPI_T_cvar_get_index("MRT_SM_RING", &ring));
	CHECK_EQ(value_of(ring, text, sizeof(text)), 16384);
	OK(MPI_T_cvar_get_index("MRT_REG_CACHE", &ring));
	CHECK_EQ(value_of(ring, text, sizeof(text)), 5LL << 30);
	OK(MPI_T_cvar_get_index("MRT_SM_BACKING", &stats));
	CHECK_EQ(value_of(stats, text, sizeof(text)), 1);
	OK(MPI_T_cvar_handle_alloc(stats, NULL, &handle, &number));
	CHECK_ERROR(MPI_T_ERR_CVAR_SET_NEVER,
		    MPI_T_cvar_write(handle, &number));
	OK(MPI_T_cvar_handle_free(&handle));
}

static void nothing(void)
{
	int n = -1;

	OK(MPI_T_event_get_num(&n));
	if (!n)
		CHECK_ERROR(MPI_T_ERR_INVALID_NAME,
			    MPI_T_event_get_index("no event", &n));
	n = -1;
	OK(MPI_T_category_get_num(&n));
	CHECK(n >= 0);
	CHECK_ERROR(MPI_T_ERR_INVALID_INDEX,
		    MPI_T_category_get_cvars(n, 0, NULL));
}

static void uses(void)
{
	int provided = -1;

	OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
	CHECK(provided >= MPI_THREAD_SINGLE);
	OK(MPI_T_finalize());
	CHECK(number_of() > 0);
}

static const struct mpi_case cases[] = {
    {"all variables", all},
    {"their values", values},
    {"enumerations", enumerations},
    {"those of the environment", environment},
    {"no events", nothing},
    {"started twice", uses},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	int n = -1, before, failed;
	bool good;

	setenv("MRT_STATS_FILE", "/dev/null", 1);
	setenv("MRT_SM_RING", "16K", 1);
	setenv("MRT_REG_CACHE", "5G", 1);
	setenv("MRT_SM_BACKING", "memfd", 1);
	good = CHECK_ERROR(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n)) &&
	       CHECK_ERROR(MPI_T_ERR_NOT_INITIALIZED, MPI_T_finalize()) &&
	       OK(MPI_T_init_thread(MPI_THREAD_SINGLE, &n));
	before = number_of();
	environment();
	failed = mpi_test_run(argc, argv, cases);
	return failed || !good || !CHECK(number_of() >= before) ||
	       !OK(MPI_T_finalize()) ||
	       !CHECK_ERROR(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
}
