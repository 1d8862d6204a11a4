#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stubs.sh: writes the C text of the functions that mpi_functions.h declares and
# mpi/ does not define: they exist, so that programs that mention them link,
# and say that they are not offered.
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
X
{
	cat "$@" | grep -oE 'alias\("PMPI_" "[A-Za-z0-9_]+"\)' |
		sed -E 's/.*"([A-Za-z0-9_]+)"\)/\1 defined/'
	sed -nE 's/^MPI_DECLARE_\([^,]*, ([A-Za-z0-9_]+),.*/\1/p' "$functions"
} | awk 'NF == 2 { defined[$1] = 1; next }
	!($1 in defined) { print "STUB(" $1 ");" }'
