# SPDX-License-Identifier: Apache-2.0
# ofi_many.t: 16 nodes that TCP joins, RANKS ranks in all: RANKS=128 and SEED=1
# in make check-cluster-large.
. "${top_srcdir:?run by make check-cluster-large}/tests/cluster/lib.sh"
: "${RANKS:=128}"
CLUSTER_TIMEOUT=1200
in_cluster --namespaces -N 16
need_mrun
unset MRT_OFI_PROVIDER
export MRT_TIMEOUT=600
CASES_TIMEOUT=500
run 20 "$top_builddir/mrt-info" --json
grep -q '"ofi": "built without"' "$out" && skip_all "built without libfabric"

run 200 "$MRUN" -n "$RANKS" "$top_builddir/mrt-hello"
is "$rc $(grep -c "of $RANKS" "$out")" "0 $RANKS" "$RANKS ranks start: $ms ms"
cases "$RANKS ranks:" "$MRUN" -n "$RANKS" "$top_builddir/tests/system/storm" \
	--messages $((RANKS * 20)) --seed "${SEED:-1}" --max 100000
cases "$RANKS ranks:" "$MRUN" -n "$RANKS" "$top_builddir/tests/system/coll" \
	--max-count 100 --in-turn
no_leftovers "nothing is left"
done_testing
