# SPDX-License-Identifier: Apache-2.0
# persistent.t tests persistent collectives of short vectors.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/persistent

for n in 1 2 3 5 8 20; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
done
cases "5 ranks, by messages:" env MRT_COLL_DIRECT=no "$MRUN" -n 5 "$program"
cases "3 ranks that sleep:" env MRT_SPIN=0 MRT_SLEEP_US=0 "$MRUN" -n 3 \
	"$program"

run 60 env MRT_STATS=1 "$MRUN" -n 4 "$program" churn
is "$rc" 0 "1,000 requests one after the other"
like "$err" 'counters of 4 ranks' "which are counted"
is "$(awk '$1 == "p2p" && $2 == "received" { print $NF }' "$err")" "" \
	"need no messages"
run 60 "$MRUN" -n 3 "$program" disagree
is "$rc" 0 "ranks that disagree have an error"
done_testing
