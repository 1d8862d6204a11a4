/* SPDX-License-Identifier: Apache-2.0 */
/* win_object.c tests windows as objects: attributes, names, info, groups, error
 * handlers, and the errors of wrong calls (MPI 4.1, 12.2, 12.6 and 9.3). */
#include "tests/mpi/mpi_test.h"

static MPI_Win make(void)
{
	static char mem[64];
	MPI_Win win;

	OK(MPI_Win_create(mem, sizeof(mem), 4, MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	return win;
}

static void *attribute(MPI_Win win, int keyval)
{
	void *value = NULL;
	int flag = 0;

	OK(MPI_Win_get_attr(win, keyval, &value, &flag));
	CHECK_EQ(flag, 1);
	return value;
}

static void predefined(void)
{
	MPI_Win win;
	int *base, *value;

	OK(MPI_Win_allocate(24, 8, MPI_INFO_NULL, W, &base, &win));
	CHECK(attribute(win, MPI_WIN_BASE) == base);
	CHECK_EQ(*(MPI_Aint *)attribute(win, MPI_WIN_SIZE), 24);
	CHECK_EQ(*(int *)attribute(win, MPI_WIN_DISP_UNIT), 8);
	value = attribute(win, MPI_WIN_CREATE_FLAVOR);
	CHECK_EQ(*value, MPI_WIN_FLAVOR_ALLOCATE);
	value = attribute(win, MPI_WIN_MODEL);
	CHECK_EQ(*value, MPI_WIN_UNIFIED);
	OK(MPI_Win_free(&win));
	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win));
	CHECK(attribute(win, MPI_WIN_BASE) == MPI_BOTTOM);
	CHECK_EQ(*(MPI_Aint *)attribute(win, MPI_WIN_SIZE), 0);
	OK(MPI_Win_free(&win));
}

static int deleted;

static int on_delete(MPI_Win win, int keyval, void *value, void *extra)
{
	(void)win;
	(void)keyval;
	deleted += *(int *)value + *(int *)extra;
	return MPI_SUCCESS;
}

static void attributes(void)
{
	int keyval, value = 3, extra = 40;
	MPI_Win win = make();

	deleted = 0;
	OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_delete, &keyval,
				 &extra));
	OK(MPI_Win_set_attr(win, keyval, &value));
	CHECK(attribute(win, keyval) == &value);
	OK(MPI_Win_delete_attr(win, keyval));
	CHECK_EQ(deleted, 43);
	OK(MPI_Win_set_attr(win, keyval, &value));
	OK(MPI_Win_free_keyval(&keyval));
	OK(MPI_Win_free(&win));
	CHECK_EQ(deleted, 86);
}

static void names(void)
{
	char name[MPI_MAX_OBJECT_NAME] = "x";
	MPI_Win win = make();
	int len = -1;

	OK(MPI_Win_get_name(win, name, &len));
	CHECK(len == 0 && !name[0]);
	OK(MPI_Win_set_name(win, "halo"));
	OK(MPI_Win_get_name(win, name, &len));
	CHECK(len == 4 && !strcmp(name, "halo"));
	OK(MPI_Win_free(&win));
}

static void hints(void)
{
	char value[16] = "";
	int flag = 0;
	MPI_Info info, used;
	MPI_Win win;

	OK(MPI_Info_create(&info));
	OK(MPI_Info_set(info, "no_locks", "true"));
	OK(MPI_Info_set(info, "unknown", "x"));
	OK(MPI_Win_create_dynamic(info, W, &win));
	OK(MPI_Win_get_info(win, &used));
	OK(MPI_Info_get(used, "no_locks", 15, value, &flag));
	CHECK(flag && !strcmp(value, "true"));
	OK(MPI_Info_get(used, "unknown", 15, value, &flag));
	CHECK(!flag);
	OK(MPI_Info_free(&used));
	OK(MPI_Info_set(info, "no_locks", "false"));
	OK(MPI_Win_set_info(win, info));
	OK(MPI_Win_get_info(win, &used));
	OK(MPI_Info_get(used, "no_locks", 15, value, &flag));
	CHECK(flag && !strcmp(value, "false"));
	OK(MPI_Info_free(&used));
	OK(MPI_Info_free(&info));
	OK(MPI_Win_free(&win));
}

/* A window that was given no hints reports the defaults of the standard. */
static void default_hints(void)
{
	static const char *const pairs[][2] = {
	    {"no_locks", "false"},
	    {"accumulate_ordering", "rar,raw,war,waw"},
	    {"accumulate_ops", "same_op_no_op"},
	    {"same_size", "false"},
	    {"same_disp_unit", "false"},
	    {"alloc_shared_noncontig", "false"},
	    {"mpi_accumulate_granularity", "0"}};
	MPI_Win win = make();
	MPI_Info used;

	OK(MPI_Win_get_info(win, &used));
	for (size_t k = 0; k < sizeof(pairs) / sizeof(pairs[0]); k++) {
		char value[16] = "";
		int flag = 0;

		OK(MPI_Info_get(used, pairs[k][0], 15, value, &flag));
		CHECK(flag && !strcmp(value, pairs[k][1]));
	}
	OK(MPI_Info_free(&used));
	OK(MPI_Win_free(&win));
}

