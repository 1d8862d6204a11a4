/* SPDX-License-Identifier: Apache-2.0 */
/*
 * file_object.c tests files as objects (MPI 4.1, chapter 14): modes, sizes,
 * hints, what they tell of themselves, handles as integers, and errors: their
 * classes, what MPI_Error_string says, and whose handler is called.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "tests/mpi/file_name.h"

static int word = 7;
static MPI_Status status;

/* Opens the file on this rank alone. */
static int open_alone(const char *name, int amode, MPI_File *file)
{
	return MPI_File_open(MPI_COMM_SELF, name, amode, MPI_INFO_NULL, file);
}

static void modes(void)
{
	MPI_File f = MPI_FILE_NULL;
	int amode = 0;

	if (!file_begin())
		return;
	CHECK_ERROR(MPI_ERR_AMODE, open_alone(file_name, 0, &f));
	CHECK_ERROR(
	    MPI_ERR_AMODE,
	    open_alone(file_name, MPI_MODE_RDONLY | MPI_MODE_WRONLY, &f));
	CHECK_ERROR(
	    MPI_ERR_AMODE,
	    open_alone(file_name, MPI_MODE_RDONLY | MPI_MODE_CREATE, &f));
	CHECK_ERROR(
	    MPI_ERR_AMODE,
	    open_alone(file_name, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, &f));
	CHECK_ERROR(MPI_ERR_NO_SUCH_FILE,
		    open_alone(file_name, MPI_MODE_RDWR, &f));
	OK(MPI_Barrier(W));
	OK(MPI_File_open(W, file_name, MPI_MODE_CREATE | MPI_MODE_WRONLY,
			 MPI_INFO_NULL, &f));
	OK(MPI_File_get_amode(f, &amode));
	CHECK_EQ(amode, MPI_MODE_CREATE | MPI_MODE_WRONLY);
	OK(MPI_File_write_at(f, me * 4, &word, 1, MPI_INT, &status));
	CHECK_ERROR(MPI_ERR_ACCESS,
		    MPI_File_read_at(f, 0, &word, 1, MPI_INT, &status));
	file_close(&f);
	OK(MPI_Barrier(W));
	CHECK_ERROR(
	    MPI_ERR_FILE_EXISTS,
	    open_alone(file_name,
		       MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, &f));
	OK(MPI_File_open(W, file_name,
			 MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE,
			 MPI_INFO_NULL, &f));
	CHECK_ERROR(MPI_ERR_READ_ONLY,
		    MPI_File_write_at(f, 0, &word, 1, MPI_INT, &status));
	file_close(&f);
	OK(MPI_Barrier(W));
	/* other nodes may remember the name for a while */
	CHECK(me != 0 || access(file_name, F_OK) != 0);
}

static void append(void)
{
	MPI_Offset at = -1;
	MPI_File f;

	if (!file_begin())
		return;
	OK(MPI_File_open(W, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR,
			 MPI_INFO_NULL, &f));
	OK(MPI_File_set_size(f, 100));
	file_close(&f);
	OK(MPI_File_open(W, file_name,
			 MPI_MODE_APPEND | MPI_MODE_RDWR |
			     MPI_MODE_DELETE_ON_CLOSE,
			 MPI_INFO_NULL, &f));
	OK(MPI_File_get_position(f, &at));
	CHECK_EQ(at, 100);
	OK(MPI_File_get_position_shared(f, &at));
	CHECK_EQ(at, 100);
	file_close(&f);
}

/* Whoever writes next finds the new size: no rank sets it late. */
static void cut_and_write(MPI_File f)
{
	int back = -1;

	OK(MPI_File_set_size(f, 0));
	OK(MPI_File_write_at(f, (MPI_Offset)me * 4, &me, 1, MPI_INT,
			     MPI_STATUS_IGNORE));
	OK(MPI_File_sync(f));
	OK(MPI_Barrier(W));
	OK(MPI_File_read_at(f, (MPI_Offset)me * 4, &back, 1, MPI_INT,
			    MPI_STATUS_IGNORE));
	CHECK_EQ(back, me);
}

