#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare_report.t: tests the statistics, verdicts and tables of make compare
# with samples made by hand, whose medians and ratios are easy to see.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
compare=$top_srcdir/apps/bench/compare/compare.sh
command -v nproc >/dev/null || skip_all "no nproc"

# samples COLUMN ROW UNIT FIGURE...: writes one figure for each round
samples()
{
	column=$1
	row=$2
	unit=$3
	shift 3
	round=0
	for figure; do
		round=$((round + 1))
		[ "$figure" = - ] ||
			echo "$round,$column,$row,$unit,$figure" \
				>>"$work/samples.csv"
	done
}

samples libmrt latency,2,8 us 1 2 9
samples openmpi latency,2,8 us 2 2 10
samples openmpi+ucx latency,2,8 us 0.1 0.1 0.1 # beats all, with settings
samples mpich latency,2,8 us 4 1 20
samples libmrt bandwidth,2,65536 MB/s 30 20 40
samples openmpi bandwidth,2,65536 MB/s 10 10 10
samples mpich bandwidth,2,65536 MB/s 20 timeout 8
samples libmrt bandwidth@nocma,2,65536 MB/s 12 12 12
samples libmrt barrier,8,0 us 4 4 4
samples openmpi barrier,8,0 us 8 8 8
samples openmpi+han barrier,8,0 us 2 2 -
samples mpich barrier,8,0 us 1 1 1
samples libmrt start,8,0 ms 151 100 200 151
samples libmrt allreduce,8,8 us 4.2 4.2 4.2
samples mpich allreduce,8,8 us 100 100 100
samples libmrt bcast,8,8 us failed failed failed
samples openmpi bcast,8,8 us 1 1 1
samples libmrt reduce,8,8 us 1 failed 1
samples openmpi reduce,8,8 us 9 9 9
samples floor latency,2,8 us 0.5 0.5 0.5
samples libmrt latency@tcp,2,8 us 4 4 4
samples floor latency@tcp,2,8 us 2 2 5
samples floor memcpy,1,65536 MB/s 100 100 100
samples libmrt scan@curves,2,8 us 1
samples openmpi scan@curves,2,8 us 2
samples libmrt scan@curves,2,4096 us 10
samples openmpi scan@curves,2,4096 us failed
cat >"$work/gates" <<'G'
# a comment
latency 2 8              <= 0.85 best    1.5
bandwidth 2 65536        >= 1.5  best    -
bandwidth@nocma 2 65536  >= 0.6  bandwidth:2:65536 -
barrier 8 0              <= 0.5  openmpi -
start 8 0                <= 150  limit   160
allreduce 8 8            <= 0.5  openmpi 1.1*barrier:8:0
bcast 8 8                <= 1.0  openmpi -
reduce 8 8               <= 1.0  openmpi -
scan 8 8                 <= 1.0  openmpi -
latency@tcp 2 8          <= 1.5  floor   -
G

OUT=
export OUT
run 60 sh "$compare" --report "$work" --gates "$work/gates" --out "$work/kept"
is "$rc" 0 "a report"
cp "$out" "$work/text"
is "$(grep -v 'no gnuplot' "$err" | grep -vc '^samples.csv')" 0 "no complaints"
if have gnuplot; then
	like "$work/kept/scan-2.svg" '>4K<' "a picture of a curve"
else
	skip "no gnuplot" "a picture of a curve"
fi

# cells ROW: prints libmrt's line of the table, from the median on
cells()
{
	sed -n "s/^$1,[^,]*,libmrt,//p" "$work/kept/table.csv"
}

is "$(cells latency,2,8)" "2,1,3,0,0.9,<= 0.85x best,MISSED by 6 %" \
	"median, best, and the median of each round's ratio to its best peer"
is "$(cells bandwidth,2,65536)" "30,40,3,0,2,>= 1.50x best,reached" \
	"for bandwidth more is better; a round without one peer counts"
is "$(cells bandwidth@nocma,2,65536)" \
	"12,12,3,0,,>= 0.60x with CMA,MISSED by 33 %" "a ratio to our own row"
is "$(cells barrier,8,0)" "4,4,3,0,4,<= 0.50x openmpi,reached" \
	"a gate of one peer, whatever the best peer has"
is "$(cells start,8,0)" "151,100,4,0,,<= 150 ms,MISSED by 1 %" \
	"a limit; the median of an even number"
is "$(cells latency@tcp,2,8)" "4,4,3,0,,<= 1.50x floor,MISSED by 33 %" \
	"a ratio to the machine alone"
is "$(cells allreduce,8,8)" \
	"4.2,4.2,3,0,0.042,<= 0.50x openmpi,no figure to compare" \
	"no verdict without the peer"
