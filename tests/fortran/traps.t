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

everything()
{
	c_part "$sources/traps_c.c"
	common="$sources/check.f90 $work/traps_c.c.o"
	fortran mpif$bytes $mismatch "$sources/traps.F90" $common
	several mpif$bytes
	fortran mpi$bytes -DUSE_MPI "$sources/traps.F90" $common
	several mpi$bytes
	fortran mpi_f08$bytes "$sources/traps_f08.f90" $common
	several mpi_f08$bytes
	fortran sections$bytes "$sources/sections.f90" $common
	several sections$bytes
	fortran arrays_mpif$bytes $mismatch "$sources/arrays.F90" $common
	several arrays_mpif$bytes
	fortran arrays_mpi$bytes -DUSE_MPI "$sources/arrays.F90" $common
	several arrays_mpi$bytes
	fortran arrays_f08$bytes -DUSE_F08 "$sources/arrays.F90" $common
	several arrays_f08$bytes
	no_leftovers "nothing is left"

	fortran profiler$bytes "$sources/profiler.F90"
	run 30 "$MRUN" -n 2 "$work/profiler$bytes"
	is "$rc $(cat "$out")" "0 3 barriers" "a profiler in Fortran"

	c_part "$sources/spawn_c.c"
	fortran spawn$bytes $mismatch "$sources/spawn.f90" \
		"$work/spawn_c.c.o"
	run 30 "$work/spawn$bytes"
	is "$(cat "$out")" "$(cat "$sources/spawn.want")" \
		"the arguments of spawned programs"
}

everything
if have_wide; then
	wide 1
	everything
	fortran large "$sources/large.f90"
	run 30 "$MRUN" -n 1 "$work/large"
	is "$(cat "$out")" "5000000000 bytes" "a count of more than 4 bytes"
	like "$err" "type_contiguous_: 5000000000 is no number of 4 bytes" \
		"where there is none, the job ends with words"
fi
done_testing
