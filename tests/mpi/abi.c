/* SPDX-License-Identifier: Apache-2.0 */
/*
 * abi.c checks the layouts and the values of the MPI 5.0 standard ABI, as the
 * Forum's header has them (mpi-abi-stubs), and handles as integers. It is
 * skipped with a library of another version or without the ABI.
 */
#include <stddef.h>

#include "tests/mpi/mpi_test.h"

#ifdef MPI_ABI_VERSION

#define SAME(a, b) _Static_assert((a) == (b), #a)
#define ROW(value, name)                                                       \
	{                                                                      \
		value, (intptr_t)(name), #name                                 \
	}

struct row {
	intptr_t want, got;
	const char *name;
};

static void compare(const struct row *rows)
{
	for (; rows->name; rows++)
		mpi_test_equal(rows->got, rows->want, __FILE__, __LINE__,
			       rows->name);
}

/* sizes, and MPI_Status */
SAME(sizeof(MPI_Aint), sizeof(void *));
SAME(sizeof(MPI_Count), 8);
SAME(sizeof(MPI_Offset), 8);
SAME(sizeof(MPI_Fint), sizeof(int));
SAME((MPI_Aint)-1 < 0, 1);
SAME((MPI_Count)-1 < 0, 1);
SAME(sizeof(MPI_Status), 32);
SAME(offsetof(MPI_Status, MPI_SOURCE), 0);
SAME(offsetof(MPI_Status, MPI_TAG), 4);
SAME(offsetof(MPI_Status, MPI_ERROR), 8);
SAME(sizeof(((MPI_Status *)0)->MPI_internal), 20);
SAME(_Alignof(MPI_Status), _Alignof(int));
SAME(sizeof(MPI_Comm), sizeof(void *));
SAME(sizeof(MPI_T_cb_safety), sizeof(int));

/* lengths of strings */
SAME(MPI_MAX_DATAREP_STRING, 128);
SAME(MPI_MAX_ERROR_STRING, 512);
SAME(MPI_MAX_INFO_KEY, 256);
SAME(MPI_MAX_INFO_VAL, 1024);
SAME(MPI_MAX_LIBRARY_VERSION_STRING, 8192);
SAME(MPI_MAX_OBJECT_NAME, 128);
SAME(MPI_MAX_PORT_NAME, 1024);
SAME(MPI_MAX_PROCESSOR_NAME, 256);
SAME(MPI_MAX_STRINGTAG_LEN, 1024);
SAME(MPI_MAX_PSET_NAME_LEN, 1024);
SAME(MPI_BSEND_OVERHEAD, 512);

static void handles(void)
{
	static const struct row rows[] = {ROW(0x20, MPI_OP_NULL),
					  ROW(0x21, MPI_SUM),
					  ROW(0x22, MPI_MIN),
					  ROW(0x23, MPI_MAX),
					  ROW(0x24, MPI_PROD),
					  ROW(0x28, MPI_BAND),
					  ROW(0x29, MPI_BOR),
					  ROW(0x2a, MPI_BXOR),
					  ROW(0x30, MPI_LAND),
					  ROW(0x31, MPI_LOR),
					  ROW(0x32, MPI_LXOR),
					  ROW(0x38, MPI_MINLOC),
					  ROW(0x39, MPI_MAXLOC),
					  ROW(0x3c, MPI_REPLACE),
					  ROW(0x3d, MPI_NO_OP),
					  ROW(0x100, MPI_COMM_NULL),
					  ROW(0x101, MPI_COMM_WORLD),
					  ROW(0x102, MPI_COMM_SELF),
					  ROW(0x108, MPI_GROUP_NULL),
					  ROW(0x109, MPI_GROUP_EMPTY),
					  ROW(0x110, MPI_WIN_NULL),
					  ROW(0x118, MPI_FILE_NULL),
					  ROW(0x120, MPI_SESSION_NULL),
					  ROW(0x128, MPI_MESSAGE_NULL),
					  ROW(0x129, MPI_MESSAGE_NO_PROC),
					  ROW(0x130, MPI_INFO_NULL),
					  ROW(0x131, MPI_INFO_ENV),
					  ROW(0x140, MPI_ERRHANDLER_NULL),
					  ROW(0x141, MPI_ERRORS_ARE_FATAL),
					  ROW(0x142, MPI_ERRORS_ABORT),
					  ROW(0x143, MPI_ERRORS_RETURN),
					  ROW(0x180, MPI_REQUEST_NULL),
					  {0, 0, NULL}};

	compare(rows);
}

