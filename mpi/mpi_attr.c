/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_attr.c: attributes of communicators, types and windows (MPI 4.1, 7.7).
 * Each object has a list, the attribute set last first, so that those of
 * MPI_COMM_SELF are deleted in the order that MPI_Finalize needs. While a
 * delete callback runs the list is unlocked and the attribute still in it, but
 * marked busy: others leave it alone. A value that the callback itself sets
 * stands before it, and takes its place.
 */
#include <stdlib.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_keyval.h"
#include "mpi/mpi_win.h"

struct mpi_attr {
	struct mpi_attr *next;
	struct mpi_keyval *keyval;
	void *value;
	bool busy; /* its delete callback is running */
};

/* The list of an object, or NULL if there is no such object or memory is
 * out. */
static struct mpi_attr **list_of(enum mpi_kind kind, void *object)
{
	struct mpi_comm *comm;
	struct mpi_type *type;
	struct mpi_win *win;

	switch (kind) {
	case MPI_KIND_COMM:
		comm = mpi_comm_of(object);
		return comm ? &comm->attrs : NULL;
	case MPI_KIND_TYPE:
		type = mpi_type_of(object);
		return type ? &type->attrs : NULL;
	default:
		win = mpi_win_of(object);
		return win ? &win->attrs : NULL;
	}
}

/* Returns the link to the attribute of a key, or to the NULL at the end. */
static struct mpi_attr **attr_find(struct mpi_attr **list, int id)
{
	while (*list && (*list)->keyval->id != id)
		list = &(*list)->next;
	return list;
}

static int call_delete(const struct mpi_keyval *k, void *object, void *value)
{
	switch (k->kind) {
	case MPI_KIND_COMM:
		return k->delete.comm ? k->delete.comm(object, k->id, value,
						       k->extra_state)
				      : MPI_SUCCESS;
	case MPI_KIND_TYPE:
		return k->delete.type ? k->delete.type(object, k->id, value,
						       k->extra_state)
				      : MPI_SUCCESS;
	default:
		return k->delete.win
			   ? k->delete.win(object, k->id, value, k->extra_state)
			   : MPI_SUCCESS;
	}
}

static int call_copy(const struct mpi_keyval *k, void *object, void *value,
		     void **copy, int *flag)
{
	*flag = k->copy.comm == MPI_COMM_DUP_FN;
	*copy = value;
	if (!k->copy.comm || *flag)
		return MPI_SUCCESS;
	return k->kind == MPI_KIND_COMM
		   ? k->copy.comm(object, k->id, k->extra_state, value, copy,
				  flag)
		   : k->copy.type(object, k->id, k->extra_state, value, copy,
				  flag);
}

/* Returns NULL if out of memory. Called with the lock held. */
static struct mpi_attr *attr_insert(struct mpi_attr **list,
				    struct mpi_keyval *k, void *value)
{
	struct mpi_attr *attr = malloc(sizeof(*attr));

	if (!attr)
		return NULL;
	*attr = (struct mpi_attr){.next = *list, .keyval = k, .value = value};
	mpi_keyval_hold(k);
	*list = attr;
	return attr;
}

/* Stores a value in place of one that a delete callback has set, or as a new
 * attribute. Called with the lock held. */
static int attr_store(struct mpi_attr **list, struct mpi_keyval *k, void *value)
{
	struct mpi_attr *attr = *attr_find(list, k->id);

	if (!attr || attr->busy)
		return attr_insert(list, k, value) ? MPI_SUCCESS
						   : MPI_ERR_NO_MEM;
	attr->value = value;
	return MPI_SUCCESS;
}

/* Called with the lock held. */
static void unlink_attr(struct mpi_attr **list, struct mpi_attr *attr)
{
	while (*list != attr)
		list = &(*list)->next;
	*list = attr->next;
	mpi_keyval_release(attr->keyval);
	free(attr);
}

/* Deletes one attribute, calling its callback. Returns MPI_SUCCESS, or the
 * callback's error, and then the attribute stays. Called with the lock held,
 * which it releases meanwhile. */
static int delete_one(struct mpi_attr **list, struct mpi_attr *attr,
		      void *object)
{
	int code;

	attr->busy = true;
	mpi_unlock();
	code = call_delete(attr->keyval, object, attr->value);
	mpi_lock();
	attr->busy = false;
	if (!code || *attr_find(list, attr->keyval->id) != attr)
		unlink_attr(list, attr);
	return code;
}

