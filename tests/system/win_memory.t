# SPDX-License-Identifier: Apache-2.0
# win_memory.t measures what a rank keeps of windows that it does not use, which
# must not grow with the number of ranks, and of each rank that it uses then.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -z "$SANITIZER" ] || skip_all "a sanitizer's malloc does not say what it has"
need_mrun
program=$top_builddir/tests/system/win_memory

# cost NAME prints the bytes of the last run.
cost()
{
	sed -n "s/.*$1 \([0-9]*\).*/\1/p" "$out"
}

# at_most WHAT LIMIT
at_most()
{
	[ "$(cost "$1")" -le "$2" ]
	is $? 0 "$n ranks: $1: $(cost "$1") bytes, at most $2"
}

n=4
run 60 "$MRUN" -n $n "$program"
is "$rc" 0 "$n ranks"
[ -n "$(cost used)" ] || skip_all "this malloc does not say what it has"
few=$(cost created)
# a communicator and the state of its collectives
at_most created 5000
at_most allocated 5000
at_most dynamic 5000
n=64
run 120 "$MRUN" -n $n "$program"
is "$rc" 0 "$n ranks"
# 8 bytes for each of 60 more ranks would be 480; messages come and go meanwhile
at_most created $((few + 256))
at_most allocated $((few + 256))
at_most dynamic $((few + 256))
at_most used 64
no_leftovers "nothing is left"
done_testing
