/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_handle.c: converts handles to integers and back (MPI 5.0, chapter "ABI").
 * A predefined handle is its own number. Any other, which is an address, gets
 * the index of an entry in a table that it keeps: an address that is reused
 * keeps its number. The table stays after MPI_Finalize, which infos and error
 * handlers outlive.
 */
#include <search.h>
#include <stdlib.h>

#include "mpi/mpi_impl.h"

enum { FIRST = MRT_CONSTANTS_END }; /* of the numbers of addresses */

struct numbered {
	const void *handle;
	int number;
};

static struct numbered **entries; /* by number */
static int count, capacity;
static void *tree; /* of the entries, by handle */

static int handle_compare(const void *a, const void *b)
{
	const struct numbered *x = a, *y = b;

	return (x->handle > y->handle) - (x->handle < y->handle);
}

/* Adds an entry; NULL if out of memory. Called with the lock held. */
static struct numbered *handle_add(const void *handle)
{
	struct numbered *entry = malloc(sizeof(*entry)), **more;

	if (!entry)
		return NULL;
	if (count == capacity) {
		more =
		    realloc(entries, (size_t)(capacity + 64) * sizeof(*more));
		if (!more)
			goto free_entry;
		entries = more;
		capacity += 64;
	}
	*entry = (struct numbered){handle, FIRST + count};
	if (!tsearch(entry, &tree, handle_compare))
		goto free_entry;
	entries[count++] = entry;
	return entry;
free_entry:
	free(entry);
	return NULL;
}

static int to_int(const char *function, const void *handle)
{
	const struct numbered wanted = {.handle = handle}, *entry;
	struct numbered *const *found;

	if ((uintptr_t)handle < FIRST)
		return (int)(uintptr_t)handle;
	mpi_lock();
	found = tfind(&wanted, &tree, handle_compare);
	entry = found ? *found : handle_add(handle);
	mpi_unlock();
	if (entry)
		return entry->number;
	mpi_fail(MPI_COMM_NULL, function, MPI_ERR_NO_MEM,
		 "no memory for the number of a handle");
	return 0;
}

/* Returns `null`, the type's null handle, for a number that no handle has. */
static void *from_int(int number, void *null)
{
	const void *handle = null;

	if (number >= 0 && number < FIRST)
		return (void *)(uintptr_t)number;
	mpi_lock();
	if (number >= FIRST && number - FIRST < count)
		handle = entries[number - FIRST]->handle;
	mpi_unlock();
	return (void *)(uintptr_t)handle;
}

#define CONVERSIONS(X)                                                         \
	X(Comm, MPI_Comm, MPI_COMM_NULL)                                       \
	X(Errhandler, MPI_Errhandler, MPI_ERRHANDLER_NULL)                     \
	X(File, MPI_File, MPI_FILE_NULL)                                       \
	X(Group, MPI_Group, MPI_GROUP_NULL)                                    \
	X(Info, MPI_Info, MPI_INFO_NULL)                                       \
	X(Message, MPI_Message, MPI_MESSAGE_NULL)                              \
	X(Op, MPI_Op, MPI_OP_NULL)                                             \
	X(Request, MPI_Request, MPI_REQUEST_NULL)                              \
	X(Session, MPI_Session, MPI_SESSION_NULL)                              \
	X(Type, MPI_Datatype, MPI_DATATYPE_NULL)                               \
	X(Win, MPI_Win, MPI_WIN_NULL)

#define DEFINE(name, type, null)                                               \
	API(name##_toint)(type handle)                                         \
	{                                                                      \
		return to_int(__func__, handle);                               \
	}                                                                      \
	API_OF(type, name##_fromint)(int number)                               \
	{                                                                      \
		return from_int(number, null);                                 \
	}
CONVERSIONS(DEFINE)
