#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# traps.t runs what bindings for Fortran get wrong, through each interface: the
# addresses that mean something, statuses, strings, logicals, callbacks,
# attributes, conversions, array sections, profilers.
. "${top_srcdir:?run by make check}/tests/fortran/lib.sh"
need_mrun

# several NAME runs a program at several numbers of ranks.
several()
{
	for n in 1 2 5; do
		cases "$1, $n ranks:" "$MRUN" -n $n "$work/$1"
	done
}

c_part "$sources/traps_c.c"
common="$sources/check.f90 $work/traps_c.c.o"
fortran mpif $mismatch "$sources/traps.F90" $common
several mpif
fortran mpi -DUSE_MPI "$sources/traps.F90" $common
several mpi
fortran mpi_f08 "$sources/traps_f08.f90" $common
several mpi_f08
fortran sections "$sources/sections.f90" $common
several sections
no_leftovers "nothing is left"

fortran profiler "$sources/profiler.F90"
run 30 "$MRUN" -n 2 "$work/profiler"
is "$rc $(cat "$out")" "0 3 barriers" "a profiler in Fortran"

c_part "$sources/spawn_c.c"
fortran spawn $mismatch "$sources/spawn.f90" \
	"$work/spawn_c.c.o"
run 30 "$work/spawn"
is "$(cat "$out")" "$(cat "$sources/spawn.want")" "the arguments of spawned programs"
done_testing
