# SPDX-License-Identifier: Apache-2.0
# fault_lib.sh runs jobs of two ranks on two machines that are broken in a phase
# (phase.c), and checks what must be true afterwards. Source it after lib.sh.
#
#   phase_job PHASE [MRUN-OPTION...]   starts a job, returns when it has reached
#                                      the phase
#   phase_go           lets the ranks of init and finalize through
#   phase_stop         ends the other phases
#   job_end SECS       waits for mrun: $job_rc, and $job_ms since fault_now
#   fault_now          marks the time of the fault
#   rank_ends R SECS   waits for a rank: $rank_rc (none: killed with its
#                      shell), $rank_ms since fault_now
#   nothing_left NAME  checks that neither node has processes, files or verbs
#                      objects of the job
#
# FAULTS=all also tries what takes long.
phase=$top_builddir/tests/cluster/phase
# $launch starts jobs. Slurm ends the other ranks when one rank has failed
# unless it is told not to; then each rank must find out itself.
launch=$MRUN
by_itself="srun --mpi=pmix --kill-on-bad-exit=0 -N 2"
# Slurm believes for a while that a job whose node is gone is running.
export SLURM_OVERLAP=1
box=$OUT/box
: "${FAULTS:=few}"

# The limit is in seconds of the clock: a poll may take longer than the pauses.
wait_for()
{
	read_clock
	until=$((clock + $1 * 100))
	shift
	until "$@"; do
		read_clock
		[ "$clock" -lt $until ] || return 1
		sleep 0.1
	done
}

now_ms()
{
	echo $(($(date +%s%N) / 1000000))
}

fault_now()
{
	fault_at=$(now_ms)
}

both_in()
{
	[ -e "$box/rank0.in" ] && [ -e "$box/rank1.in" ]
}

# Messages and codes go to the shared folder, which needs no network.
phase_job()
{
	name=$1
	shift
	# limits the start: on a busy host starts take long, where they work at
	# all
	MRT_TIMEOUT=30
	[ "$name" != init ] || MRT_TIMEOUT=8
	export MRT_TIMEOUT
	rm -rf "$box"
	mkdir "$box"
	shm_list >"$work/shm.before"
	fault_now
	$launch "$@" -n 2 sh -c '
		exec 2>"$2/rank$PMIX_RANK.err"
		"$0" "$1" "$2" >"$2/rank$PMIX_RANK.out"
		code=$?
		echo $code >"$2/rank$PMIX_RANK.new"
		mv "$2/rank$PMIX_RANK.new" "$2/rank$PMIX_RANK.rc"
		exit $code
	' "$phase" "$name" "$box" >"$work/job.out" 2>"$work/job.err" &
	job=$!
	command="$name $*"
	wait_for 60 both_in || diag "$name: the job did not start"
}

phase_go()
{
	: >"$box/go"
}

phase_stop()
{
	: >"$box/stop"
}

job_over()
{
	! kill -0 "$job" 2>/dev/null
}

job_end()
{
	wait_for "$1" job_over || {
		diag "$command: the job hangs"
		stacks
		kill -9 "$job"
	}
	wait "$job"
	job_rc=$?
	job_ms=$(($(now_ms) - fault_at))
}

# Shows where the ranks are, of a job that should have ended.
stacks()
{
	for node in $(seq "$VCLUSTER_NODES"); do
		ctl run "$node" timeout 30 sh -c 'for p in $(pidof phase storm fatal); do
			gdb -p $p -batch -nx -ex "thread apply all bt 12"
		done' 2>/dev/null | grep -E '^(#|Thread)' |
			sed "s/^/# node$node: /"
	done
}

rank_ends()
{
	wait_for "$2" test -e "$box/rank$1.rc"
	rank_rc=$(cat "$box/rank$1.rc" 2>/dev/null || echo none)
	rank_ms=$(($(now_ms) - fault_at))
}

show_job()
{
	for file in "$box"/rank?.err "$work"/job.err; do
		tail -n 5 "$file" 2>/dev/null |
			sed "s|^|# $(basename "$file"): |"
	done
}

# same GOT WANT NAME is like `is`, and shows the job if it fails.
same()
{
	if [ "$1" = "$2" ]; then
		ok "$3"
	else
		not_ok "$3"
		diag "got '$1', want '$2'"
		show_job
	fi
}

# says RANK ERE NAME checks what the rank wrote.
says()
{
	if grep -Eq -- "$2" "$box/rank$1.err" 2>/dev/null; then
		ok "$3"
	else
		not_ok "$3"
		diag "rank $1 says nothing like: $2"
		show_job
	fi
}

# Lists what a job has left on this node; run it on each node. A machine sees
# the host's files as well; /tmp/spmix_* belong to Slurm, which removes them
# later.
list='ls -d /dev/shm/*mrt* /dev/shm/*pmix* /tmp/mrun.* 2>/dev/null | sort'
leftovers="
touch /run/were-there
files=\$($list | comm -23 - /run/were-there)
verbs=
[ ! -d /sys/class/infiniband ] ||
	verbs=\$(rdma resource show qp | grep 'pid '; rdma resource show mr)
echo \$(pidof phase storm fatal) \$files \$verbs
"

all_gone()
{
	for node in $alive; do
		gone=$(ctl run "$node" sh -c "$leftovers" 2>&1)
		[ -z "$gone" ] || return 1
	done
}

alive=$(seq "$VCLUSTER_NODES")
for node in $alive; do
	ctl run "$node" sh -c "$list >/run/were-there"
done
nothing_left()
{
	if wait_for 5 all_gone; then
		ok "$1"
	else
		not_ok "$1"
		diag "node$node: $gone"
		show_job
	fi
}
