/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comm_spawn.c: MPI_Comm_spawn and MPI_Comm_spawn_multiple, whose arguments are
 * arrays of strings that a blank one ends.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fortran/convert.h"

static void strings_free(char **strings)
{
	for (char **s = strings; s && *s; s++)
		free(*s);
	free(strings);
}

/* Copies `count` strings of an array whose elements are `step` strings apart,
 * or all up to a blank one if the count is negative, and ends them with NULL;
 * NULL if there is no memory. */
static char **strings_in(const char *text, size_t length, long count, long step)
{
	char **strings = NULL, **more;

	for (long k = 0;; k++, text += (size_t)step * length) {
		char s[SCRATCH],
		    *one = k == count ? NULL : string_in(text, length, s);
		bool last = !one || (count < 0 && !*one);

		more = realloc(strings, (size_t)(k + 1) * sizeof(*more));
		if (more) {
			strings = more;
			strings[k] = last ? NULL : strdup(one);
		}
		if (one)
			scratch_free(one, s);
		if (more && last)
			return strings;
		if (!more || !strings[k])
			break;
	}
	strings_free(strings);
	return NULL;
}

/* Returns where C writes the codes of n processes. If INTEGERs have 8 bytes
 * others than the root, which do not know n, get none. */
static int *codes_arg(MPI_Fint *codes, long n, MPI_Fint root, MPI_Comm comm,
		      int *room)
{
	int rank = (int)root;

	if (codes == &mpi_errcodes_ignore_)
		return MPI_ERRCODES_IGNORE;
	if (FORTRAN_WIDE) {
		PMPI_Comm_rank(comm, &rank);
		return rank == root ? ints_room(n, codes, room)
				    : MPI_ERRCODES_IGNORE;
	}
	return (int *)codes;
}

static void codes_out(int *from, long n, MPI_Fint *codes, int *room)
{
	if (FORTRAN_WIDE && from != MPI_ERRCODES_IGNORE) {
		ints_out(n, from, codes);
		scratch_free(from, room);
	}
}

ROUTINE_BOTH(comm_spawn,
	     (char *command, char *argv, MPI_Fint *maxprocs, MPI_Fint *info,
	      MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm,
	      MPI_Fint *array_of_errcodes, MPI_Fint *ierror, size_t command_len,
	      size_t argv_len))
{
	bool none = argv == &mpi_argv_null_;
	char **words = none ? NULL : strings_in(argv, argv_len, -1, 1);
	char **name = strings_in(command, command_len, 1, 1);
	MPI_Comm made = MPI_COMM_NULL;
	int s_codes[SCRATCH],
	    *codes = codes_arg(array_of_errcodes, *maxprocs, *root,
			       comm_in(*comm), s_codes);
	int rc = MPI_ERR_NO_MEM;

	if (name && (words || none))
		rc =
		    MPI_Comm_spawn(name[0], none ? MPI_ARGV_NULL : words,
				   (int)*maxprocs, info_in(*info),
				   int_in(*root), comm_in(*comm), &made, codes);
	if (!rc)
		*intercomm = comm_out(made);
	codes_out(codes, *maxprocs, array_of_errcodes, s_codes);
	strings_free(name);
	strings_free(words);
	error_out(ierror, rc);
}

/* The arguments of command k are row k of the array. */
static char ***rows_in(const char *text, size_t length, int count)
{
	char ***rows = calloc((size_t)count + 1, sizeof(*rows));

	for (int k = 0; rows && k < count; k++)
		rows[k] =
		    strings_in(text + (size_t)k * length, length, -1, count);
	return rows;
}

ROUTINE_BOTH(comm_spawn_multiple,
	     (MPI_Fint * count, char *array_of_commands, char *array_of_argv,
	      MPI_Fint *array_of_maxprocs, MPI_Fint *array_of_info,
	      MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm,
	      MPI_Fint *array_of_errcodes, MPI_Fint *ierror,
	      size_t commands_len, size_t argv_len))
{
	bool none = array_of_argv == &mpi_argvs_null_;
	char ***rows =
	    none ? NULL : rows_in(array_of_argv, argv_len, (int)*count);
	char **names = strings_in(array_of_commands, commands_len, *count, 1);
	MPI_Info s_info[SCRATCH],
	    *infos = infos_in(*count, array_of_info, s_info);
	MPI_Comm made = MPI_COMM_NULL;
	int s_most[SCRATCH], *most = (int *)array_of_maxprocs;
	long n = 0;
	int s_codes[SCRATCH], *codes, rc = MPI_ERR_NO_MEM;

	if (FORTRAN_WIDE) {
		most = ints_room(*count, array_of_maxprocs, s_most);
		n = fortran_sum(*count, array_of_maxprocs);
	}
	codes = codes_arg(array_of_errcodes, n, *root, comm_in(*comm), s_codes);
	if (names && (rows || none))
		rc = MPI_Comm_spawn_multiple(
		    (int)*count, names, none ? MPI_ARGVS_NULL : rows, most,
		    infos, int_in(*root), comm_in(*comm), &made, codes);
	if (!rc)
		*intercomm = comm_out(made);
	codes_out(codes, n, array_of_errcodes, s_codes);
	if (FORTRAN_WIDE)
		scratch_free(most, s_most);
	for (int k = 0; rows && k < *count; k++)
		strings_free(rows[k]);
	free(rows);
	strings_free(names);
	scratch_free(infos, s_info);
	error_out(ierror, rc);
}
