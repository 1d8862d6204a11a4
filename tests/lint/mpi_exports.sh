#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mpi_exports.sh checks that libmpi_abi.so has the soname of the standard ABI,
# that it exports every function of mpi.h, those included that the header has
# inline, as PMPI_ and as a weak MPI_, and nothing else, and that mpi.h has every
# function of the standard.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

have nm || skip_all "nm is not installed"
lib=$top_builddir/.libs/libmpi_abi.so
[ -e "$lib" ] || skip_all "no shared libmpi_abi was built"

# Prints "W MPI_Send" and "T PMPI_Send" for what a program that begins with the
# file given can call, without what only the header has (mpi_removed.h).
declared()
{
	${CC:-cc} -E -P -I"$top_srcdir/mpi" -I"$top_builddir/mpi" "$1" |
		tr '\n' ' ' | tr ';{}' '\n' | grep -vE '^ *(typedef|return) ' |
		sed -nE 's/^ *[A-Za-z_][^(=]*[ *](P?MPI_[A-Za-z0-9_]+) *\(.*/\1/p' |
		grep -vxE 'MPI_Type_(lb|ub|extent)' |
		sed 's/^M/W &/; s/^P/T &/' | sort -u
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

# Prints the names in a list that mpi.h lacks: functions, types and constants.
missing()
{
	{
		echo '#include <mpi.h>'
		echo 'enum {'
		sed 's/.*/\tS_& = sizeof(&),/' "$1"
		echo '};'
	} >"$work/names.c"
	${CC:-cc} -w -fsyntax-only -I"$top_srcdir/mpi" \
		-I"$top_builddir/mpi" "$work/names.c" 2>&1 |
		sed -nE "s/.*error: [^A-Z]*(P?MPI_[A-Za-z0-9_]+).*/\1/p"
}

# What the standard has in C besides functions.txt: conversions for Fortran.
standard()
{
	for name in Comm Errhandler File Group Info Message Op Request Session \
		Type Win; do
		printf 'MPI_%s_c2f\nMPI_%s_f2c\n' $name $name
	done
	printf 'MPI_Status_%s\n' c2f f2c c2f08 f082c f2f08 f082f
	list=$top_srcdir/../shared/mpi-functions.txt
	if [ -r "$list" ]; then
		sed '/^#/d; s/ /\n/g' "$list" | grep MPI_
	else
		diag "mpi.h was not compared with a list of the standard's" \
			"functions: it is not at hand"
	fi
}

echo '#include <mpi.h>' >"$work/include.c"
compare "$work/include.c" "$lib" >"$work/found"
is "$(cat "$work/found")" "" "exports are the functions of mpi.h"
is "$(readelf -d "$lib" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" \
	libmpi_abi.so.1 "the soname"

standard | sort -u >"$work/functions"
{
	cat "$work/functions"
	sed 's/^/P/' "$work/functions"
	printf '%s\n' MPI_F08_status MPI_F_STATUS_IGNORE \
		MPI_F_STATUSES_IGNORE MPI_F08_STATUS_IGNORE \
		MPI_F08_STATUSES_IGNORE
} >"$work/standard"
is "$(missing "$work/standard")" "" \
	"mpi.h has the standard's names, $(wc -l <"$work/standard")"

echo MPI_Nothing >"$work/one"
is "$(missing "$work/one")" MPI_Nothing "self-test: a name that mpi.h lacks"
{
	sed '/ Barrier,/d' "$top_builddir/mpi/mpi_prototypes.h"
	echo 'int MPI_Nothing(void); int PMPI_Nothing(void);'
} >"$work/mpi_prototypes.h"
echo "#define MPI_H
typedef void MPI_Copy_function(int x);
#include \"$work/mpi_prototypes.h\"
static int MPI_Other(int x) { return PMPI_Other(x); }" >"$work/other.c"
declared "$work/other.c" >"$work/declared"
is "$(grep -cE 'MPI_(Nothing|Other|Barrier|Copy_function)$' \
	"$work/declared")" 3 "self-test: what a header declares"
printf 'int PMPI_A, PMPI_B;\n' >"$work/two.c"
if ${CC:-cc} -shared -fPIC -o "$work/two.so" "$work/two.c"; then
	echo 'int PMPI_A(void);' >"$work/one.c"
	is "$(compare "$work/one.c" "$work/two.so" | wc -l)" 3 \
		"self-test: two that are no functions, one of them missing"
else
	skip "the compiler makes no shared library" "self-test"
fi
lint_done