static void groups(void)
{
	MPI_Group group, world;
	MPI_Win win = make();
	int result = -1;

	OK(MPI_Win_get_group(win, &group));
	OK(MPI_Comm_group(W, &world));
	OK(MPI_Group_compare(group, world, &result));
	CHECK_EQ(result, MPI_IDENT);
	OK(MPI_Group_free(&group));
	OK(MPI_Group_free(&world));
	OK(MPI_Win_free(&win));
}

static int handled;
static MPI_Win handled_win;

static void on_error(MPI_Win *win, int *code, ...)
{
	handled = *code;
	handled_win = *win;
}

static void handlers(void)
{
	MPI_Errhandler errhandler, now;
	MPI_Win win = make();

	OK(MPI_Win_create_errhandler(on_error, &errhandler));
	OK(MPI_Win_set_errhandler(win, errhandler));
	OK(MPI_Win_get_errhandler(win, &now));
	CHECK(now == errhandler);
	OK(MPI_Errhandler_free(&now));
	handled = 0;
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
	CHECK_EQ(handled, MPI_ERR_RMA_SYNC);
	CHECK(handled_win == win);
	OK(MPI_Win_call_errhandler(win, MPI_ERR_OTHER));
	CHECK_EQ(handled, MPI_ERR_OTHER);
	CHECK_ERROR(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(W, errhandler));
	OK(MPI_Errhandler_free(&errhandler));
	OK(MPI_Win_free(&win));
}

/* ---- Addresses of memory of other ranks ---------------------------------- */

/* Whether the ranks can share memory. The error says so where they cannot. */
static bool can_share(void)
{
	char *mem;
	MPI_Win win;
	int rc = MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, W, &mem, &win);

	if (rc)
		CHECK_ERROR(MPI_ERR_RMA_SHARED, rc);
	else
		OK(MPI_Win_free(&win));
	return !rc;
}

/* Each rank has `me` longs that are 100 * me in a window, of which the caller
 * knows whether those of others have an address here. */
static void query(MPI_Win win, long *mine, bool shared)
{
	MPI_Aint size, unit_c;
	long *his = NULL;
	int unit;

	for (int k = 0; k < me; k++)
		mine[k] = 100L * me;
	OK(MPI_Win_lock_all(MPI_MODE_NOCHECK, win));
	OK(MPI_Win_sync(win));
	OK(MPI_Barrier(W));
	OK(MPI_Win_sync(win));
	for (int r = 0; r < np; r++) {
		OK(MPI_Win_shared_query(win, r, &size, &unit, &his));
		CHECK_EQ(unit, sizeof(long));
		CHECK_EQ(size, r == me || shared ? r * sizeof(long) : 0);
		CHECK(his || !size);
		CHECK(size || r == me || !his);
		for (int k = 0; his && k < r; k++)
			CHECK_EQ(his[k], 100 * r);
		if (r == me && r)
			CHECK(his == mine);
	}
	OK(MPI_Win_shared_query_c(win, MPI_PROC_NULL, &size, &unit_c, &his));
	CHECK_EQ(unit_c, sizeof(long));
	CHECK_EQ(size, np > 1 && (me == 1 || shared) ? sizeof(long) : 0);
	if (his && size)
		CHECK_EQ(*his, 100);
	CHECK_ERROR(MPI_ERR_RANK,
		    MPI_Win_shared_query(win, np, &size, &unit, &his));
	CHECK_ERROR(MPI_ERR_ARG,
		    MPI_Win_shared_query(win, 0, NULL, &unit, &his));
	OK(MPI_Win_unlock_all(win));
	OK(MPI_Win_free(&win));
}

