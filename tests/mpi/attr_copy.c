/* SPDX-License-Identifier: Apache-2.0 */
/* attr_copy.c tests what happens to attributes when a communicator is
 * duplicated and freed, to attributes of types, and to keys that are set in
 * their own delete callbacks (MPI 4.1, 7.7). */
#include "tests/mpi/mpi_test.h"

static struct {
	int copies, deletes, refuse, result;
	MPI_Comm from;
	MPI_Datatype type;
	void *extra;
	intptr_t order[16];
} seen;

static void forget(void)
{
	memset(&seen, 0, sizeof(seen));
}

static int on_copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out,
		   int *flag)
{
	seen.from = comm;
	seen.extra = extra;
	seen.copies++;
	*flag = !seen.refuse;
	*(void **)out = (char *)in + 1;
	return seen.result;
}

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
	if (seen.deletes < 16)
		seen.order[seen.deletes] = (intptr_t)value;
	seen.deletes++;
	return seen.result;
}

static int get(MPI_Comm comm, int keyval)
{
	void *value = NULL;
	int flag = 0;

	OK(MPI_Comm_get_attr(comm, keyval, &value, &flag));
	return flag ? (int)(intptr_t)value : -1;
}

static void duplicated(void)
{
	int mine, keyval, same, none;
	MPI_Comm a, b;

	forget();
	OK(MPI_Comm_create_keyval(on_copy, on_delete, &keyval, &mine));
	OK(MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN,
				  &same, NULL));
	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
				  MPI_COMM_NULL_DELETE_FN, &none, NULL));
	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_attr(a, keyval, (void *)10));
	OK(MPI_Comm_set_attr(a, same, (void *)20));
	OK(MPI_Comm_set_attr(a, none, (void *)30));
	OK(MPI_Comm_dup(a, &b));
	CHECK_EQ(seen.copies, 1);
	CHECK(seen.from == a && seen.extra == &mine);
	CHECK_EQ(get(a, keyval), 10);
	CHECK_EQ(get(b, keyval), 11);
	CHECK_EQ(get(b, same), 20);
	CHECK_EQ(get(b, none), -1);
	OK(MPI_Comm_free(&b));
	CHECK_EQ(seen.deletes, 1);
	CHECK_EQ(seen.order[0], 11);
	seen.refuse = 1;
	OK(MPI_Comm_dup(a, &b));
	CHECK_EQ(get(b, keyval), -1);
	OK(MPI_Comm_free(&b));
	CHECK_EQ(seen.deletes, 1);
	OK(MPI_Comm_free(&a));
	CHECK_EQ(seen.deletes, 2);
	OK(MPI_Comm_free_keyval(&keyval));
	OK(MPI_Comm_free_keyval(&same));
	OK(MPI_Comm_free_keyval(&none));
}

/* Only duplicates get attributes. */
static void split(void)
{
	MPI_Comm a, b;
	int keyval;

	forget();
	OK(MPI_Comm_create_keyval(on_copy, on_delete, &keyval, NULL));
	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_attr(a, keyval, (void *)10));
	OK(MPI_Comm_split(a, 0, 0, &b));
	CHECK_EQ(seen.copies, 0);
	CHECK_EQ(get(b, keyval), -1);
	OK(MPI_Comm_free_keyval(
	    &keyval)); /* both communicators still have it */
	OK(MPI_Comm_free(&b));
	CHECK_EQ(seen.deletes, 0);
	OK(MPI_Comm_free(&a));
	CHECK_EQ(seen.deletes, 1);
}

static void freed_in_reverse(void)
{
	enum { N = 6 };
	int keys[N];
	MPI_Comm a;

	forget();
	OK(MPI_Comm_dup(W, &a));
	for (int k = 0; k < N; k++) {
		OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete,
					  &keys[k], NULL));
		OK(MPI_Comm_set_attr(a, keys[k], (void *)(intptr_t)k));
	}
	OK(MPI_Comm_free(&a));
	CHECK_EQ(seen.deletes, N);
	for (int k = 0; k < N; k++)
		OK(MPI_Comm_free_keyval(&keys[k]));
}

