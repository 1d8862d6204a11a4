/* SPDX-License-Identifier: Apache-2.0 */
/* error_codes.c tests classes, codes and strings, the standard's and the
 * user's (MPI 4.1, 9.4 and 9.5). */
#include "tests/mpi/mpi_test.h"

static int last_used(void)
{
	int *value, flag;

	OK(MPI_Comm_get_attr(W, MPI_LASTUSEDCODE, &value, &flag));
	CHECK(flag);
	return flag ? *value : -1;
}

static bool text_is(int code, const char *want)
{
	char text[MPI_MAX_ERROR_STRING];
	int len = -1;

	OK(MPI_Error_string(code, text, &len));
	CHECK_EQ(len, strlen(text));
	return !want || !strcmp(text, want);
}

/* Every class of the standard is its own code, and has its own text. */
static void standard(void)
{
	/* clang-format off */
	static const int classes[] = {
	    MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
	    MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_REQUEST,
	    MPI_ERR_ROOT, MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY,
	    MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN, MPI_ERR_TRUNCATE,
	    MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_PENDING, MPI_ERR_IN_STATUS,
	    MPI_ERR_ACCESS, MPI_ERR_AMODE, MPI_ERR_ASSERT, MPI_ERR_BAD_FILE,
	    MPI_ERR_BASE, MPI_ERR_CONVERSION, MPI_ERR_DISP,
	    MPI_ERR_DUP_DATAREP, MPI_ERR_FILE_EXISTS, MPI_ERR_FILE_IN_USE,
	    MPI_ERR_FILE, MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY,
	    MPI_ERR_INFO_VALUE, MPI_ERR_INFO, MPI_ERR_IO, MPI_ERR_KEYVAL,
	    MPI_ERR_LOCKTYPE, MPI_ERR_NAME, MPI_ERR_NO_MEM, MPI_ERR_NOT_SAME,
	    MPI_ERR_NO_SPACE, MPI_ERR_NO_SUCH_FILE, MPI_ERR_PORT,
	    MPI_ERR_QUOTA, MPI_ERR_READ_ONLY, MPI_ERR_RMA_ATTACH,
	    MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_RANGE, MPI_ERR_RMA_SHARED,
	    MPI_ERR_RMA_SYNC, MPI_ERR_SERVICE, MPI_ERR_SIZE, MPI_ERR_SPAWN,
	    MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_UNSUPPORTED_OPERATION,
	    MPI_ERR_WIN, MPI_ERR_RMA_FLAVOR};
	enum { N = sizeof(classes) / sizeof(*classes) };
	static char texts[N][MPI_MAX_ERROR_STRING];

	for (int k = 0; k < N; k++) {
		int class = -1, len;

		OK(MPI_Error_class(classes[k], &class));
		CHECK_EQ(class, classes[k]);
		OK(MPI_Error_string(classes[k], texts[k], &len));
		CHECK(len > 0);
		for (int i = 0; i < k; i++)
			CHECK(strcmp(texts[i], texts[k]));
	}
	/* clang-format on */
}

static void new_ones(void)
{
	int class, code, second, got, before = last_used();

	CHECK(before >= MPI_ERR_LASTCODE);
	OK(MPI_Add_error_class(&class));
	CHECK(class > MPI_ERR_LASTCODE);
	OK(MPI_Add_error_code(class, &code));
	OK(MPI_Add_error_code(MPI_ERR_TAG, &second));
	CHECK(class != code && code != second && class != second);
	CHECK(last_used() >= class);
	CHECK(last_used() >= code && last_used() >= second);
	OK(MPI_Error_class(class, &got));
	CHECK_EQ(got, class);
	OK(MPI_Error_class(code, &got));
	CHECK_EQ(got, class);
	OK(MPI_Error_class(second, &got));
	CHECK_EQ(got, MPI_ERR_TAG);
}

static void strings(void)
{
	char longest[MPI_MAX_ERROR_STRING];
	int class, code;

	OK(MPI_Add_error_class(&class));
	OK(MPI_Add_error_code(class, &code));
	CHECK(text_is(class, ""));
	CHECK(text_is(code, ""));
	OK(MPI_Add_error_string(code, "the moon is full"));
	CHECK(text_is(code, "the moon is full"));
	CHECK(text_is(class, ""));
	OK(MPI_Add_error_string(code, "half"));
	CHECK(text_is(code, "half"));
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = 0;
	OK(MPI_Add_error_string(class, longest));
	CHECK(text_is(class, longest));
}

static void erroneous(void)
{
	int got;

	CHECK(MPI_Add_error_string(MPI_ERR_TAG, "mine") != MPI_SUCCESS);
	CHECK(text_is(MPI_ERR_TAG, NULL));
	CHECK(MPI_Add_error_code(0x7ffffff0, &got) != MPI_SUCCESS);
}

/* Tests removal, which is new in MPI 4.1. */
static void removed(void)
{
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
	int class, code, got, before = last_used();

	OK(MPI_Add_error_class(&class));
	OK(MPI_Add_error_code(class, &code));
	OK(MPI_Add_error_string(code, "gone"));
	CHECK(MPI_Remove_error_class(class) != MPI_SUCCESS);
	CHECK(MPI_Remove_error_code(class) != MPI_SUCCESS);
	CHECK(MPI_Remove_error_code(code) != MPI_SUCCESS);
	OK(MPI_Remove_error_string(code));
	CHECK(text_is(code, ""));
	OK(MPI_Remove_error_code(code));
	CHECK(MPI_Error_class(code, &got) != MPI_SUCCESS);
	CHECK(MPI_Remove_error_code(code) != MPI_SUCCESS);
	OK(MPI_Remove_error_class(class));
	CHECK_EQ(last_used(), before);
	CHECK(MPI_Remove_error_class(MPI_ERR_TAG) != MPI_SUCCESS);
#else
	mpi_test_skip("before MPI 4.1");
#endif
}

static const struct mpi_case cases[] = {
    {"the classes of the standard", standard},
    {"new classes and codes", new_ones},
    {"strings of new codes", strings},
    {"what cannot be added", erroneous},
    {"codes are removed", removed},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