int mpi_attr_delete_all(enum mpi_kind kind, void *object)
{
	struct mpi_attr **list = list_of(kind, object), *attr;
	int code = MPI_SUCCESS;

	if (!list)
		return MPI_SUCCESS;
	mpi_lock();
	while (!code) {
		/* a callback may set and delete other attributes */
		attr = *list;
		while (attr && attr->busy)
			attr = attr->next;
		if (!attr)
			break;
		code = delete_one(list, attr, object);
	}
	mpi_unlock();
	return code;
}

/* Returns the n-th attribute from the end of the list: in the order they were
 * set. */
static struct mpi_attr *from_end(struct mpi_attr *attr, int n)
{
	struct mpi_attr *ahead = attr;

	while (ahead && n-- >= 0)
		ahead = ahead->next;
	if (n >= 0)
		return NULL;
	for (; ahead; ahead = ahead->next)
		attr = attr->next;
	return attr;
}

/* Copies one attribute. Called with the lock held, which it releases
 * meanwhile. */
static int copy_one(struct mpi_keyval *k, void *from, void *value,
		    struct mpi_attr **to)
{
	void *copy;
	int flag, code;

	mpi_keyval_hold(k);
	mpi_unlock();
	code = call_copy(k, from, value, &copy, &flag);
	mpi_lock();
	if (!code && flag && !attr_insert(to, k, copy))
		code = MPI_ERR_NO_MEM;
	mpi_keyval_release(k);
	return code;
}

int mpi_attr_copy(enum mpi_kind kind, void *from, void *to)
{
	struct mpi_attr **list = list_of(kind, from);
	struct mpi_attr **copies = list_of(kind, to), *attr;
	int code = MPI_SUCCESS;

	if (!list || !copies)
		return MPI_ERR_NO_MEM;
	mpi_lock();
	for (int n = 0; !code && (attr = from_end(*list, n)); n++)
		code = copy_one(attr->keyval, from, attr->value, copies);
	mpi_unlock();
	if (code)
		mpi_attr_delete_all(kind, to);
	return code;
}

void mpi_attr_forget(struct mpi_attr **attrs)
{
	mpi_lock();
	while (*attrs)
		unlink_attr(attrs, *attrs);
	mpi_unlock();
}

/* ---- The functions ------------------------------------------------------- */

/* Ends a function with `code`, an error of a callback or MPI_ERR_*. */
static int attr_result(enum mpi_kind kind, void *object, const char *function,
		       int code)
{
	MPI_Comm comm = kind == MPI_KIND_COMM ? object : MPI_COMM_NULL;
	char text[MPI_MAX_ERROR_STRING];

	if (!code)
		return MPI_SUCCESS;
	mpi_error_text(code, text);
	if (kind == MPI_KIND_WIN)
		return mpi_win_fail(object, function, code, text);
	return mpi_fail(comm, function, code, "%s", text);
}

/* Raises the error of an invalid object. */
static int no_object(enum mpi_kind kind, void *object, const char *function)
{
	static const int errors[] = {
	    [MPI_KIND_COMM] = MRT_ERR_COMM, [MPI_KIND_TYPE] = MRT_ERR_TYPE};

	if (kind == MPI_KIND_WIN)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_WIN,
				"the handle is no window");
	mrt_set_error_detail(mrt_error_string(errors[kind]));
	return mpi_failed(kind == MPI_KIND_COMM ? object : MPI_COMM_NULL,
			  function, errors[kind]);
}

static int set_attr(enum mpi_kind kind, void *object, const char *function,
		    int id, void *value)
{
	struct mpi_attr **list = list_of(kind, object), *old;
	struct mpi_keyval *k;
	int code = MPI_SUCCESS;

	if (!list)
		return no_object(kind, object, function);
	mpi_lock();
	k = mpi_keyval_find(kind, id);
	if (!k || k->freed) {
		code = MPI_ERR_KEYVAL;
	} else {
		mpi_keyval_hold(k);
		old = *attr_find(list, id);
		if (old && !old->busy)
			code = delete_one(list, old, object);
		if (!code)
			code = attr_store(list, k, value);
		mpi_keyval_release(k);
	}
	mpi_unlock();
	return attr_result(kind, object, function, code);
}

