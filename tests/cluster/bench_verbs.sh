# SPDX-License-Identifier: Apache-2.0
# bench_verbs.sh: libmrt beside perftest on Soft-RoCE, in one virtual machine
# and one boot, by turns; medians, ratios and gates. Called by make bench-verbs;
# ROUNDS=N (7), CSV=FILE for programs.
: "${top_srcdir:?}" "${top_builddir:?}"
: "${ROUNDS:=7}"
vcluster=$top_srcdir/tests/cluster/vcluster

if [ -z "${VCLUSTER_NODES-}" ]; then
	export ROUNDS
	exec "$vcluster" -N 1 --timeout $((60 + ROUNDS * 60)) \
		${CSV:+--out "$(dirname "$CSV")"} -- sh "$0"
fi

work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
export MRT_FABRIC=verbs

# listening: perftest's port 18515
listening()
{
	grep -qi ":4853 .* 0A" /proc/net/tcp /proc/net/tcp6
}

# perftest PROGRAM COLUMN OPTION...: one figure of its table
perftest()
{
	program=$1
	column=$2
	shift 2
	"$program" -d rxe0 -x 1 "$@" >/dev/null 2>&1 &
	server=$!
	until listening; do
		sleep 0.1
	done
	"$program" -d rxe0 -x 1 "$@" 10.0.0.1 2>/dev/null |
		awk -v c="$column" '$1 ~ /^[0-9]+$/ { print $c }'
	wait $server
}

ours()
{
	"$top_builddir/mrun" -n 2 "$top_builddir/tests/cluster/verbs_bench" "$1"
}

# Columns: bytes, iterations, min, max, typical; of bandwidth: peak, average.
one_round()
{
	perftest ib_send_lat 5 -s 8 -n 1500 >>"$work/latency.ref"
	ours latency >>"$work/latency"
	perftest ib_read_bw 4 -s 65536 -n 320 -t 16 >>"$work/bandwidth.ref"
	ours bandwidth >>"$work/bandwidth"
	perftest ib_write_lat 5 -s 8 -n 1500 >>"$work/barrier.ref"
	ours barrier >>"$work/barrier"
	perftest ib_atomic_lat 5 -n 1500 >>"$work/atomic.ref"
	ours atomic >>"$work/atomic"
}

median()
{
	sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# row NAME FILE REFERENCE GATE SIGN: SIGN <: at most GATE times the reference
row()
{
	mine=$(median "$work/$2")
	theirs=$(median "$work/$2.ref")
	awk -v name="$1" -v a="$mine" -v ref="$3" -v b="$theirs" -v gate="$4" \
		-v sign="$5" 'BEGIN {
		ratio = a / b
		good = sign == "<" ? ratio <= gate : ratio >= gate
		printf "%-26s %9.2f  %-13s %9.2f  %5.2fx  %s %.2fx  %s\n", name,
			a, ref, b, ratio, sign == "<" ? "<=" : ">=", gate,
			good ? "reached" : "MISSED" }'
	[ ! -d "${OUT-}" ] || echo "$1,$mine,$3,$theirs,$4" >>"$OUT/bench-verbs.csv"
}

# limit NAME VALUE GATE
limit()
{
	awk -v name="$1" -v a="$2" -v gate="$3" 'BEGIN {
		printf "%-26s %9.3f  %-31s  <= %s  %s\n", name, a, "", gate,
			a <= gate ? "reached" : "MISSED" }'
	[ ! -d "${OUT-}" ] || echo "$1,$2,,,$3" >>"$OUT/bench-verbs.csv"
}

rnr()
{
	cat /sys/class/infiniband/rxe0/ports/1/hw_counters/*rnr* |
		awk '{ n += $1 } END { print n + 0 }'
}

k=0
while [ $k -lt "$ROUNDS" ]; do
	k=$((k + 1))
	one_round
	echo "round $k of $ROUNDS: latency $(tail -n 1 "$work/latency") us," \
		"ib_send_lat $(tail -n 1 "$work/latency.ref") us" >&2
done
set -- $(ours sends)
posts=$1
completions=$2
set -- $(MRT_MESH_MAX=0 ours memory)

echo "Soft-RoCE in a virtual machine, $(nproc) CPUs; medians of $ROUNDS rounds"
printf '%-26s %9s  %-13s %9s  %6s  %s\n' metric libmrt reference perftest \
	ratio gate
row "8 B one way, us" latency ib_send_lat 1.5 '<'
row "64 KiB by READ, MiB/s" bandwidth ib_read_bw 0.8 '>'
row "barrier of 2 ranks, us" barrier ib_write_lat 2.5 '<'
row "fetch-and-add, us" atomic ib_atomic_lat 1.2 '<'
limit "posts per 8 B message" "$posts" 1
limit "completions per message" "$completions" 0.03125
limit "KiB for a connected peer" "$1" 96
limit "receive KiB, no peer yet" "$2" 0
limit "receive KiB, one peer" "$3" 4096
limit "receiver-not-ready NAKs" "$(rnr)" 0
