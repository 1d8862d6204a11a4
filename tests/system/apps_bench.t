#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps_bench.t checks that every test of mrt-bench runs and verifies at 1, 2, 3,
# 5 and 8 ranks, and that programs can parse its output.
. "${top_srcdir:-.}/tests/system/lib.sh"
need_mrun
bench=$top_builddir/mrt-bench

for n in 1 2 3 5 8; do
	run 60 "$MRUN" -n "$n" "$bench" --csv -c -i 3 -x 1 -w 4 \
		-m 0,1,8,1000,64K,1M all
	is "$rc" 0 "all, $n ranks"
	# 4 tests need pairs, so 2 ranks: 6 + 3 * 5 sizes, and 8 of windows: 5 of
	# bytes, one of doubles, 2 of a word; then the barrier, 5 collectives of
	# bytes and 5 of doubles
	rows=$((1 + 5 * 5 + 5 * 4))
	[ "$n" -eq 1 ] || rows=$((rows + 6 + 3 * 5 + 5 * 5 + 4 + 2))
	is "$(grep -c ",$n,.*,pass$" "$out")" "$rows" "all pass, $n ranks"
	is "$(awk -F, 'NF != 9 || NR > 1 && ($6 <= 0 || $7 > $6 ||
		$6 > $8 || $4 != 3)' "$out" | wc -l)" 0 \
		"CSV: 9 fields, min <= avg <= max, $n ranks"
done
is "$(head -n 1 "$out")" \
	test,ranks,bytes,iterations,unit,avg,min,max,check "CSV: its head"

run 60 "$MRUN" -n 2 "$bench" --json -t 0.002 latency:0:16 barrier \
	allreduce:8,64 rate:8
is "$rc" 0 "JSON"
if have jq; then
	is "$(jq -r '[.results[] | .test + " " + (.bytes | tostring)] |
		join(",")' "$out")" \
		"latency 0,latency 1,latency 2,latency 4,latency 8,latency 16,$(
		)barrier 0,allreduce 8,allreduce 64,rate 8" "JSON: tests, sizes"
	is "$(jq '.ranks == 2 and (.results | all(.avg > 0))' "$out")" true \
		"JSON: figures"
elif have python3; then
	is "$(python3 -c 'import json,sys
print(len(json.load(open(sys.argv[1]))["results"]))' "$out")" 10 "JSON: rows"
else
	skip "neither jq nor python3" "JSON: tests, sizes"
fi

run 60 "$MRUN" -n 2 "$bench" -t 0.002 -m 4:64 latency bw bcast
like "$out" '^# libmrt latency test' "table: title"
like "$out" '^# Size +Latency \(us\)' "table: head"
is "$(grep -cE '^[0-9]+ +[0-9.]+ ' "$out")" 15 "table: a row for each size"
run 60 "$MRUN" -n 3 "$bench" --sync -c -i 5 -m 8 bcast reduce allreduce alltoall
is "$rc" 0 "--sync"

run 60 "$MRUN" -n 3 "$bench" --csv --ranks 2 -c -i 5 -m 8 latency allreduce
is "$rc" 0 "--ranks"
is "$(grep -c ',2,8,5,us,.*,pass$' "$out")" 2 "--ranks: two ranks take part"
run 60 "$MRUN" -n 3 "$bench" --offset 16 -c -i 2 -x 0 -m 1,5000,64K,1M all
is "$rc" 0 "--offset"
run 60 "$MRUN" -n 2 "$bench" --ranks 3 barrier
is "$rc" 64 "--ranks: more than there are"
run 60 "$MRUN" -n 3 "$bench" -c -i 2 --csv sendv:100,5000 -k 3,700 -g 1,3
is "$rc" 0 "sendv"
# 5000 x 700 fits as well: 2 block sizes, 2 counts, 2 strides, 4 ways
is "$(grep -cE '^sendv-(fabric|libmrt|program|flat):[0-9]+x[0-9]+:[0-9]+,3,.*,pass$' \
	"$out")" 32 "sendv: every layout in every way"
run 60 "$MRUN" -n 2 "$bench" -c -t 0.002 sendv:1K -k 16
is "$(grep -cE '^1024 +16 +(2048|16384)( +[0-9.]+){5}  pass$' "$out")" 2 \
	"sendv: table"
run 60 "$MRUN" -n 2 "$bench" sendv -g 0
is "$rc" 64 "sendv: a stride of 0 is refused"
run 60 "$MRUN" -n 2 "$bench" -c -t 0.001 --csv pack:3000,100K
is "$rc" 0 "pack"
is "$(grep -cE '^(pack|unpack|memcpy)-[a-z]+(:[0-9]+)?,2,.*,GB/s,.*,pass$' \
	"$out")" 60 "pack: ten shapes, two sizes, three ways"
run 60 "$MRUN" -n 1 "$bench" -c -i 3 pack:4K
is "$(grep -cE '^[0-9]+ +[a-z]+(:[0-9]+)? +([0-9.]+ +){3} pass$' "$out")" 10 \
	"pack: table"
run 60 "$MRUN" -n 8 "$bench" -t 0.001 --csv barrier
is "$(awk -F, 'NR == 2 { print ($4 >= 1) }' "$out")" 1 \
	"iterations are chosen"
done_testing
