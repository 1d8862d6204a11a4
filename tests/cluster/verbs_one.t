# SPDX-License-Identifier: Apache-2.0
# verbs_one.t forces everything through the device on one machine: what the
# system tests run over shared memory runs over RC queue pairs.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=900
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs
CASES_TIMEOUT=300
tests=$top_builddir/tests
counters_start

# of the numbers of ranks, 8 are too many for two emulated CPUs to try all counts,
# operations and lengths
for n in 1 2 3 8; do
	counts=300 longest=20000000
	[ "$n" -lt 8 ] || counts='100 --in-turn' longest=2000000
	cases "api, $n ranks:" env API_LONGEST=$longest "$MRUN" -n "$n" \
		"$tests/system/api"
	cases "one-sided, $n ranks:" "$MRUN" -n "$n" "$tests/system/onesided"
	cases "threads, $n ranks:" "$MRUN" -n "$n" "$tests/system/threads"
	head -c 4096 /dev/zero >"$work/flags"
	[ "$n" -ne 3 ] || cases "while all compute, $n ranks:" \
		env MRT_PROGRESS=thread "$MRUN" -n "$n" \
		"$tests/system/overlap" "$work/flags"
	# shellcheck disable=SC2086 # a number, or with an option
	cases "collectives, $n ranks:" "$MRUN" -n "$n" "$tests/system/coll" \
		--max-count $counts
	cases "by atomics of the device, $n ranks:" env MRT_BARRIER=atomic \
		"$MRUN" -n "$n" "$tests/system/cells" --rounds 60 --barriers 200
	cases "storm, $n ranks:" "$MRUN" -n "$n" "$tests/system/storm" \
		--messages 1000 --seed "$n"
	[ "$n" -le 3 ] && bounds='0 1G' || bounds=
	for min in $bounds; do
		cases "pieces from $min, $n ranks:" env MRT_GATHER_MIN="$min" \
			"$MRUN" -n "$n" "$tests/system/gather" --rounds 3
	done
	run 60 "$MRUN" -n "$n" "$top_builddir/mrt-cg" --poisson 12 12 12
	is "$rc" 0 "$n ranks: mrt-cg solves a Poisson problem"
	like "$out" 'relative residual [0-9.]*e-(0[89]|[1-9][0-9])' \
		"$n ranks: to 1e-8"
done
no_leftovers "nothing is left"
no_rnr "no receiver was ever not ready"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
