# SPDX-License-Identifier: Apache-2.0
# verbs_shared.t: one machine, ranks that share their receive buffers, as those
# of large jobs do: more messages than buffers may be in flight.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=600
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs MRT_STATS=1 MRT_STATS_FILE="$work/stats.csv"
tests=$top_builddir/tests

# most COUNTER prints the largest value of any rank; of rank R: most COUNTER R.
most()
{
	awk -F, -v c="$1" -v r="${2:-}" '$2 == "" && $3 == "verbs" &&
		$4 == c && (r == "" || $1 == r) && $5 > n { n = $5 }
		END { print n + 0 }' "$MRT_STATS_FILE"
}

# buffers LIMIT checks how many receive buffers a rank has at most.
buffers()
{
	[ "$(most "receive buffers posted")" -le "$1" ]
	is $? 0 "at most $1 receive buffers ($(most "receive buffers posted"))"
}

# windows of 4 messages: 16 buffers for 4 peers, one more for the 4 others
for mesh in 0 256; do
	cases "MRT_MESH_MAX=$mesh:" env MRT_IB_RECV_BUFFERS=16 MRT_MESH_MAX=$mesh \
		"$MRUN" -n 8 "$tests/system/storm" --messages 300 --seed 3 \
		--max 100000
	buffers 17
done
CASES_TIMEOUT=240 cases "collectives:" env MRT_IB_RECV_BUFFERS=16 "$MRUN" -n 6 \
	"$tests/system/coll" --max-count 30

# one peer sends much, the others nothing: its window becomes the widest
run 120 env MRT_IB_RECV_BUFFERS=120 MRT_MESH_MAX=0 "$MRUN" -n 32 \
	"$tests/system/pattern" 5000 0 0
is "$rc" 0 "32 ranks, of which one sends much"
is "$(most "windows widened" 1)" 4 "its window grows from 4 to 64"

# Rank 0 connects 4 peers with 4 buffers each, then 32 that share 4.
run 120 env MRT_IB_RECV_BUFFERS=16 MRT_MESH_MAX=0 "$MRUN" -n 37 \
	"$tests/cluster/verbs_bench" memory 4
# shellcheck disable=SC2046 # words
set -- $(cat "$out")
awk "BEGIN { exit !($1 > 0 && $1 + ($3 - $2) / 32 <= 17) }"
is $? 0 "a connected peer takes at most 17 KiB ($1, receive buffers: from $2 to \
$3 for 32 more)"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
