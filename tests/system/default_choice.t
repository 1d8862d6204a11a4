#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# default_choice.t compares what libmrt chooses by itself, by the model of
# coll/plan/model.c, with the fastest algorithm there is. mrt-scale predicts
# both on the networks that come with it. Reported are the worst and the mean
# slowdown. The bounds are a little above the results of the day they were
# written, so that a change for the worse shows; whether predictions come true
# is not tested here. At TEST_LEVEL=quick only HDR with several ranks a node.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -z "$SANITIZER" ] || skip_all "the same without sanitizers"
scale=$top_builddir/mrt-scale
[ -x "$scale" ] || skip_all "built without jansson"

nodes=2,3,4,6,8,12,16,24,48,64,100
sizes=8,64,512,1K,4K,16K,64K,128K,1M
collectives="barrier bcast reduce allreduce gather scatter allgather alltoall
	reduce_scatter_block scan exscan"

# losses FABRIC NODES PPN SIZES [TOPOLOGY] prints for each point how many times
# the time of the fastest algorithm the default takes, the largest first.
losses()
{
	for c in $collectives; do
		"$scale" simulate "$c" -N "$2" --ppn "$3" -m "$4" -a all --csv \
			-T "${5:-flat}" -f "$top_srcdir/tools/scale/fabrics/$1.json" || exit
	done 2>"$err" | awk -F, '
		{ point = $1 " on " $3 " nodes, " $5 " bytes" }
		$6 == "default" { ours[point] = $8; chosen[point] = $7; next }
		$8 > 0 && (!(point in least) || $8 < least[point]) {
			least[point] = $8
			best[point] = $6
		}
		END {
			for (p in ours)
				if (least[p] > 0)
					printf "%.3f %s: %s, not %s\n",
						ours[p] / least[p], p,
						chosen[p], best[p]
		}' | sort -rn
}

# at_most A B succeeds if A <= B.
at_most()
{
	awk "BEGIN { exit !($1 <= $2) }"
}

# judge WHAT POINTS WORST MEAN judges the losses in $out.
judge()
{
	head -n 5 "$out" | sed 's/^/# /'
	is "$(wc -l <"$out")" "$2" "$1: points"
	at_most "$(sed -n '1s/ .*//p' "$out")" "$3"
	is $? 0 "$1: at worst $3 times the time of the fastest"
	mean=$(awk '{ sum += log($1) } END { print exp(sum / NR) }' "$out")
	at_most "$mean" "$4"
	is $? 0 "$1: at most $4 times in the mean ($mean)"
}

fabrics='hdr ndr'
[ "$TEST_LEVEL" != quick ] || fabrics=hdr
for fabric in $fabrics; do
	if [ "$TEST_LEVEL" != quick ]; then
		losses $fabric "$nodes" 1 "$sizes" >"$out"
		judge $fabric 1001 2.0 1.03
	fi
	losses $fabric 2,4,16,64 8 8,128,1K,16K,64K >"$out"
	judge "$fabric, 8 ranks a node" 204 2.2 1.04
	losses $fabric 2,4 64 8,128,1K,16K,64K >"$out"
	judge "$fabric, 64 ranks a node" 102 2.4 1.05
done
printf 'libmrt-tune 1\nmodel net taper 4\n' >"$work/taper"
export MRT_TUNE_FILE="$work/taper"
losses hdr 32,64,128 1 8,512,8K,64K,1M fattree:16,taper=4 >"$out"
judge "hdr, a taper of 4" 153 2.3 1.04
done_testing
