#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# coll_nodes.t tests the collectives with each algorithm that depends on places,
# on ranks that are taken for those of several nodes (coll_nodes.c): in ranges
# of equal and of odd lengths, and round robin; with boards and without.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/algorithms.sh"
need_mrun
program=$top_builddir/tests/system/coll_nodes
CASES_TIMEOUT=180
rounds=12
[ "$TEST_LEVEL" != quick ] || rounds=3
MRT_COLL_DIRECT=no
export MRT_COLL_DIRECT

places='6:3 8:2 9:3,5,4 7:round:3'
[ "$TEST_LEVEL" != full ] || places="$places 12:3,5,4 8:4 8:round:2 9:1,2"
for collective in $("$program" --list); do
	algorithms_of "$collective"
	echo "$names" | tr ' ' '\n' |
		grep -E '^hierarchical|leader$|^node_aware' \
			>"$work/names.$collective"
done
k=1
while algorithms_take "$k"; do
	diag "algorithms $k:$forced"
	for place in $places; do
		# shellcheck disable=SC2086 # a list
		cases "${place%%:*} ranks on ${place#*:}, algorithms $k:" \
			env NODES="${place#*:}" $forced "$MRUN" -n "${place%%:*}" \
			"$program" --only "$having" --rounds "$rounds"
	done
	k=$((k + 1))
done
[ "$k" -gt 3 ]
is $? 0 "three algorithms of a collective depend on places"

# on boards, the blocks of each rank in rows, where these divide the ranks
for row in 2 4; do
	for n in 6 8; do
		cases "$n ranks on one node, rows of $row:" env NODES=$n \
			MRT_ALLGATHER=board:$row MRT_ALLGATHERV=board:$row \
			MRT_REDUCE_SCATTER=board:$row \
			MRT_REDUCE_SCATTER_BLOCK=board:$row "$MRUN" -n $n \
			"$program" --rounds "$rounds" --only \
			allgather,allgatherv,reduce_scatter,reduce_scatter_block
	done
done

# many segments, which take boards in turn
for place in 6:3 8:4 9:3,5,4; do
	for segment in 64 1000; do
		cases "${place%%:*} ranks on ${place#*:}, segments of $segment bytes:" \
			env NODES="${place#*:}" \
			MRT_ALLREDUCE=segmented_multi_leader:$segment \
			MRT_REDUCE=segmented_multi_leader:$segment \
			"$MRUN" -n "${place%%:*}" "$program" --rounds "$rounds" \
			--only allreduce,reduce
	done
done

# boards [VARIABLE] prints whether ranks have boards and have loaded from them.
boards()
{
	run 60 env NODES=4 MRT_STATS=1 MRT_BCAST=hierarchical "$@" "$MRUN" -n 8 \
		"$program" --only bcast --rounds 3
	echo "$rc $(awk '/boards made/ { n = $NF } /loads from/ { l = $NF }
		END { print (n > 0), (l > 0) }' "$err" "$out")"
}
is "$(boards)" "0 1 1" "ranks of a node read from each other's boards"
for n in 2 4 7; do
	cases "$n ranks on boards:" env MRT_REDUCE=board "$MRUN" -n "$n" \
		"$top_builddir/tests/system/board_ahead"
done
is "$(boards NO_BOARD=5)" "0 0 0" "all do without if one has no memory"
no_leftovers "nothing is left"
done_testing
