#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stubs.sh: writes the C text of the functions that mpi_functions.h declares and
# mpi/ does not define: they exist, so that programs that mention them link,
# and say that they are not offered. Those of the tool interface return an error
# of its own, as a program does without it: none may end because it asked.
#	stubs.sh FUNCTIONS PREPROCESSED...
# PREPROCESSED is the output of the C preprocessor for the files of mpi/.
set -eu
functions=$1
shift
cat <<X
/* Written by stubs.sh. They take no notice of their arguments, so they need no
 * declarations; what returns a double or a handle returns an int here, too. */
int mpi_unsupported(const char *function);
#pragma GCC visibility push(default)
#define STUB(name)                                                             \\
	int PMPI_##name(void);                                                 \\
	int PMPI_##name(void) { return mpi_unsupported("MPI_" #name); }        \\
	int MPI_##name(void) __attribute__((weak, alias("PMPI_" #name)))
/* MPI_T_ERR_NOT_INITIALIZED; of MPI_T_init_thread MPI_T_ERR_CANNOT_INIT */
#define STUB_OF(name, code)                                                    \\
	int PMPI_##name(void);                                                 \\
	int PMPI_##name(void) { return code; }                                 \\
	int MPI_##name(void) __attribute__((weak, alias("PMPI_" #name)))
X
{
	cat "$@" | grep -oE 'alias\("PMPI_" "[A-Za-z0-9_]+"\)' |
		sed -E 's/.*"([A-Za-z0-9_]+)"\)/\1 defined/'
	sed -nE 's/^MPI_DECLARE_\([^,]*, ([A-Za-z0-9_]+),.*/\1/p' "$functions"
} | awk 'NF == 2 { defined[$1] = 1; next }
	$1 in defined { next }
	$1 == "T_init_thread" { print "STUB_OF(" $1 ", 1001);"; next }
	/^T_/ { print "STUB_OF(" $1 ", 1003);"; next }
	{ print "STUB(" $1 ");" }'