static void types(void)
{
	static const struct row rows[] = {
	    ROW(0x200, MPI_DATATYPE_NULL),
	    ROW(0x201, MPI_AINT),
	    ROW(0x202, MPI_COUNT),
	    ROW(0x203, MPI_OFFSET),
	    ROW(0x207, MPI_PACKED),
	    ROW(0x208, MPI_SHORT),
	    ROW(0x209, MPI_INT),
	    ROW(0x20a, MPI_LONG),
	    ROW(0x20b, MPI_LONG_LONG),
	    ROW(0x20c, MPI_UNSIGNED_SHORT),
	    ROW(0x20d, MPI_UNSIGNED),
	    ROW(0x20e, MPI_UNSIGNED_LONG),
	    ROW(0x20f, MPI_UNSIGNED_LONG_LONG),
	    ROW(0x210, MPI_FLOAT),
	    ROW(0x212, MPI_C_FLOAT_COMPLEX),
	    ROW(0x213, MPI_CXX_FLOAT_COMPLEX),
	    ROW(0x214, MPI_DOUBLE),
	    ROW(0x216, MPI_C_DOUBLE_COMPLEX),
	    ROW(0x217, MPI_CXX_DOUBLE_COMPLEX),
	    ROW(0x218, MPI_LOGICAL),
	    ROW(0x219, MPI_INTEGER),
	    ROW(0x21a, MPI_REAL),
	    ROW(0x21b, MPI_COMPLEX),
	    ROW(0x21c, MPI_DOUBLE_PRECISION),
	    ROW(0x21d, MPI_DOUBLE_COMPLEX),
	    ROW(0x220, MPI_LONG_DOUBLE),
	    ROW(0x224, MPI_C_LONG_DOUBLE_COMPLEX),
	    ROW(0x225, MPI_CXX_LONG_DOUBLE_COMPLEX),
	    ROW(0x228, MPI_FLOAT_INT),
	    ROW(0x229, MPI_DOUBLE_INT),
	    ROW(0x22a, MPI_LONG_INT),
	    ROW(0x22b, MPI_2INT),
	    ROW(0x22c, MPI_SHORT_INT),
	    ROW(0x22d, MPI_LONG_DOUBLE_INT),
	    ROW(0x230, MPI_2REAL),
	    ROW(0x231, MPI_2DOUBLE_PRECISION),
	    ROW(0x232, MPI_2INTEGER),
	    ROW(0x238, MPI_C_BOOL),
	    ROW(0x239, MPI_CXX_BOOL),
	    ROW(0x23c, MPI_WCHAR),
	    ROW(0x240, MPI_INT8_T),
	    ROW(0x241, MPI_UINT8_T),
	    ROW(0x243, MPI_CHAR),
	    ROW(0x244, MPI_SIGNED_CHAR),
	    ROW(0x245, MPI_UNSIGNED_CHAR),
	    ROW(0x247, MPI_BYTE),
	    ROW(0x248, MPI_INT16_T),
	    ROW(0x249, MPI_UINT16_T),
	    ROW(0x250, MPI_INT32_T),
	    ROW(0x251, MPI_UINT32_T),
	    ROW(0x258, MPI_INT64_T),
	    ROW(0x259, MPI_UINT64_T),
	    ROW(0x2c0, MPI_LOGICAL1),
	    ROW(0x2c1, MPI_INTEGER1),
	    ROW(0x21e, MPI_CHARACTER),
	    ROW(0x2c8, MPI_LOGICAL2),
	    ROW(0x2c9, MPI_INTEGER2),
	    ROW(0x2ca, MPI_REAL2),
	    ROW(0x2d0, MPI_LOGICAL4),
	    ROW(0x2d1, MPI_INTEGER4),
	    ROW(0x2d2, MPI_REAL4),
	    ROW(0x2d3, MPI_COMPLEX4),
	    ROW(0x2d8, MPI_LOGICAL8),
	    ROW(0x2d9, MPI_INTEGER8),
	    ROW(0x2da, MPI_REAL8),
	    ROW(0x2db, MPI_COMPLEX8),
	    ROW(0x2e0, MPI_LOGICAL16),
	    ROW(0x2e1, MPI_INTEGER16),
	    ROW(0x2e2, MPI_REAL16),
	    ROW(0x2e3, MPI_COMPLEX16),
	    ROW(0x2eb, MPI_COMPLEX32),
	    ROW(0x20b, MPI_LONG_LONG_INT),
	    ROW(0x212, MPI_C_COMPLEX),
	    {0, 0, NULL}};

	compare(rows);
}

