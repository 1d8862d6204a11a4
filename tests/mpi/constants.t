#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# constants.t compares mpi.h with the constants of the Forum's header for the
# ABI, where a list of them is at hand: lines "NAME VALUE".
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
list=$top_srcdir/../shared/data/mpi_abi_constants.txt
[ -r "$list" ] || skip_all "the Forum's list of constants is not there"

# A name that is missing is an error of the compiler.
{
	cat <<-'X'
	#include <mpi.h>
	#include <stdint.h>
	#define SHOW(name, want)                                               \
		if ((long long)(intptr_t)(name) != (long long)(want))          \
			printf("%s is %#llx, not %#llx\n", #name,              \
			       (long long)(intptr_t)(name), (long long)(want));
	#include <stdio.h>
	int main(void)
	{
	X
	awk '/^MPI/ { print "SHOW(" $1 ", " $2 "ull)" }' "$list"
	echo "}"
} >"$work/show.c"
run 60 ${CC:-cc} -w -I"$top_srcdir/mpi" -I"$top_builddir/mpi" \
	"$work/show.c" -o "$work/show"
is "$rc" 0 "mpi.h has all of their names"
run 10 "$work/show"
is "$rc" 0 "their values can be shown"
is "$(cat "$out")" "" "mpi.h gives all of them their values"
is "$(grep -c '^SHOW' "$work/show.c")" "$(grep -c '^MPI' "$list")" \
	"all lines of the list were understood"
done_testing
