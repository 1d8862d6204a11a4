# SPDX-License-Identifier: Apache-2.0
# verbs_peers.t: one machine, everything through the device, and fewer queue
# pairs than a rank has peers: connections are closed and made anew while
# messages, collectives, windows and rendezvous go on (where packets are lost:
# node_faults.t). RANKS=128, with 16 each, in make check-cluster-large.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
[ -z "${LARGE-}" ] || : "${RANKS:=128}"
: "${RANKS:=12}" "${MESSAGES:=$((RANKS * 20))}"
: "${QPS:=$((RANKS < 64 ? 4 : 16))}" "${MEM:=$((RANKS < 64 ? 2 : 8))G}"
CLUSTER_TIMEOUT=3000
in_cluster -N 1 --mem "$MEM"
need_mrun
export MRT_FABRIC=verbs MRT_TIMEOUT=600 MRT_MESH_MAX=0
export MRT_STATS=1 MRT_STATS_FILE="$work/stats.csv"
CASES_TIMEOUT=$((120 + 5 * RANKS))
tests=$top_builddir/tests
faulty=${FAULTY_SO:-$tests/cluster/.libs/faulty.so}
[ -e "$faulty" ] || skip_all "built without libibverbs"

# most COUNTER [RANK] prints the largest value of any rank, or that of a rank;
# total COUNTER the sum.
most()
{
	awk -F, -v c="$1" -v r="${2:-}" '$2 == "" && $3 == "verbs" &&
		$4 == c && (r == "" || $1 == r) && $5 > n { n = $5 }
		END { print n + 0 }' "$MRT_STATS_FILE"
}

total()
{
	awk -F, -v c="$1" '$2 == "" && $3 == "verbs" && $4 == c { n += $5 }
		END { print n + 0 }' "$MRT_STATS_FILE"
}

# with NAME PROGRAM... runs all ranks, which must end well.
with()
{
	name=$1
	shift
	rm -f "$MRT_STATS_FILE"
	cases "$name:" "$MRUN" -n "$RANKS" "$@"
	diag "$name: $ms ms, $(total "connections closed") connections closed"
}

# few NAME PROGRAM... runs them with QPS others at a time; connections must be
# closed.
few()
{
	MRT_IB_PEERS=$QPS
	export MRT_IB_PEERS
	with "$@"
	unset MRT_IB_PEERS
	[ "$(total "connections closed")" -ge "$RANKS" ]
	is $? 0 "$1: connections are closed ($(total "connections closed"))"
	# the one to itself is not counted
	[ "$(most "queue pairs connected")" -le $((QPS + 1)) ]
	is $? 0 "$1: no rank has more ($(most "queue pairs connected"))"
}

run 120 "$MRUN" -n "$RANKS" "$tests/cluster/verbs_bench" little
is "$rc" 0 "a barrier and a gather"
is "$(most "queue pairs connected")" 0 "they need no connection"
[ "$(total "messages by datagram")" -ge "$RANKS" ]
is $? 0 "as they are datagrams ($(total "messages by datagram"))"
set -- "$tests/system/storm" --messages "$MESSAGES" --seed "${SEED:-1}" \
	--max 100000
with "all connected" "$@"
few "$QPS others at a time" "$@"
# a queue pair for calls, and one for the rank itself
with "the device refuses more than $QPS" env LD_PRELOAD="$faulty" \
	FAULTY_QPS=$((QPS + 2)) "$@"
with "one more, at start" env LD_PRELOAD="$faulty" MRT_MESH_MAX=256 \
	FAULTY_QPS=$((QPS + 3)) "$@"
[ "$(total "connections closed")" -gt 0 ]
is $? 0 "connections made at start are closed for others"
with "one rank has fewer" env LD_PRELOAD="$faulty" MRT_MESH_MAX=256 \
	FAULTY_RANK=1 FAULTY_QPS=$((QPS + 2)) "$@"
few "no datagrams" env MRT_IB_DATAGRAMS=0 "$@"
if [ -n "${LARGE-}" ]; then
	few "alltoall" "$tests/system/coll_all" --only alltoall --rounds 2 \
		--max 1000
	few "windows" "$tests/mpi/win_storm" --rounds 2
	run 120 ${FC:-gfortran} -O2 "$top_srcdir/apps/fortran/heat.f90" \
		-o "$work/heat" -J "$work" -I"$top_builddir/fortran" \
		-L"$top_builddir/.libs" -Wl,-rpath,"$top_builddir/.libs" \
		-lmpifort_abi -lmpi_abi
	is "$rc" 0 "Fortran's heat is compiled"
	"$MRUN" -n 1 "$work/heat" 60 40 >"$work/one" 2>"$work/err"
	run "$CASES_TIMEOUT" "$MRUN" -n "$RANKS" -x MRT_IB_PEERS="$QPS" \
		"$work/heat" 60 40
	is "$(cat "$out")" "$(cat "$work/one")" "it has the result of one rank"
else
	RANKS=4 QPS=2
	few "collectives" "$tests/system/coll" --max-count 2 barrier allreduce
	few "windows" "$tests/mpi/win_storm" --rounds 8
	RANKS=12
fi

# one peer sends much, the others nothing
run 120 "$MRUN" -n "$RANKS" "$tests/system/pattern" 5000 0 0
is "$rc" 0 "one rank sends much"
# from 8 buffers or, where there are many ranks, from 4 on
widened=$(most "windows widened" 1)
is "$((widened == 3 || (RANKS > 64 && widened == 4)))" 1 \
	"its window grows to 64 ($widened times)"

# Rank 0 connects 4 peers, and then all others.
run 120 "$MRUN" -n "$RANKS" -x MRT_IB_DATAGRAMS=0 \
	"$tests/cluster/verbs_bench" memory 4
# shellcheck disable=SC2046 # words
set -- $(cat "$out")
awk "BEGIN { exit !($1 > 0 && $1 + ($3 - $2) / ($RANKS - 5) <= 105) }"
is $? 0 "a connected peer takes at most 105 KiB ($1, receive buffers: from $2 \
to $3 for $((RANKS - 5)) more)"
# one rank of a large job, whose other ranks are made up
run 60 "$tests/system/huge_job" 16 1024
grep '^#' "$out"
is "$rc" 0 "at most 4 MiB and 16 bytes for each rank, with a window 96"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
no_leftovers "nothing is left"
done_testing
