# SPDX-License-Identifier: Apache-2.0
# verbs_rails.t: two machines of which the first has a second device that does
# not reach the other machine: one in another IP network, then one that claims
# to be InfiniBand (claim.c), which each node would choose for itself. All ranks
# use the network of both, say what they leave out, or say why there is none.
# Then both have a second device in a network of its own, without routes between
# the two, and with them.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=600
in_cluster -N 2
need_mrun
tests=$top_builddir/tests
claim=$top_builddir/tests/cluster/.libs/claim.so
faulty=$top_builddir/tests/cluster/.libs/faulty.so
[ -e "$claim" ] || skip_all "built without libibverbs"

# job LABEL NAME=VALUE... runs two ranks on each node.
job()
{
	label=$1
	shift
	run 90 "$MRUN" -n 4 env MRT_LOG=info MRT_STATS=1 "$@" "$tests/system/storm" \
		--messages 200 --seed 5 --max 100000
	is "$rc" 0 "$label: the job works"
}

# The number of ranks whose last word is that they use a device.
users()
{
	sed -n 's/^libmrt\[\([0-9]*\).* uses \([a-z0-9]*\) port 1.*/\1 \2/p' "$err" |
		awk '{ last[$1] = $2 } END { for (r in last) print last[r] }' |
		grep -c "^$1\$"
}

requests()
{
	awk '$1 == "boot" && $2 == "launcher" { print $NF }' "$err"
}

# leaves_out NETWORK: node 1 has said so of rxe1.
leaves_out()
{
	why="$1, [0-9.]* Gb/s\): node2 has no port in its network"
	like "$err" "\[0/4 .* leaves out rxe1 port 1 \($why" "which is said"
}

rdma link add rxe1 type rxe netdev lo
job "alone" MRT_IB_DEVICE=rxe0
alone=$(requests)
diag "launcher requests of all ranks: $alone"

job "another IP network"
is "$(users rxe0) $(users rxe1)" "4 0" "all use the network of both"
leaves_out 'Ethernet 127\.0\.0\.0/8'
is "$(requests)" "$alone" "and asked for nothing more"

mixed="LD_PRELOAD=$claim CLAIM_INFINIBAND=rxe1"
job "InfiniBand at one node" $mixed
is "$(users rxe0) $(users rxe1)" "4 0" "all use Ethernet"
like "$err" '\[0/4 .* uses rxe1 port 1' "after node 1 has tried InfiniBand"
leaves_out 'InfiniBand [^ ]*'
is "$(requests)" $((alone + 4)) "each asked the other node once more"

job "InfiniBand at one node, at first use" $mixed MRT_MESH_MAX=0
is "$(users rxe0) $(users rxe1)" "4 0" "all use Ethernet"
job "InfiniBand excluded" $mixed MRT_IB_DEVICE=^rxe1
is "$(requests)" "$alone" "costs nothing"
job "one of a list" $mixed MRT_IB_DEVICE=rxe7,rxe0:1

rdma link del rxe1
run 30 "$MRUN" -n 2 env LD_PRELOAD="$claim" CLAIM_INFINIBAND=rxe0 \
	CLAIM_RANK=1 "$top_builddir/mrt-hello"
is "$rc" 69 "no common network: an error"
one='node1, which has rxe0 port 1 \(Ethernet 10\.0\.0\.0/24, [0-9.]+ Gb/s\)'
two='node2, which has rxe0 port 1 \(InfiniBand .*\)'
like "$err" "\[0/2 .*no network joins $one, and $two: .*MRT_IB_DEVICE" \
	"that lists the ports of both"
no_leftovers "nothing is left"

# without NAME=VALUE COMMAND...: this variable lets rank 1 have no usable port.
without()
{
	run 60 "$MRUN" -n 2 sh -c '[ "$PMIX_RANK" = 0 ] || export "$1"; shift
		exec "$@"' sh "$@" "$top_builddir/mrt-hello"
	is "$rc" 69 "$1 at node 2: an error"
}
without MRT_IB_DEVICE=rxe7
two='node2, which has no usable port: MRT_IB_DEVICE=rxe7: there is no such device among the 1 here'
for rank in 0 1; do
	like "$err" "\[$rank/2 .*no network joins .*$two" "rank $rank tells of node 2"
	like "$err" "\[$rank/2 .*no network joins .*$one" "and of node 1"
done
without FAULTY=ibv_get_device_list:1+:-1 env LD_PRELOAD="$faulty"
two='node2, which has no usable port: rxe0 is neither InfiniBand nor RoCE'
like "$err" "\[0/2 .*no network joins $one, and $two" "both nodes' ports are listed"
no_leftovers "nothing is left"

rdma link add rxe1 type rxe netdev lo
run 30 "$top_builddir/mrt-info"
is "$rc" 0 "mrt-info"
like "$out" 'network +Ethernet 10.0.0.0/24' "shows networks"
like "$out" 'ranks +use it' "what is used"
like "$out" 'ranks +leave it out: the network used, Ethernet 10.0.0.0/24, is as fast' \
	"and why another is not"
run 30 env MRT_IB_DEVICE=^rxe0 "$top_builddir/mrt-info"
like "$out" 'ranks +leave it out: MRT_IB_DEVICE' "or that it is excluded"
rdma link del rxe1

# rail: a second rail, and routes from each of the two to the other's network.
# Each interface answers for its own address only, as if it were in a network
# of its own.
rail()
{
	ctl run "$1" sh -ec "
		echo 1 >/proc/sys/net/ipv4/conf/all/arp_ignore
		ip link add rail1 link eth0 type macvlan mode bridge
		ip addr add 10.0.1.$1/24 dev rail1
		ip link set rail1 up
		rdma link add rxe1 type rxe netdev rail1"
}
routes()
{
	ctl run "$1" sh -ec '
		ip route add 10.0.1.0/24 dev eth0 metric 9
		ip route add 10.0.0.0/24 dev rail1 metric 9'
}
rail 1
rail 2
job "two rails without routes"
is "$(users rxe0) $(users rxe1)" "4 0" "all use one of them"
like "$err" 'leaves out rxe1 .* comes first, and no route joins them' "which is said"
routes 1
job "routes at one node only"
is "$(users rxe0) $(users rxe1)" "4 0" "all use one of them"
routes 2
job "two rails with routes"
is "$(users rxe0) $(users rxe1)" "2 2" "both are used"
is "$(requests)" "$alone" "and the ranks asked for nothing more"
job "two rails with routes, at first use" MRT_MESH_MAX=0
is "$(users rxe0) $(users rxe1)" "2 2" "both are used"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
