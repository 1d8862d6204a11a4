# SPDX-License-Identifier: Apache-2.0
# machine.sh starts the machines, receives their messages, and removes them. It
# is sourced by vcluster. Below $run: share/ (see guest.sh), msg (a FIFO into
# which all machines write), N.in (messages to machine N), N.mon.in (its
# monitor), alive (held open by the script: its end is the guard's signal),
# stop.

# These options turn off what only costs time under emulation, such as legacy
# interrupts of PCI devices. The check of the timer would end in a panic where
# the host is busy: "IO-APIC + timer doesn't work". The emulated TSCs are one
# clock, which the kernel does not know: without tsc=reliable it would read the
# HPET instead, a device, in a microsecond. Addresses are not randomized, so
# that processes share what QEMU has translated: it translates a page of code
# once for each address; verbs_two.t randomizes them. Memory is not cleared when
# it is allocated, nor are copies from and to user space checked against objects.
kernel_options='quiet panic=-1 mitigations=off cryptomgr.notests audit=0
	lsm=capability,yama random.trust_cpu=on pci=noacpi no_timer_check
	tsc=reliable norandmaps init_on_alloc=0 hardened_usercopy=off
	randomize_kstack_offset=off kfence.sample_interval=0 nowatchdog
	preempt=none cgroup_disable=memory'

# Prints the option with the frequency of the emulated TSC; nothing if it cannot
# be measured: then the kernel tries.
tsc_option()
{
	[ "$accel" = tcg ] || return
	${CC:-cc} -O1 -o "$run/tsc_khz" "$dir/tsc_khz.c" 2>/dev/null &&
		echo "tsc_early_khz=$("$run/tsc_khz")"
}

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

# Machine 1 is the hub of a star; each other machine has one cable to it.
network_options()
{
	if [ "$1" -gt 1 ]; then
		echo "-netdev stream,id=cable,server=off,$2$1"
		return
	fi
	echo "-netdev hubport,id=cable,hubid=0"
	for other in $(seq 2 "$nodes"); do
		echo "-netdev stream,id=to$other,server=on,$2$other"
		echo "-netdev hubport,id=port$other,hubid=0,netdev=to$other"
	done
}

run_qemu()
{
	case $accel in
	# "rep movsb" is emulated byte by byte: the guest is to copy otherwise.
	# With smap each access to user space ends a translated block, twice.
	tcg)
		acceleration='tcg,thread=multi -cpu max,erms=off,fsrm=off'
		acceleration=$acceleration,smap=off,smep=off,la57=off
		;;
	kvm) acceleration='kvm -cpu host' ;;
	esac
	[ "$1" = 1 ] || wait_for 20 test -S "$run/net.$1" || return
	plan9=security_model=none,multidevs=remap
	append="console=ttyS0 $(echo $kernel_options) vcluster.node=$1"
	append="$append $tsc vcluster.mtu=$mtu"
	# shellcheck disable=SC2046,SC2086 # lists of words
	set -- "$1" $(network_options "$1" \
		"addr.type=unix,addr.path=$run/net.") -accel $acceleration
	n=$1
	shift
	# A machine of one CPU has room for a second. Without it QEMU would
	# emulate barriers and locked instructions as plain loads and stores,
	# and the network, whose device is another thread, would stand still for
	# good once in a million packets, after a doorbell that nobody heard.
	exec qemu-system-x86_64 -name "node$n" -nodefaults -no-user-config \
		-display none -no-reboot -m "$mem" \
		-smp "$cpus,maxcpus=$((cpus > 1 ? cpus : 2))" "$@" \
		-kernel "$image/kernel" -initrd "$image/initrd" \
		-append "$append" -pidfile "$run/$n.pid" \
		-serial "file:$console.$n" \
		-virtfs "local,path=/,mount_tag=root,readonly=on,$plan9" \
		-virtfs "local,path=$run/share,mount_tag=share,$plan9" \
		-virtfs "local,path=$out,mount_tag=out,$plan9" \
		-chardev "pipe,id=monitor,path=$run/$n.mon" \
		-mon chardev=monitor,mode=readline \
		-device virtio-serial-pci -chardev "pipe,id=port,path=$run/$n" \
		-device virtserialport,chardev=port,name=vcluster \
		-device "virtio-net-pci,id=nic,netdev=cable,mac=52:54:00:00:00:0$n,romfile="
}

machine_start()
{
	mkfifo "$run/$1.in" "$run/$1.mon.in"
	ln -s msg "$run/$1.out"
	: >"$run/$1.mon.out"
	{
		(run_qemu "$1") >"$run/$1.qemu" 2>&1 </dev/null 9>&- 7>&-
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
