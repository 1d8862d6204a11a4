#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# default_choice.t compares what libmrt chooses by itself, by the model of
# coll/plan/model.c, with the fastest algorithm there is. mrt-scale predicts
# both on the networks that come with it. Reported are the worst and the mean
# slowdown. The bounds are a little above the results of the day they were
# written, so that a change for the worse shows; whether predictions come true
# is not tested here.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
scale=$top_builddir/mrt-scale
[ -x "$scale" ] || skip_all "built without jansson"

nodes=2,3,4,6,8,12,16,24,48,64,100
sizes=8,64,512,1K,4K,16K,64K,128K,1M
collectives="barrier bcast reduce allreduce gather scatter allgather alltoall
	reduce_scatter_block scan exscan"

# losses FABRIC prints for each point how many times the time of the fastest
# algorithm the default takes, the largest first.
losses()
{
	for c in $collectives; do
		"$scale" simulate "$c" -f "$1" -N "$nodes" -m "$sizes" \
			-a all --csv || exit
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

for bounds in hdr:2.0 ndr:2.0; do
	fabric=${bounds%:*}
	most=${bounds#*:}
	losses "$top_srcdir/tools/scale/fabrics/$fabric.json" >"$out"
	head -n 5 "$out" | sed 's/^/# /'
	is "$(wc -l <"$out")" 1001 "$fabric: points"
	at_most "$(sed -n '1s/ .*//p' "$out")" "$most"
	is $? 0 "$fabric: at worst $most times the time of the fastest"
	mean=$(awk '{ sum += log($1) } END { print exp(sum / NR) }' "$out")
	at_most "$mean" 1.03
	is $? 0 "$fabric: at most 3 % slower in the mean ($mean)"
done
done_testing