/* The classes stand in the order of the standard, from 0 without a gap. */
static void error_classes(void)
{
	static const int classes[] = {MPI_SUCCESS,
				      MPI_ERR_BUFFER,
				      MPI_ERR_COUNT,
				      MPI_ERR_TYPE,
				      MPI_ERR_TAG,
				      MPI_ERR_COMM,
				      MPI_ERR_RANK,
				      MPI_ERR_REQUEST,
				      MPI_ERR_ROOT,
				      MPI_ERR_GROUP,
				      MPI_ERR_OP,
				      MPI_ERR_TOPOLOGY,
				      MPI_ERR_DIMS,
				      MPI_ERR_ARG,
				      MPI_ERR_UNKNOWN,
				      MPI_ERR_TRUNCATE,
				      MPI_ERR_OTHER,
				      MPI_ERR_INTERN,
				      MPI_ERR_PENDING,
				      MPI_ERR_IN_STATUS,
				      MPI_ERR_ACCESS,
				      MPI_ERR_AMODE,
				      MPI_ERR_ASSERT,
				      MPI_ERR_BAD_FILE,
				      MPI_ERR_BASE,
				      MPI_ERR_CONVERSION,
				      MPI_ERR_DISP,
				      MPI_ERR_DUP_DATAREP,
				      MPI_ERR_FILE_EXISTS,
				      MPI_ERR_FILE_IN_USE,
				      MPI_ERR_FILE,
				      MPI_ERR_INFO_KEY,
				      MPI_ERR_INFO_NOKEY,
				      MPI_ERR_INFO_VALUE,
				      MPI_ERR_INFO,
				      MPI_ERR_IO,
				      MPI_ERR_KEYVAL,
				      MPI_ERR_LOCKTYPE,
				      MPI_ERR_NAME,
				      MPI_ERR_NO_MEM,
				      MPI_ERR_NOT_SAME,
				      MPI_ERR_NO_SPACE,
				      MPI_ERR_NO_SUCH_FILE,
				      MPI_ERR_PORT,
				      MPI_ERR_QUOTA,
				      MPI_ERR_READ_ONLY,
				      MPI_ERR_RMA_ATTACH,
				      MPI_ERR_RMA_CONFLICT,
				      MPI_ERR_RMA_RANGE,
				      MPI_ERR_RMA_SHARED,
				      MPI_ERR_RMA_SYNC,
				      MPI_ERR_SERVICE,
				      MPI_ERR_SIZE,
				      MPI_ERR_SPAWN,
				      MPI_ERR_UNSUPPORTED_DATAREP,
				      MPI_ERR_UNSUPPORTED_OPERATION,
				      MPI_ERR_WIN,
				      MPI_ERR_RMA_FLAVOR,
				      MPI_ERR_PROC_ABORTED,
				      MPI_ERR_VALUE_TOO_LARGE,
				      MPI_ERR_SESSION,
				      MPI_ERR_ERRHANDLER,
				      MPI_ERR_ABI};

	for (int k = 0; k < (int)(sizeof(classes) / sizeof(*classes)); k++)
		CHECK_EQ(classes[k], k);
	CHECK_EQ(MPI_T_ERR_CANNOT_INIT, 1001);
	CHECK_EQ(MPI_T_ERR_NOT_INITIALIZED, 1003);
	CHECK_EQ(MPI_T_ERR_PVAR_NO_ATOMIC, 1018);
	CHECK_EQ(MPI_ERR_LASTCODE, 0x3fff);
}

