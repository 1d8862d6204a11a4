#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# calls.t calls every routine of mpif.h, of mpi and of mpi_f08 above functions
# in C that print what arrives and answer with other values, and compares with
# what fortran/rules.txt says (calls.awk); and so with INTEGERs of 8 bytes.
# Callbacks and what spawns is in traps.t.
. "${top_srcdir:?run by make check}/tests/fortran/lib.sh"

# written WHAT [WIDE] writes a part of the test.
written()
{
	awk -v what="$1" -v wide="${2:-0}" -f "$top_srcdir/fortran/read.awk" \
		-f "$sources/calls.awk" "$top_srcdir/fortran/rules.txt" \
		"$top_srcdir/mpi/functions.txt"
}

# compare INTERFACE OPTION...
compare()
{
	written "$1" $wide >"$work/$1.f90"
	written "$1.out" $wide >"$work/want"
	fortran "calls_$1$bytes" "$work/$1.f90" "$work/calls.c.o"
	run 30 "$work/calls_$1$bytes"
	is "$rc" 0 "$1$bytes: the program ends"
	diff "$out" "$work/want" >"$work/differences"
	is "$(head -n 5 "$work/differences")" "" \
		"$1$bytes: arguments arrive, $(grep -c '^[A-Z]' "$work/want") calls"
}

# of SUFFIX says which routines the library has.
names()
{
	nm -D --defined-only "$top_builddir/.libs/libmpifort_abi$1.so" |
		awk '{ print $2, $3 }' | sed 's/@.*//' >"$work/names"
	sed -n 's/^T pmpi_/mpi_/p' "$work/names" | sort >"$work/strong"
	sed -n 's/^W mpi_/mpi_/p' "$work/names" | sort >"$work/weak"
	is "$(diff "$work/strong" "$work/weak")" "" \
		"every routine has a weak name and one for profilers"
}

written c >"$work/calls.c"
c_part "$work/calls.c"
for interface in mpif mpi f08; do
	compare $interface
done
echo 'Barrier comm=776' >"$work/one"
is "$(grep -cxf "$work/one" "$work/want")" 1 "the comparison is of arguments"
names ""
if have_wide; then
	wide 1
	for interface in mpif mpi f08; do
		compare $interface
	done
	names _i8
fi
done_testing
