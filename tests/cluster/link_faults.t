# SPDX-License-Identifier: Apache-2.0
# link_faults.t: two machines, and a link that goes down for a while or for
# good, while the ranks are in each phase of a job. What the retries cover ends
# well with right results; otherwise both sides end with 75 and name the link.
# The launcher is told not to help: each rank must find out itself. FAULTS=all
# takes half an hour for all phases; PHASES='init idle' has it try these alone.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
: "${FAULTS:=few}"
CLUSTER_TIMEOUT=800
[ "$FAULTS" != all ] || CLUSTER_TIMEOUT=3400
in_cluster -N 2
need_mrun
. "$top_srcdir/tests/cluster/fault_lib.sh"
launch=$by_itself
export MRT_ALLREDUCE=fetch_add
: "${PHASES:=idle eager read barrier cells init finalize}"
named='^libmrt\[./2 .*(rxe0 port 1|not all ranks came)'

# The gates of init and finalize open when the link is down.
flap()
{
	fault_now
	case $1 in
	init | finalize) (sleep 0.5; phase_go) & ;;
	esac
	ctl flap 2 "$2"
	phase_stop
}

codes()
{
	rank_ends 0 30
	first=$rank_rc
	rank_ends 1 30
	echo "$first $rank_rc"
}

# survives PHASE SECONDS: the retries cover the outage.
survives()
{
	phase_job "$1"
	flap "$1" "$2"
	same "$(codes)" "0 0" "$1, link down for $2 s: both ranks complete"
	job_end 40
	same $job_rc 0 "$1, $2 s: and the job, $job_ms ms after the fault"
	nothing_left "$1, $2 s: nothing is left"
}

# ends PHASE SECONDS: the retries do not cover the outage.
ends()
{
	phase_job "$1"
	flap "$1" "$2"
	both=$(codes)
	case $1:$both in
	*:"75 75") ok "$1, link down for $2 s: both ranks end with 75" ;;
	# no rank is connected yet; all wait for the launcher's exchange, and
	# Slurm may be faster to end the job once one has given up
	init:"69 69" | init:"75 69" | init:"69 75" | init:none*)
		ok "$1, link down for $2 s: both ranks end ($both)" ;;
	# rank 0 computes, so Slurm ends it
	idle:"none 75") ok "$1, link down for $2 s: rank 1 ends the job" ;;
	# nobody used the link while it was down
	idle:"0 0" | init:"0 0" | finalize:"0 0")
		ok "$1, link down for $2 s: not noticed ($both)" ;;
	*) same "$both" "75 75" "$1, link down for $2 s: both ranks end" ;;
	esac
	named_by 0 "$1, $2 s"
	named_by 1 "$1, $2 s"
	job_end 60
	nothing_left "$1, $2 s: nothing is left"
}

# named_by RANK NAME: a rank that has failed says so. Rank 0 cannot if Slurm has
# killed it.
named_by()
{
	case $1:$(cat "$box/rank$1.rc" 2>/dev/null || echo none) in
	*:0 | 0:none) ;;
	*) says "$1" "$named" "$2: rank $1 names the link" ;;
	esac
}

# gone PHASE: the link stays down.
gone()
{
	phase_job "$1"
	fault_now
	ctl link 2 down
	case $1 in
	init | finalize) phase_go ;;
	idle) sleep 3; phase_stop ;;
	esac
	for rank in 0 1; do
		rank_ends $rank 30
		case $1:$rank_rc in
		*:75 | init:69)
			ok "$1, link down: rank $rank ends with $rank_rc" ;;
		*)
			stacks
			same "$rank_rc" 75 "$1, link down: rank $rank ends" ;;
		esac
		[ $rank_ms -le 25000 ]
		is $? 0 "$1: in time ($rank_ms ms)"
		named_by $rank "$1"
	done
	ctl link 2 up
	# Slurm itself may try to reach the other node for a minute
	job_over || sleep 5
	kill -9 "$job" 2>/dev/null
	job_end 60
	nothing_left "$1: nothing is left"
}

if [ "$FAULTS" = all ]; then
	for round in 1 2 3 4 5; do
		for name in $PHASES; do
			survives "$name" 1
			survives "$name" 2
			ends "$name" 5
			ends "$name" 8
		done
	done
	few=$PHASES
	longer=$PHASES
else
	survives init 1
	survives cells 1
	ends read 5
	longer="read finalize"
	few="barrier cells init finalize"
fi
for name in $few; do
	! fault_in_turn 2 || gone "$name"
done
# 7 tries of 1.07 s
MRT_IB_TIMEOUT=18
for name in $longer; do
	survives "$name" 3
	[ "$FAULTS" != all ] || survives "$name" 5
done
# the default, 7 tries of 2.1 s: a link that takes 10 s to come back
unset MRT_IB_TIMEOUT
survives read 10
gone cells
is "$(rdma_objects)" "" "no verbs object is left"
done_testing