/* Deletes an attribute. If it is not set, nothing happens, as the standard
 * names no error. */
static int delete_attr(enum mpi_kind kind, void *object, const char *function,
		       int id)
{
	struct mpi_attr **list = list_of(kind, object), *attr;
	int code = MPI_SUCCESS;

	if (!list)
		return no_object(kind, object, function);
	mpi_lock();
	attr = *attr_find(list, id);
	if (!mpi_keyval_find(kind, id))
		code = MPI_ERR_KEYVAL;
	else if (attr && !attr->busy)
		code = delete_one(list, attr, object);
	mpi_unlock();
	return attr_result(kind, object, function, code);
}

static int get_attr(enum mpi_kind kind, void *object, const char *function,
		    int id, void *value, int *flag)
{
	struct mpi_attr **list = list_of(kind, object), *attr;
	bool known;

	if (!list)
		return no_object(kind, object, function);
	mpi_lock();
	known = mpi_keyval_find(kind, id);
	attr = known ? *attr_find(list, id) : NULL;
	if (known)
		*flag = attr != NULL;
	if (attr)
		*(void **)value = attr->value;
	mpi_unlock();
	return attr_result(kind, object, function,
			   known ? MPI_SUCCESS : MPI_ERR_KEYVAL);
}

/* The predefined attributes are set on every communicator. */
static int get_comm_attr(MPI_Comm comm, const char *function, int id,
			 void *value, int *flag)
{
	int *predefined = mpi_predefined_attr(id);

	if (!value || !flag)
		return mpi_null(comm, function, value ? "flag" : "the value");
	if (!predefined || !mpi_comm_of(comm))
		return get_attr(MPI_KIND_COMM, comm, function, id, value, flag);
	*(void **)value = predefined;
	*flag = 1;
	return MPI_SUCCESS;
}

API(Comm_set_attr)(MPI_Comm comm, int keyval, void *value)
{
	return set_attr(MPI_KIND_COMM, comm, __func__, keyval, value);
}

API(Comm_get_attr)(MPI_Comm comm, int keyval, void *value, int *flag)
{
	return get_comm_attr(comm, __func__, keyval, value, flag);
}

API(Comm_delete_attr)(MPI_Comm comm, int keyval)
{
	return delete_attr(MPI_KIND_COMM, comm, __func__, keyval);
}

API(Attr_put)(MPI_Comm comm, int keyval, void *value)
{
	return set_attr(MPI_KIND_COMM, comm, __func__, keyval, value);
}

API(Attr_get)(MPI_Comm comm, int keyval, void *value, int *flag)
{
	return get_comm_attr(comm, __func__, keyval, value, flag);
}

API(Attr_delete)(MPI_Comm comm, int keyval)
{
	return delete_attr(MPI_KIND_COMM, comm, __func__, keyval);
}

API(Type_set_attr)(MPI_Datatype type, int keyval, void *value)
{
	return set_attr(MPI_KIND_TYPE, type, __func__, keyval, value);
}

API(Type_get_attr)(MPI_Datatype type, int keyval, void *value, int *flag)
{
	return get_attr(MPI_KIND_TYPE, type, __func__, keyval, value, flag);
}

API(Type_delete_attr)(MPI_Datatype type, int keyval)
{
	return delete_attr(MPI_KIND_TYPE, type, __func__, keyval);
}

API(Win_set_attr)(MPI_Win win, int keyval, void *value)
{
	return set_attr(MPI_KIND_WIN, win, __func__, keyval, value);
}

API(Win_get_attr)(MPI_Win win, int keyval, void *value, int *flag)
{
	struct mpi_win *w = mpi_win_of(win);
	bool predefined = keyval >= MPI_WIN_BASE && keyval <= MPI_WIN_MODEL;

	if (w && (!value || !flag))
		return mpi_win_fail(win, __func__, MPI_ERR_ARG,
				    "an output argument is NULL");
	if (!w || !predefined)
		return get_attr(MPI_KIND_WIN, win, __func__, keyval, value,
				flag);
	*(void **)value = mpi_win_predefined(w, keyval);
	*flag = 1;
	return MPI_SUCCESS;
}

API(Win_delete_attr)(MPI_Win win, int keyval)
{
	return delete_attr(MPI_KIND_WIN, win, __func__, keyval);
}
