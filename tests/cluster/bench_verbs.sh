# SPDX-License-Identifier: Apache-2.0
# bench_verbs.sh, called by make bench-verbs, measures libmrt beside perftest on
# Soft-RoCE, in one virtual machine and one boot, by turns; it prints medians,
# ratios and verdicts (bench_verbs.awk). ROUNDS=N (7), OUT=DIR for
# bench-verbs.md, .json and .txt, which holds the samples (vcluster-out),
# STRICT=yes to fail if a gate is missed.
: "${top_srcdir:?}" "${top_builddir:?}"
: "${ROUNDS:=7}"
vcluster=$top_srcdir/tests/cluster/vcluster

for program in ib_send_lat ib_read_bw ib_write_lat ib_atomic_lat ib_read_lat \
	ib_write_bw; do
	command -v $program >/dev/null || {
		echo "make bench-verbs: $program not found. On Debian:" \
			"apt-get install perftest" >&2
		exit 69
	}
done

if [ -z "${VCLUSTER_NODES-}" ]; then
	export ROUNDS
	exec "$vcluster" -N 1 --timeout $((60 + ROUNDS * 90)) \
		${OUT:+--out "$OUT"} -- sh "$0"
fi

work=$(mktemp -d) || exit 70
trap 'rm -rf "$work"' EXIT
export MRT_FABRIC=verbs

# listening succeeds if perftest's port 18515 is open.
listening()
{
	grep -qi ":4853 .* 0A" /proc/net/tcp /proc/net/tcp6
}

# perftest PROGRAM COLUMN OPTION... prints one figure of its table.
perftest()
{
	program=$1
	column=$2
	shift 2
	"$program" -d rxe0 -x 1 "$@" >/dev/null 2>&1 &
	server=$!
	until listening; do
		kill -0 $server 2>/dev/null || return
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

# bench TEST:BYTES runs a test of mrt-bench.
bench()
{
	"$top_builddir/mrun" -n 2 "$top_builddir/mrt-bench" --csv "$1" |
		awk -F, 'NR == 2 { print $6 }'
}

# scaled FACTOR FIGURE prints the product; nothing without a figure.
scaled()
{
	awk -v factor="$1" -v figure="${2-}" \
		'BEGIN { if (figure != "") print factor * figure }'
}

samples=$work/samples

# row METRIC REFERENCE SIGN GATE AIM: see bench_verbs.awk
row()
{
	printf 'row|%s|%s|%s|%s|%s\n' "$@" >>"$samples"
}

# sample METRIC FIGURE [OF REFERENCE] records a figure of this round; a failed
# one is empty.
sample()
{
	printf '%s|%s|%s|%s\n' "$1" "$k" "$2" "${3-}" >>"$samples"
}

# The columns are bytes, iterations, min, max, typical; of bandwidth: peak,
# average.
one_round()
{
	ref=$(perftest ib_send_lat 5 -s 8 -n 1500)
	sample "$latency" "$(ours latency)" "$ref"
	ref=$(perftest ib_read_bw 4 -s 65536 -n 320 -t 16)
	sample "$bandwidth" "$(ours bandwidth)" "$ref"
	ref=$(perftest ib_write_lat 5 -s 8 -n 1500)
	sample "$barrier" "$(ours barrier)" "$ref"
	ref=$(perftest ib_atomic_lat 5 -n 1500)
	sample "$atomic" "$(ours atomic)" "$ref"
	sample "$fetch" "$(ours fetch_and_op)" "$ref"
	sample "$locked" "$(ours lock_put)" "$ref"
	ref=$(perftest ib_write_lat 5 -s 8 -n 1500)
	sample "$put" "$(ours put)" "$(scaled 2 "$ref")"
	ref=$(perftest ib_read_lat 5 -s 8 -n 1500)
	sample "$get" "$(ours get)" "$ref"
	# MB/s of mrt-bench are 10^6 bytes
	ref=$(perftest ib_write_bw 4 -s 65536 -n 320 -t 16)
	sample "$put_bw" "$(scaled 0.95367 "$(bench put_bw:64K)")" "$ref"
	ref=$(perftest ib_read_bw 4 -s 65536 -n 320 -t 16)
	sample "$get_bw" "$(scaled 0.95367 "$(bench get_bw:64K)")" "$ref"
}

rnr()
{
	cat /sys/class/infiniband/rxe0/ports/1/hw_counters/*rnr* |
		awk '{ n += $1 } END { if (NR) print n }'
}

# report FORMAT
report()
{
	awk -v format="$1" -v strict="${STRICT-}" -v title="Soft-RoCE in a \
virtual machine, $(nproc) CPUs; $ROUNDS rounds by turns" \
		-f "$top_srcdir/tests/cluster/bench_verbs.awk" "$samples"
}

latency="8 B one way, us"
bandwidth="64 KiB by READ, MiB/s"
barrier="barrier of 2 ranks, us"
atomic="fetch-and-add, us"
put="put and flush 8 B, us"
get="get and flush 8 B, us"
fetch="fetch-and-op and flush, us"
locked="lock, put 8 B, unlock, us"
put_bw="64 KiB puts, MiB/s"
get_bw="64 KiB gets, MiB/s"
row "$latency" ib_send_lat '<=' 1.5 1.15
row "$bandwidth" ib_read_bw '>=' 0.8 0.95
row "$barrier" ib_write_lat '<=' 2.5 2.0
row "$atomic" ib_atomic_lat '<=' 1.2 1.05
row "$put" "ib_write_lat x 2" '<=' 1.3 1.1
row "$get" ib_read_lat '<=' 1.25 1.1
row "$fetch" ib_atomic_lat '<=' 1.2 1.05
row "$locked" ib_atomic_lat '<=' 3 2.5
row "$put_bw" ib_write_bw '>=' 0.95 1
row "$get_bw" ib_read_bw '>=' 0.95 1
row "posts per 8 B message" "" '<=' 1 1
row "completions per message" "" '<=' 0.03125 0.03125
row "KiB for a connected peer" "" '<=' 96 32
row "receive KiB, no peer yet" "" '<=' 0 0
row "receive KiB, one peer" "" '<=' 4096 2048
row "receiver-not-ready NAKs" "" '<=' 0 0

k=0
while [ $k -lt "$ROUNDS" ]; do
	k=$((k + 1))
	one_round
	echo "round $k of $ROUNDS: $(tail -n 10 "$samples" | tr '\n' ' ')" >&2
done
# shellcheck disable=SC2046 # words
set -- $(ours sends)
sample "posts per 8 B message" "${1-}"
sample "completions per message" "${2-}"
# shellcheck disable=SC2046 # words
set -- $(MRT_MESH_MAX=0 MRT_IB_DATAGRAMS=0 ours memory)
sample "KiB for a connected peer" "${1-}"
sample "receive KiB, no peer yet" "${2-}"
sample "receive KiB, one peer" "${3-}"
sample "receiver-not-ready NAKs" "$(rnr)"

if [ -d "${OUT-}" ]; then
	cp "$samples" "$OUT/bench-verbs.txt"
	report markdown >"$OUT/bench-verbs.md"
	report json >"$OUT/bench-verbs.json"
fi
report text
