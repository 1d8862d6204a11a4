#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# namespaces_init.sh N SWITCH MTU is the first process of a node of namespaces: it
# gives the node its name, its address, and files of its own where a node has
# such: what it writes below /etc and /tmp is gone with it, while other files are
# the host's. $run and $out are the folders of vcluster.
set -e
hostname "node$1"
ip link set lo up
ip addr add "10.0.0.$1/24" dev eth0
ip link set eth0 mtu "$3" up
exec 3<>"$run/$1.in"

mount -t tmpfs -o mode=755 run /mnt
mkdir /mnt/vcluster /mnt/lock
: >/mnt/to-host
mount --bind "$run/share" /mnt/vcluster
mount --bind "$out" /mnt/vcluster/out
mount --bind "$run/msg" /mnt/to-host
for folder in /etc /tmp; do
	mkdir -p "/mnt/own$folder/files" "/mnt/own$folder/work"
	mount -t overlay none "$folder" -o \
		"lowerdir=$folder,upperdir=/mnt/own$folder/files,workdir=/mnt/own$folder/work"
done
mount -n --move /mnt /run
mount -t sysfs sys /sys
mount -t tmpfs -o mode=1777 shm /dev/shm
exec sh /run/vcluster/guest.sh "$1"
