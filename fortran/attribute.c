/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attribute.c: attributes, and keys whose callbacks are written in Fortran. An
 * attribute is an integer of address kind. What Fortran has set is for C a
 * pointer to it, what C has set is for Fortran the address; those of MPI itself
 * are pointers to integers in C, and these integers in Fortran.
 */
#include <stdlib.h>

#include "fortran/attribute_value.h"

/* ---- Keys -----------------------------------------------------------------
 */

typedef void copy_function(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *extra,
			   MPI_Aint *in, MPI_Aint *out, MPI_Fint *flag,
			   MPI_Fint *ierror);
typedef void delete_function(MPI_Fint *object, MPI_Fint *keyval,
			     MPI_Aint *value, MPI_Aint *extra,
			     MPI_Fint *ierror);
typedef void old_copy_function(MPI_Fint *object, MPI_Fint *keyval,
			       MPI_Fint *extra, MPI_Fint *in, MPI_Fint *out,
			       MPI_Fint *flag, MPI_Fint *ierror);
typedef void old_delete_function(MPI_Fint *object, MPI_Fint *keyval,
				 MPI_Fint *value, MPI_Fint *extra,
				 MPI_Fint *ierror);

/* The extra state of a key in C. Attributes may outlive the key, so it is kept
 * for good, on a list. */
struct key {
	struct key *next;
	copy_function *copy;
	delete_function *delete;
	old_copy_function *old_copy;
	old_delete_function *old_delete;
	MPI_Aint extra;
};

static struct key *keys;

static struct key *key_create(struct key values)
{
	struct key *key = malloc(sizeof(*key));

