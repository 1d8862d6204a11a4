# SPDX-License-Identifier: Apache-2.0
# verbs_stats.t checks on one machine the counters of verbs for a known pattern:
# no more posts than messages, few completions, no receiver that is not ready.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs
csv=$work/stats.csv
messages=20000
reads=20

# value RANK GROUP COUNTER
value()
{
	awk -F, -v r="$1" -v g="$2" -v c="$3" \
		'$1 == r && $2 == "" && $3 == g && $4 == c { print $5 }' "$csv"
}

# at_most RANK GROUP COUNTER LIMIT
at_most()
{
	found=$(value "$1" "$2" "$3")
	if [ -n "$found" ] && [ "$found" -le "$4" ]; then
		ok "rank $1: $3 at most $4"
	else
		not_ok "rank $1: $3 at most $4"
		diag "got '$found'"
		sed 's/^/# /' "$csv"
	fi
}

counters_start
run 120 env MRT_STATS=peer MRT_STATS_FILE="$csv" "$MRUN" -n 2 \
	"$top_builddir/tests/system/pattern" "$messages" 0 "$reads"
is "$rc" 0 "the pattern runs"
is "$(value 0 p2p "eager messages")" "$messages" "eager messages"
is "$(value 0 p2p "rendezvous messages")" "$reads" "rendezvous messages"
like "$err" "^rank 0 to 1 by verbs: eager $messages " "the peer's line"

# 50: those of start and end, and FINs
at_most 0 verbs "ibv_post_send calls" $((messages + reads + 50))
at_most 0 verbs "messages sent" $((messages + reads + 50))
at_most 0 verbs "completions of sends" $(((messages + reads) / 32 + 50))
at_most 0 verbs "work requests signalled" $(((messages + reads) / 32 + 50))
at_most 1 verbs "messages received" $((messages + reads + 50))
at_most 1 verbs "CREDIT messages" $((messages / 2))
at_most 0 verbs "CREDIT messages" 50
is "$(value 1 verbs "RDMA reads")" "$reads" "a READ for each rendezvous"
is "$(value 1 verbs "RDMA read bytes")" $((reads * 100000)) "all bytes by READ"
is "$(value 0 verbs "registrations made")" 1 "the buffer is registered once"
is "$(value 0 verbs "registrations found")" $((reads - 1)) "and found again"
is "$(value 1 verbs "relayed operations")" 0 "nothing is relayed"
for counter in rcvd_rnr_err send_rnr_err retry_exceeded_err; do
	is "$(value 0 port "$counter")" 0 "device: $counter 0"
done
no_rnr "no receiver was ever not ready"
sed -n '/^libmrt: counters/,$p' "$err" | sed 's/^/# /'

# sum COUNTER prints the sum of all ranks.
sum()
{
	awk -F, -v c="$1" '$2 == "" && $3 == "verbs" && $4 == c { n += $5 }
		END { print n + 0 }' "$csv"
}

# all_pairs RANKS runs a job of them in which all pairs connect at first use. None
# registers more than 64 KiB for each rank and 128 besides.
all_pairs()
{
	run 120 env MRT_MESH_MAX=0 MRT_IB_DATAGRAMS=0 MRT_STATS=rank \
		MRT_STATS_FILE="$csv" \
		"$MRUN" -n "$1" "$top_builddir/tests/system/growth" all
	is "$rc" 0 "all pairs of $1 ranks connect at first use"
	kib=$(awk -F, '$2 == "" && $3 == "verbs" && $4 ~ \
		/^(registered bytes now|bytes of message buffers)$/ {
			if ((bytes[$1] += $5) > most)
				most = bytes[$1]
		}
		END { print most / 1024 }' "$csv")
	[ "$kib" -gt 0 ] && [ "$kib" -le $((64 * $1 + 128)) ]
	is $? 0 "$1 ranks: at most $kib KiB are registered by one"
}

ranks=6
all_pairs 3
all_pairs $ranks
is "$(sum "queue pairs connected")" $((ranks * ranks)) "all are connected"
is "$(sum "address handles")" $ranks "each has one address handle for all"
repeated=$(sum "calls repeated")
pairs=$((ranks * (ranks + 1) / 2)) # and each with itself
[ "$(sum "calls for connection")" -le $((ranks * ranks + repeated)) ]
is $? 0 "at most one call of each to each ($repeated repeated)"
[ "$(sum "answers to calls")" -le $((pairs + repeated)) ]
is $? 0 "one answer for each pair ($(sum "answers to calls"), $pairs pairs)"

run 30 "$top_builddir/mrt-info"
like "$out" 'device +rxe0' "mrt-info shows the device"
like "$out" 'GID 1 +RoCE v2 ::ffff:10\.0\.0\.1, eth0, used' \
	"and which address is used"
like "$out" 'traffic class +106' "and the traffic class"
sed -n '/^fabrics/,/^$/p' "$out" | sed 's/^/# /'
done_testing
