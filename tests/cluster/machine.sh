# SPDX-License-Identifier: Apache-2.0
# machine.sh starts the machines, receives their messages, and removes them. It
# is sourced by vcluster, and so is the file of their kind, qemu.sh or namespaces.sh,
# which defines machine_needs, machine_check, machine_prepare, machine_run and
# machine_link. Below $run: share/ (see guest.sh), msg (a FIFO into which all
# machines write), N.in (messages to machine N), N.pid (the process whose end is
# that of machine N), N.log, alive (held open by the script: its end is the
# guard's signal), stop.

# Everything that lives longer than a moment closes 9, which keeps the guard
# waiting.
run_open()
{
	run=$(mktemp -d "${TMPDIR:-/tmp}/vcluster.XXXXXX") || exit 70
	mkfifo "$run/alive" "$run/msg"
	unset VCLUSTER_RUN
	setsid "$dir/guard.sh" "$run" <"$run/alive" >/dev/null 2>&1 &
	guard_pid=$!
	exec 9>"$run/alive"
	trap run_close EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	trap 'exit 129' HUP
	export VCLUSTER_RUN="$run"
	exec 7<>"$run/msg"
}

run_close()
{
	trap '' INT TERM HUP
	exec 9>&-
	wait "$guard_pid"
}

machine_start()
{
	mkfifo "$run/$1.in"
	{
		(machine_run "$1") >"$run/$1.log" 2>&1 </dev/null 9>&- 7>&-
		echo "$1 exit $?" 1<>"$run/msg" >&1
	} 2>/dev/null 9>&- 7>&- &
}

# tell N WORDS... sends a message to the agent of machine N.
tell()
{
	n=$1
	shift
	echo "$*" 1<>"$run/$n.in" >&1
}

machine_alive()
{
	[ -f "$run/$1.pid" ] && kill -0 "$(cat "$run/$1.pid")" 2>/dev/null
}

# Forwards what the command writes, until told to stop.
pump()
{
	exec 3<"$run/share/job/command.out" 4<"$run/share/job/command.err"
	until [ -e "$run/stop" ] || [ ! -d "$run" ]; do
		forward
		sleep 0.5
	done
	forward
}

forward()
{
	cat <&3
	cat <&4 >&2
}
