# SPDX-License-Identifier: Apache-2.0
# started.t tests nonblocking and persistent collectives of short vectors.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/started

for n in 1 2 3 5 8 16 20; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
	cases "$n ranks, 24 elements:" "$MRUN" -n "$n" "$program" 24
done
cases "5 ranks, by messages:" env MRT_COLL_DIRECT=no "$MRUN" -n 5 "$program"
cases "3 ranks that sleep:" env MRT_SPIN=0 MRT_SLEEP_US=0 "$MRUN" -n 3 \
	"$program"

for what in churn stream; do
	run 60 env MRT_STATS=1 "$MRUN" -n 4 "$program" $what
	is "$rc" 0 "$what: 1,000 calls one after the other"
	like "$err" 'counters of 4 ranks' "which are counted"
	is "$(awk '$1 == "p2p" && $2 == "received" { print $NF }' "$err")" "" \
		"need no messages"
done
for n in 2 3 8; do
	run 60 "$MRUN" -n $n "$program" late
	is "$rc" 0 "$n ranks, of which one is late"
done
run 60 "$MRUN" -n 3 "$program" disagree
is "$rc" 0 "ranks that disagree have an error"
done_testing
