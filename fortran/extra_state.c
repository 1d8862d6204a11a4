/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extra_state.c: generalized requests and data representations, whose
 * callbacks in Fortran are part of their extra state in C.
 */
#include <stdlib.h>

#include "fortran/convert.h"

/* ---- Generalized requests --------------------------------------------------
 */

struct grequest {
	void (*query)(MPI_Aint *extra, MPI_Fint *status, MPI_Fint *ierror);
	void (*free)(MPI_Aint *extra, MPI_Fint *ierror);
	void (*cancel)(MPI_Aint *extra, MPI_Fint *complete, MPI_Fint *ierror);
	MPI_Aint extra;
};

static int extra_state_query(void *state, MPI_Status *status)
{
	struct grequest *request = state;
	MPI_Fint f_status[MPI_F_STATUS_SIZE], ierror = MPI_SUCCESS;

	MPI_Status_c2f(status, f_status);
	request->query(&request->extra, f_status, &ierror);
	MPI_Status_f2c(f_status, status);
	return (int)ierror;
}

static int extra_state_release(void *state)
{
	struct grequest *request = state;
	MPI_Fint ierror = MPI_SUCCESS;

	request->free(&request->extra, &ierror);
	free(request);
	return (int)ierror;
}

static int extra_state_cancel(void *state, int complete)
{
	struct grequest *request = state;
	MPI_Fint ierror = MPI_SUCCESS, flag = logical_out(complete);

	request->cancel(&request->extra, &flag, &ierror);
	return (int)ierror;
}

ROUTINE_BOTH(grequest_start,
	     (__typeof__(((struct grequest *)0)->query) query_fn,
	      __typeof__(((struct grequest *)0)->free) free_fn,
	      __typeof__(((struct grequest *)0)->cancel) cancel_fn,
	      MPI_Aint *extra, MPI_Fint *request, MPI_Fint *ierror))
{
	struct grequest *state = malloc(sizeof(*state));
	MPI_Request made;
	int rc = MPI_ERR_NO_MEM;

	if (state) {
		*state =
		    (struct grequest){query_fn, free_fn, cancel_fn, *extra};
		rc = MPI_Grequest_start(extra_state_query, extra_state_release,
					extra_state_cancel, state, &made);
	}
	if (!rc)
		*request = request_out(made);
	else
		free(state);
	error_out(ierror, rc);
}

/* ---- Data representations
 * ---------------------------------------------------- */

typedef void conversion_function(void *userbuf, MPI_Fint *type, void *count,
				 void *filebuf, MPI_Offset *position,
				 MPI_Aint *extra, MPI_Fint *ierror);
typedef void extent_function(MPI_Fint *type, MPI_Aint *extent, MPI_Aint *extra,
			     MPI_Fint *ierror);

/* A representation lasts as long as the program. */
struct datarep {
	struct datarep *next;
	conversion_function *read, *write;
	extent_function *extent;
	MPI_Aint extra;
};

static struct datarep *datareps;

#define NULL_CONVERSION_(name)                                                 \
	void name(void *userbuf, MPI_Fint *type, void *count, void *filebuf,   \
		  MPI_Offset *position, MPI_Aint *extra, MPI_Fint *ierror);    \
	void name(void *userbuf, MPI_Fint *type, void *count, void *filebuf,   \
		  MPI_Offset *position, MPI_Aint *extra, MPI_Fint *ierror)     \
	{                                                                      \
		*ierror = MPI_ERR_CONVERSION;                                  \
	}
NULL_CONVERSION_(mpi_conversion_fn_null_)
NULL_CONVERSION_(mpi_conversion_fn_null_c_)
/* The count of a conversion function is an INTEGER, or a large count. */
#define CONVERSION_(name, member, Count, Integer)                              \
	static int name(void *userbuf, MPI_Datatype type, Count count,         \
			void *filebuf, MPI_Offset position, void *state)       \
	{                                                                      \
		struct datarep *datarep = state;                               \
		MPI_Fint ierror = MPI_SUCCESS, number = datatype_out(type);    \
		Integer n = count;                                             \
		datarep->member(userbuf, &number, &n, filebuf, &position,      \
				&datarep->extra, &ierror);                     \
		return (int)ierror;                                            \
	}
CONVERSION_(read_rep, read, int, MPI_Fint)
CONVERSION_(write_rep, write, int, MPI_Fint)
CONVERSION_(read_rep_c, read, MPI_Count, MPI_Count)
CONVERSION_(write_rep_c, write, MPI_Count, MPI_Count)

static int extent_rep(MPI_Datatype type, MPI_Aint *extent, void *state)
{
	struct datarep *datarep = state;
	MPI_Fint ierror = MPI_SUCCESS, number = datatype_out(type);

	datarep->extent(&number, extent, &datarep->extra, &ierror);
	return (int)ierror;
}

static struct datarep *datarep_create(conversion_function *read,
				      conversion_function *write,
				      extent_function *extent, MPI_Aint extra)
{
	struct datarep *made = malloc(sizeof(*made));

	if (!made)
		return NULL;
	*made = (struct datarep){datareps, read, write, extent, extra};
	datareps = made;
	return made;
}

#define REGISTER_(ROUTINE, routine, Register, null, suffix)                    \
	ROUTINE(routine,                                                       \
		(char *name, conversion_function *read_fn,                     \
		 conversion_function *write_fn, extent_function *extent_fn,    \
		 MPI_Aint *extra, MPI_Fint *ierror, size_t name_len))          \
	{                                                                      \
		char s_name[SCRATCH],                                          \
		    *c_name = string_in(name, name_len, s_name);               \
		struct datarep *state =                                        \
		    datarep_create(read_fn, write_fn, extent_fn, *extra);      \
		error_out(                                                     \
		    ierror,                                                    \
		    !state ? MPI_ERR_NO_MEM                                    \
			   : Register(                                         \
				 c_name,                                       \
				 read_fn == null ? NULL : read_rep##suffix,    \
				 write_fn == null ? NULL : write_rep##suffix,  \
				 extent_rep, state));                          \
		scratch_free(c_name, s_name);                                  \
	}
REGISTER_(ROUTINE_BOTH, register_datarep, MPI_Register_datarep,
	  mpi_conversion_fn_null_, )
REGISTER_(ROUTINE_F08, register_datarep_c, MPI_Register_datarep_c,
	  mpi_conversion_fn_null_c_, _c)
