# SPDX-License-Identifier: Apache-2.0
# stats.t checks the counters of MRT_STATS and MRT_STATS_FILE for a known
# pattern of messages.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
pattern=$top_builddir/tests/system/pattern
csv=$work/stats.csv

# value RANK PEER GROUP COUNTER prints a number from the file; an empty PEER
# sums over all peers.
value()
{
	awk -F, -v r="$1" -v p="$2" -v g="$3" -v c="$4" \
		'$1 == r && $2 == p && $3 == g && $4 == c { print $5 }' "$csv"
}

# counted WHAT RANK PEER GROUP COUNTER
counted()
{
	is "$(value "$2" "$3" "$4" "$5")" "$1" "rank $2${3:+ to $3}: $5 $1"
}

run 20 "$MRUN" -n 3 "$pattern" 70 5 3
is "$rc" 0 "the pattern runs"
is "$(cat "$err")" "" "nothing is printed unasked"

run 20 env MRT_STATS=1 "$MRUN" -n 3 "$pattern" 70 5 3
is "$rc" 0 "MRT_STATS=1"
like "$err" '^libmrt: counters of 3 ranks' "the table has a heading"
like "$err" '^p2p +eager messages +0 +23\.3 +70 +70$' "eager messages"
like "$err" '^p2p +synchronous eager bytes +0 +26\.7 +80 +80$' \
	"synchronous bytes"
like "$err" '^p2p +rendezvous bytes +0 +100000\.0 +300000 +300000$' \
	"rendezvous bytes"
is "$(grep -c '^rank' "$err")" 0 "no lines of ranks"

run 20 env MRT_STATS=rank "$MRUN" -n 3 "$pattern" 70 5 3
like "$err" '^rank 0 p2p: eager messages 70, eager bytes 560,' "rank 0's line"
like "$err" '^rank 1 p2p: received messages 78, received bytes 300640' \
	"rank 1's line"
is "$(grep -c ' to ' "$err")" 0 "no lines of peers"

run 20 env MRT_STATS=peer "$MRUN" -n 3 "$pattern" 70 5 3
want='rank 0 to 1 by sm: eager 70 (560 bytes), synchronous 5 (80 bytes),'
want="$want rendezvous 3 (300000 bytes), gathered 0 (0 bytes)"
is "$(grep ' to ' "$err")" "$want" "who talked to whom"

run 20 env MRT_STATS=peer MRT_STATS_FILE="$csv" MRT_SM_CMA=yes \
	"$MRUN" -n 3 "$pattern" 200 5 3
is "$rc" 0 "MRT_STATS_FILE"
counted 200 0 "" p2p "eager messages"
counted 1600 0 "" p2p "eager bytes"
counted 5 0 "" p2p "synchronous eager messages"
counted 80 0 "" p2p "synchronous eager bytes"
counted 3 0 "" p2p "rendezvous messages"
counted 300000 0 "" p2p "rendezvous bytes"
counted 0 0 "" p2p "received messages"
counted 208 1 "" p2p "received messages"
counted 301680 1 "" p2p "received bytes"
counted 0 1 "" p2p "eager messages"
counted 200 0 1 sm "eager messages"
counted 300000 0 1 sm "rendezvous bytes"
is "$(($(value 1 "" sm "CMA copies") + \
	$(value 1 "" sm "relayed copies and atomics")))" 3 \
	"rank 1 copied three times"

rm -f "$csv"
run 20 env MRT_STATS_FILE="$csv" MRT_SM_CMA=no "$MRUN" -n 2 "$pattern" 1 0 2
is "$(cat "$err")" "" "with a file alone nothing is printed"
counted 200000 1 "" sm "relayed bytes"
counted 0 1 "" sm "CMA copies"
is "$(grep -c '^[0-9]*,[0-9]' "$csv")" 0 "the file has no peers then"

# A long message that is packed goes straight into the buffers, unless it is to
# be copied by the kernel.
rm -f "$csv"
run 20 env MRT_STATS_FILE="$csv" "$MRUN" -n 2 "$pattern" 0 0 0 0 0 3
counted 3000000 0 "" sm "bytes put into bounce buffers"
counted 3 1 "" sm "relayed copies and atomics"
rm -f "$csv"
run 20 env MRT_STATS_FILE="$csv" MRT_SM_CMA=yes "$MRUN" -n 2 "$pattern" \
	0 0 0 0 0 3
if [ "$(value 1 "" sm "CMA copies")" -gt 0 ]; then
	counted 3000000 1 "" sm "CMA bytes"
	counted 0 0 "" sm "bytes put into bounce buffers"
else
	skip "no process_vm_readv here" "packed beforehand"
fi

# Where ranks share a CPU, one long message is copied by the receiver; of several
# at once, the sender fills the buffers for all but the first.
crowd="taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')"
rm -f "$csv"
run 60 $crowd env MRT_STATS_FILE="$csv" "$MRUN" -n 2 "$pattern" 0 0 5
if [ "$(value 1 "" sm "CMA copies")" -gt 0 ]; then
	counted 0 1 "" sm "relayed copies and atomics"
	rm -f "$csv"
	run 60 $crowd env MRT_STATS_FILE="$csv" "$MRUN" -n 2 "$pattern" 0 0 0 16
	most=$(value 1 "" sm "relayed copies and atomics")
	is "$((most + $(value 1 "" sm "CMA copies")))" 16 "16 copies"
	is "$((most > 7))" 1 "of 16 at once $most by the buffers"
	# three peers send one message each, and none reads from rank 0
	rm -f "$csv"
	run 60 $crowd env MRT_STATS_FILE="$csv" "$MRUN" -n 4 "$pattern" 0 0 0 0 20
	most=$(value 0 "" sm "relayed copies and atomics")
	is "$((most > 7))" 1 "of 60 from three peers $most by the buffers"
else
	skip "no process_vm_readv here" "the choice of the copy"
fi

# more than fits into a ring: a message that is refused and sent again is
# counted once
run 60 env MRT_STATS_FILE="$csv" "$MRUN" -n 2 "$pattern" 50000 0 0
counted 50000 0 "" p2p "eager messages"
counted 400000 1 "" p2p "received bytes"

# what ranks of a node need of each other comes from a file and the segment; if
# not from the file, each but the first asks for the segment once
run 20 env MRT_STATS=1 MRT_SM_BACKING=shm "$MRUN" -n 3 "$pattern" 70 5 3
like "$err" '^boot +launcher requests +0 +0.7 +1 +2$' "a segment with a name"
for n in 2 6; do
	run 60 env MRT_STATS=1 MRT_COLL_DIRECT=no "$MRUN" -n $n \
		"$top_builddir/tests/system/coll" --max-count 3 barrier
	is "$rc" 0 "$n ranks of a node"
	is "$(grep -c 'launcher requests' "$err")" 0 "$n ranks ask PMIx for nothing"
done

run 20 env MRT_STATS_FILE=/nonexistent/x "$MRUN" -n 2 "$pattern" 1 0 0
is "$rc" 0 "a file that cannot be written ends no job"
like "$err" 'MRT_STATS_FILE=/nonexistent/x: No such file' "and is named"
run 20 "$MRUN" -n 1 env MRT_STATS=1 "$pattern" 0 0 0 : -n 1 "$pattern" 0 0 0
is "$rc" 0 "one rank alone asks"
like "$err" 'counters of 2 ranks' "and gets the counters of all"
run 20 "$MRUN" -n 1 "$pattern" 0 0 0 : -n 1 env MRT_STATS=peer "$pattern" 0 0 0
is "$rc" 0 "a rank that does not print asks"
done_testing
