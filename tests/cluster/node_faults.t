# SPDX-License-Identifier: Apache-2.0
# node_faults.t: two machines, and a rank that is killed while the ranks are in
# each phase of a job; a network that damages, repeats, reorders and delays; an
# interface that is taken down; a node without a device.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
: "${FAULTS:=few}"
CLUSTER_TIMEOUT=800
[ "$FAULTS" != all ] || CLUSTER_TIMEOUT=3400
in_cluster -N 2
need_mrun
. "$top_srcdir/tests/cluster/fault_lib.sh"
export MRT_ALLREDUCE=fetch_add
tests=$top_builddir/tests
hosts="--host node1:1,node2:1"
phases="read barrier"
rounds=1
[ "$FAULTS" != all ] || {
	phases="idle eager read barrier cells init finalize"
	rounds=10
}

# ends_by WHAT CODES checks that the broken job ends in time, with one of these
# codes, and leaves nothing.
ends_by()
{
	job_end 40
	case " $2 " in
	*" $job_rc "*) ok "$1: the job ends with $job_rc" ;;
	*) same $job_rc "$2" "$1: the job's code" ;;
	esac
	# 2 s is the aim, on machines that are not emulated
	[ $job_ms -le 30000 ]
	is $? 0 "$1: after $job_ms ms"
	nothing_left "$1: nothing is left"
}

# First a rank of the other node is killed, then mrun.
for round in $(seq $rounds); do
	for name in $phases; do
		phase_job "$name" $hosts
		fault_now
		ctl run 2 pkill -9 -x phase
		ends_by "$name, rank 1 killed" "137 75"
		grep -Eq 'rank 1 .*(killed|signal 9)|task 1: Killed|rank 1 on node2' \
			"$work/job.err" "$box/rank0.err"
		same $? 0 "$name: it is named"
	done
	phase_job eager $hosts
	fault_now
	kill -9 $job
	ends_by "mrun killed" 137
	phase_job eager $hosts
	fault_now
	pkill -9 -x srun
	ends_by "srun killed" 137
done

# Results must be right in spite of the network, which is bad in both
# directions.
bad_network()
{
	ctl netem 1 "$1"
	ctl netem 2 "$1"
	cases "$1:" "$MRUN" $hosts -n 2 "$tests/system/storm" --messages 150 \
		--seed 11 --max "$2"
}
CASES_TIMEOUT=90
tortures="corrupt~1% delay~3ms~loss~0.1%"
[ "$FAULTS" != all ] || tortures="$tortures loss~1% loss~5% duplicate~10%
	corrupt~5%"
for torture in $tortures; do
	fault_in_turn 2 || continue
	torture=$(echo "$torture" | tr '~' ' ')
	bad_network "$torture" 30000
	cases "$torture:" "$MRUN" $hosts -n 2 "$tests/system/coll_all" --rounds 1 \
		--max 20000
done
bad_network "delay 2ms reorder 25% 50%" 8000
# connections are closed and made anew meanwhile: each rank has 4 peers beyond
ctl netem 1 "loss 1%"
ctl netem 2 "loss 1%"
cases "loss 1%, 2 connections a rank:" env MRT_MESH_MAX=0 MRT_IB_PEERS=2 \
	"$MRUN" --host node1:4,node2:4 -n 8 "$tests/system/storm" \
	--messages 160 --seed 11 --max 30000

# Where every other packet is overtaken, Soft-RoCE moves some KiB a second,
# because it takes out-of-order packets for lost and waits for its timer, or it
# gives up.
ctl netem 1 "delay 3ms 2ms"
ctl netem 2 "delay 3ms 2ms"
run 60 "$MRUN" $hosts -n 2 "$tests/system/storm" --messages 100 --seed 11 --max 4000
case $rc in
0 | 75) ok "every other packet overtaken: right results, or 75 ($rc)" ;;
*) is $rc "0 or 75" "every other packet overtaken" ;;
esac
ctl netem 1 off
ctl netem 2 off

# The start must report that there is no active port or no address.
phase_job_fails()
{
	run 60 "$MRUN" $hosts -n 2 "$top_builddir/mrt-hello"
	is "$rc" 69 "$1: exit code"
	like "$err" "^libmrt\\[1/2 .*MRT_ERR_NO_FABRIC: .*$2" "$1: which is said"
	within 40000 "$1: in time"
}
ctl run 2 rdma link delete rxe0
phase_job_fails "no device on node 2" 'there is no RDMA device'
run 60 env -u MRT_OFI_PROVIDER "$MRUN" $hosts -n 2 "$top_builddir/mrt-hello"
is "$rc" 0 "no device on node 2: with libfabric the job runs"
like "$err" 'node2 cannot use verbs .*no RDMA device.*: between all nodes ofi' \
	"and says why"
ctl run 2 rdma link add rxe0 type rxe netdev eth0

# The administrator takes the interface down: Soft-RoCE fails, or forgets what
# was under way. The kernel may not let go of a process that has ended until its
# last packets can leave.
says_why()
{
	grep -q '^libmrt\[1/2 .*MRT_ERR_PEER.*rxe0 port 1' "$box/rank1.err"
}
phase_job eager $hosts
fault_now
ctl run 2 ip link set eth0 down
wait_for 30 says_why
is $? 0 "interface down: rank 1 says that its port is"
ctl run 2 ip link set eth0 up
rank_ends 1 60
same "$rank_rc" 75 "and ends with 75"
! grep -q 'a bug' "$box/rank1.err"
same $? 0 "and calls it no bug"
# Slurm itself may try to reach the other node for a minute
job_over || sleep 5
kill -9 "$job" 2>/dev/null
job_end 60
nothing_left "interface down: nothing is left"

# Kills the PMIx server on the other node. Slurm waits for it.
phase_job eager $hosts
fault_now
ctl run 2 pkill -9 -x slurmstepd
rank_ends 1 30
same "$rank_rc" 69 "slurmstepd killed: its rank ends with 69"
says 1 'MRT_ERR_SERVICE: the launcher is gone' "saying so"
rank_ends 0 30
case $rank_rc in
# a race between the rank itself and Slurm, which kills it
75 | none) ok "and the other with 75, or killed ($rank_rc)" ;;
*) same "$rank_rc" 75 "and the other with 75" ;;
esac
kill -9 "$job" 2>/dev/null
job_end 60
nothing_left "slurmstepd killed: nothing is left"

# The network interface is unbound from its driver, and the device goes with it.
# This must be the last test: node 2 is cut off for good.
phase_job read $hosts
fault_now
ctl run 2 sh -c 'echo "$(basename "$(readlink /sys/class/net/eth0/device)")" \
	>/sys/bus/virtio/drivers/virtio_net/unbind'
rank_ends 1 30
same "$rank_rc" 75 "device removed: its rank ends with 75"
says 1 '^libmrt\[1/2 .*MRT_ERR_PEER.*rxe0 port 1' "naming it"
rank_ends 0 30
case $rank_rc in
75 | none) ok "and the other with 75, or killed ($rank_rc)" ;;
*) same "$rank_rc" 75 "and the other with 75" ;;
esac
kill -9 "$job" 2>/dev/null
job_end 60
nothing_left "device removed: nothing is left"
is "$(ctl run 2 rdma link)" "" "there is no device any more"

is "$(rdma_objects)" "" "no verbs object is left"
done_testing