static void sizes(void)
{
	MPI_Offset size = -1;
	MPI_File f;

	if (!file_begin())
		return;
	f = file_open();
	OK(MPI_File_get_size(f, &size));
	CHECK_EQ(size, 0);
	OK(MPI_File_preallocate(f, 10000));
	OK(MPI_File_get_size(f, &size));
	CHECK_EQ(size, 10000);
	OK(MPI_File_set_size(f, 77));
	OK(MPI_File_get_size(f, &size));
	CHECK_EQ(size, 77);
	CHECK_ERROR(MPI_ERR_ARG, MPI_File_set_size(f, -1));
	for (int k = 0; k < 20; k++)
		cut_and_write(f);
	file_close(&f);
}

static void inquiries(void)
{
	MPI_Datatype etype = MPI_DATATYPE_NULL, filetype = MPI_DATATYPE_NULL;
	MPI_Offset disp = -1, offset = -1;
	char datarep[MPI_MAX_DATAREP_STRING] = "";
	MPI_Group group;
	MPI_Aint extent = -1;
	MPI_File f;
	int flag = -1, size = -1;

	if (!file_begin())
		return;
	f = file_open();
	OK(MPI_File_get_atomicity(f, &flag));
	CHECK_EQ(flag, 0);
	OK(MPI_File_set_atomicity(f, 1));
	OK(MPI_File_get_atomicity(f, &flag));
	CHECK_EQ(flag, 1);
	OK(MPI_File_get_group(f, &group));
	OK(MPI_Group_size(group, &size));
	CHECK_EQ(size, np);
	OK(MPI_Group_free(&group));
	OK(MPI_File_get_type_extent(f, MPI_DOUBLE, &extent));
	CHECK_EQ(extent, 8);
	OK(MPI_File_set_view(f, 40, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
	OK(MPI_File_get_view(f, &disp, &etype, &filetype, datarep));
	CHECK_EQ(disp, 40);
	CHECK(etype == MPI_INT && filetype == MPI_INT);
	CHECK(!strcmp(datarep, "native"));
	OK(MPI_File_get_byte_offset(f, 3, &offset));
	CHECK_EQ(offset, 52);
	CHECK(MPI_File_f2c(MPI_File_c2f(f)) == f);
	CHECK(MPI_File_fromint(MPI_File_toint(f)) == f);
	CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
	file_close(&f);
}

static void hints(void)
{
	char value[MPI_MAX_INFO_VAL + 1] = "";
	MPI_Info info, used;
	MPI_File f;
	int flag = 0;

	if (!file_begin())
		return;
	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "cb_buffer_size", "65536"));
	OK(MPI_Info_set(info, "unknown_to_all", "x"));
	OK(MPI_File_open(W, file_name,
			 MPI_MODE_CREATE | MPI_MODE_RDWR |
			     MPI_MODE_DELETE_ON_CLOSE,
			 info, &f));
	OK(MPI_Info_free(&info));
	OK(MPI_File_get_info(f, &used));
	OK(MPI_Info_get(used, "cb_buffer_size", MPI_MAX_INFO_VAL, value,
			&flag));
	CHECK(flag && !strcmp(value, "65536"));
	OK(MPI_File_set_info(f, used));
	OK(MPI_Info_free(&used));
	file_close(&f);
}

/* ---- Errors ------------------------------------------------------------- */

static bool says(int code, const char *part)
{
	char text[MPI_MAX_ERROR_STRING] = "";
	int len;

	MPI_Error_string(code, text, &len);
	if (strstr(text, part))
		return true;
	fprintf(stderr, "%s\n", text);
	return false;
}

static void words(void)
{
	MPI_File f = MPI_FILE_NULL;
	int code;

	if (!file_begin())
		return;
	code = open_alone(file_name, MPI_MODE_RDONLY, &f);
	CHECK_ERROR(MPI_ERR_NO_SUCH_FILE, code);
	CHECK(says(code, file_name));
	CHECK(f == MPI_FILE_NULL);
	code = MPI_File_delete(file_name, MPI_INFO_NULL);
	CHECK_ERROR(MPI_ERR_NO_SUCH_FILE, code);
	CHECK(says(code, file_name));
	CHECK_ERROR(
	    MPI_ERR_BAD_FILE,
	    open_alone("/dev/null/x", MPI_MODE_CREATE | MPI_MODE_WRONLY, &f));
	CHECK_ERROR(MPI_ERR_BAD_FILE, open_alone("/", MPI_MODE_WRONLY, &f));
	CHECK_ERROR(MPI_ERR_BAD_FILE, open_alone("", MPI_MODE_RDONLY, &f));
	CHECK_ERROR(MPI_ERR_BAD_FILE, MPI_File_delete("", MPI_INFO_NULL));
}

