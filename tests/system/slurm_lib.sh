# SPDX-License-Identifier: Apache-2.0
# slurm_lib.sh starts a private Slurm on this host, without root's
# configuration: munged, slurmctld and a slurmd that passes for a node for each
# word of $slurm_nodes, all below $slurm. $slurm_switches is a topology.conf;
# empty: none. Source it after lib.sh and use slurm_start; slurm_settle; srun
# ...; slurm_stop.

slurm=$work/slurm
slurm_nodes='n1 n2'
slurm_switches=
slurm_pids=

slurm_missing()
{
	for program in munged slurmctld slurmd srun sinfo; do
		have "$program" || [ -x "/usr/sbin/$program" ] ||
			echo "$program"
	done
}

slurm_free_port()
{
	port=$((20000 + ($$ * 7 + $1 * 131) % 20000))
	while grep -qi ":$(printf %04X $port) " /proc/net/tcp; do
		port=$((port + 1))
	done
	echo $port
}

slurm_write_conf()
{
	host=$(hostname -s)
	cat >"$slurm/slurm.conf" <<X
ClusterName=mrt$$
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(slurm_free_port 0)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$slurm/munge.socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/linear
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
TreeWidth=2
SlurmdParameters=config_overrides
ReturnToService=2
MessageTimeout=30
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool.%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.%n.log
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES
X
	for node in $slurm_nodes; do
		echo "NodeName=$node NodeHostname=$host NodeAddr=127.0.0.1" \
			"Port=$(slurm_free_port "${node#n}") CPUs=4"
	done >>"$slurm/slurm.conf"
	echo 'CgroupPlugin=cgroup/v1' >"$slurm/cgroup.conf"
	if [ -n "$slurm_switches" ]; then
		echo 'TopologyPlugin=topology/tree' >>"$slurm/slurm.conf"
		echo "$slurm_switches" >"$slurm/topology.conf"
	fi
	for node in $slurm_nodes; do
		mkdir -p "$slurm/$node" "$slurm/spool.$node" "$slurm/pmix.$node"
		cp "$slurm"/*.conf "$slurm/$node"
		# the nodes would collide in one folder
		echo "PMIxCliTmpDirBase=$slurm/pmix.$node" \
			>"$slurm/$node/mpi.conf"
	done
}

slurm_daemon()
{
	name=$1
	shift
	PATH=$PATH:/usr/sbin "$@" >"$slurm/$name.out" 2>&1 &
	slurm_pids="$! $slurm_pids"
}

# A node that completes a job counts as idle for "sinfo -t idle", and a job that
# is submitted then waits for the next turn of the scheduler.
slurm_all_idle()
{
	[ "$(SLURM_CONF=$slurm/slurm.conf sinfo -h -o '%t %D' 2>/dev/null)" \
		= "idle $(echo $slurm_nodes | wc -w)" ]
}

slurm_start()
{
	mkdir -p "$slurm/state"
	chmod 700 "$slurm"
	head -c 1024 /dev/urandom >"$slurm/munge.key"
	chmod 400 "$slurm/munge.key"
	slurm_write_conf
	slurm_daemon munged munged --foreground --force \
		--key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
		--pid-file="$slurm/munge.pid" --seed-file="$slurm/munge.seed" \
		--log-file="$slurm/munge.log"
	wait_for 5 test -S "$slurm/munge.socket" || return 1
	slurm_daemon slurmctld slurmctld -D -f "$slurm/slurm.conf" -c
	for node in $slurm_nodes; do
		slurm_daemon "slurmd.$node" slurmd -D -c -N "$node" \
			-f "$slurm/$node/slurm.conf"
	done
	SLURM_CONF=$slurm/slurm.conf
	export SLURM_CONF
	wait_for 20 slurm_all_idle
}

slurm_gone()
{
	for pid in $slurm_pids; do
		! kill -0 "$pid" 2>/dev/null || return 1
	done
}

slurm_stop()
{
	for pid in $slurm_pids; do
		kill "$pid" 2>/dev/null
	done
	wait_for 5 slurm_gone || kill -9 $slurm_pids 2>/dev/null
	wait
	slurm_kill_steps
}

# Prints the processes of the steps of this Slurm. Their name and environment do
# not tell whose they are; their log file does.
slurm_steps()
{
	for comm in $(grep -lx slurmstepd /proc/[0-9]*/comm 2>/dev/null); do
		step=${comm%/comm}
		ls -l "$step/fd" 2>/dev/null | grep -qF " $work/" &&
			echo "${step#/proc/}"
	done
}

# Kills all steps: a slurmstepd whose step was aborted may hang at the end of
# its PMIx server.
slurm_kill_steps()
{
	for step in $(slurm_steps); do
		kill -9 "$step"
	done
}

# Kills only steps of jobs that have ended: "slurmstepd: [7.0]" is a step of job
# 7.
slurm_kill_ended()
{
	squeue -h -t pending,running,suspended -o '[%A.' >"$work/jobs" ||
		return 0
	for step in $(slurm_steps); do
		title=$(tr '\0' ' ' <"/proc/$step/cmdline" 2>/dev/null)
		! echo "$title" | grep -qFf "$work/jobs" || continue
		diag "hangs although its job has ended, killed: $title"
		kill -9 "$step" 2>/dev/null
	done
}

# Waits before a job until all nodes are free. A node that a step of an ended
# job still holds would look busy for a minute, for which the next job would be
# blamed. Where killing the step is not enough, because slurmctld has given up on
# the answer of the node, the nodes are declared dead and alive again.
slurm_settle()
{
	wait_for 4 slurm_all_idle && return
	slurm_kill_ended
	wait_for 5 slurm_all_idle && return
	diag "the nodes stay busy: $(squeue -h)"
	scontrol update nodename=ALL state=down reason=settle
	scontrol update nodename=ALL state=resume
	wait_for 10 slurm_all_idle || diag "and stay so: $(squeue -h)"
}

slurm_logs()
{
	tail -n 15 "$slurm"/*.out "$slurm"/*.log 2>/dev/null | sed 's/^/# /'
}
