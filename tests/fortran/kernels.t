#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kernels.t runs the kernels of apps/fortran at several numbers of ranks, which
# must give what one rank does.
. "${top_srcdir:?run by make check}/tests/fortran/lib.sh"
need_mrun

# kernel NAME SOURCE
kernel()
{
	fortran "$1" -Wall -Werror "$top_srcdir/apps/fortran/$2"
	run 60 "$MRUN" -n 1 "$work/$1"
	is "$rc" 0 "$1: one rank"
	like "$out" "$3" "$1: $3"
	cp "$out" "$work/one"
	for n in 2 3 4 6; do
		run 60 "$MRUN" -n $n "$work/$1"
		is "$rc $(cat "$out")" "0 $(cat "$work/one")" "$1: $n ranks"
	done
}

kernel heat heat.f90 '^heat: 120 x 120 points, 500 steps$'
kernel cg cg.f '^the solution is right$'
no_leftovers "nothing is left"
done_testing
