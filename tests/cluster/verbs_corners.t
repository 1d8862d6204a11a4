# SPDX-License-Identifier: Apache-2.0
# verbs_corners.t: one machine, and situations that a job over verbs seldom
# meets.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=400
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs
tests=$top_builddir/tests
counters_start

run 60 env MRT_MESH_MAX=0 MRT_TIMEOUT=5 "$MRUN" -n 3 \
	"$top_builddir/tests/cluster/late" 9
is "$rc" 0 "a rank that computes for longer than MRT_TIMEOUT gets calls"
like "$out" 'sum 1' "and what was sent meanwhile"
like "$err" 'rank 2 on .* has not answered calls for connection for 5 s' \
	"a warning says who waits for whom"

run 60 env MRT_TIMEOUT=5 "$MRUN" -n 3 "$top_builddir/tests/cluster/early" 12
is "$rc" 0 "a rank that ends for longer than MRT_TIMEOUT before the others"
is "$(grep -c 'rounds' "$out")" 2 "who go on meanwhile"
is "$(cat "$err")" "" "and nobody complains"

for mesh in 0 256; do
	run 30 env MRT_MESH_MAX=$mesh "$top_builddir/mrt-hello"
	is "$rc" 0 "MRT_MESH_MAX=$mesh: a job without a launcher"
done

run 60 env MRT_IB_POOL=64K "$MRUN" -n 3 "$top_builddir/tests/cluster/held"
is "$rc" 0 "a read while messages hold all buffers"
[ "$(sed 's/ ms//' "$out")" -lt 300 ]
is $? 0 "does not wait for a sign of life ($(cat "$out"))"

# messages a byte longer than the buffer: eager, by READ, by copies
export TEST_LEVEL=quick
for way in MRT_IB_EAGER_MAX=4K MRT_IB_EAGER_MAX=0 MRT_REG_CACHE=0; do
	cases "too long, $way:" env $way "$MRUN" -n 2 "$tests/system/truncate"
done

chmod 1777 "$work" "$work/tmp"
cases "at first use, 64 KiB of locked memory:" env MRT_MESH_MAX=0 \
	prlimit --memlock=65536 setpriv --reuid 65534 --regid 65534 \
	--clear-groups --bounding-set=-all "$MRUN" -n 3 "$tests/system/storm" \
	--messages 100 --seed 6 --max 200000
like "$err" 'messages go eagerly only up to' "a warning says so"

no_rnr "no receiver was ever not ready"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
