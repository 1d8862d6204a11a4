/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_keyval.c: keys of attributes (MPI 4.1, chapter 7.7), a table by number.
 */
#include "mpi/mpi_keyval.h"

#include <stdlib.h>

/* Numbers begin here, above the predefined attributes. */
enum { FIRST = 1024 };

static struct {
	struct mpi_keyval *key;
	int next; /* of a free place: the next one, -1: none */
} * table;
static int capacity, first_free = -1;

struct mpi_keyval *mpi_keyval_find(enum mpi_kind kind, int id)
{
	struct mpi_keyval *k =
	    id >= FIRST && id < FIRST + capacity ? table[id - FIRST].key : NULL;

	return k && k->kind == kind ? k : NULL;
}

void mpi_keyval_hold(struct mpi_keyval *keyval)
{
	keyval->refs++;
}

static void place_free(int k)
{
	table[k].key = NULL;
	table[k].next = first_free;
	first_free = k;
}

void mpi_keyval_release(struct mpi_keyval *keyval)
{
	if (--keyval->refs == 0) {
		place_free(keyval->id - FIRST);
		free(keyval);
	}
}

/* Called with the lock held. */
static int keyval_insert(struct mpi_keyval *keyval)
{
	int more = capacity ? capacity * 2 : 16, k;

	if (first_free < 0) {
		void *larger = realloc(table, (size_t)more * sizeof(*table));

		if (!larger)
			return -1;
		table = larger;
		for (k = more; k-- > capacity;)
			place_free(k);
		capacity = more;
	}
	k = first_free;
	first_free = table[k].next;
	keyval->id = FIRST + k;
	table[k].key = keyval;
	return 0;
}

int mpi_keyval_create(enum mpi_kind kind, const char *function, any_fn copy,
		      any_fn delete_attr, void *extra_state, int *id)
{
	struct mpi_keyval *keyval;
	int rc = -1;

	if (!id)
		return mpi_null(MPI_COMM_NULL, function, "the key");
	keyval = malloc(sizeof(*keyval));
	if (keyval) {
		*keyval = (struct mpi_keyval){.refs = 1,
					      .kind = kind,
					      .extra_state = extra_state,
					      .copy = copy,
					      .delete = delete_attr};
		mpi_lock();
		rc = keyval_insert(keyval);
		mpi_unlock();
	}
	if (rc) {
		free(keyval);
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_NO_MEM,
				"no memory for a key");
	}
	*id = keyval->id;
	return MPI_SUCCESS;
}

/* A key in use may be freed twice: its number is still known. */
int mpi_keyval_free(enum mpi_kind kind, const char *function, int *id)
{
	struct mpi_keyval *k;

	if (!id)
		return mpi_null(MPI_COMM_NULL, function, "the key");
	mpi_lock();
	k = mpi_keyval_find(kind, *id);
	if (k && !k->freed) {
		k->freed = true;
		mpi_keyval_release(k);
	}
	mpi_unlock();
	if (!k)
		return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_KEYVAL,
				"%d is no key of this kind", *id);
	*id = MPI_KEYVAL_INVALID;
	return MPI_SUCCESS;
}