is "$(cells bcast,8,8)" ",,0,3,,<= 1.00x openmpi,MISSED: failed" \
	"a row that failed is missed"
is "$(cells reduce,8,8)" \
	"1,1,2,1,0.111111,<= 1.00x openmpi,MISSED: failed in 1 rounds" \
	"one that failed once, too"
run 10 grep -A 99 '^Next to the best known' "$work/text"
like "$out" '^barrier, 8 ranks +us +4.00.* 2.00 \(2.00\) han +1.00 .*4.00x' \
	"other settings stand in a table of their own"
run 10 cat "$work/text"
like "$out" '^latency 8 B +us +2.00 \(1.00\) +2.00 \(2.00\) +4.00 \(1.00\) +0.50 +0.90x' \
	"the table's row"
like "$out" '1.50 *$' "an aim that is not reached"
like "$out" 'no figure to compare +4.40 reached' \
	"an aim by another row"
like "$out" '^memcpy 64 KiB +MB/s +100 ' "floors of no pattern"
like "$out" '^2 gates reached, 6 missed, 2 not measured; 2 aims' \
	"the count of verdicts"

run 60 sh "$compare" --report "$work" --gates "$work/gates" --markdown
like "$out" '^\| latency 8 B \| us \| 2.00 \(1.00\) \|' "Markdown"
run 60 sh "$compare" --report "$work" --gates "$work/gates" --strict
is "$rc" 1 "--strict: a gate is missed"
grep barrier "$work/gates" >"$work/easy"
run 60 sh "$compare" --report "$work" --gates "$work/easy" --strict
is "$rc" 0 "--strict: all are reached"

json=$work/kept/result.json
if have python3; then
	run 20 python3 - "$json" <<'P'
import json, sys
rows = json.load(open(sys.argv[1]))["rows"]
row = [r for r in rows if r["pattern"] == "latency"][0]
assert row["columns"]["mpich"]["samples"] == [[1, 4], [2, 1], [3, 20]]
assert row["gate"]["verdict"] == "MISSED by 6 %" and row["ratio"] == 0.9
P
	is "$rc" 0 "JSON has every sample"
else
	skip "no python3" "JSON has every sample"
fi

# the last line of a run that ended early, and lines that no run has written
for bad in "1,libmrt,latency" "1,libmrt,latency,2,8,us," ",,,,,," "x"; do
	mkdir -p "$work/bad"
	{
		cat "$work/samples.csv"
		printf '%s' "$bad"
	} >"$work/bad/samples.csv"
	run 20 sh "$compare" --report "$work/bad"
	is "$rc" 65 "--report of a damaged line, $bad"
done
: >"$work/bad/samples.csv"
run 20 sh "$compare" --report "$work/bad"
is "$rc" 65 "--report of no samples"
mkdir "$work/a b"
cp "$work/samples.csv" "$work/gates" "$work/bad/"
cd "$work" || exit 99
run 60 env TMPDIR="$work/a b" sh "$compare" --report bad --gates bad/gates \
	--out "a b/kept"
is "$rc,$(grep -v 'no gnuplot' "$err" | grep -vc '^samples.csv')" 0,0 \
	"a folder with a space, and from where one is"
is "$(ls "$work/a b")" kept "nothing is left there"

for bad in "--only nothing" "--rounds 0" "--rounds x" "--rounds 07" \
	"--time 0.0" "--time x" "--bogus" "--out"; do
	# shellcheck disable=SC2086 # words
	run 20 sh "$compare" $bad
	is "$rc" 64 "$bad is refused"
done
run 20 sh "$compare" --report "$work/none"
is "$rc" 66 "--report without samples"
run 20 sh "$compare" --help
is "$rc" 0 "--help"
run 20 sh "$compare" --list
like "$out" '^node: ranks 8 barrier allreduce' "--list"

# chosen WORDS: lists the rows that --only selects
chosen()
{
	sh -c 'source=$1; only=$2; here=$source/apps/bench/compare
		. "$here/rows.sh"; . "$here/apps.sh"
		for group in $every_group; do
			wanted $group | sed "s/^/$group /"
		done' sh "$top_srcdir" "$1"
}
is "$(chosen "start latency:8 all/scan")" "pairs 2 latency:8
start 8 start
curves 2 latency:8
all 4 scan:8,4096,1048576
all 8 scan:8,4096,1048576" "--only: a group, a size, a pattern of one group"
is "$(chosen "" | grep -cE '^(large|all) ')" 0 "large collectives are optional"
is "$(chosen large | wc -l)" 3 "and come when they are named"
done_testing
