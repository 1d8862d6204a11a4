# SPDX-License-Identifier: Apache-2.0
# cost.t checks that MPI's calls take at most ten instructions more than
# libmrt's, in the mean of five calls, counted over 2000 rounds of cost.c. A
# lone rank sends to itself, so the count never varies. It also checks what a trace
# adds, and that no call clears memory for which MPI promises no zeros.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
command -v valgrind >/dev/null || skip_all "no valgrind"
[ -z "$SANITIZER" ] || skip_all "valgrind does not run with sanitizers"

# instructions WHICH ROUNDS prints what callgrind counts.
instructions()
{
	LD_BIND_NOW=1 "$top_builddir/libtool" --mode=execute valgrind \
		--tool=callgrind --callgrind-out-file=/dev/null \
		"$top_builddir/tests/mpi/cost" "$1" "$2" 2>&1 |
		sed -n 's/,//g; s/.*I *refs: *//p'
}

# per_round WHICH prints the instructions of a round, without start and end.
per_round()
{
	echo $((($(instructions "$1" 3000) - $(instructions "$1" 1000)) / 2000))
}

mpi=$(per_round mpi)
mrt=$(per_round mrt)
diag "five calls: MPI $mpi instructions, libmrt $mrt"
[ "$mrt" -gt 100 ] && [ $((mpi - mrt)) -ge 0 ] && [ $((mpi - mrt)) -le 50 ]
is $? 0 "at most ten instructions more a call"

# for_each WHICH prints the instructions for a MiB of memory that is used again.
for_each()
{
	echo $((($(instructions "$1" 20) - $(instructions "$1" 10)) / 10))
}

for way in memory window; do
	count=$(for_each $way)
	diag "a MiB of $way, one byte of each page: $count instructions"
	[ "$count" -gt 768 ] && [ "$count" -le 14000 ]
	is $? 0 "$way that is used again is not cleared"
done

MRT_TRACE=$work/trace
export MRT_TRACE
traced=$(per_round mrt)
diag "with a trace of ten events: $traced"
[ "$traced" -gt "$mrt" ] && [ $((traced - mrt)) -le 2000 ]
is $? 0 "at most 200 instructions for each event of a trace"
done_testing
