#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mpi_exports.sh checks that libmpi_abi.so has the soname of the standard ABI
# and exports every function of mpi.h, as PMPI_ and as a weak MPI_, and nothing
# else.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

have nm || skip_all "nm is not installed"
lib=$top_builddir/.libs/libmpi_abi.so
[ -e "$lib" ] || skip_all "no shared libmpi_abi was built"

# Prints "W MPI_Send" and "T PMPI_Send" for what a header declares.
declared()
{
	sed -nE 's/^MPI_DECLARE_\([^,]*, ([A-Za-z0-9_]+),.*/W MPI_\1\nT PMPI_\1/p' \
		"$1" | sort
}

exported()
{
	nm -D --defined-only "$1" | awk '{ print $2, $3 }' | sed 's/@.*//' |
		grep -vE ' (__asan|__ubsan|__tsan|_init$|_fini$)' | sort
}

compare()
{
	declared "$1" >"$work/declared"
	exported "$2" >"$work/exported"
	comm -13 "$work/declared" "$work/exported" |
		sed 's/$/: exported, but not in mpi.h/'
	comm -23 "$work/declared" "$work/exported" |
		sed 's/$/: in mpi.h, but not exported so/'
}

header=$top_builddir/mpi/mpi_prototypes.h
compare "$header" "$lib" >"$work/found"
is "$(cat "$work/found")" "" "exports are the functions of mpi.h"
is "$(readelf -d "$lib" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" \
	libmpi_abi.so.1 "the soname"

grep -v ' Barrier,' "$header" >"$work/h.h"
echo 'MPI_DECLARE_(int, Nothing, (void))' >>"$work/h.h"
compare "$work/h.h" "$lib" >"$work/found"
is "$(wc -l <"$work/found")" 4 "self-test: one too many, one missing"
lint_done