/* The operation fails if its callback fails. */
static void callback_fails(void)
{
	MPI_Comm a, b = MPI_COMM_SELF;
	int keyval;

	forget();
	OK(MPI_Comm_create_keyval(on_copy, on_delete, &keyval, NULL));
	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_attr(a, keyval, (void *)10));
	seen.result = MPI_ERR_OTHER;
	CHECK_ERROR(MPI_ERR_OTHER, MPI_Comm_dup(a, &b));
	CHECK(b == MPI_COMM_NULL || b == MPI_COMM_SELF);
	CHECK_ERROR(MPI_ERR_OTHER, MPI_Comm_free(&a));
	CHECK(a != MPI_COMM_NULL);
	seen.result = MPI_SUCCESS;
	OK(MPI_Comm_free(&a));
	CHECK(a == MPI_COMM_NULL);
	OK(MPI_Comm_free_keyval(&keyval));
}

/* A new communicator has the error handler of the old one. */
static int handled;

static void handler(MPI_Comm *comm, int *code, ...)
{
	handled++;
}

static void handler_inherited(void)
{
	MPI_Errhandler mine, got;
	MPI_Comm a, b;

	OK(MPI_Comm_create_errhandler(handler, &mine));
	OK(MPI_Comm_dup(W, &a));
	OK(MPI_Comm_set_errhandler(a, mine));
	OK(MPI_Comm_split(a, 0, 0, &b));
	OK(MPI_Comm_get_errhandler(b, &got));
	CHECK(got == mine);
	OK(MPI_Errhandler_free(&got));
	OK(MPI_Errhandler_free(&mine));
	OK(MPI_Comm_free(&a));
	handled = 0;
	CHECK_ERROR(MPI_ERR_TAG, MPI_Send(&handled, 1, MPI_INT, 0, -9, b));
	CHECK_EQ(handled, 1);
	OK(MPI_Comm_free(&b));
}

static int on_type_copy(MPI_Datatype type, int keyval, void *extra, void *in,
			void *out, int *flag)
{
	seen.type = type;
	seen.copies++;
	*flag = 1;
	*(void **)out = (char *)in + 1;
	return seen.result;
}

static int on_type_delete(MPI_Datatype type, int keyval, void *value,
			  void *extra)
{
	seen.deletes++;
	return seen.result;
}

static int get_of_type(MPI_Datatype type, int keyval)
{
	void *value = NULL;
	int flag = 0;

	OK(MPI_Type_get_attr(type, keyval, &value, &flag));
	return flag ? (int)(intptr_t)value : -1;
}

static void types(void)
{
	MPI_Datatype a = MPI_DATATYPE_NULL, b = MPI_DATATYPE_NULL;
	int keyval;

	forget();
	OK(MPI_Type_create_keyval(on_type_copy, on_type_delete, &keyval, NULL));
	OK(MPI_Type_contiguous(3, MPI_INT, &a));
	OK(MPI_Type_set_attr(a, keyval, (void *)10));
	OK(MPI_Type_dup(a, &b));
	CHECK_EQ(seen.copies, 1);
	CHECK(seen.type == a);
	CHECK_EQ(get_of_type(b, keyval), 11);
	OK(MPI_Type_delete_attr(b, keyval));
	CHECK_EQ(seen.deletes, 1);
	OK(MPI_Type_free(&b));
	CHECK_EQ(seen.deletes, 1);
	OK(MPI_Type_free(&a));
	CHECK_EQ(seen.deletes, 2);
	OK(MPI_Type_free_keyval(&keyval));
}

static int on_type_delete_set(MPI_Datatype type, int keyval, void *value,
			      void *extra)
{
	seen.deletes++;
	seen.extra = value;
	if (seen.deletes % 2)
		OK(MPI_Type_set_attr(type, keyval, extra));
	return seen.result;
}

/* A delete callback sets its own key in every other call. */
static void type_callback_sets_own_key(void)
{
	MPI_Datatype type;
	int keyval;

	forget();
	OK(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_type_delete_set,
				  &keyval, (void *)30));
	OK(MPI_Type_contiguous(3, MPI_INT, &type));
	OK(MPI_Type_set_attr(type, keyval, (void *)10));
	OK(MPI_Type_delete_attr(type, keyval));
	CHECK(seen.deletes == 1 && seen.extra == (void *)10);
	CHECK_EQ(get_of_type(type, keyval), 30);
	OK(MPI_Type_delete_attr(type, keyval));
	CHECK(seen.deletes == 2 && seen.extra == (void *)30);
	CHECK_EQ(get_of_type(type, keyval), -1);
	OK(MPI_Type_set_attr(type, keyval, (void *)10));
	OK(MPI_Type_set_attr(type, keyval, (void *)20));
	CHECK(seen.deletes == 3 && seen.extra == (void *)10);
	CHECK_EQ(get_of_type(type, keyval), 20);
	seen.deletes = 0;
	seen.result = MPI_ERR_OTHER;
	CHECK_ERROR(MPI_ERR_OTHER, MPI_Type_delete_attr(type, keyval));
	CHECK_EQ(get_of_type(type, keyval), 30);
	seen.result = MPI_SUCCESS;
	seen.deletes = 0;
	OK(MPI_Type_free(&type));
	CHECK(seen.deletes == 2 && seen.extra == (void *)30);
	OK(MPI_Type_free_keyval(&keyval));
}