static void full_disk(void)
{
	MPI_Request r;
	MPI_File f;
	int code;

	if (!file_begin())
		return;
	if (open_alone("/dev/full", MPI_MODE_WRONLY, &f)) {
		mpi_test_skip("no /dev/full");
		return;
	}
	code = MPI_File_write_at(f, 0, &word, 1, MPI_INT, &status);
	CHECK_ERROR(MPI_ERR_NO_SPACE, code);
	CHECK(says(code, "/dev/full"));
	/* the handler of the file is called in the wait, not that of the
	 * communicator */
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
	code = MPI_File_iwrite_at(f, 0, &word, 1, MPI_INT, &r);
	if (!code)
		code = MPI_Wait(&r, &status);
	OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
	CHECK_ERROR(MPI_ERR_NO_SPACE, code);
	CHECK(says(code, "/dev/full"));
	file_close(&f);
}

/* Opens a file with a view of every np-th int, and with small buffers, so that
 * collective calls take several rounds. */
static MPI_File open_in_rounds(const char *name, int amode)
{
	MPI_File f = MPI_FILE_NULL;
	MPI_Datatype turn;
	MPI_Info info;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "cb_buffer_size", "64"));
	OK(MPI_File_open(W, name, amode, info, &f));
	OK(MPI_Info_free(&info));
	OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)np * 4, &turn));
	OK(MPI_Type_commit(&turn));
	OK(MPI_File_set_view(f, me * 4, MPI_INT, turn, "native",
			     MPI_INFO_NULL));
	OK(MPI_Type_free(&turn));
	return f;
}

/* The ranks whose transfers fail stay in step with the others. */
static void failing_together(void)
{
	enum { N = 200 };
	int data[N] = {0};
	MPI_File f;
	MPI_Request r;

	if (!file_begin() || access("/dev/full", W_OK))
		return;
	f = open_in_rounds("/dev/full", MPI_MODE_WRONLY);
	CHECK_ERROR(MPI_ERR_NO_SPACE,
		    MPI_File_write_at_all(f, 0, data, N, MPI_INT, &status));
	OK(MPI_File_iwrite_at_all(f, 0, data, N, MPI_INT, &r));
	CHECK_ERROR(MPI_ERR_NO_SPACE, MPI_Wait(&r, &status));
	file_close(&f);
	f = open_in_rounds("/", MPI_MODE_RDONLY);
	CHECK_ERROR(MPI_ERR_BAD_FILE,
		    MPI_File_read_at_all(f, 0, data, N, MPI_INT, &status));
	file_close(&f);
}