static void addresses(void)
{
	static long given[64];
	MPI_Aint bytes = me * (MPI_Aint)sizeof(long), size;
	bool shared = can_share();
	MPI_Comm node;
	long *mem;
	MPI_Win win;
	int unit, near;

	OK(MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
			       &node));
	OK(MPI_Comm_size(node, &near));
	OK(MPI_Comm_free(&node));
	CHECK(near == np || !shared);
	OK(MPI_Allreduce(MPI_IN_PLACE, &near, 1, MPI_INT, MPI_MAX, W));
	if (near != np && near > 1) {
		mpi_test_skip("some of the ranks share memory");
		return;
	}
	OK(MPI_Win_allocate(bytes, sizeof(long), MPI_INFO_NULL, W, &mem, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	query(win, mem, shared);
	OK(MPI_Win_create(given, bytes, sizeof(long), MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	query(win, given, false);
	OK(MPI_Alloc_mem(sizeof(given), MPI_INFO_NULL, &mem));
	OK(MPI_Win_create(mem, bytes, sizeof(long), MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	query(win, mem, shared);
	OK(MPI_Free_mem(mem));
	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	CHECK_ERROR(MPI_ERR_RMA_FLAVOR,
		    MPI_Win_shared_query(win, 0, &size, &unit, &mem));
	OK(MPI_Win_free(&win));
}

/* ---- Wrong calls --------------------------------------------------------- */

static void wrong_epochs(void)
{
	MPI_Win win = make();
	MPI_Group group;
	int x = 0, flag;

	OK(MPI_Win_get_group(win, &group));
	CHECK_ERROR(MPI_ERR_RMA_SYNC,
		    MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_test(win, &flag));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
	OK(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC,
		    MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_start(group, 0, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC, MPI_Win_free(&win));
	if (np > 1)
		CHECK_ERROR(
		    MPI_ERR_RMA_SYNC,
		    MPI_Get(&x, 1, MPI_INT, right_of(me), 0, 1, MPI_INT, win));
	OK(MPI_Win_unlock(me, win));
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	CHECK_ERROR(MPI_ERR_RMA_SYNC,
		    MPI_Put(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
	OK(MPI_Group_free(&group));
	OK(MPI_Win_free(&win));
}

static void wrong_arguments(void)
{
	int x[17] = {0}, r = right_of(me);
	MPI_Datatype own_type;
	MPI_Win win = make();

	CHECK_ERROR(MPI_ERR_LOCKTYPE, MPI_Win_lock(7, 0, 0, win));
	CHECK_ERROR(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, np, 0, win));
	CHECK_ERROR(MPI_ERR_ASSERT, MPI_Win_fence(1, win));
	OK(MPI_Win_fence(0, win));
	CHECK_ERROR(MPI_ERR_RMA_RANGE,
		    MPI_Put(x, 17, MPI_INT, r, 0, 17, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_RMA_RANGE,
		    MPI_Put(x, 1, MPI_INT, r, 16, 1, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_RMA_RANGE,
		    MPI_Get(x, 1, MPI_INT, r, -1, 1, MPI_INT, win));
	OK(MPI_Put(x, 1, MPI_INT, r, 15, 1, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_RANK,
		    MPI_Put(x, 1, MPI_INT, np, 0, 1, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_Put(x, 2, MPI_INT, r, 0, 1, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_COUNT,
		    MPI_Put(x, -1, MPI_INT, r, 0, 1, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_TYPE,
		    MPI_Put(x, 1, MPI_INT, r, 0, 1, MPI_DATATYPE_NULL, win));
	CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(x, 1, MPI_INT, r, 0, 1, MPI_INT,
					       MPI_NO_OP, win));
	CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(x, 1, MPI_FLOAT, r, 0, 1,
					       MPI_FLOAT, MPI_BAND, win));
	CHECK_ERROR(MPI_ERR_OP, MPI_Accumulate(x, 1, MPI_INT, r, 0, 1,
					       MPI_FLOAT, MPI_SUM, win));
	CHECK_ERROR(MPI_ERR_TYPE, MPI_Compare_and_swap(x, x + 1, x + 2,
						       MPI_FLOAT, r, 0, win));
	OK(MPI_Type_contiguous(2, MPI_INT, &own_type));
	CHECK_ERROR(MPI_ERR_TYPE,
		    MPI_Put(x, 2, MPI_INT, r, 0, 1, own_type, win));
	OK(MPI_Type_free(&own_type));
	OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
	CHECK_ERROR(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(win, x, sizeof(x)));
	CHECK_ERROR(MPI_ERR_RMA_FLAVOR, MPI_Win_detach(win, x));
	OK(MPI_Win_free(&win));
	CHECK_ERROR(MPI_ERR_WIN, MPI_Win_free(&win));
	CHECK_ERROR(MPI_ERR_WIN, MPI_Win_attach(MPI_WIN_NULL, x, sizeof(x)));
	CHECK_ERROR(MPI_ERR_WIN, MPI_Win_fence(0, MPI_WIN_NULL));
	CHECK_ERROR(MPI_ERR_SIZE,
		    MPI_Win_create(x, -1, 1, MPI_INFO_NULL, W, &win));
	CHECK_ERROR(MPI_ERR_DISP,
		    MPI_Win_create(x, 4, 0, MPI_INFO_NULL, W, &win));
}

/* Of memory that is not attached the origin learns when it completes. */
static void detached(void)
{
	int x = 1, mine = 0;
	MPI_Aint where, his;
	MPI_Win win;

	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Get_address(&mine, &where));
	OK(MPI_Sendrecv(&where, 1, MPI_AINT, left_of(me), 0, &his, 1, MPI_AINT,
			right_of(me), 0, W, MPI_STATUS_IGNORE));
	OK(MPI_Win_lock(MPI_LOCK_SHARED, right_of(me), 0, win));
	OK(MPI_Put(&x, 1, MPI_INT, right_of(me), his, 1, MPI_INT, win));
	CHECK_ERROR(MPI_ERR_RMA_RANGE, MPI_Win_flush(right_of(me), win));
	OK(MPI_Win_unlock(right_of(me), win));
	OK(MPI_Barrier(W));
	OK(MPI_Win_attach(win, &mine, sizeof(mine)));
	CHECK_ERROR(MPI_ERR_RMA_ATTACH,
		    MPI_Win_attach(win, &mine, sizeof(mine)));
	OK(MPI_Barrier(W));
	OK(MPI_Win_lock(MPI_LOCK_SHARED, right_of(me), 0, win));
	OK(MPI_Put(&x, 1, MPI_INT, right_of(me), his, 1, MPI_INT, win));
	OK(MPI_Win_unlock(right_of(me), win));
	OK(MPI_Barrier(W));
	CHECK_EQ(mine, 1);
	OK(MPI_Win_detach(win, &mine));
	CHECK_ERROR(MPI_ERR_RMA_ATTACH, MPI_Win_detach(win, &mine));
	OK(MPI_Win_free(&win));
}

/* Puts 1 to x[from] and those behind it at the right neighbour. */
static int put(MPI_Win win, MPI_Aint his, int from, int n)
{
	static const int ones[6] = {1, 1, 1, 1, 1, 1};
	int code;

	OK(MPI_Barrier(W));
	OK(MPI_Win_lock(MPI_LOCK_SHARED, right_of(me), 0, win));
	OK(MPI_Put(ones, n, MPI_INT, right_of(me),
		   MPI_Aint_add(his, from * (MPI_Aint)sizeof(int)), n, MPI_INT,
		   win));
	code = MPI_Win_flush(right_of(me), win);
	OK(MPI_Win_unlock(right_of(me), win));
	OK(MPI_Barrier(W));
	return code;
}

/* Regions that adjoin are one range; one without bytes is a region. */
static void attached_in_parts(void)
{
	int x[6] = {0};
	MPI_Aint where, his;
	MPI_Win win;

	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Get_address(x, &where));
	OK(MPI_Sendrecv(&where, 1, MPI_AINT, left_of(me), 0, &his, 1, MPI_AINT,
			right_of(me), 0, W, MPI_STATUS_IGNORE));
	OK(MPI_Win_attach(win, x + 4, sizeof(int)));
	OK(MPI_Win_attach(win, x, 2 * sizeof(int)));
	OK(MPI_Win_attach(win, x + 2, 0));
	CHECK_ERROR(MPI_ERR_RMA_RANGE, put(win, his, 1, 4));
	OK(MPI_Win_attach(win, x + 2, 2 * sizeof(int)));
	CHECK_ERROR(MPI_ERR_RMA_ATTACH,
		    MPI_Win_attach(win, x + 1, 2 * sizeof(int)));
	CHECK_ERROR(MPI_ERR_RMA_RANGE, put(win, his, 1, 5));
	OK(put(win, his, 1, 4));
	CHECK(!x[0] && x[1] && x[2] && x[3] && x[4] && !x[5]);
	OK(MPI_Win_detach(win, x + 2));
	CHECK_ERROR(MPI_ERR_RMA_RANGE, put(win, his, 0, 3));
	OK(put(win, his, 0, 2));
	OK(MPI_Win_detach(win, x + 2));
	CHECK_ERROR(MPI_ERR_RMA_ATTACH, MPI_Win_detach(win, x + 2));
	OK(MPI_Win_attach(win, x + 1, 0));
	OK(MPI_Win_attach(win, x + 1, 0));
	OK(MPI_Win_detach(win, x + 1));
	OK(MPI_Win_detach(win, x));
	OK(MPI_Win_detach(win, x + 4));
	OK(MPI_Win_free(&win));
}

static const struct mpi_case cases[] = {
    {"predefined attributes", predefined},
    {"attributes", attributes},
    {"names", names},
    {"info", hints},
    {"default info", default_hints},
    {"groups", groups},
    {"error handlers", handlers},
    {"addresses of memory of other ranks", addresses},
    {"wrong epochs", wrong_epochs},
    {"wrong arguments", wrong_arguments},
    {"memory that is not attached", detached},
    {"memory attached in parts", attached_in_parts},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
