#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# init.sh: /init of the initramfs: loads the modules, starts the network, and
# makes the host's root, read-only below an overlay in memory, the root of the
# machine. The fewer processes, the sooner it is up.
b=/bin/busybox
$b mkdir -p /proc /lower /upper /new
$b mount -t proc proc /proc
for m in /modules/*; do
	$b insmod "$m"
done
read -r words </proc/cmdline
for word in $words; do
	case $word in
	vcluster.node=*) node=${word#*=} ;;
	vcluster.mtu=*) mtu=${word#*=} ;;
	esac
done
$b hostname "node$node"
$b ip link set lo up
$b ip addr add "10.0.0.$node/24" dev eth0
$b ip link set eth0 mtu "$mtu" up

plan9=trans=virtio,version=9p2000.L,msize=262144
$b mount -t 9p -o ro,cache=loose,$plan9 root /lower
$b mount -t tmpfs tmpfs /upper
$b mkdir /upper/files /upper/work
$b mount -t overlay \
	-o lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work root /new
$b mount -t proc proc /new/proc
$b mount -t sysfs sys /new/sys
$b mount -t devtmpfs dev /new/dev
$b mkdir -p /new/dev/pts /new/dev/shm
$b mount -t devpts -o ptmxmode=666 pts /new/dev/pts
$b mount -t tmpfs -o mode=1777 shm /new/dev/shm
$b mount -t tmpfs -o mode=755 run /new/run
$b mkdir -p /new/run/vcluster /new/run/lock
$b mount -t 9p -o rw,cache=none,$plan9 share /new/run/vcluster
$b mount -t 9p -o rw,cache=none,$plan9 out /new/run/vcluster/out
# what is opened often (near.sh)
EXTRACT_UNSAFE_SYMLINKS=1 $b tar -x -C /new -f /new/run/vcluster/near
# all modules are loaded: looking for one would only take time
echo >/proc/sys/kernel/modprobe
$b umount /proc
exec $b switch_root /new /bin/sh /run/vcluster/guest.sh "$node"
