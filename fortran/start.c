/* SPDX-License-Identifier: Apache-2.0 */
/*
 * start.c: routines that differ from their functions in C: start and time,
 * strings whose length is an argument, conversions, and what C has not.
 */
#include <string.h>

#include "fortran/section.h"

/* ---- Start ------------------------------------------------------------------
 */

/* Tells the library what this compiler means by .TRUE., unless it knows. */
static int booleans_set(int rc)
{
	MPI_Fint yes = mpi_fortran_true, no = mpi_fortran_false, a, b;
	int is_set;

	if (rc || PMPI_Abi_get_fortran_booleans(sizeof(yes), &a, &b, &is_set) ||
	    is_set)
		return rc;
	return PMPI_Abi_set_fortran_booleans(sizeof(yes), &yes, &no);
}

ROUTINE_BOTH(init, (MPI_Fint * ierror))
{
	error_out(ierror, booleans_set(MPI_Init(NULL, NULL)));
}

ROUTINE_BOTH(init_thread,
	     (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *ierror))
{
	int level = MPI_THREAD_SINGLE,
	    rc = MPI_Init_thread(NULL, NULL, int_in(*required), &level);

	if (!rc)
		*provided = level;
	error_out(ierror, booleans_set(rc));
}

ROUTINE_BOTH(pcontrol, (MPI_Fint * level))
{
	MPI_Pcontrol(int_in(*level));
}

/* ---- Functions
 * ---------------------------------------------------------------- */

#define FUNCTION_(type, name, parameters, value)                               \
	type pmpi_##name##_ parameters;                                        \
	type mpi_##name##_ parameters                                          \
	    __attribute__((weak, alias("pmpi_" #name "_")));                   \
	type pmpi_##name##_ parameters                                         \
	{                                                                      \
		return value;                                                  \
	}
FUNCTION_(double, wtime, (void), MPI_Wtime())
FUNCTION_(double, wtick, (void), MPI_Wtick())
FUNCTION_(MPI_Aint, aint_add, (MPI_Aint * base, MPI_Aint *disp),
	  MPI_Aint_add(*base, *disp))
FUNCTION_(MPI_Aint, aint_diff, (MPI_Aint * addr1, MPI_Aint *addr2),
	  MPI_Aint_diff(*addr1, *addr2))
/* ---- Strings with a length
 * ------------------------------------------------------ */

ROUTINE_BOTH(info_get, (MPI_Fint * info, char *key, MPI_Fint *valuelen,
			char *value, MPI_Fint *flag, MPI_Fint *ierror,
			size_t key_len, size_t value_len))
{
	char s_key[SCRATCH], *c_key = string_stripped(key, key_len, s_key);
	char c_value[MPI_MAX_INFO_VAL] = "";
	int room = *valuelen < MPI_MAX_INFO_VAL ? (int)*valuelen
						: MPI_MAX_INFO_VAL - 1,
	    found = 0;
	int rc = MPI_Info_get(info_in(*info), c_key, room, c_value, &found);

	if (!rc && found)
		string_out(c_value, value, value_len);
	*flag = logical_out(found);
	scratch_free(c_key, s_key);
	error_out(ierror, rc);
}

/* Lengths count no zero in Fortran. */
ROUTINE_BOTH(info_get_string, (MPI_Fint * info, char *key, MPI_Fint *buflen,
			       char *value, MPI_Fint *flag, MPI_Fint *ierror,
			       size_t key_len, size_t value_len))
{
	char s_key[SCRATCH], *c_key = string_stripped(key, key_len, s_key);
	char c_value[MPI_MAX_INFO_VAL] = "";
	int room = *buflen < MPI_MAX_INFO_VAL ? (int)*buflen
					      : MPI_MAX_INFO_VAL - 1,
	    length = room > 0 ? room + 1 : 0, found = 0;
	int rc = MPI_Info_get_string(info_in(*info), c_key, &length, c_value,
				     &found);

	if (!rc && found) {
		if (room > 0)
			string_out(c_value, value, value_len);
		*buflen = length - 1;
	}
	*flag = logical_out(found);
	scratch_free(c_key, s_key);
	error_out(ierror, rc);
}

ROUTINE_BOTH(session_get_nth_pset,
	     (MPI_Fint * session, MPI_Fint *info, MPI_Fint *n,
	      MPI_Fint *pset_len, char *pset_name, MPI_Fint *ierror,
	      size_t pset_name_len))
{
	char c_name[MPI_MAX_PSET_NAME_LEN] = "";
	int room = *pset_len < MPI_MAX_PSET_NAME_LEN
		       ? (int)*pset_len
		       : MPI_MAX_PSET_NAME_LEN - 1,
	    length = room > 0 ? room + 1 : 0;
	int rc = MPI_Session_get_nth_pset(session_in(*session), info_in(*info),
					  int_in(*n), &length, c_name);

	if (!rc) {
		if (room > 0)
			string_out(c_name, pset_name, pset_name_len);
		*pset_len = length - 1;
	}
	error_out(ierror, rc);
}

/* ---- What C has not
 * --------------------------------------------------------------- */

ROUTINE_MPIF(f_sync_reg, (void *buffer))
{
}

ROUTINE_F08TS(f_sync_reg, (CFI_cdesc_t * buffer))
{
}

ROUTINE_F08TS(sizeof, (CFI_cdesc_t * x, MPI_Fint *size, MPI_Fint *ierror))
{
	*size = (MPI_Fint)x->elem_len;
	error_out(ierror, MPI_SUCCESS);
}

/* One is an array, the other a type, of the same contents. */
ROUTINE_BOTH(status_f2f08,
	     (MPI_Fint * f_status, MPI_Fint *f08_status, MPI_Fint *ierror))
{
	memcpy(f08_status, f_status, MPI_F_STATUS_SIZE * sizeof(*f_status));
	error_out(ierror, MPI_SUCCESS);
}

ROUTINE_BOTH(status_f082f,
	     (MPI_Fint * f08_status, MPI_Fint *f_status, MPI_Fint *ierror))
{
	memcpy(f_status, f08_status, MPI_F_STATUS_SIZE * sizeof(*f_status));
	error_out(ierror, MPI_SUCCESS);
}
