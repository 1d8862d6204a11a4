# SPDX-License-Identifier: Apache-2.0
# verbs_two.t: two machines, shared memory inside each and RC queue pairs
# between them; jobs started by Slurm and by Open MPI's daemons; a network that
# loses, repeats and reorders.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=900
in_cluster -N 2
need_mrun
CASES_TIMEOUT=120
tests=$top_builddir/tests
counters_start

solves()
{
	label=$1
	shift
	run 90 "$@" "$top_builddir/mrt-cg" --poisson 12 12 12
	is "$rc" 0 "$label mrt-cg solves a Poisson problem"
	like "$out" 'relative residual [0-9.]*e-(0[89]|[1-9][0-9])' \
		"$label to 1e-8"
}

# hosts N prints node1:N,node2:N.
hosts()
{
	echo "node1:$1,node2:$1"
}

run 60 "$MRUN" -n 4 "$top_builddir/mrt-hello"
is "$rc" 0 "Slurm: mrun starts a job on both nodes"
is "$(grep -c 'of 2 on node1' "$out") $(grep -c 'of 2 on node2' "$out")" "2 2" \
	"Slurm: two ranks on each"

run 60 env MRT_STATS=1 "$MRUN" -n 4 "$top_builddir/mrt-hello"
like "$err" 'queue pairs connected +2 +2\.0 +2 +8' \
	"Slurm: queue pairs to the two ranks of the other node only"

# here addresses differ between this node's ranks, and from node 2's
echo 2 >/proc/sys/kernel/randomize_va_space
cases "Slurm: collectives:" "$MRUN" -n 6 "$tests/system/coll" --max-count 200 \
	--in-turn
# for all of the other node, and on the first rank there for rank 0's choices
run 60 env MRT_STATS=1 "$MRUN" -n 6 "$tests/system/coll" --max-count 3 barrier
like "$err" '^boot +launcher requests +1 +[0-9.]+ +2 ' \
	"Slurm: one request for the places and cards of the other node"
run 60 "$MRUN" -n 4 "$tests/system/choice" medium
is "$rc $(cat "$out")" "0 soft" "Slurm: ranks know that CPUs make the packets"
run 60 "$MRUN" -n 8 "$tests/system/choice" allreduce 8
is "$(cat "$out")" "allreduce 8 hierarchical" \
	"Slurm: and choose what sends fewest of them"
# a stop of the device lasts no timeout of an acknowledgement, here 17 s
run 60 env MRT_IB_TIMEOUT=22 "$MRUN" -n 8 "$top_builddir/mrt-bench" -i 20 -x 2 \
	--csv alltoall:32K
is "$rc $(awk -F, '$3 == 32768 { print $6 < 5e5 }' "$out")" "0 1" \
	"Slurm: Soft-RoCE is nudged when it stops within messages"
for n in 4 6; do
	cases "Slurm, $n ranks:" "$MRUN" -n "$n" "$tests/system/storm" \
		--messages 600 --seed "$n" --max 100000
	solves "Slurm, $n ranks:" "$MRUN" -n "$n"
done
echo 0 >/proc/sys/kernel/randomize_va_space
cases "Slurm, pieces:" env MRT_GATHER_MIN=0 "$MRUN" -n 4 "$tests/system/gather" \
	--rounds 2
cases "Slurm, api:" env API_LONGEST=2000000 "$MRUN" -n 4 "$tests/system/api"
cases "Slurm, windows:" "$MRUN" -n 4 "$tests/mpi/win_move"
cases "Slurm, locks:" "$MRUN" -n 4 "$tests/mpi/win_lock"
# the device accumulates and locks if no two ranks share a node
for program in "$tests/mpi/win_atomics" "$tests/mpi/win_lock" \
	"$tests/mpi/win_move" "$tests/mpi/win_object" \
	"$tests/mpi/win_conflict" "$tests/mpi/win_ops" \
	"$tests/mpi/win_count"; do
	cases "Slurm, one rank a node:" "$MRUN" -n 2 "$program"
done
for program in "$tests/mpi/win_object" "$tests/mpi/win_conflict"; do
	cases "Slurm, two ranks on one node:" "$MRUN" -n 3 "$program"
done
cases "Slurm, the target calls nothing:" \
	"$MRUN" -n 2 "$tests/mpi/win_atomics" passive
cases "Slurm, two ranks a node, atomics:" "$MRUN" -n 4 "$tests/mpi/win_atomics"
run 90 "$MRUN" -n 4 "$top_builddir/mrt-heat2d" -x 64 -y 64 -s 50 -q
is "$rc" 0 "Slurm: mrt-heat2d"

for n in 2 3; do
	cases "mpirun, $((2 * n)) ranks:" "$MRUN" --host "$(hosts "$n")" \
		-n $((2 * n)) "$tests/system/storm" --messages 400 --seed "$n" \
		--max 100000
done
solves "mpirun:" "$MRUN" --host "$(hosts 2)" -n 4

# connects at first use, sleeps at once
cases "at first use:" env MRT_MESH_MAX=0 "$MRUN" -n 4 "$tests/system/storm" \
	--messages 400 --seed 7 --max 100000
cases "sleeping at once:" env MRT_SPIN=0 MRT_SLEEP_US=0 "$MRUN" -n 4 \
	"$tests/system/storm" --messages 400 --seed 8 --max 100000

ctl netem 1 'delay 60ms'
ms=$(ping_ms node2)
[ "${ms:-0}" -ge 60 ]
is $? 0 "rules of netem hold (${ms:-no} ms)"
for trouble in 'loss 1%' 'duplicate 5%' 'delay 2ms reorder 25% 50%'; do
	ctl netem 1 "$trouble"
	ctl netem 2 "$trouble"
	cases "$trouble:" "$MRUN" -n 4 "$tests/system/storm" --messages 300 \
		--seed 9 --max 30000
done
ctl netem 1 off
ctl netem 2 off
no_rnr "no receiver was ever not ready"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
