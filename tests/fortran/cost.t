#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cost.t counts the instructions that a call costs more in Fortran than in C, in
# the mean of a send and a receive of 8 bytes to oneself. For mpi_f08 that
# includes the descriptor of an array, which the program makes.
. "${top_srcdir:?run by make check}/tests/fortran/lib.sh"
command -v valgrind >/dev/null || skip_all "no valgrind"

# per_call PROGRAM prints instructions, without start and end.
per_call()
{
	for rounds in 1000 3000; do
		LD_BIND_NOW=1 valgrind --tool=callgrind \
			--callgrind-out-file=/dev/null "$work/$1" $rounds 2>&1 |
			sed -n 's/,//g; s/.*I *refs: *//p'
	done | awk '{ n[NR] = $1 } END { printf "%d\n", (n[2] - n[1]) / 4000 }'
}

c_part "$sources/cost.c"
run 60 ${CC:-cc} "$work/cost.c.o" -o "$work/c" -L"$top_builddir/.libs" \
	-Wl,-rpath,"$top_builddir/.libs" -lmpi_abi
fortran mpif "$sources/cost.F90"
fortran f08 -DUSE_F08 "$sources/cost.F90"
c=$(per_call c)
mpif=$(per_call mpif)
f08=$(per_call f08)
diag "a call: C $c instructions, mpif.h $mpif, mpi_f08 $f08"
[ "$c" -gt 50 ] && [ $((mpif - c)) -ge 0 ] && [ $((mpif - c)) -le 30 ]
is $? 0 "mpif.h: at most 30 instructions more"
[ $((f08 - c)) -ge 0 ] && [ $((f08 - c)) -le 60 ]
is $? 0 "mpi_f08: at most 60 instructions more"
done_testing
