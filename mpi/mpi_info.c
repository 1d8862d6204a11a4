/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_info.c: info (MPI 4.1, chapter 10): pairs of strings in the order in
 * which they were set. All functions may be called at any time. */
#include "mpi/mpi_info.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_impl.h"

struct MPI_ABI_Info mpi_info_env;

/* Sets the detail of an error; returns the error. */
static int set_error(int class)
{
	const char *text =
	    class == MPI_ERR_INFO	  ? "no info, or not to be set"
	    : class == MPI_ERR_INFO_KEY	  ? "the key is NULL, empty or too long"
	    : class == MPI_ERR_INFO_NOKEY ? "no such key"
	    : class == MPI_ERR_INFO_VALUE ? "the value is NULL or too long"
	    : class == MPI_ERR_NO_MEM	  ? "no memory for info"
				      : "an argument is NULL or out of range";

	if (class)
		mrt_set_error_detail(text);
	return class;
}

static int info_fail(const char *function, int class)
{
	return class ? mpi_raise(MPI_COMM_NULL, function + 1, set_error(class))
		     : MPI_SUCCESS;
}

/* Objects are never freed, so that a handle that is used too late can be
 * recognised: released ones are reused. */
#define MAGIC 0x6d72742d696e666full
static MPI_Info unused;

static MPI_Info info_make(void)
{
	MPI_Info info;

	mpi_lock();
	info = unused;
	if (info)
		unused = info->next;
	mpi_unlock();
	if (!info)
		info = malloc(sizeof(*info));
	if (info)
		*info = (struct MPI_ABI_Info){.magic = MAGIC};
	return info;
}

static void info_discard(MPI_Info info)
{
	mpi_info_clear(info);
	mpi_lock();
	info->next = unused;
	unused = info;
	mpi_unlock();
}

/* Returns the object of a handle, or NULL if the handle is not valid. */
static struct MPI_ABI_Info *object_of(MPI_Info info)
{
	if (info == MPI_INFO_ENV)
		return &mpi_info_env;
	return (uintptr_t)info >= MRT_CONSTANTS_END && info->magic == MAGIC
		   ? info
		   : NULL;
}

static int check_key(const char *key)
{
	return !key || !*key || strlen(key) >= MPI_MAX_INFO_KEY
		   ? MPI_ERR_INFO_KEY
		   : MPI_SUCCESS;
}

/* Checks an info and a key for reading. */
static int info_check(MPI_Info info, const char *key)
{
	return object_of(info) ? check_key(key) : MPI_ERR_INFO;
}

/* Checks an info and a key for writing; MPI_INFO_ENV is read-only. */
static int check_write(MPI_Info info, const char *key)
{
	return info == MPI_INFO_ENV ? MPI_ERR_INFO : info_check(info, key);
}

int mpi_info_check(MPI_Info info)
{
	return set_error(info == MPI_INFO_NULL || object_of(info)
			     ? MPI_SUCCESS
			     : MPI_ERR_INFO);
}

static struct pair *info_find(const struct MPI_ABI_Info *info, const char *key)
{
	for (int k = 0; k < info->n; k++)
		if (!strcmp(info->pairs[k].key, key))
			return &info->pairs[k];
	return NULL;
}

static int info_append(struct MPI_ABI_Info *info, char *key, char *value)
{
	struct pair *more;

	if (info->n == info->capacity) {
		more = realloc(info->pairs,
			       (size_t)(info->capacity + 8) * sizeof(*more));
		if (!more)
			return MPI_ERR_NO_MEM;
		info->pairs = more;
		info->capacity += 8;
	}
	info->pairs[info->n++] = (struct pair){key, value};
	return MPI_SUCCESS;
}

int mpi_info_put(struct MPI_ABI_Info *info, const char *key, const char *value)
{
	struct pair *old = info_find(info, key);
	char *new_value = strdup(value), *new_key;

	if (!new_value)
		return MPI_ERR_NO_MEM;
	if (old) {
		free(old->value);
		old->value = new_value;
		return MPI_SUCCESS;
	}
	new_key = strdup(key);
	if (new_key && !info_append(info, new_key, new_value))
		return MPI_SUCCESS;
	free(new_key);
	free(new_value);
	return MPI_ERR_NO_MEM;
}

void mpi_info_clear(struct MPI_ABI_Info *info)
{
	for (int k = 0; k < info->n; k++) {
		free(info->pairs[k].key);
		free(info->pairs[k].value);
	}
	free(info->pairs);
	*info = (struct MPI_ABI_Info){0};
}

int mpi_info_create(MPI_Info *info)
{
	MPI_Info made = info_make();

	if (!made)
		return set_error(MPI_ERR_NO_MEM);
	*info = made;
	return MPI_SUCCESS;
}

int mpi_info_create_used(MPI_Info *info)
{
	int rc = mpi_info_create(info);

	if (rc)
		return rc;
	rc = mpi_info_set(*info, "mpi_memory_alloc_kinds", "mpi,system");
	if (rc)
		info_discard(*info);
	return rc;
}

API(Info_create)(MPI_Info *info)
{
	if (!info)
		return info_fail(__func__, MPI_ERR_ARG);
	return info_fail(__func__, mpi_info_create(info));
}

