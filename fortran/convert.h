/* SPDX-License-Identifier: Apache-2.0 */
/*
 * convert.h: what the functions that Fortran calls convert: handles, logicals,
 * strings, and the variables of mpif.h whose addresses mean something. Only
 * mpi.h is used, so the library serves every library of the standard ABI. The
 * INTEGER of Fortran, MPI_Fint, is an int, or has 8 bytes in libmpifort_abi_i8;
 * a status is 8 of them.
 */
#ifndef FORTRAN_CONVERT_H
#define FORTRAN_CONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpi.h"

_Static_assert(sizeof(MPI_Aint) == 8, "the kinds in mpif.h");

/* A routine has a name for profilers and a weak one for programs; mpi_f08 calls
 * the same function where the arguments are the same. */
#define NAME_(alias_, of, parameters)                                          \
	void alias_ parameters __attribute__((alias(#of "_")));
#define WEAK_(alias_, of, parameters)                                          \
	void alias_ parameters __attribute__((weak, alias(#of "_")));
#define NAMES_(name, suffix, of, parameters)                                   \
	NAME_(pmpi_##name##suffix, of, parameters)                             \
	WEAK_(mpi_##name##suffix, of, parameters)
#define ROUTINE_(name, suffix, parameters)                                     \
	void pmpi_##name##suffix parameters;                                   \
	WEAK_(mpi_##name##suffix, pmpi_##name##suffix, parameters)             \
	void pmpi_##name##suffix parameters

#define ROUTINE_MPIF(name, parameters)                                         \
	void pmpi_##name##_ parameters;                                        \
	WEAK_(mpi_##name##_, pmpi_##name, parameters)                          \
	void pmpi_##name##_ parameters
#define ROUTINE_BOTH(name, parameters)                                         \
	NAMES_(name, _f08_, pmpi_##name, parameters)                           \
	ROUTINE_MPIF(name, parameters)
#define ROUTINE_CPTR(name, parameters)                                         \
	NAMES_(name, _cptr_, pmpi_##name, parameters)                          \
	ROUTINE_BOTH(name, parameters)
#define ROUTINE_F08(name, parameters)                                          \
	void pmpi_##name##_f08_ parameters;                                    \
	WEAK_(mpi_##name##_f08_, pmpi_##name##_f08, parameters)                \
	void pmpi_##name##_f08_ parameters
#define ROUTINE_F08TS(name, parameters)                                        \
	void pmpi_##name##_f08ts_ parameters;                                  \
	WEAK_(mpi_##name##_f08ts_, pmpi_##name##_f08ts, parameters)            \
	void pmpi_##name##_f08ts_ parameters

/* Defines the part of a routine that runs only where its arguments need more
 * than a plain call, out of the way of the fast part. */
#define SLOW(name, parameters)                                                 \
	static __attribute__((noinline)) void slow_##name parameters

/* Common blocks. The program has them, too, and the loader makes one of both.
 */
extern MPI_Fint mpi_bottom_, mpi_in_place_, mpi_buffer_automatic_;
extern MPI_Fint mpi_status_ignore_[MPI_F_STATUS_SIZE];
extern MPI_Fint mpi_statuses_ignore_[MPI_F_STATUS_SIZE];
extern MPI_Fint mpi_unweighted_, mpi_weights_empty_, mpi_errcodes_ignore_;
extern char mpi_argv_null_, mpi_argvs_null_;

/* True in the library for INTEGERs of 8 bytes. */
#define FORTRAN_WIDE (sizeof(MPI_Fint) > sizeof(int))

/* The INTEGERs with the bits of the compiler's .TRUE. and .FALSE. */
extern const MPI_Fint mpi_fortran_true, mpi_fortran_false;

static inline void error_out(MPI_Fint *ierror, int code)
{
	if (ierror) /* it is optional in mpi_f08 */
		*ierror = code;
}

/* ---- Buffers and other addresses ---------------------------------------- */

static inline void *buffer_arg(void *address)
{
	if (address == &mpi_bottom_)
		return MPI_BOTTOM;
	return address == &mpi_in_place_ ? MPI_IN_PLACE : address;
}

/* Whether buffer_arg() returns its argument; a message is never in place. */
static inline bool buffer_plain(const void *address)
{
	return address != &mpi_bottom_ && address != &mpi_in_place_;
}

static inline bool message_plain(const void *address)
{
	return address != &mpi_bottom_;
}

static inline void *address_arg(void *address)
{
	if (address == &mpi_bottom_)
		return MPI_BOTTOM;
	return address == &mpi_buffer_automatic_ ? MPI_BUFFER_AUTOMATIC
						 : address;
}

/* Turns the constant of C that address_arg() has passed for
 * MPI_BUFFER_AUTOMATIC back into Fortran's address (MPI 5.0, 3.6.1). */
static inline void address_out(void *address)
{
	void **at = address;

	if (*at == MPI_BUFFER_AUTOMATIC)
		*at = &mpi_buffer_automatic_;
}

static inline MPI_Status *status_arg(MPI_Fint *status)
{
	return status == mpi_status_ignore_ ? MPI_STATUS_IGNORE
					    : (MPI_Status *)status;
}

static inline MPI_Status *statuses_arg(MPI_Fint *statuses)
{
	return statuses == mpi_statuses_ignore_ ? MPI_STATUSES_IGNORE
						: (MPI_Status *)statuses;
}

static inline bool weights_plain(const MPI_Fint *weights)
{
	return weights != &mpi_unweighted_ && weights != &mpi_weights_empty_;
}

/* The weights themselves are `values`. */
static inline int *weights_arg(const MPI_Fint *weights, int *values)
{
	if (weights == &mpi_unweighted_)
		return MPI_UNWEIGHTED;
	return weights == &mpi_weights_empty_ ? MPI_WEIGHTS_EMPTY : values;
}

/* Fortran counts from 1; MPI_UNDEFINED stays. */
static inline void indices_out(int n, MPI_Fint *indices)
{
	for (int k = 0; k < n; k++)
		indices[k] += indices[k] != MPI_UNDEFINED;
}

/* ---- Arrays on the stack, or on the heap if they are longer -------------- */

enum { SCRATCH = 64 };

/* Returns room for n elements, which is the one given if they fit; the process
 * ends if there is no memory. */
void *scratch_room(long n, size_t size, void *room);

void scratch_free_(void *array);

#define scratch_free(array, room)                                              \
	((void *)(array) == (void *)(room) ? (void)0 : scratch_free_(array))

/* ---- Handles ------------------------------------------------------------ */

/* The standard ABI keeps the numbers below for predefined handles, whose
 * integers they are. */
enum { PREDEFINED = 0x400 };

/* The integer of a handle, so that a sum of some is below PREDEFINED only if
 * each of them is. */
static inline uintptr_t number_of(const MPI_Fint *handle)
{
	return *(const unsigned *)handle;
}

#define HANDLE_(type, stem, name)                                              \
	static inline type stem##_in(MPI_Fint number)                          \
	{                                                                      \
		if (number >= 0 && number < PREDEFINED)                        \
			return (type)(uintptr_t)number;                        \
		return PMPI_##name##_fromint(number);                          \
	}                                                                      \
	static inline MPI_Fint stem##_out(type handle)                         \
	{                                                                      \
		if ((uintptr_t)handle < PREDEFINED)                            \
			return (MPI_Fint)(uintptr_t)handle;                    \
		return PMPI_##name##_toint(handle);                            \
	}                                                                      \
	static inline type *stem##_room(long n, type *room)                    \
	{                                                                      \
		return scratch_room(n, sizeof(type), room);                    \
	}                                                                      \
	static inline type *stem##s_in(long n, const MPI_Fint *numbers,        \
				       type *room)                             \
	{                                                                      \
		type *handles = stem##_room(n, room);                          \
		for (long k = 0; k < n; k++)                                   \
			handles[k] = stem##_in(numbers[k]);                    \
		return handles;                                                \
	}                                                                      \
	static inline void stem##s_out(long n, type *handles,                  \
				       MPI_Fint *numbers)                      \
	{                                                                      \
		for (long k = 0; k < n; k++)                                   \
			numbers[k] = stem##_out(handles[k]);                   \
	}
HANDLE_(MPI_Comm, comm, Comm)
HANDLE_(MPI_Datatype, datatype, Type)
HANDLE_(MPI_Errhandler, errhandler, Errhandler)
HANDLE_(MPI_File, file, File)
HANDLE_(MPI_Group, group, Group)
HANDLE_(MPI_Info, info, Info)
HANDLE_(MPI_Message, message, Message)
HANDLE_(MPI_Op, op, Op)
HANDLE_(MPI_Request, request, Request)
HANDLE_(MPI_Session, session, Session)
HANDLE_(MPI_Win, win, Win)
#undef HANDLE_

/* The number of types that MPI_Alltoallw takes for a buffer: none for
 * MPI_IN_PLACE. */
int fortran_peers(const void *buffer, MPI_Comm comm);

/* Whether a buffer of a collective with a root matters at this rank: between
 * two groups the others are the ranks of the group without the root. */
enum { BUFFER_OF_ROOT, BUFFER_OF_OTHERS, BUFFER_OF_ALL };
bool fortran_matters(MPI_Comm comm, int root, int buffer);

/* The number of types that MPI_Neighbor_alltoallw takes, for sending or for
 * receiving. */
int fortran_neighbors(MPI_Comm comm, int receiving);

/* The dimensions of a Cartesian communicator; 0 for others. */
int fortran_dims(MPI_Comm comm);

/* ---- Logicals ------------------------------------------------------------ */

static inline int logical_in(MPI_Fint logical)
{
	return logical != mpi_fortran_false;
}

static inline MPI_Fint logical_out(int flag)
{
	return flag ? mpi_fortran_true : mpi_fortran_false;
}

static inline int *logical_room(long n, int *room)
{
	return scratch_room(n, sizeof(int), room);
}

int *logicals_in(long n, const MPI_Fint *logicals, int *room);
void logicals_out(long n, const int *flags, MPI_Fint *logicals);

/* ---- INTEGERs of 8 bytes (wide.c) ---------------------------------------- */

/* Returns an argument as an int. Ends the process if it is none, which
 * `routine` is told of. */
int int_checked(MPI_Fint value, const char *routine);
#define int_in(value)                                                          \
	(FORTRAN_WIDE ? int_checked(value, __func__) : (int)(value))

/* Copies n INTEGERs to ints; ints_room() those that C writes, and may leave as
 * they are. */
int *ints_checked(long n, const MPI_Fint *values, int *room,
		  const char *routine);
int *ints_room(long n, const MPI_Fint *values, int *room);
void ints_out(long n, const int *from, MPI_Fint *values);
#define ints_in(n, values, room) ints_checked(n, values, room, __func__)

/* The sum of n INTEGERs. */
long fortran_sum(long n, const MPI_Fint *values);

/* Return what C gets for Fortran's statuses: `room`, which receives copies of
 * them, or MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE where Fortran ignores
 * them. */
MPI_Status *status_in(const MPI_Fint *status, MPI_Status *room);
MPI_Status *statuses_in(long n, const MPI_Fint *statuses, MPI_Status *room);
void status_out(const MPI_Status *from, MPI_Fint *status);
void statuses_out(long n, const MPI_Status *from, MPI_Fint *statuses);

/* ---- Strings ------------------------------------------------------------- */

/* Copies a string without the blanks at its end, with a zero; the second also
 * without those at its beginning. The room has SCRATCH bytes. */
char *string_in(const char *text, size_t length, char *room);
char *string_stripped(const char *text, size_t length, char *room);

/* Copies a C string, cut or padded with blanks to the length. */
void string_out(const char *from, char *text, size_t length);

#endif
