# SPDX-License-Identifier: Apache-2.0
# qemu.sh is the kind of machine that QEMU emulates, with a kernel of its own and
# a Soft-RoCE device. It is sourced by vcluster. Below $run: N.mon.in and
# N.mon.out, the monitor of machine N.
for part in image near; do
	. "$dir/$part.sh"
done

# Lists each program, or file, and its package.
machine_needs()
{
	cat <<'X'
qemu-system-x86_64 qemu-system-x86
/usr/share/seabios/bios-256k.bin seabios
busybox busybox-static
cpio cpio
depmod kmod
xz xz-utils
ip iproute2
rdma iproute2
ibv_devinfo ibverbs-utils
X
	ls /usr/lib/*/libibverbs/librxe-* >/dev/null 2>&1 ||
		echo /none ibverbs-providers
}

machine_check()
{
	image_ready
}

machine_prepare()
{
	choose_accel
	tsc=$(tsc_option)
	near_pack "$share/near"
	[ "$nfs" = no ] || cp -r "$image/nfs" "$share/nfs"
	say "booting $nodes machine(s) of $cpus cpu(s), $image"
}

# auto takes KVM if it boots a machine, which is tried once per boot of the
# host.
choose_accel()
{
	[ "$accel" = auto ] || return 0
	accel=tcg
	[ -w /dev/kvm ] || return 0
	tried=$cache/kvm-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -f "$tried" ]; then
		"$dir/vcluster" -N 1 --accel kvm --timeout 20 --cache "$cache" \
			-- true >/dev/null 2>&1 && echo kvm >"$tried" ||
			echo tcg >"$tried"
	fi
	accel=$(cat "$tried")
	say "accelerator: $accel"
}

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

# machine_run N becomes machine N.
machine_run()
{
	mkfifo "$run/$1.mon.in"
	ln -s msg "$run/$1.out"
	: >"$run/$1.mon.out"
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

# machine_link N up|down
machine_link()
{
	case $2 in
	up) monitor "$1" "set_link nic on" ;;
	down) monitor "$1" "set_link nic off" ;;
	esac
}

monitor_prompts()
{
	[ "$(grep -c '(qemu)' "$run/$1.mon.out")" -gt "$2" ]
}

# monitor N COMMAND returns when the command is done, which the next prompt
# shows.
monitor()
{
	before=$(grep -c '(qemu)' "$run/$1.mon.out")
	echo "$2" 1<>"$run/$1.mon.in" >&1
	wait_for 5 monitor_prompts "$1" "$before"
}
