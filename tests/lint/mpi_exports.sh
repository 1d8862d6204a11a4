#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mpi_exports.sh checks that libmpi_abi.so has the soname of the standard ABI
# and exports every function of mpi.h, those included that the header has inline,
# as PMPI_ and as a weak MPI_, and nothing else.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

have nm || skip_all "nm is not installed"
lib=$top_builddir/.libs/libmpi_abi.so
[ -e "$lib" ] || skip_all "no shared libmpi_abi was built"

# Prints "W MPI_Send" and "T PMPI_Send" for what a header declares, and the same
# for the conversions of handles and statuses, some of which no header has.
declared()
{
	{
		sed -nE 's/^MPI_DECLARE_\([^,]*, ([A-Za-z0-9_]+),.*/\1/p' "$1"
		sed -nE 's/^MPI_CONVERSIONS_\(([A-Za-z]+),.*/\1_c2f\n\1_f2c/p' \
			"$top_srcdir/mpi/mpi_fortran.h"
		printf 'Status_%s\n' c2f f2c c2f08 f082c f2f08 f082f
	} | sed 's/.*/W MPI_&\nT PMPI_&/' | sort
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