API(Info_free)(MPI_Info *info)
{
	if (!info || !object_of(*info) || *info == MPI_INFO_ENV)
		return info_fail(__func__, MPI_ERR_INFO);
	info_discard(*info);
	*info = MPI_INFO_NULL;
	return MPI_SUCCESS;
}

API(Info_dup)(MPI_Info info, MPI_Info *newinfo)
{
	const struct MPI_ABI_Info *from = object_of(info);
	int code = MPI_SUCCESS;
	MPI_Info made;

	if (!from || !newinfo)
		return info_fail(__func__, from ? MPI_ERR_ARG : MPI_ERR_INFO);
	made = info_make();
	if (!made)
		return info_fail(__func__, MPI_ERR_NO_MEM);
	mpi_lock();
	for (int k = 0; !code && k < from->n; k++)
		code = mpi_info_put(made, from->pairs[k].key,
				    from->pairs[k].value);
	mpi_unlock();
	if (code) {
		info_discard(made);
		return info_fail(__func__, code);
	}
	*newinfo = made;
	return MPI_SUCCESS;
}

int mpi_info_set(MPI_Info info, const char *key, const char *value)
{
	int code = check_write(info, key);

	if (!code && (!value || strlen(value) >= MPI_MAX_INFO_VAL))
		code = MPI_ERR_INFO_VALUE;
	if (!code) {
		mpi_lock();
		code = mpi_info_put(info, key, value);
		mpi_unlock();
	}
	return set_error(code);
}

API(Info_set)(MPI_Info info, const char *key, const char *value)
{
	return info_fail(__func__, mpi_info_set(info, key, value));
}

API(Info_delete)(MPI_Info info, const char *key)
{
	int code = check_write(info, key);
	struct pair *pair;

	if (!code) {
		mpi_lock();
		pair = info_find(info, key);
		if (pair) {
			free(pair->key);
			free(pair->value);
			info->n--;
			memmove(pair, pair + 1,
				(size_t)(info->pairs + info->n - pair) *
				    sizeof(*pair));
		}
		mpi_unlock();
		code = pair ? MPI_SUCCESS : MPI_ERR_INFO_NOKEY;
	}
	return info_fail(__func__, code);
}

/* Copies at most `room` bytes of the value, including the terminating zero.
 * Returns the value's length, or -1 if there is no such key. */
static int info_get(MPI_Info info, const char *key, size_t room, char *value)
{
	const struct pair *pair;
	int len = -1;

	mpi_lock();
	pair = info_find(object_of(info), key);
	if (pair) {
		len = (int)strlen(pair->value);
		if (room) {
			size_t n = (size_t)len < room ? (size_t)len : room - 1;

			memcpy(value, pair->value, n);
			value[n] = 0;
		}
	}
	mpi_unlock();
	return len;
}

int mpi_info_get(MPI_Info info, const char *key, size_t room, char *value,
		 int *flag)
{
	int code = info_check(info, key);

	if (!code)
		*flag = info_get(info, key, room, value) >= 0;
	return set_error(code);
}

API(Info_get)
(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
	int code = info_check(info, key);

	if (!code && (valuelen < 0 || !value || !flag))
		code = MPI_ERR_ARG;
	if (!code)
		*flag = info_get(info, key, (size_t)valuelen + 1, value) >= 0;
	return info_fail(__func__, code);
}

/* *buflen: size of value including the terminating zero, or 0; set to the size
 * that is needed. */
API(Info_get_string)
(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
	int code = info_check(info, key), len;

	if (!code && (!buflen || *buflen < 0 || (*buflen && !value) || !flag))
		code = MPI_ERR_ARG;
	if (!code) {
		len = info_get(info, key, (size_t)*buflen, value);
		*flag = len >= 0;
		if (*flag)
			*buflen = len + 1;
	}
	return info_fail(__func__, code);
}

API(Info_get_valuelen)(MPI_Info info, const char *key, int *valuelen, int *flag)
{
	int code = info_check(info, key), len;

	if (!code && (!valuelen || !flag))
		code = MPI_ERR_ARG;
	if (!code) {
		len = info_get(info, key, 0, NULL);
		*flag = len >= 0;
		if (*flag)
			*valuelen = len;
	}
	return info_fail(__func__, code);
}

API(Info_get_nkeys)(MPI_Info info, int *nkeys)
{
	const struct MPI_ABI_Info *object = object_of(info);

	if (!object || !nkeys)
		return info_fail(__func__, object ? MPI_ERR_ARG : MPI_ERR_INFO);
	mpi_lock();
	*nkeys = object->n;
	mpi_unlock();
	return MPI_SUCCESS;
}

API(Info_get_nthkey)(MPI_Info info, int n, char *key)
{
	const struct MPI_ABI_Info *object = object_of(info);
	bool there;

	if (!object || !key)
		return info_fail(__func__, object ? MPI_ERR_ARG : MPI_ERR_INFO);
	mpi_lock();
	there = n >= 0 && n < object->n;
	if (there)
		strcpy(key, object->pairs[n].key);
	mpi_unlock();
	return info_fail(__func__, there ? MPI_SUCCESS : MPI_ERR_ARG);
}