static struct {
	int calls, result;
	void *value; /* last deleted */
} reset;

/* Sets its own key in every other call. */
static int on_win_delete_set(MPI_Win win, int keyval, void *value, void *extra)
{
	reset.calls++;
	reset.value = value;
	if (reset.calls % 2)
		OK(MPI_Win_set_attr(win, keyval, extra));
	return reset.result;
}

static void *get_of_win(MPI_Win win, int keyval)
{
	void *value = NULL;
	int flag = 0;

	OK(MPI_Win_get_attr(win, keyval, &value, &flag));
	return flag ? value : NULL;
}

static void win_callback_sets_own_key(void)
{
	int keyval, a, b, again;
	MPI_Win win;

	OK(MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win));
	OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
	OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, on_win_delete_set,
				 &keyval, &again));
	OK(MPI_Win_set_attr(win, keyval, &a));
	OK(MPI_Win_delete_attr(win, keyval));
	CHECK(reset.calls == 1 && reset.value == &a);
	CHECK(get_of_win(win, keyval) == &again);
	OK(MPI_Win_delete_attr(win, keyval));
	CHECK(reset.calls == 2 && reset.value == &again);
	CHECK(!get_of_win(win, keyval));
	OK(MPI_Win_set_attr(win, keyval, &a));
	OK(MPI_Win_set_attr(win, keyval, &b));
	CHECK(reset.calls == 3 && reset.value == &a);
	CHECK(get_of_win(win, keyval) == &b);
	reset.calls = 0;
	reset.result = MPI_ERR_OTHER;
	CHECK_ERROR(MPI_ERR_OTHER, MPI_Win_delete_attr(win, keyval));
	CHECK(get_of_win(win, keyval) == &again);
	reset.calls = 0;
	CHECK_ERROR(MPI_ERR_OTHER, MPI_Win_free(&win));
	CHECK(win != MPI_WIN_NULL && get_of_win(win, keyval) == &again);
	reset.calls = 0;
	reset.result = MPI_SUCCESS;
	OK(MPI_Win_free(&win));
	CHECK(reset.calls == 2 && reset.value == &again);
	OK(MPI_Win_free_keyval(&keyval));
}

static void predefined_types(void)
{
	int keyval, comm_key;

	forget();
	OK(MPI_Type_create_keyval(on_type_copy, on_type_delete, &keyval, NULL));
	OK(MPI_Type_set_attr(MPI_INT, keyval, (void *)7));
	CHECK_EQ(get_of_type(MPI_INT, keyval), 7);
	CHECK_EQ(get_of_type(MPI_LONG, keyval), -1);
	OK(MPI_Type_delete_attr(MPI_INT, keyval));
	CHECK_EQ(seen.deletes, 1);
	CHECK_ERROR(MPI_ERR_TYPE,
		    MPI_Type_set_attr(MPI_DATATYPE_NULL, keyval, NULL));
	OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN,
				  MPI_COMM_NULL_DELETE_FN, &comm_key, NULL));
	CHECK(MPI_Type_set_attr(MPI_INT, comm_key, NULL) != MPI_SUCCESS);
	OK(MPI_Comm_free_keyval(&comm_key));
	OK(MPI_Type_free_keyval(&keyval));
}

static const struct mpi_case cases[] = {
    {"a duplicate gets what the callbacks say", duplicated},
    {"a split gets none", split},
    {"all are deleted with a communicator", freed_in_reverse},
    {"callbacks fail", callback_fails},
    {"the error handler is inherited", handler_inherited},
    {"attributes of types", types},
    {"a type's callback sets its own key", type_callback_sets_own_key},
    {"a window's callback sets its own key", win_callback_sets_own_key},
    {"attributes of predefined types", predefined_types},
    {NULL, NULL}};

int main(int argc, char **argv)
{
	return mpi_test_run(argc, argv, cases);
}
