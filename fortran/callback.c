/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callback.c: operations and error handlers written in Fortran. MPI calls them
 * with handles of C and without any argument that tells which one it is, so
 * each Fortran function gets a C function of its own from a table: there are
 * SLOTS of them, and a function that is used again finds its own again.
 */
#include <stdio.h>

#include "fortran/convert.h"

enum { SLOTS = 256 };

typedef void fortran_function(void);

/* T(0x00) to T(0xff) */
/* clang-format off */
#define ROW_(T, row)                                                           \
	T(row##0) T(row##1) T(row##2) T(row##3)                                \
	T(row##4) T(row##5) T(row##6) T(row##7)                                \
	T(row##8) T(row##9) T(row##a) T(row##b)                                \
	T(row##c) T(row##d) T(row##e) T(row##f)
#define ALL_(T)                                                                \
	ROW_(T, 0x0) ROW_(T, 0x1) ROW_(T, 0x2) ROW_(T, 0x3)                    \
	ROW_(T, 0x4) ROW_(T, 0x5) ROW_(T, 0x6) ROW_(T, 0x7)                    \
	ROW_(T, 0x8) ROW_(T, 0x9) ROW_(T, 0xa) ROW_(T, 0xb)                    \
	ROW_(T, 0xc) ROW_(T, 0xd) ROW_(T, 0xe) ROW_(T, 0xf)
/* clang-format on */

/* Returns the place of a function in a table, which it may share with other
 * threads; -1 if all are taken. */
static int slot_of(fortran_function **table, fortran_function *function)
{
	for (int k = 0; k < SLOTS; k++) {
		fortran_function *there = NULL;

		if (__atomic_compare_exchange_n(&table[k], &there, function, 0,
						__ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE) ||
		    there == function)
			return k;
	}
	fprintf(stderr,
		"libmpifort_abi: more than %d operations or error handlers\n",
		SLOTS);
	return -1;
}

/* ---- Operations -----------------------------------------------------------
 */

typedef void op_function(void *in, void *inout, void *count, MPI_Fint *type);

static fortran_function *operations[SLOTS];

/* The count is an int or an MPI_Count, as the function wants it. */
static void call_operation(int slot, void *in, void *inout, void *count,
			   MPI_Datatype *type)
{
	MPI_Fint number = datatype_out(*type);

	((op_function *)operations[slot])(in, inout, count, &number);
}

#define OPERATION_(k)                                                          \
	static void operation_##k(void *in, void *inout, void *count,          \
				  MPI_Datatype *type)                          \
	{                                                                      \
		call_operation(k, in, inout, count, type);                     \
	}
ALL_(OPERATION_)

#define OPERATION_ROW_(k) operation_##k,
static void (*const operation[SLOTS])(void *, void *, void *,
				      MPI_Datatype *) = {ALL_(OPERATION_ROW_)};

/* An INTEGER of 8 bytes is a large count. */
static int op_create(bool large, fortran_function *user_fn, MPI_Fint commute,
		     MPI_Fint *op)
{
	int slot = slot_of(operations, user_fn), rc = MPI_ERR_OTHER;
	MPI_Op made;

	if (slot >= 0 && large)
		rc = MPI_Op_create_c((MPI_User_function_c *)operation[slot],
				     logical_in(commute), &made);
	else if (slot >= 0)
		rc = MPI_Op_create((MPI_User_function *)operation[slot],
				   logical_in(commute), &made);
	if (!rc)
		*op = op_out(made);
	return rc;
}

ROUTINE_BOTH(op_create, (fortran_function * user_fn, MPI_Fint *commute,
			 MPI_Fint *op, MPI_Fint *ierror))
{
	error_out(ierror, op_create(FORTRAN_WIDE, user_fn, *commute, op));
}

ROUTINE_F08(op_create_c, (fortran_function * user_fn, MPI_Fint *commute,
			  MPI_Fint *op, MPI_Fint *ierror))
{
	error_out(ierror, op_create(true, user_fn, *commute, op));
}

/* ---- Error handlers --------------------------------------------------------
 */

/* A table for each kind of object. */
#define HANDLER_(k, type, stem)                                                \
	static void stem##_handler_##k(type *object, int *code, ...)           \
	{                                                                      \
		MPI_Fint number = stem##_out(*object), error = *code;          \
		((void (*)(MPI_Fint *, MPI_Fint *))stem##_functions[k])(       \
		    &number, &error);                                          \
	}
#define HANDLERS_(type, stem, Name, HANDLER, ROW)                              \
	static fortran_function *stem##_functions[SLOTS];                      \
	ALL_(HANDLER)                                                          \
	static MPI_##Name##_errhandler_function *const stem##_handler[SLOTS] = \
	    {ALL_(ROW)};                                                       \
	ROUTINE_BOTH(stem##_create_errhandler,                                 \
		     (fortran_function * function, MPI_Fint * errhandler,      \
		      MPI_Fint * ierror))                                      \
	{                                                                      \
		int slot = slot_of(stem##_functions, function),                \
		    rc = MPI_ERR_OTHER;                                        \
		MPI_Errhandler made;                                           \
		if (slot >= 0)                                                 \
			rc = MPI_##Name##_create_errhandler(                   \
			    stem##_handler[slot], &made);                      \
		if (!rc)                                                       \
			*errhandler = errhandler_out(made);                    \
		error_out(ierror, rc);                                         \
	}

#define COMM_HANDLER_(k) HANDLER_(k, MPI_Comm, comm)
#define COMM_ROW_(k) comm_handler_##k,
HANDLERS_(MPI_Comm, comm, Comm, COMM_HANDLER_, COMM_ROW_)

#define FILE_HANDLER_(k) HANDLER_(k, MPI_File, file)
#define FILE_ROW_(k) file_handler_##k,
HANDLERS_(MPI_File, file, File, FILE_HANDLER_, FILE_ROW_)

#define SESSION_HANDLER_(k) HANDLER_(k, MPI_Session, session)
#define SESSION_ROW_(k) session_handler_##k,
HANDLERS_(MPI_Session, session, Session, SESSION_HANDLER_, SESSION_ROW_)

#define WIN_HANDLER_(k) HANDLER_(k, MPI_Win, win)
#define WIN_ROW_(k) win_handler_##k,
HANDLERS_(MPI_Win, win, Win, WIN_HANDLER_, WIN_ROW_)