static void numbers(void)
{
	static const struct row rows[] = {
	    ROW(-1, MPI_ANY_SOURCE),
	    ROW(-2, MPI_ANY_TAG),
	    ROW(-3, MPI_PROC_NULL),
	    ROW(-4, MPI_ROOT),
	    ROW(-32766, MPI_UNDEFINED),
	    ROW(0, MPI_THREAD_SINGLE),
	    ROW(1024, MPI_THREAD_FUNNELED),
	    ROW(2048, MPI_THREAD_SERIALIZED),
	    ROW(4096, MPI_THREAD_MULTIPLE),
	    ROW(12, MPI_ORDER_C),
	    ROW(15, MPI_ORDER_FORTRAN),
	    ROW(16, MPI_DISTRIBUTE_NONE),
	    ROW(17, MPI_DISTRIBUTE_BLOCK),
	    ROW(18, MPI_DISTRIBUTE_CYCLIC),
	    ROW(19, MPI_DISTRIBUTE_DFLT_DARG),
	    ROW(101, MPI_COMBINER_NAMED),
	    ROW(102, MPI_COMBINER_DUP),
	    ROW(103, MPI_COMBINER_CONTIGUOUS),
	    ROW(104, MPI_COMBINER_VECTOR),
	    ROW(105, MPI_COMBINER_HVECTOR),
	    ROW(106, MPI_COMBINER_INDEXED),
	    ROW(107, MPI_COMBINER_HINDEXED),
	    ROW(108, MPI_COMBINER_INDEXED_BLOCK),
	    ROW(109, MPI_COMBINER_HINDEXED_BLOCK),
	    ROW(110, MPI_COMBINER_STRUCT),
	    ROW(111, MPI_COMBINER_SUBARRAY),
	    ROW(112, MPI_COMBINER_DARRAY),
	    ROW(115, MPI_COMBINER_F90_INTEGER),
	    ROW(113, MPI_COMBINER_F90_REAL),
	    ROW(114, MPI_COMBINER_F90_COMPLEX),
	    ROW(116, MPI_COMBINER_RESIZED),
	    ROW(117, MPI_COMBINER_VALUE_INDEX),
	    ROW(192, MPI_TYPECLASS_INTEGER),
	    ROW(193, MPI_TYPECLASS_REAL),
	    ROW(194, MPI_TYPECLASS_COMPLEX),
	    ROW(201, MPI_IDENT),
	    ROW(202, MPI_CONGRUENT),
	    ROW(203, MPI_SIMILAR),
	    ROW(204, MPI_UNEQUAL),
	    ROW(211, MPI_CART),
	    ROW(212, MPI_GRAPH),
	    ROW(213, MPI_DIST_GRAPH),
	    ROW(221, MPI_COMM_TYPE_SHARED),
	    ROW(222, MPI_COMM_TYPE_HW_UNGUIDED),
	    ROW(223, MPI_COMM_TYPE_HW_GUIDED),
	    ROW(224, MPI_COMM_TYPE_RESOURCE_GUIDED),
	    ROW(301, MPI_LOCK_EXCLUSIVE),
	    ROW(302, MPI_LOCK_SHARED),
	    ROW(311, MPI_WIN_FLAVOR_CREATE),
	    ROW(312, MPI_WIN_FLAVOR_ALLOCATE),
	    ROW(313, MPI_WIN_FLAVOR_DYNAMIC),
	    ROW(314, MPI_WIN_FLAVOR_SHARED),
	    ROW(321, MPI_WIN_UNIFIED),
	    ROW(322, MPI_WIN_SEPARATE),
	    ROW(403, MPI_SEEK_SET),
	    ROW(401, MPI_SEEK_CUR),
	    ROW(402, MPI_SEEK_END),
	    ROW(0, MPI_KEYVAL_INVALID),
	    ROW(501, MPI_TAG_UB),
	    ROW(502, MPI_IO),
	    ROW(503, MPI_HOST),
	    ROW(504, MPI_WTIME_IS_GLOBAL),
	    ROW(507, MPI_UNIVERSE_SIZE),
	    ROW(505, MPI_APPNUM),
	    ROW(506, MPI_LASTUSEDCODE),
	    ROW(601, MPI_WIN_BASE),
	    ROW(602, MPI_WIN_DISP_UNIT),
	    ROW(603, MPI_WIN_SIZE),
	    ROW(604, MPI_WIN_CREATE_FLAVOR),
	    ROW(605, MPI_WIN_MODEL),
	    ROW(1, MPI_MODE_APPEND),
	    ROW(2, MPI_MODE_CREATE),
	    ROW(4, MPI_MODE_DELETE_ON_CLOSE),
	    ROW(8, MPI_MODE_EXCL),
	    ROW(16, MPI_MODE_RDONLY),
	    ROW(32, MPI_MODE_RDWR),
	    ROW(64, MPI_MODE_SEQUENTIAL),
	    ROW(128, MPI_MODE_UNIQUE_OPEN),
	    ROW(256, MPI_MODE_WRONLY),
	    ROW(1024, MPI_MODE_NOCHECK),
	    ROW(2048, MPI_MODE_NOPRECEDE),
	    ROW(4096, MPI_MODE_NOPUT),
	    ROW(8192, MPI_MODE_NOSTORE),
	    ROW(16384, MPI_MODE_NOSUCCEED),
	    ROW(-1, MPI_DISPLACEMENT_CURRENT),
	    ROW(8, MPI_F_STATUS_SIZE),
	    ROW(0, MPI_F_SOURCE),
	    ROW(1, MPI_F_TAG),
	    ROW(2, MPI_F_ERROR),
	    {0, 0, NULL}};

	compare(rows);
}

