/* SPDX-License-Identifier: Apache-2.0 */
/* slopes_objects.c: objects that are alive (slopes.c). */
#include <stdlib.h>

#include "tests/mpi/slopes.h"

static union object {
	MPI_Comm comm;
	MPI_Win win;
	MPI_Datatype type;
	MPI_Info info;
	MPI_Group group;
	MPI_Op op;
	MPI_Errhandler errhandler;
	MPI_Session session;
	void *memory;
	int key;
} objects[MOST];
static char buffer[8];
static MPI_Win window;

#define OBJECT(name, make, end)                                                \
	static void name##_make(int k)                                         \
	{                                                                      \
		make;                                                          \
	}                                                                      \
	static void name##_free(int k)                                         \
	{                                                                      \
		end;                                                           \
	}                                                                      \
	static void name##_again(int k)                                        \
	{                                                                      \
		name##_free(k);                                                \
		name##_make(k);                                                \
	}

static void user_op(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in;
	(void)inout;
	(void)n;
	(void)type;
}

static void handle_error(MPI_Comm *comm, int *error, ...)
{
	(void)comm;
	(void)error;
}

static void name_type(int k)
{
	MPI_Type_contiguous(2, MPI_INT, &objects[k].type);
	MPI_Type_set_name(objects[k].type, "pair");
}

OBJECT(comm, MPI_Comm_dup(MPI_COMM_WORLD, &objects[k].comm),
       MPI_Comm_free(&objects[k].comm))
OBJECT(win,
       MPI_Win_create(buffer, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
		      &objects[k].win),
       MPI_Win_free(&objects[k].win))
OBJECT(region, MPI_Win_attach(window, room + 16 * k, 8),
       MPI_Win_detach(window, room + 16 * k))
OBJECT(type, name_type(k), MPI_Type_free(&objects[k].type))
OBJECT(info, MPI_Info_create(&objects[k].info), MPI_Info_free(&objects[k].info))
OBJECT(group, MPI_Comm_group(MPI_COMM_WORLD, &objects[k].group),
       MPI_Group_free(&objects[k].group))
OBJECT(op, MPI_Op_create(user_op, 1, &objects[k].op),
       MPI_Op_free(&objects[k].op))
OBJECT(errhandler,
       MPI_Comm_create_errhandler(handle_error, &objects[k].errhandler),
       MPI_Errhandler_free(&objects[k].errhandler))
OBJECT(session,
       MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &objects[k].session),
       MPI_Session_finalize(&objects[k].session))
OBJECT(memory, MPI_Alloc_mem(k % 3 * 999, MPI_INFO_NULL, &objects[k].memory),
       MPI_Free_mem(objects[k].memory))
OBJECT(key,
       MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
			      &objects[k].key, NULL),
       MPI_Comm_free_keyval(&objects[k].key))

static void region_begin(void)
{
	room = malloc(16 * (MOST + 1));
	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	MPI_Win_lock_all(0, window);
}

static void region_put(int k)
{
	MPI_Aint at;

	MPI_Get_address(room + 16 * ((k + live / 2) % live), &at);
	MPI_Put(buffer, 8, MPI_CHAR, 0, at, 8, MPI_CHAR, window);
	MPI_Win_flush(0, window);
}

static void region_end(void)
{
	MPI_Win_unlock_all(window);
	MPI_Win_free(&window);
	free(room);
}

/* Allocates and frees one more, which is the newest. */
static void memory_more(int k)
{
	void *memory;

	MPI_Alloc_mem(k % 2 ? 4096 : 100, MPI_INFO_NULL, &memory);
	MPI_Free_mem(memory);
}

const struct kind slopes_objects[] = {
    {"communicators: free the oldest, dup", MOST, NULL, comm_make, comm_again,
     comm_free, NULL},
    {"windows: free the oldest, create", MOST, NULL, win_make, win_again,
     win_free, NULL},
    {"regions: detach the first, attach", MOST, region_begin, region_make,
     region_again, region_free, region_end},
    {"regions: put to one amid", MOST, region_begin, region_make, region_put,
     region_free, region_end},
    {"types: free the oldest, make", MOST, NULL, type_make, type_again,
     type_free, NULL},
    {"infos: free the oldest, create", MOST, NULL, info_make, info_again,
     info_free, NULL},
    {"groups: free the oldest, make", MOST, NULL, group_make, group_again,
     group_free, NULL},
    {"operations: free the oldest, create", MOST, NULL, op_make, op_again,
     op_free, NULL},
    {"error handlers: free the oldest, create", MOST, NULL, errhandler_make,
     errhandler_again, errhandler_free, NULL},
    {"sessions: finalize the oldest, init", MOST, NULL, session_make,
     session_again, session_free, NULL},
    {"blocks of memory: free the oldest, allocate", MOST, NULL, memory_make,
     memory_again, memory_free, NULL},
    {"blocks of memory: allocate, free", MOST, NULL, memory_make, memory_more,
     memory_free, NULL},
    {"keys: free the oldest, create", MOST, NULL, key_make, key_again, key_free,
     NULL},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL}};
