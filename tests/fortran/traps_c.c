/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traps_c.c: C code that is called from Fortran, and calls Fortran: with a
 * communicator, of which it makes a handle by mpi.h and by the symbol that
 * other headers of the ABI refer to, with statuses, which may be ignored, and
 * with attributes, which the one sets and the other reads.
 */
#include <mpi.h>
#include <stddef.h>

MPI_Fint size_in_c_(const MPI_Fint *comm);
MPI_Fint size_by_symbol_(const MPI_Fint *comm);

MPI_Fint size_in_c_(const MPI_Fint *comm)
{
	int size = -1;

	MPI_Comm_size(MPI_Comm_f2c(*comm), &size);
	return size;
}

extern MPI_Comm f2c_symbol(MPI_Fint comm) __asm__("MPI_Comm_f2c");
extern MPI_Fint c2f_symbol(MPI_Comm comm) __asm__("MPI_Comm_c2f");

MPI_Fint size_by_symbol_(const MPI_Fint *comm)
{
	int size = -1;

	MPI_Comm_size(f2c_symbol(*comm), &size);
	return c2f_symbol(f2c_symbol(*comm)) == *comm ? size : -1;
}

/* Returns what Fortran passes for a status: 1 and 2 for MPI_STATUS_IGNORE and
 * MPI_STATUSES_IGNORE, 0 for a status, -1 if mpif.h and mpi_f08 differ. */
MPI_Fint ignored_in_c_(const MPI_Fint *status);
MPI_Fint ignored_in_c_(const MPI_Fint *status)
{
	const MPI_F08_status *f08 = (const MPI_F08_status *)status;
	int which = status == MPI_F_STATUS_IGNORE     ? 1
		    : status == MPI_F_STATUSES_IGNORE ? 2
						      : 0;
	int which_f08 = f08 == MPI_F08_STATUS_IGNORE	 ? 1
			: f08 == MPI_F08_STATUSES_IGNORE ? 2
							 : 0;

	return which == which_f08 ? which : -1;
}

/* Returns the tag of a status that C has filled, and which went through all
 * conversions. */
MPI_Fint tag_in_c_(const MPI_Fint *status);
MPI_Fint tag_in_c_(const MPI_Fint *status)
{
	MPI_Status s;
	MPI_F08_status f08;
	MPI_Fint f[MPI_F_STATUS_SIZE];

	MPI_Status_f2c(status, &s);
	MPI_Status_c2f08(&s, &f08);
	MPI_Status_f082f(&f08, f);
	PMPI_Status_f2f08(f, &f08);
	PMPI_Status_f082c(&f08, &s);
	PMPI_Status_c2f(&s, f);
	return f08.MPI_TAG == s.MPI_TAG ? f[MPI_F_TAG] : -1;
}

void mpi_iprobe_(const MPI_Fint *source, const MPI_Fint *tag,
		 const MPI_Fint *comm, MPI_Fint *flag, MPI_Fint *status,
		 MPI_Fint *ierror);
void mpi_waitall_(const MPI_Fint *count, MPI_Fint *requests, MPI_Fint *statuses,
		  MPI_Fint *ierror);

/* Calls Fortran's routines with statuses to be ignored, which must not be
 * written; returns an error. */
MPI_Fint ignore_from_c_(const MPI_Fint *comm);
MPI_Fint ignore_from_c_(const MPI_Fint *comm)
{
	MPI_Fint source = MPI_PROC_NULL, tag = 5, one = 1, flag, ierror;
	MPI_Fint request = MPI_Request_c2f(MPI_REQUEST_NULL);

	mpi_iprobe_(&source, &tag, comm, &flag, MPI_F_STATUS_IGNORE, &ierror);
	if (ierror == MPI_SUCCESS)
		mpi_waitall_(&one, &request, MPI_F_STATUSES_IGNORE, &ierror);
	return ierror;
}

/* Whether an attribute is for C a pointer to the integer that Fortran has set,
 * an INTEGER if it is `old`, else one of address kind. */
MPI_Fint attribute_in_c_(const MPI_Fint *comm, const MPI_Fint *key,
			 const MPI_Aint *want, const MPI_Fint *old);
MPI_Fint attribute_in_c_(const MPI_Fint *comm, const MPI_Fint *key,
			 const MPI_Aint *want, const MPI_Fint *old)
{
	void *value = NULL;
	int flag = 0;

	MPI_Comm_get_attr(MPI_Comm_f2c(*comm), (int)*key, &value, &flag);
	if (!flag || value == (void *)*want)
		return 0;
	return *old ? *(MPI_Fint *)value == *want : *(MPI_Aint *)value == *want;
}

/* Sets an attribute, and reads what C has set. */
void set_in_c_(const MPI_Fint *comm, const MPI_Fint *key,
	       const MPI_Aint *address);
void set_in_c_(const MPI_Fint *comm, const MPI_Fint *key,
	       const MPI_Aint *address)
{
	MPI_Comm_set_attr(MPI_Comm_f2c(*comm), (int)*key, (void *)*address);
}

MPI_Aint get_in_c_(const MPI_Fint *comm, const MPI_Fint *key);
MPI_Aint get_in_c_(const MPI_Fint *comm, const MPI_Fint *key)
{
	void *value = NULL;
	int flag = 0;

	MPI_Comm_get_attr(MPI_Comm_f2c(*comm), (int)*key, &value, &flag);
	return (MPI_Aint)value;
}

/* A key whose callbacks count 100 for each copy of an attribute, and 1 for its
 * deletion, if it is a pointer to 77. */
static int calls_in_c;

static int is_77(void *value)
{
	return value != (void *)77 && *(MPI_Aint *)value == 77;
}

static int copy_in_c(MPI_Comm comm, int key, void *state, void *in, void *out,
		     int *flag)
{
	calls_in_c += 100 * is_77(in);
	*(void **)out = in;
	*flag = 1;
	return MPI_SUCCESS;
}

static int delete_in_c(MPI_Comm comm, int key, void *value, void *state)
{
	calls_in_c += is_77(value);
	return MPI_SUCCESS;
}

MPI_Fint key_in_c_(void);
MPI_Fint key_in_c_(void)
{
	int key = MPI_KEYVAL_INVALID;

	MPI_Comm_create_keyval(copy_in_c, delete_in_c, &key, NULL);
	return key;
}

MPI_Fint calls_in_c_(void);
MPI_Fint calls_in_c_(void)
{
	return calls_in_c;
}
