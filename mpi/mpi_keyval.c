/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_keyval.c: keys of attributes (MPI 4.1, chapter 7.7), a table by number.
 */
#include "mpi/mpi_keyval.h"

#include <stdlib.h>

/* Numbers begin here, above the predefined attributes. */
enum { FIRST = 1024 };

static struct mpi_keyval **table;
static int capacity;

struct mpi_keyval *mpi_keyval_find(enum mpi_kind kind, int id)
{
	struct mpi_keyval *k =
	    id >= FIRST && id < FIRST + capacity ? table[id - FIRST] : NULL;

	return k && k->kind == kind ? k : NULL;
}

void mpi_keyval_hold(struct mpi_keyval *keyval)
{
	keyval->refs++;
}

void mpi_keyval_release(struct mpi_keyval *keyval)
{
	if (--keyval->refs == 0) {
		table[keyval->id - FIRST] = NULL;
		free(keyval);
	}
}

/* Returns a free entry in the table; -1 if out of memory. */
static int place(void)
{
	struct mpi_keyval **more;
	int k = 0;

	while (k < capacity && table[k])
		k++;
	if (k < capacity)
		return k;
	more = realloc(table, (size_t)(capacity + 16) * sizeof(*more));
	if (!more)
		return -1;
	for (int i = capacity; i < capacity + 16; i++)
		more[i] = NULL;
	table = more;
	capacity += 16;
	return k;
}

/* Called with the lock held. */
static int insert(struct mpi_keyval *keyval)
{
	int k = place();

	if (k < 0)
		return -1;
	keyval->id = FIRST + k;
	table[k] = keyval;
	return 0;
}

static int create(const char *function, const struct mpi_keyval *wanted,
		  int *id)
{
	struct mpi_keyval *keyval;
	int rc = -1;

	if (!id)
		return mpi_null(MPI_COMM_SELF, function, "the key");
	keyval = malloc(sizeof(*keyval));
	if (keyval) {
		*keyval = *wanted;
		keyval->refs = 1;
		mpi_lock();
		rc = insert(keyval);
		mpi_unlock();
	}
	if (rc) {
		free(keyval);
		return mpi_fail(MPI_COMM_SELF, function, MPI_ERR_NO_MEM,
				"no memory for a key");
	}
	*id = keyval->id;
	return MPI_SUCCESS;
}

/* A key in use may be freed twice: its number is still known. */
static int release(const char *function, enum mpi_kind kind, int *id)
{
	struct mpi_keyval *k;

	if (!id)
		return mpi_null(MPI_COMM_SELF, function, "the key");
	mpi_lock();
	k = mpi_keyval_find(kind, *id);
	if (k && !k->freed) {
		k->freed = true;
		mpi_keyval_release(k);
	}
	mpi_unlock();
	if (!k)
		return mpi_fail(MPI_COMM_SELF, function, MPI_ERR_KEYVAL,
				"%d is no key of this kind", *id);
	*id = MPI_KEYVAL_INVALID;
	return MPI_SUCCESS;
}

API(Comm_create_keyval)
(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete_attr,
 int *id, void *extra_state)
{
	const struct mpi_keyval keyval = {.kind = MPI_KIND_COMM,
					  .extra_state = extra_state,
					  .copy.comm = copy,
					  .delete.comm = delete_attr};

	return create(__func__, &keyval, id);
}

API(Type_create_keyval)
(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete_attr,
 int *id, void *extra_state)
{
	const struct mpi_keyval keyval = {.kind = MPI_KIND_TYPE,
					  .extra_state = extra_state,
					  .copy.type = copy,
					  .delete.type = delete_attr};

	return create(__func__, &keyval, id);
}

API(Win_create_keyval)
(MPI_Win_copy_attr_function *copy, MPI_Win_delete_attr_function *delete_attr,
 int *id, void *extra_state)
{
	const struct mpi_keyval keyval = {.kind = MPI_KIND_WIN,
					  .extra_state = extra_state,
					  .copy.win = copy,
					  .delete.win = delete_attr};

	return create(__func__, &keyval, id);
}

API(Keyval_create)
(MPI_Copy_function *copy, MPI_Delete_function *delete_attr, int *id,
 void *extra_state)
{
	return PMPI_Comm_create_keyval(copy, delete_attr, id, extra_state);
}

API(Comm_free_keyval)(int *id)
{
	return release(__func__, MPI_KIND_COMM, id);
}

API(Type_free_keyval)(int *id)
{
	return release(__func__, MPI_KIND_TYPE, id);
}

API(Win_free_keyval)(int *id)
{
	return release(__func__, MPI_KIND_WIN, id);
}

API(Keyval_free)(int *id)
{
	return release(__func__, MPI_KIND_COMM, id);
}
