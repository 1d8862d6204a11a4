# SPDX-License-Identifier: Apache-2.0
# ofi_nodes.t: four nodes without RDMA devices and two ranks on each, which
# nobody tells that there is libfabric: shared memory inside nodes, TCP between
# them. The nodes agree on a provider and on a network; one without any is
# named.
. "${top_srcdir:?run by make check}/tests/cluster/lib.sh"
in_cluster --namespaces -N 4
need_mrun
unset MRT_OFI_PROVIDER
CASES_TIMEOUT=120
tests=$top_builddir/tests
run 20 "$top_builddir/mrt-info" --json
grep -q '"ofi": "built without"' "$out" && skip_all "built without libfabric"

run 60 env MRT_LOG=info "$MRUN" -n 8 "$tests/mpi/ring"
[ "$rc" -ne 69 ] || skip_all "$(tail -n 1 "$err")"
is "$rc" 0 "nobody names a network"
is "$(grep -c 'uses libfabric.s [a-z_;]* on eth0 (10.0.0.0/24)' "$err")" 8 \
	"all ranks use TCP on the interface that joins the nodes"

# ---- the suites ----

run 60 env MRT_STATS=1 "$MRUN" -n 8 "$tests/system/storm" --messages 1000
is "$rc" 0 "a storm"
like "$err" '^ *ofi *messages sent' "goes by libfabric between the nodes"
like "$err" '^ *sm ' "and by shared memory inside them"
cases "api:" env API_LONGEST=2000000 "$MRUN" -n 4 "$tests/system/api"
cases "collectives:" "$MRUN" -n 8 "$tests/system/coll" --max-count 100 --in-turn
cases "all algorithms:" "$MRUN" -n 8 "$tests/system/coll_all" --rounds 1 \
	--max 20000
for program in "$tests/mpi/win_storm" "$tests/mpi/win_lock" \
	"$tests/mpi/win_atomics"; do
	cases "${program##*/}:" "$MRUN" -n 8 "$program"
done
cases "by PMI:" srun --mpi=pmi2 -N4 -n8 -O "$tests/system/storm" \
	--messages 1000 --seed 6
cases "by Open MPI's daemons:" "$MRUN" --engine mpirun \
	--host node1:1,node3:1,node4:1 -n 3 "$tests/system/storm" \
	--messages 1000 --seed 5

# The last rank computes for two seconds; the first waits for it.
run 60 "$MRUN" -n 2 --host node1:1,node2:1 \
	sh -c '"$0" 2; [ "$PMIX_RANK" != 0 ] || times' "$tests/cluster/late"
used=$(grep 'm.*s .*m.*s' "$out" | tail -n 1)
cpu=$(echo "$used" | awk -F '[ms ]+' 'NF > 4 { print $2 + $4 < 0.5 }')
is "$rc $cpu" "0 1" "a rank that waits sleeps: $used"

# More long messages are under way than there are buffers for.
run 60 "$MRUN" --engine mpirun --host node1:40,node2:1 -n 41 \
	"$tests/cluster/late" 2 15000
is "$rc $(cat "$out")" "0 sum 780" "40 ranks send 60 KB to one that is late"

# ---- agreement ----

# on NODE COMMAND...: the command runs in the environment of ranks of this node.
cat >"$OUT/on" <<'X'
node=$1
shift
if [ "$(hostname)" = "$node" ]; then
	export "$1"
fi
shift
exec "$@"
X
run 60 env MRT_LOG=info MRT_OFI_PROVIDER=sockets,tcp "$MRUN" -n 4 \
	sh "$OUT/on" node3 FI_PROVIDER=tcp,ofi_rxm "$tests/mpi/ring"
is "$rc" 0 "one node has not the provider that the others prefer"
is "$(grep -c 'uses libfabric.s [a-z_;]* on eth0' "$err")" 4 \
	"all use the one that it has"
run 60 env MRT_OFI_PROVIDER=sockets,tcp "$MRUN" -n 4 \
	sh "$OUT/on" node3 MRT_OFI_PROVIDER=none "$tests/mpi/ring"
is "$rc" 69 "one node has none: exit code"
like "$err" 'NO_FABRIC: .*node3 cannot use verbs .*, ofi .*PROVIDER=none' \
	"and it is named"

# card NODE NAME ADDRESS adds an interface that reaches no other node.
card()
{
	ctl run "$1" sh -ec "ip link add $2 type veth peer name $2.x
		ip addr add $3 dev $2
		ip link set $2 up
		ip link set $2.x up"
}
for node in 1 2 3 4; do
	card $node docker0 172.17.0.1/16
	card $node pod 10.8.0.1/16
	card $node own 10.9.$node.1/24
	card $node dark 10.7.0.$node/24
	ctl run $node ip link set dark.x down
done
card 2 more 10.1.2.3/24
run 60 env MRT_LOG=info "$MRUN" -n 8 "$tests/mpi/ring"
is "$rc" 0 "interfaces that join nothing"
is "$(grep -c 'on eth0 (10.0.0.0/24)' "$err")" 8 "are left out"
run 60 env MRT_LOG=info MRT_OFI_IFACE=10.0.0.0/16 "$MRUN" -n 4 "$tests/mpi/ring"
is "$rc $(grep -c 'on eth0 (10.0.0.0/24)' "$err")" "0 4" \
	"MRT_OFI_IFACE names a network"
run 60 env MRT_OFI_IFACE=dark "$MRUN" -n 4 "$tests/mpi/ring"
is "$rc" 69 "one without a link is not used"
run 60 env MRT_OFI_IFACE=own "$MRUN" -n 4 "$tests/system/storm" --messages 10
is "$rc" 75 "MRT_OFI_IFACE names one that joins nothing: exit code"
like "$err" 'MRT_ERR_PEER: rank . on node.*unreachable' "and it is named"
like "$err" 'warning: node. cannot be reached by TCP .*unreachable.: is there' \
	"after a warning"

# ---- faults ----

run 60 "$MRUN" -n 8 "$tests/system/fatal" killed
is "$rc" 137 "a rank is killed: exit code"
run 60 "$MRUN" -n 8 "$tests/system/fatal" bad_rank
is "$rc" 64 "an error ends the job with its code"
lib=$(ls /usr/lib/*/libfabric.so.1 2>/dev/null | head -n 1)
if [ -n "$lib" ]; then
	ctl run 4 mount --bind /dev/null "$lib"
	run 60 "$MRUN" -n 4 "$tests/mpi/ring"
	is "$rc" 69 "a node without libfabric: exit code"
	like "$err" 'NO_FABRIC: .*node4 cannot use .*libfabric is not installed' \
		"and it is named"
	ctl run 4 umount "$lib"
fi
done_testing