	if (!key)
		return NULL;
	*key = values;
	key->next = __atomic_load_n(&keys, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&keys, &key->next, key, 0,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
	return key;
}

/* A copy is an integer or a pointer as the attribute is. */
static int attribute_copy(struct key *key, MPI_Fint object, MPI_Fint keyval,
			  void *attribute, void **out, int *flag)
{
	MPI_Fint ierror = MPI_SUCCESS, copied = logical_out(0);
	MPI_Aint value, made;
	bool fortran = value_read(attribute, &value);

	made = value;
	if (key->old_copy) {
		MPI_Fint extra = (MPI_Fint)key->extra, in = (MPI_Fint)value,
			 old = in;

		key->old_copy(&object, &keyval, &extra, &in, &old, &copied,
			      &ierror);
		if (old != in) /* which may be a part of a pointer */
			made = old;
	} else {
		key->copy(&object, &keyval, &key->extra, &value, &made, &copied,
			  &ierror);
	}
	*flag = !ierror && logical_in(copied);
	if (*flag)
		*out = fortran ? value_hold(made) : (void *)made;
	return *flag && fortran && !*out ? MPI_ERR_NO_MEM : (int)ierror;
}

static int delete (struct key *key, MPI_Fint object, MPI_Fint keyval,
		   void *attribute)
{
	MPI_Fint ierror = MPI_SUCCESS;
	MPI_Aint value;

	value_read(attribute, &value);
	if (key->old_delete) {
		MPI_Fint extra = (MPI_Fint)key->extra, old = (MPI_Fint)value;

		key->old_delete(&object, &keyval, &old, &extra, &ierror);
	} else {
		key->delete (&object, &keyval, &value, &key->extra, &ierror);
	}
	if (!ierror)
		value_release(attribute);
	return (int)ierror;
}

#define CALLBACKS_(Type, stem)                                                 \
	static int stem##_copy(Type object, int keyval, void *extra, void *in, \
			       void *out, int *flag)                           \
	{                                                                      \
		return attribute_copy(extra, stem##_out(object), keyval, in,   \
				      out, flag);                              \
	}                                                                      \
	static int stem##_delete(Type object, int keyval, void *value,         \
				 void *extra)                                  \
	{                                                                      \
		return delete (extra, stem##_out(object), keyval, value);      \
	}
CALLBACKS_(MPI_Comm, comm)
CALLBACKS_(MPI_Datatype, datatype)
CALLBACKS_(MPI_Win, win)

#define CREATE_(routine, Name, stem)                                           \
	ROUTINE_BOTH(routine,                                                  \
		     (copy_function * copy_fn, delete_function * delete_fn,    \
		      MPI_Fint * keyval, MPI_Aint * extra, MPI_Fint * ierror)) \
	{                                                                      \
		struct key *key = key_create((struct key){                     \
		    .copy = copy_fn, .delete = delete_fn, .extra = *extra});   \
		int made, rc = MPI_ERR_NO_MEM;                                 \
		if (key)                                                       \
			rc = MPI_##Name##_create_keyval(                       \
			    stem##_copy, stem##_delete, &made, key);           \
		if (!rc)                                                       \
			*keyval = made;                                        \
		error_out(ierror, rc);                                         \
	}
CREATE_(comm_create_keyval, Comm, comm)
CREATE_(type_create_keyval, Type, datatype)
CREATE_(win_create_keyval, Win, win)

ROUTINE_MPIF(keyval_create,
	     (old_copy_function * copy_fn, old_delete_function *delete_fn,
	      MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *ierror))
{
	struct key *key = key_create((struct key){
	    .old_copy = copy_fn, .old_delete = delete_fn, .extra = *extra});
	int made, rc = MPI_ERR_NO_MEM;

	if (key)
		rc = MPI_Keyval_create(comm_copy, comm_delete, &made, key);
	if (!rc)
		*keyval = made;
	error_out(ierror, rc);
}

/* ---- The callbacks that MPI brings ------------------------------------------
 */

#define BROUGHT_(routine, parameters, body)                                    \
	void routine parameters;                                               \
	void routine parameters body

#define FUNCTIONS_(prefix, Integer)                                            \
	BROUGHT_(mpi_##prefix##null_copy_fn_,                                  \
		 (MPI_Fint * object, MPI_Fint * keyval, Integer * extra,       \
		  Integer * in, Integer * out, MPI_Fint * flag,                \
		  MPI_Fint * ierror),                                          \
		 {                                                             \
			 *flag = logical_out(0);                               \
			 *ierror = MPI_SUCCESS;                                \
		 })                                                            \
	BROUGHT_(mpi_##prefix##dup_fn_,                                        \
		 (MPI_Fint * object, MPI_Fint * keyval, Integer * extra,       \
		  Integer * in, Integer * out, MPI_Fint * flag,                \
		  MPI_Fint * ierror),                                          \
		 {                                                             \
			 *out = *in;                                           \
			 *flag = logical_out(1);                               \
			 *ierror = MPI_SUCCESS;                                \
		 })                                                            \
	BROUGHT_(mpi_##prefix##null_delete_fn_,                                \
		 (MPI_Fint * object, MPI_Fint * keyval, Integer * value,       \
		  Integer * extra, MPI_Fint * ierror),                         \
		 { *ierror = MPI_SUCCESS; })

FUNCTIONS_(, MPI_Fint)
FUNCTIONS_(comm_, MPI_Aint)
FUNCTIONS_(type_, MPI_Aint)
FUNCTIONS_(win_, MPI_Aint)

/* ---- Attributes ---------------------------------------------------------- */

/* The integer of an attribute that C has read as a pointer. */
static MPI_Aint value_of(int keyval, void *attribute)
{
	MPI_Aint value;

	switch (keyval) {
	case MPI_TAG_UB:
	case MPI_IO:
	case MPI_HOST:
	case MPI_WTIME_IS_GLOBAL:
	case MPI_UNIVERSE_SIZE:
	case MPI_APPNUM:
	case MPI_LASTUSEDCODE:
	case MPI_WIN_DISP_UNIT:
	case MPI_WIN_CREATE_FLAVOR:
	case MPI_WIN_MODEL:
		return *(int *)attribute;
	case MPI_WIN_SIZE:
		return *(MPI_Aint *)attribute;
	default:
		value_read(attribute, &value);
		return value;
	}
}

#define ATTRIBUTES_(set, get, Set, Get, stem, Integer, ROUTINE)                \
	ROUTINE(set, (MPI_Fint * object, MPI_Fint * keyval, Integer * value,   \
		      MPI_Fint * ierror))                                      \
	{                                                                      \
		void *attribute = value_hold(*value);                          \
		int rc = MPI_ERR_NO_MEM;                                       \
		if (attribute)                                                 \
			rc = Set(stem##_in(*object), int_in(*keyval),          \
				 attribute);                                   \
		if (rc)                                                        \
			value_release(attribute);                              \
		error_out(ierror, rc);                                         \
	}                                                                      \
	ROUTINE(get, (MPI_Fint * object, MPI_Fint * keyval, Integer * value,   \
		      MPI_Fint * flag, MPI_Fint * ierror))                     \
	{                                                                      \
		void *attribute = NULL;                                        \
		int found = 0, key = int_in(*keyval),                          \
		    rc = Get(stem##_in(*object), key, &attribute, &found);     \
		if (!rc && found)                                              \
			*value = (Integer)value_of(key, attribute);            \
		*flag = logical_out(found);                                    \
		error_out(ierror, rc);                                         \
	}
ATTRIBUTES_(comm_set_attr, comm_get_attr, MPI_Comm_set_attr, MPI_Comm_get_attr,
	    comm, MPI_Aint, ROUTINE_BOTH)
ATTRIBUTES_(type_set_attr, type_get_attr, MPI_Type_set_attr, MPI_Type_get_attr,
	    datatype, MPI_Aint, ROUTINE_BOTH)
ATTRIBUTES_(win_set_attr, win_get_attr, MPI_Win_set_attr, MPI_Win_get_attr, win,
	    MPI_Aint, ROUTINE_BOTH)
ATTRIBUTES_(attr_put, attr_get, MPI_Attr_put, MPI_Attr_get, comm, MPI_Fint,
	    ROUTINE_MPIF)