static void wrong_use(void)
{
	MPI_File f = MPI_FILE_NULL, copy;
	MPI_Datatype type, twice;

	if (!file_begin())
		return;
	f = file_open();
	copy = f;
	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_File_write_at(f, 0, &word, -1, MPI_INT, &status));
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_File_write_at(f, -1, &word, 1, MPI_INT, &status));
	CHECK_ERROR(
	    MPI_ERR_TYPE,
	    MPI_File_write_at(f, 0, &word, 1, MPI_DATATYPE_NULL, &status));
	OK(MPI_Type_vector(2, 1, 2, MPI_INT, &type));
	CHECK_ERROR(MPI_ERR_TYPE,
		    MPI_File_write_at(f, 0, &word, 1, type, &status));
	OK(MPI_Type_free(&type));
	CHECK_ERROR(MPI_ERR_ARG, MPI_File_get_size(f, NULL));
	CHECK_ERROR(MPI_ERR_ARG, MPI_File_seek(f, 0, 4711));
	CHECK_ERROR(
	    MPI_ERR_UNSUPPORTED_DATAREP,
	    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "mine", MPI_INFO_NULL));
	/* a file type has to be made of etypes, and to run forwards */
	CHECK(MPI_File_set_view(f, 0, MPI_INT, MPI_BYTE, "native",
				MPI_INFO_NULL) != MPI_SUCCESS);
	OK(MPI_Type_vector(2, 1, -2, MPI_INT, &twice));
	OK(MPI_Type_commit(&twice));
	CHECK(MPI_File_set_view(f, 100, MPI_INT, twice, "native",
				MPI_INFO_NULL) != MPI_SUCCESS);
	OK(MPI_Type_free(&twice));
	file_close(&f);
	CHECK_ERROR(MPI_ERR_FILE, MPI_File_close(&copy));
	CHECK_ERROR(MPI_ERR_FILE, MPI_File_sync(copy));
	CHECK_ERROR(MPI_ERR_FILE, MPI_File_sync(MPI_FILE_NULL));
	CHECK_ERROR(MPI_ERR_ARG, open_alone(NULL, MPI_MODE_RDONLY, &f));
	CHECK_ERROR(MPI_ERR_COMM,
		    MPI_File_open(MPI_COMM_NULL, file_name, MPI_MODE_RDONLY,
				  MPI_INFO_NULL, &f));
}

static struct {
	MPI_File file;
	int code, calls;
} seen;

static void note(MPI_File *file, int *code, ...)
{
	seen.file = *file;
	seen.code = *code;
	seen.calls++;
}

/* A file begins with the handler of MPI_FILE_NULL. */
static void handlers(void)
{
	MPI_Errhandler handler, got;
	MPI_File f, missing;

	if (!file_begin())
		return;
	OK(MPI_File_create_errhandler(note, &handler));
	OK(MPI_File_set_errhandler(MPI_FILE_NULL, handler));
	f = file_open();
	seen.calls = 0;
	CHECK_ERROR(MPI_ERR_NO_SUCH_FILE,
		    open_alone("/nowhere/at all", MPI_MODE_RDONLY, &missing));
	CHECK_EQ(seen.calls, 1);
	CHECK(seen.file == MPI_FILE_NULL);
	OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
	OK(MPI_File_get_errhandler(f, &got));
	CHECK(got == handler);
	OK(MPI_Errhandler_free(&got));
	OK(MPI_Errhandler_free(&handler));
	CHECK_ERROR(MPI_ERR_ARG, MPI_File_set_size(f, -1));
	CHECK_EQ(seen.calls, 2);
	CHECK(seen.file == f);
	CHECK_EQ(seen.code, MPI_ERR_ARG);
	OK(MPI_File_call_errhandler(f, MPI_ERR_IO));
	CHECK_EQ(seen.calls, 3);
	OK(MPI_File_set_errhandler(f, MPI_ERRORS_RETURN));
	CHECK_ERROR(MPI_ERR_ARG, MPI_File_set_size(f, -1));
	CHECK_EQ(seen.calls, 3);
	file_close(&f);
}

static int extent_fn(MPI_Datatype type, MPI_Aint *extent, void *state)
{
	return MPI_SUCCESS;
}

static void datareps(void)
{
	static int times;
	char name[40];

	if (!file_begin())
		return;
	snprintf(name, sizeof(name), "datarep %d", times++);
	OK(MPI_Register_datarep(name, MPI_CONVERSION_FN_NULL,
				MPI_CONVERSION_FN_NULL, extent_fn, NULL));
	CHECK_ERROR(MPI_ERR_DUP_DATAREP,
		    MPI_Register_datarep(name, MPI_CONVERSION_FN_NULL,
					 MPI_CONVERSION_FN_NULL, extent_fn,
					 NULL));
}

static const struct mpi_case cases[] = {
    {"modes", modes},
    {"MPI_MODE_APPEND", append},
    {"sizes", sizes},
    {"inquiries", inquiries},
    {"hints", hints},
    {"errors in words", words},
    {"a full disk", full_disk},
    {"errors in collective calls", failing_together},
    {"wrong use", wrong_use},
    {"error handlers", handlers},
    {"data representations", datareps},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
