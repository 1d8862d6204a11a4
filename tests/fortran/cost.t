#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cost.t counts the instructions of a call of 8 bytes in Fortran: those of the
# bindings in MPI_Send alone, and those more than in C, in the mean of a send and
# a receive. The latter are of the Fortran compiler, too: for mpi_f08 the program makes
# the descriptor of a contiguous section.
. "${top_srcdir:?run by make check}/tests/fortran/lib.sh"
command -v valgrind >/dev/null || skip_all "no valgrind"

# count PROGRAM prints the instructions of a call, without start and end, and
# those of MPI_Send in the bindings.
count()
{
	for rounds in 1000 3000; do
		LD_BIND_NOW=1 valgrind --tool=callgrind --compress-strings=no \
			--callgrind-out-file="$work/counts" "$work/$1" $rounds \
			>"$work/log" 2>&1 || cat "$work/log" >&2
		awk '
			/^ob=/ { ours = /libmpifort_abi/ }
			/^fn=/ { send = tolower($0) ~ /mpi_send_|slow_send/ }
			/^calls=/ { getline; next } # what it calls has cost
			/^[-+*0-9]/ && ours && send { own += $2 }
			/^totals:/ { print $2, own + 0 }' "$work/counts"
	done | awk '{ n[NR] = $1; own[NR] = $2 }
		END { print (n[2] - n[1]) / 4000, (own[2] - own[1]) / 2000 }'
}

# below NAME PROGRAM OWN MORE: at most OWN instructions in the bindings, and MORE
# more than in C.
below()
{
	count "$2" >"$work/$2.count"
	is "$(echo "$(cat "$work/c.count") $(cat "$work/$2.count")" |
		awk -v own="$3" -v more="$4" '{
			print ($1 > 50 && $3 >= $1 && $3 <= $1 + more),
			    ($4 > 5 && $4 <= own) }')" "1 1" \
		"$1: at most $3 instructions, $4 more than in C"
	diag "$1: $(cat "$work/$2.count"), C: $(cat "$work/c.count")"
}

c_part "$sources/cost.c"
run 60 ${CC:-cc} "$work/cost.c.o" -o "$work/c" -L"$top_builddir/.libs" \
	-Wl,-rpath,"$top_builddir/.libs" -lmpi_abi
fortran mpif "$sources/cost.F90"
fortran f08 -DUSE_F08 "$sources/cost.F90"
count c >"$work/c.count"
below mpif.h mpif 18 28
below mpi_f08 f08 24 50
done_testing
