# SPDX-License-Identifier: Apache-2.0
# verbs_rails.t: two machines of which the first has a second device that does
# not reach the other machine: one in another IP network, then one that claims
# to be InfiniBand (claim.c), which each node would choose for itself. All ranks
# use the network of both, say what they leave out, or say why there is none.
# Then both have a second device in a network of its own, without routes between
# the two, and with them; and at last a second rail that is cut, again and again
# (CUTS=200 for many times).
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=$((600 + ${CUTS:-0} * 10))
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

# The sum over all ranks of a counter of verbs.
counted()
{
	awk -v name="$1" '$1 == "verbs" && index($0, name) { n += $NF }
		END { print n + 0 }' "$err"
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
run 60 env -u MRT_OFI_PROVIDER "$MRUN" -n 2 env LD_PRELOAD="$claim" \
	CLAIM_INFINIBAND=rxe0 CLAIM_RANK=1 "$top_builddir/mrt-hello"
is "$rc $(grep -c 'no network joins .*: between all nodes ofi is used' "$err")" "0 1" \
	"without RDMA, if libfabric may be used"
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
like "$out" 'ranks +use it as their second port' "and what is used besides"
run 30 env MRT_IB_RAILS=1 "$top_builddir/mrt-info"
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
job "two rails without routes" MRT_IB_RAILS=1
is "$(users rxe0) $(users rxe1)" "4 0" "all use one of them"
like "$err" 'leaves out rxe1 .* comes first, and no route joins them' "which is said"
job "both without routes"
unlike "$err" 'leaves out' "both are used for long messages"
routes 1
job "routes at one node only" MRT_IB_RAILS=1
is "$(users rxe0) $(users rxe1)" "4 0" "all use one of them"
routes 2
job "two rails with routes"
is "$(users rxe0) $(users rxe1)" "2 2" "both are used"
is "$(requests)" "$alone" "and the ranks asked for nothing more"
job "two rails with routes, at first use" MRT_MESH_MAX=0
is "$(users rxe0) $(users rxe1)" "2 2" "both are used"

# Two more rails, of limited speed, in networks that no route joins: long reads
# use both. All use rxe1 first, so rxe2 is the second rail.
slow()
{
	ctl run "$1" sh -ec "
		ip link add rail2 link eth0 type macvlan mode bridge
		ip addr add 10.0.2.$1/24 dev rail2
		ip link set rail2 up
		rdma link add rxe2 type rxe netdev rail2
		tc qdisc add dev rail1 root netem rate 30mbit limit 10000
		tc qdisc add dev rail2 root netem rate 30mbit limit 10000"
}
slow 1
slow 2

# into RAIL prints how many bytes have come into node 2 there.
into()
{
	ctl run 2 cat "/sys/class/net/$1/statistics/rx_bytes"
}

# stream RAILS sends messages of 4 MiB from one node to the other, and sets $one
# and $two to how many bytes each of the rails has carried.
stream()
{
	one=$(into rail1)
	two=$(into rail2)
	run 120 "$MRUN" -n 2 env MRT_IB_DEVICE=rxe1,rxe2 MRT_IB_RAILS="$1" \
		MRT_STATS=1 "$top_builddir/mrt-bench" -t 2 -w 2 -c --csv bw:4M
	is "$rc" 0 "$1 rail(s): the data is right"
	one=$(($(into rail1) - one))
	two=$(($(into rail2) - two))
	diag "$1 rail(s): $(tail -n 1 "$out" | cut -d, -f6) MB/s"
}
stream 1
is "$(counted 'reads over two rails')" 0 "one rail: no read is spread"
[ $one -gt 8388608 ] && [ $two -lt 100000 ]
is $? 0 "and the other is idle ($one and $two bytes)"
stream 2
[ "$(counted 'reads over two rails')" -gt 0 ]
is $? 0 "two rails: reads are spread over both"
[ $((one * 4)) -gt $((one + two)) ] && [ $((two * 4)) -gt $((one + two)) ]
is $? 0 "each carries its part ($one and $two bytes)"

# Node 1 would choose InfiniBand alone, so all open their ports again.
run 120 "$MRUN" -n 2 env LD_PRELOAD="$claim" CLAIM_INFINIBAND=rxe0 CLAIM_RANK=0 \
	MRT_LOG=info MRT_STATS=1 "$top_builddir/mrt-bench" -t 1 -w 2 -c --csv bw:4M
is "$rc" 0 "a wrong guess of node 1: the data is right"
like "$err" '\[0/2 .*uses rxe0 port 1' "node 1 tries InfiniBand first"
like "$err" '\[0/2 .*second rail: rxe2 port 1' "then the second of the common networks"
[ "$(counted 'reads over two rails')" -gt 0 ]
is $? 0 "reads are spread over both"

# The second rail is cut and comes back CUTS times under load; phase.c checks the
# data.
. "$top_srcdir/tests/cluster/fault_lib.sh"
received()
{
	cat /sys/class/net/rail2/statistics/rx_bytes
}
carries()
{
	[ "$(received)" -gt $((start + 500000)) ]
}
losses()
{
	cat "$box"/rank?.err | grep -c 'goes on without this rail'
}
lost()
{
	[ "$(losses)" -gt "$before" ]
}
# used NAME checks that the second rail carries parts of reads.
used()
{
	start=$(received)
	wait_for 60 carries
	same $? 0 "$1"
}
limit()
{
	ctl run 2 tc qdisc change dev rail2 root netem loss "$1" rate 30mbit limit 10000
}
export MRT_IB_DEVICE=rxe1,rxe2 MRT_STATS=1
phase_job read
for cut in $(seq "${CUTS:-2}"); do
	used "cut $cut: the second rail is used"
	before=$(losses)
	limit 100%
	wait_for 60 lost
	same $? 0 "cut $cut: its loss is told"
	limit 0%
done
used "it is used again"
phase_stop
rank_ends 0 60
same "$rank_rc" 0 "rank 0 ends well"
rank_ends 1 60
same "$rank_rc" 0 "rank 1 ends well"
job_end 60
err=$box/rank0.err
[ "$(counted 'parts of reads done again')" -gt 0 ]
same $? 0 "reads were done again: $(counted 'parts of reads done again') parts"
nothing_left "nothing is left"
done_testing
