#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stubs.sh: writes the C text of the functions that mpi_prototypes.h declares
# and mpi/ does not define: they exist, so that programs that mention them link,
# and say that they are not offered. Those of the tool interface are functions
# on events, of which there are none, and return MPI_T_ERR_INVALID_HANDLE.
#	stubs.sh FUNCTIONS PREPROCESSED...
# PREPROCESSED is the output of the C preprocessor for the files of mpi/.
set -eu
functions=$1
shift
cat <<X
/* Written by stubs.sh. They take no notice of their arguments but the
 * communicator, so most need no declarations; what returns a double or a handle
 * returns an int here, too. A handle is a pointer. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
typedef void *MPI_Comm, *MPI_Datatype, *MPI_File, *MPI_Info, *MPI_Request,
    *MPI_Win;
typedef __INTPTR_TYPE__ MPI_Aint;
typedef __INT64_TYPE__ MPI_Count;
int mpi_unsupported(const char *function);
int mpi_unsupported_on(MPI_Comm comm, const char *function);
#pragma GCC visibility push(default)
#define STUB_RETURNS(name, parameters, result)                                 \\
	int PMPI_##name parameters;                                            \\
	int PMPI_##name parameters { return result; }                          \\
	int MPI_##name parameters __attribute__((weak, alias("PMPI_" #name)))
#define STUB_ON(name, parameters)                                              \\
	STUB_RETURNS(name, parameters, mpi_unsupported_on(comm, "PMPI_" #name))
#define STUB(name)                                                             \\
	STUB_RETURNS(name, (void), mpi_unsupported("PMPI_" #name))
/* MPI_T_ERR_INVALID_HANDLE */
#define STUB_OF(name, code) STUB_RETURNS(name, (void), code)
X
{
	cat "$@" | grep -oE 'alias\("PMPI_" "[A-Za-z0-9_]+"\)' |
		sed -E 's/.*"([A-Za-z0-9_]+)"\)/\1 defined/'
	# a function a line: its name and its parameters
	tr '\n\t' '  ' <"$functions" | sed 's/MPI_DECLARE_(/\n&/g' |
		sed -nE 's/^MPI_DECLARE_\([^,]*, ([A-Za-z0-9_]+), (\(.*\))\).*/\1 \2/p'
} | awk '$2 == "defined" { defined[$1] = 1; next }
	$1 in defined { next }
	/^T_/ { print "STUB_OF(" $1 ", 1010);"; next }
	/MPI_Comm comm[,)]/ {
		name = $1
		$1 = ""
		print "STUB_ON(" name "," $0 ");"
		next
	}
	{ print "STUB(" $1 ");" }'
