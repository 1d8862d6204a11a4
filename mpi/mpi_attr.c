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
	struct mpi_object *o = mpi_object_of(kind, object);

	return o ? &o->attrs : NULL;
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
	if (!k->delete)
		return MPI_SUCCESS;
	switch (k->kind) {
	case MPI_KIND_COMM:
		return ((MPI_Comm_delete_attr_function *)k->delete)(
		    object, k->id, value, k->extra_state);
	case MPI_KIND_TYPE:
		return ((MPI_Type_delete_attr_function *)k->delete)(
		    object, k->id, value, k->extra_state);
	default:
		return ((MPI_Win_delete_attr_function *)k->delete)(
		    object, k->id, value, k->extra_state);
	}
}

static int call_copy(const struct mpi_keyval *k, void *object, void *value,
		     void **copy, int *flag)
{
	*flag = k->copy == (any_fn)MPI_COMM_DUP_FN;
	*copy = value;
	if (!k->copy || *flag)
		return MPI_SUCCESS;
	return k->kind == MPI_KIND_COMM
		   ? ((MPI_Comm_copy_attr_function *)k->copy)(
			 object, k->id, k->extra_state, value, copy, flag)
		   : ((MPI_Type_copy_attr_function *)k->copy)(
			 object, k->id, k->extra_state, value, copy, flag);
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
	char text[MPI_MAX_ERROR_STRING];

	if (!code)
		return MPI_SUCCESS;
	mpi_error_text(code, text);
	return mpi_object_result(kind, object, function,
				 mpi_detailed(code, text));
}

/* Raises the error of an invalid object. */
static int no_object(enum mpi_kind kind, void *object, const char *function)
{
	int rc = mpi_object_check(kind, object, function);

	return rc ? rc
		  : mpi_object_result(kind, object, function, MRT_ERR_NO_MEM);
}

int mpi_attr_set(enum mpi_kind kind, void *object, const char *function, int id,
		 void *value)
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
int mpi_attr_delete(enum mpi_kind kind, void *object, const char *function,
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

/* Gets one that each communicator, or window, has. */
static bool predefined_attr(enum mpi_kind kind, void *object, int id,
			    void *value)
{
	void *found = kind == MPI_KIND_COMM ? mpi_predefined_attr(id) : NULL;
	bool of_win =
	    kind == MPI_KIND_WIN && id >= MPI_WIN_BASE && id <= MPI_WIN_MODEL;

	if (of_win)
		found = mpi_win_predefined(mpi_win_of(object), id);
	if (found || of_win)
		*(void **)value = found;
	return found || of_win;
}

int mpi_attr_get(enum mpi_kind kind, void *object, const char *function, int id,
		 void *value, int *flag)
{
	struct mpi_attr **list = list_of(kind, object), *attr;
	bool known;

	if (!list)
		return no_object(kind, object, function);
	if (!value || !flag)
		return mpi_object_result(
		    kind, object, function,
		    mpi_detailed(MPI_ERR_ARG, "the value or flag is NULL"));
	*flag = predefined_attr(kind, object, id, value);
	if (*flag)
		return MPI_SUCCESS;
	mpi_lock();
	known = mpi_keyval_find(kind, id);
	attr = known ? *attr_find(list, id) : NULL;
	*flag = attr != NULL;
	if (attr)
		*(void **)value = attr->value;
	mpi_unlock();
	return attr_result(kind, object, function,
			   known ? MPI_SUCCESS : MPI_ERR_KEYVAL);
}
