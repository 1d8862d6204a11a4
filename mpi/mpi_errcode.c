/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_errcode.c: error classes, codes and strings, the standard's and the
 * user's (MPI 4.1, chapters 9.4 and 9.5). A class is also a code; the user's
 * begin above MPI_ERR_LASTCODE. All functions may be called at any time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_errhandler.h"
#include "mpi/mpi_impl.h"

enum { FIRST = MPI_ERR_LASTCODE + 1 };

int mpi_last_used_code = MPI_ERR_LASTCODE;

/* Entry k is code FIRST + k. A class has itself as its class; 0 is a free
 * entry. */
static struct code {
	int class;
	int codes; /* number of other codes of this class */
	char *text;
} * codes;
static int ncodes, capacity;

/* Returns the user's code, or NULL. Called with the lock held. */
static struct code *errcode_find(int code)
{
	return code >= FIRST && code < FIRST + ncodes &&
		       codes[code - FIRST].class
		   ? &codes[code - FIRST]
		   : NULL;
}

/* Callers hold the lock. */
static int class_of(int code)
{
	const struct code *c = errcode_find(code);

	if (c)
		return c->class;
	return mpi_class_text(code) ? code : -1;
}

int mpi_class_of_code(int code)
{
	int class;

	mpi_lock();
	class = class_of(code);
	mpi_unlock();
	return class;
}

void mpi_error_text(int code, char *text)
{
	const struct code *c;
	const char *found;

	mpi_lock();
	c = errcode_find(code);
	found = c ? c->text : mpi_class_text(code);
	snprintf(text, MPI_MAX_ERROR_STRING, "%s", found ? found : "");
	mpi_unlock();
}

/* Makes room for one more entry; -1 if out of memory. */
static int errcode_grow(void)
{
	struct code *more;

	if (ncodes < capacity)
		return 0;
	more = realloc(codes, (size_t)(capacity + 16) * sizeof(*more));
	if (!more)
		return -1;
	codes = more;
	capacity += 16;
	return 0;
}

/* Adds a code of a class, or a new class if class is 0; -1 if out of memory.
 * Called with the lock held. */
static int errcode_add(int class)
{
	int k = 0;

	while (k < ncodes && codes[k].class)
		k++;
	if (k == ncodes) {
		if (errcode_grow())
			return -1;
		ncodes++;
	}
	codes[k] = (struct code){.class = class ? class : FIRST + k};
	if (errcode_find(class))
		errcode_find(class)->codes++;
	mpi_last_used_code = FIRST + ncodes - 1;
	return FIRST + k;
}

/* Callers hold the lock. */
static void errcode_drop(struct code *c)
{
	free(c->text);
	*c = (struct code){0};
	while (ncodes && !codes[ncodes - 1].class)
		ncodes--;
	mpi_last_used_code = FIRST + ncodes - 1;
}

/* Ends the two functions that add. */
static int errcode_added(const char *function, int code, int *result)
{
	if (code < 0)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_NO_MEM,
				"no memory for an error code");
	*result = code;
	return MPI_SUCCESS;
}

API(Add_error_class)(int *errorclass)
{
	int code;

	if (!errorclass)
		return mpi_null(MPI_COMM_NULL, __func__, "errorclass");
	mpi_lock();
	code = errcode_add(0);
	mpi_unlock();
	return errcode_added(__func__, code, errorclass);
}

API(Add_error_code)(int errorclass, int *errorcode)
{
	bool is_class;
	int code = 0;

	if (!errorcode)
		return mpi_null(MPI_COMM_NULL, __func__, "errorcode");
	mpi_lock();
	is_class =
	    errorclass != MPI_SUCCESS && class_of(errorclass) == errorclass;
	if (is_class)
		code = errcode_add(errorclass);
	mpi_unlock();
	if (!is_class)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ARG,
				"%d is no error class", errorclass);
	return errcode_added(__func__, code, errorcode);
}

static int set_text(int code, const char *text)
{
	char *copy = text ? strndup(text, MPI_MAX_ERROR_STRING - 1) : NULL;
	struct code *c;

	if (text && !copy)
		return MPI_ERR_NO_MEM;
	mpi_lock();
	c = errcode_find(code);
	if (c) {
		char *before = c->text;

		c->text = copy;
		copy = before;
	}
	mpi_unlock();
	free(copy);
	return c ? MPI_SUCCESS : MPI_ERR_ARG;
}

static int no_code(const char *function, int class, int code)
{
	return mpi_fail(MPI_COMM_NULL, function, class,
			"error code %d has not been added, or is in use "
			"by a code or a string",
			code);
}

API(Add_error_string)(int errorcode, const char *string)
{
	int class = string ? set_text(errorcode, string) : MPI_ERR_ARG;

	return class ? no_code(__func__, class, errorcode) : MPI_SUCCESS;
}

API(Remove_error_string)(int errorcode)
{
	int class = set_text(errorcode, NULL);

	return class ? no_code(__func__, class, errorcode) : MPI_SUCCESS;
}

API(Remove_error_code)(int errorcode)
{
	struct code *c, *class;

	mpi_lock();
	c = errcode_find(errorcode);
	if (c && (c->class == errorcode || c->text))
		c = NULL;
	if (c) {
		class = errcode_find(c->class);
		if (class)
			class->codes--;
		errcode_drop(c);
	}
	mpi_unlock();
	return c ? MPI_SUCCESS : no_code(__func__, MPI_ERR_ARG, errorcode);
}

API(Remove_error_class)(int errorclass)
{
	struct code *c;

	mpi_lock();
	c = errcode_find(errorclass);
	if (c && (c->class != errorclass || c->codes || c->text))
		c = NULL;
	if (c)
		errcode_drop(c);
	mpi_unlock();
	return c ? MPI_SUCCESS : no_code(__func__, MPI_ERR_ARG, errorclass);
}

API(Error_class)(int errorcode, int *errorclass)
{
	int class = mpi_class_of_code(errorcode);

	if (!errorclass)
		return mpi_null(MPI_COMM_NULL, __func__, "errorclass");
	if (class < 0)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ARG,
				"%d is no error code", errorcode);
	*errorclass = class;
	return MPI_SUCCESS;
}

API(Error_string)(int errorcode, char *string, int *resultlen)
{
	const char *cause;

	if (!string || !resultlen)
		return mpi_null(MPI_COMM_NULL, __func__, "string or resultlen");
	if (mpi_class_of_code(errorcode) < 0)
		return mpi_fail(MPI_COMM_NULL, __func__, MPI_ERR_ARG,
				"%d is no error code", errorcode);
	mpi_error_text(errorcode, string);
	cause = mpi_file_cause(errorcode);
	if (cause)
		snprintf(string, MPI_MAX_ERROR_STRING, "%s: %s",
			 mpi_class_text(errorcode), cause);
	*resultlen = (int)strlen(string);
	return MPI_SUCCESS;
}
