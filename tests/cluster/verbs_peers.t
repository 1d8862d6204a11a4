# SPDX-License-Identifier: Apache-2.0
# verbs_peers.t: one machine, everything through the device, and fewer queue
# pairs than a rank has peers: connections are closed and made anew while
# messages, collectives, windows and rendezvous go on, also where packets are
# lost. RANKS=128 and QPS=16 in make check-cluster-large.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
: "${RANKS:=12}" "${QPS:=4}" "${MESSAGES:=$((RANKS * 40))}"
CLUSTER_TIMEOUT=1200
in_cluster -N 1 --mem "${MEM:-2G}"
need_mrun
export MRT_FABRIC=verbs MRT_TIMEOUT=600 MRT_MESH_MAX=0
export MRT_STATS=1 MRT_STATS_FILE="$work/stats.csv"
CASES_TIMEOUT=${CASES_TIMEOUT:-300}
tests=$top_builddir/tests
faulty=${FAULTY_SO:-$tests/cluster/.libs/faulty.so}
[ -e "$faulty" ] || skip_all "built without libibverbs"

# counted COUNTER prints the sum over ranks, and the largest value of a rank.
counted()
{
	awk -F, -v c="$1" '$2 == "" && $3 == "verbs" && $4 == c {
		sum += $5
		if ($5 > most)
			most = $5
	}
	END { print sum + 0, most + 0 }' "$MRT_STATS_FILE"
}

# storm NAME NAME=VALUE... : messages of all kinds between all ranks.
storm()
{
	name=$1
	shift
	rm -f "$MRT_STATS_FILE"
	cases "$name:" env "$@" "$MRUN" -n "$RANKS" "$tests/system/storm" \
		--messages "$MESSAGES" --seed "${SEED:-1}" --max 100000
	took=$ms
	diag "$name: $took ms; closed, most of a rank:" \
		"$(counted "connections closed"); connected at the end:" \
		"$(counted "queue pairs connected")"
}

storm "all connected"
storm "$QPS others at a time" MRT_IB_PEERS="$QPS"
read -r closed _ <<-end
	$(counted "connections closed")
end
[ "$closed" -ge "$RANKS" ]
is $? 0 "connections are closed ($closed)"
read -r _ most <<-end
	$(counted "queue pairs connected")
end
[ "$most" -le $((QPS + 1)) ]
is $? 0 "and no rank has more than $QPS ($most, with the one to itself)"
# a queue pair for calls, and one for the rank itself
storm "the device refuses more than $QPS" LD_PRELOAD="$faulty" \
	FAULTY_QPS=$((QPS + 2))
is "$(rdma_objects)" "" "no queue pair, no registration is left"
no_leftovers "nothing is left"
done_testing