static void addresses(void)
{
	static const struct row rows[] = {ROW(0, MPI_BOTTOM),
					  ROW(1, MPI_IN_PLACE),
					  ROW(2, MPI_BUFFER_AUTOMATIC),
					  ROW(0, MPI_ARGV_NULL),
					  ROW(0, MPI_ARGVS_NULL),
					  ROW(0, MPI_ERRCODES_IGNORE),
					  ROW(0, MPI_STATUS_IGNORE),
					  ROW(0, MPI_STATUSES_IGNORE),
					  ROW(10, MPI_UNWEIGHTED),
					  ROW(11, MPI_WEIGHTS_EMPTY),
					  ROW(0, MPI_NULL_COPY_FN),
					  ROW(1, MPI_DUP_FN),
					  ROW(0, MPI_NULL_DELETE_FN),
					  ROW(0, MPI_COMM_NULL_COPY_FN),
					  ROW(1, MPI_COMM_DUP_FN),
					  ROW(0, MPI_COMM_NULL_DELETE_FN),
					  ROW(0, MPI_TYPE_NULL_COPY_FN),
					  ROW(1, MPI_TYPE_DUP_FN),
					  ROW(0, MPI_TYPE_NULL_DELETE_FN),
					  ROW(0, MPI_WIN_NULL_COPY_FN),
					  ROW(1, MPI_WIN_DUP_FN),
					  ROW(0, MPI_WIN_NULL_DELETE_FN),
					  ROW(0, MPI_CONVERSION_FN_NULL),
					  ROW(0, MPI_CONVERSION_FN_NULL_C),
					  {0, 0, NULL}};

	compare(rows);
}

static void inquiry(void)
{
	static const struct {
		const char *key, *value;
	} rows[] = {{"mpi_aint_size", "8"},
		    {"mpi_count_size", "8"},
		    {"mpi_offset_size", "8"}};
	int major = -1, minor = -1, flag;
	MPI_Info info;

	OK(MPI_Abi_get_version(&major, &minor));
	CHECK_EQ(major, 1);
	CHECK_EQ(minor, 0);
	OK(MPI_Abi_get_info(&info));
	for (int k = 0; k < 3; k++) {
		char value[MPI_MAX_INFO_VAL] = "";

		OK(MPI_Info_get(info, rows[k].key, MPI_MAX_INFO_VAL - 1, value,
				&flag));
		CHECK(flag && !strcmp(value, rows[k].value));
	}
	OK(MPI_Info_free(&info));
}

static void integers(void)
{
	MPI_Info info, other;
	int number;

	CHECK_EQ(MPI_Comm_toint(MPI_COMM_WORLD), 0x101);
	CHECK(MPI_Comm_fromint(0x101) == MPI_COMM_WORLD);
	CHECK_EQ(MPI_Type_toint(MPI_UINT64_T), 0x259);
	CHECK(MPI_Type_fromint(0x259) == MPI_UINT64_T);
	CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
	CHECK(MPI_Request_fromint(MPI_Request_toint(MPI_REQUEST_NULL)) ==
	      MPI_REQUEST_NULL);
	OK(MPI_Info_create(&info));
	OK(MPI_Info_create(&other));
	number = MPI_Info_toint(info);
	CHECK(MPI_Info_fromint(number) == info);
	CHECK_EQ(MPI_Info_toint(info), number);
	CHECK(MPI_Info_toint(other) != number);
	OK(MPI_Info_free(&info));
	OK(MPI_Info_free(&other));
}

/* The names of MPI 1 that mpi.h keeps for old programs. */
static void removed_names(void)
{
#ifdef MPI_Address
	MPI_Errhandler handler;
	MPI_Aint address;
	int x = 0;

	OK(MPI_Address(&x, &address));
	CHECK_EQ(address, (MPI_Aint)&x);
	OK(MPI_Errhandler_get(W, &handler));
	CHECK(handler == MPI_ERRORS_RETURN);
	OK(MPI_Errhandler_set(W, handler));
	OK(MPI_Type_extent(MPI_INT, &address));
	CHECK_EQ(address, sizeof(int));
	OK(MPI_Type_lb(MPI_INT, &address));
	CHECK_EQ(address, 0);
	OK(MPI_Type_ub(MPI_INT, &address));
	CHECK_EQ(address, sizeof(int));
#else
	mpi_test_skip("not offered");
#endif
}

static const struct mpi_case cases[] = {
    {"predefined handles", handles},
    {"predefined types", types},
    {"error classes", error_classes},
    {"constants", numbers},
    {"constants that are addresses", addresses},
    {"what the library says of its ABI", inquiry},
    {"handles as integers", integers},
    {"names of MPI 1", removed_names},
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
