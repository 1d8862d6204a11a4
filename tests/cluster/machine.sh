# SPDX-License-Identifier: Apache-2.0
# machine.sh: starts the machines, hears what they say, and takes them away.
# Read by vcluster. Below $run: share/ (what the guests mount), msg (a FIFO into
# which all machines speak), N.in (what is said to machine N), N.console.

quote()
{
	printf %s "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"
}

# The command as a script, with the caller's environment and folder.
write_job()
{
	{
		echo ". /run/vcluster/env"
		printf 'cd '; quote "$PWD"; echo ' || exit'
		printf exec
		for word in "$@"; do
			printf ' '
			quote "$word"
		done
		echo
	} >"$run/share/job/command.sh"
}

write_share()
{
	mkdir -p "$run/share/job" "$run/share/out"
	cp "$dir/guest.sh" "$run/share/guest.sh"
	cat >"$run/share/config" <<X
nodes=$nodes
mtu=$mtu
memlock=$memlock
X
	{
		export -p
		echo 'export OUT=/run/vcluster/out'
	} >"$run/share/env"
	write_job "$@"
	: >"$run/share/job/command.out"
	: >"$run/share/job/command.err"
}

# start_machine N
start_machine()
{
	mkfifo "$run/$1.in"
	ln -s msg "$run/$1.out"
	(
		qemu-system-x86_64 -name "node$1" -nodefaults -no-user-config \
			-display none -no-reboot -accel tcg,thread=multi \
			-cpu max -smp "$cpus" -m "$mem" \
			-kernel "$image/vmlinuz" -initrd "$image/initrd" \
			-append "console=ttyS0 quiet panic=-1 vcluster.node=$1" \
			-serial "file:$run/$1.console" \
			-virtfs "local,path=/,mount_tag=root,security_model=none,readonly=on,multidevs=remap" \
			-virtfs "local,path=$run/share,mount_tag=share,security_model=none,multidevs=remap" \
			-device virtio-serial-pci \
			-chardev "pipe,id=port,path=$run/$1" \
			-device virtserialport,chardev=port,name=vcluster \
			-netdev hubport,id=net,hubid=0 \
			-device "virtio-net-pci,netdev=net,mac=52:54:00:00:00:0$1,romfile=" \
			>"$run/$1.qemu" 2>&1 </dev/null 9>&-
		echo "$1 exit $?" >"$run/msg"
	) 9>&- &
	# held open, so that neither side ever sees an end
	exec 8<>"$run/$1.in"
}

# Hands on what the command has written until told to stop.
pump()
{
	exec 3<"$run/share/job/command.out" 4<"$run/share/job/command.err"
	while :; do
		last=no
		[ ! -e "$run/stop" ] || last=yes
		cat <&3
		cat <&4 >&2
		[ $last = no ] || return 0
		sleep 0.1
	done
}

cluster_run()
{
	command -v qemu-system-x86_64 >/dev/null || cannot "no QEMU"
	run=$(mktemp -d "${TMPDIR:-/tmp}/vcluster.XXXXXX") || exit 70
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	image_ready
	write_share "$@"
	mkfifo "$run/msg"
	exec 7<>"$run/msg"
	start_machine 1
	pump 9>&- &
	pump_pid=$!
	while read -r who what args <&7; do
		say "node$who $what $args"
		case $what in
		up) echo "job command" >&8 ;;
		exit)
			tail -n 20 "$run/$who.console" "$run/$who.qemu" >&2
			fail 70 "node$who is gone" ;;
		done)
			set -- $args
			: >"$run/stop"
			wait $pump_pid
			exit "$2" ;;
		esac
	done
}

cleanup()
{
	for p in $(grep -la "path=$run/" /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3); do
		kill -9 "$p"
	done 2>/dev/null
	: >"$run/stop"
	wait
	rm -rf "$run"
}
