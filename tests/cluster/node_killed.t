# SPDX-License-Identifier: Apache-2.0
# node_killed.t: jobs of two nodes of which one dies in each phase as if its
# power failed. The other rank ends by itself (the launcher is told not to help)
# and names the dead rank. A boot has three nodes to lose.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
: "${FAULTS:=few}"
: "${PHASES:=read barrier finalize}"
CLUSTER_TIMEOUT=600
if [ "$FAULTS" = all ] && [ -z "${VCLUSTER_NODES-}" ]; then
	# the other phases take another boot; both share one TAP plan
	PHASES="idle eager init" FAULTS=few sh "$0" >"$work/first"
	first=$?
	sed '/^1\.\./d; s/^ok [0-9]* -/# ok/; s/^not ok/# not ok/' "$work/first"
	is $first 0 "idle, eager and init ($(grep -c '^ok' "$work/first"))"
	PHASES="read barrier cells"
fi
export PHASES
in_cluster -N 4 --no-sshd
need_mrun
. "$top_srcdir/tests/cluster/fault_lib.sh"
export MRT_ALLREDUCE=fetch_add

victim=4
for name in $PHASES; do
	alive=$(seq $((victim - 1)))
	launch="srun --mpi=pmix --kill-on-bad-exit=0 -N 2"
	launch="$launch -w node1,node$victim"
	MRT_IB_TIMEOUT=17
	# retries of a second: reported after two
	[ "$name" != barrier ] || MRT_IB_TIMEOUT=15
	phase_job "$name"
	fault_now
	ctl kill $victim
	case $name in
	init | finalize) phase_go ;;
	idle) sleep 3; phase_stop ;;
	esac
	rank_ends 0 40
	case $name:$rank_rc in
	# no rank is connected yet; all wait for the launcher's exchange
	*:75 | init:69) ok "$name, node killed: rank 0 ends with $rank_rc" ;;
	*)
		stacks
		same "$rank_rc" 75 "$name, node killed: rank 0 ends" ;;
	esac
	# 5 s where nothing else runs: seven tries of half a second, and the
	# pause between signs of life
	[ $rank_ms -le 20000 ]
	is $? 0 "$name: in time ($rank_ms ms)"
	says 0 "^libmrt\[0/2 .*(rank 1 on node$victim|not all ranks came)" \
		"$name: it is named"
	kill -9 "$job" 2>/dev/null
	job_end 60
	nothing_left "$name: nothing is left"
	victim=$((victim - 1))
done
is "$(rdma_objects)" "" "no verbs object is left"
done_testing
