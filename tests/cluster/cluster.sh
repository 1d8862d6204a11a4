# SPDX-License-Identifier: Apache-2.0
# cluster.sh makes one run of a cluster, from its start to the end of the
# command. It is sourced by vcluster.

# Nothing of the host's runtime folders exists in a machine. The C locale has no
# files: other locales have a dozen, which each process would get from the host.
guest_environment()
{
	(
		unset VCLUSTER_RUN XDG_RUNTIME_DIR SLURM_CONF DISPLAY
		PATH=$PATH:/usr/sbin:/sbin:$dir
		export PATH LC_ALL=C
		export OUT=/run/vcluster/out VCLUSTER_NODES="$nodes" \
			OMPI_ALLOW_RUN_AS_ROOT=1 \
			OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
			PRTE_ALLOW_RUN_AS_ROOT=1 \
			PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
		export -p
	)
}

write_share()
{
	share=$run/share
	mkdir -p "$share/job" "$share/out" "$share/ssh"
	chmod 711 "$run"
	chmod 1777 "$share/job"
	cp "$dir/guest.sh" "$dir/services.sh" "$share"
	for name in kind nodes memlock user sshd slurm nfs; do
		eval "echo $name=\$$name"
	done >"$share/config"
	guest_environment >"$share/env"
	# the command runs in an allocation, so that mrun and srun use all
	# nodes; the allocation outlives nodes that are killed
	[ "$slurm" = no ] ||
		set -- salloc --quiet --no-kill --overcommit -N "$nodes" "$@"
	job_script "$@" >"$share/job/command.sh"
	: >"$share/job/command.out"
	: >"$share/job/command.err"
	if [ "$slurm" = yes ]; then
		(umask 077; head -c 1024 /dev/urandom >"$share/munge.key")
	fi
	if [ "$sshd" = yes ]; then
		for key in host id; do
			ssh-keygen -q -t ed25519 -N '' -f "$share/ssh/$key"
		done
	fi
}

# Decides where $OUT goes; without --out that happens when there is something.
prepare_out()
{
	if [ -n "$out" ]; then
		if [ ! -d "$out" ]; then
			mkdir -p "$out" || fail 70 "cannot write to $out"
			[ "$user" = root ] || chmod 1777 "$out"
		fi
		out=$(cd "$out" && pwd)
	else
		out=$run/out
		mkdir "$out"
		chmod 1777 "$out"
	fi
	[ -n "$console" ] || console=$run/console
}

collect_out()
{
	[ "$out" = "$run/out" ] && [ -n "$(ls -A "$out")" ] || return 0
	mkdir -p vcluster-out && cp -R "$out/." vcluster-out
}

cluster_run()
{
	started=$(date +%s)
	run_open
	need_programs
	machine_check
	[ $check = no ] || exit 0
	prepare_out
	write_share "$@"
	machine_prepare
	for n in $(seq "$nodes"); do
		machine_start "$n"
	done
	# a redirected function would keep 9 open, a group does not
	{ pump; } 9>&- 7>&- &
	pump_pid=$!
	(
		sleep "$timeout"
		echo 0 timeout 1<>"$run/msg" >&1
	) 9>&- 7>&- >/dev/null 2>&1 &
	ready=0
	running=no
	killed=
	killer=
	while read -r who what args <&7; do
		event $what $args
	done
	exit 70
}

# event WHAT [ARG...] handles a message of machine $who; 0 is the host.
event()
{
	case $1 in
	ready)
		ready=$((ready + 1))
		[ "$ready" -lt "$nodes" ] || all_ready ;;
	ctl) serve_ctl "$2" ;;
	exit) machine_exit "$2" ;;
	timeout)
		[ $running = yes ] || show_consoles
		fail 124 "not done after $timeout s" ;;
	done)
		case $2 in
		command) command_done "$3" ;;
		netem.*)
			ready=$((ready - 1))
			[ "$ready" -gt 0 ] || command_start ;;
		esac ;;
	esac
}

all_ready()
{
	say "ready in $(($(date +%s) - started)) s"
	if [ -z "$netem" ]; then
		command_start
		return
	fi
	for n in $(seq "$nodes"); do
		netem_job "$netem" >"$run/share/job/netem.$n.sh"
		tell "$n" job "netem.$n"
	done
}

command_start()
{
	for failed in $(grep -Lx 0 "$run"/share/job/netem.*.rc 2>/dev/null); do
		cat "${failed%.rc}.err" >&2
		fail 64 "--netem '$netem' is refused"
	done
	running=yes
	tell 1 job command
}

output_flush()
{
	: >"$run/stop"
	wait "$pump_pid"
}

command_done()
{
	output_flush
	collect_out
	[ "$1" -eq 0 ] || show_kernels
	exit "$1"
}

# What a kernel complains of may be why a command has failed.
show_kernels()
{
	for n in $(seq "$nodes"); do
		grep '^\[ *[0-9.]*\] ' "$console.$n" | tail -n 30 |
			sed "s/^/node$n: /; s/\r$//" >&2
	done
}

show_consoles()
{
	for n in $(seq "$nodes"); do
		tail -n 30 "$console.$n" "$run/$n.log" 2>/dev/null |
			sed "s/^/node$n: /" >&2
	done
}

# machine_exit CODE handles the end of machine $who. Only a machine that was to
# be killed may end.
machine_exit()
{
	case $killed in
	*" $who "*)
		machine_gone "$who"
		say "node$who is killed" ;;
	*)
		[ $running = no ] || output_flush
		show_consoles
		fail 70 "node$who has ended by itself" ;;
	esac
	if [ "$who" = 1 ]; then
		output_flush
		collect_out
		fail 70 "node1 is gone, and with it the command"
	fi
}
