# SPDX-License-Identifier: Apache-2.0
# services.sh runs Slurm, sshd and NFS on a machine, with keys and configuration of
# their own: /etc is an overlay here. It is sourced by guest.sh.

services_start()
{
	[ "$sshd" = no ] || sshd_start
	[ "$nfs" = no ] || nfs_start
	[ "$slurm" = no ] || slurm_start
}

# poll COMMAND... polls until the command succeeds; the host sets the limit.
poll()
{
	until "$@"; do
		sleep 0.1
	done
}

sshd_start()
{
	mkdir -p /run/sshd /run/ssh
	cp $share/ssh/* /run/ssh
	echo 'hosts: files' >/etc/nsswitch.conf
	chmod 600 /run/ssh/host /run/ssh/id
	# bash would read the host's .bashrc, which may take seconds
	users=$(sed 's|^\(root:.*:\)[^:]*$|\1/bin/sh|' /etc/passwd)
	echo "$users" >/etc/passwd
	# a locked password would refuse keys as well
	echo 'root:*:19000:0:99999:7:::' >/etc/shadow
	cat >/etc/ssh/ssh_config <<-X
	StrictHostKeyChecking no
	UserKnownHostsFile /dev/null
	LogLevel ERROR
	IdentityFile /run/ssh/id
	IdentitiesOnly yes
	KexAlgorithms curve25519-sha256
	X
	cat >/etc/ssh/sshd_config <<-X
	HostKey /run/ssh/host
	AuthorizedKeysFile /run/ssh/id.pub
	StrictModes no
	UsePAM no
	UseDNS no
	PermitRootLogin yes
	PermitUserEnvironment no
	MaxStartups 100
	X
	/usr/sbin/sshd -f /etc/ssh/sshd_config -E /run/sshd.log 3>&-
}

# Node 1 serves a file system of 64 MiB in its memory: ext4, as tmpfs does not count
# changes and clients would miss those within one tick of its clock. Node 1 mounts it
# like the others, so that all ranks find the same.
nfs_serve()
{
	mkdir -p /srv/nfs /var/lib/nfs/v4recovery
	busybox truncate -s 64M /run/nfs.ext4
	mkfs.ext4 -q -O ^has_journal,quota /run/nfs.ext4
	mount -o loop,usrquota /run/nfs.ext4 /srv/nfs
	chmod 1777 /srv/nfs
	: >/var/lib/nfs/etab
	: >/var/lib/nfs/rmtab
	mount -t nfsd nfsd /proc/fs/nfsd
	echo '/srv/nfs 10.0.0.0/24(rw,sync,fsid=0,no_root_squash,no_subtree_check)' \
		>/etc/exports
	exportfs -a
	rpc.mountd --no-nfs-version 3
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	rpc.nfsd --no-nfs-version 3 --host 10.0.0.1 4
	# The server need not wait for clients to reclaim the locks of an older one.
	echo Y >/proc/fs/nfsd/v4_end_grace
}

nfs_start()
{
	for module in $share/nfs/*; do
		busybox insmod "$module" 2>/dev/null # init may have loaded it
	done
	if [ "$node" = 1 ] && ! (set -e; nfs_serve) >/run/nfs.log 2>&1 3>&-; then
		cat /run/nfs.log >/dev/console
		busybox poweroff -f
	fi
	mkdir -p /nfs
	poll mount.nfs4 10.0.0.1:/ /nfs -o vers=4.2,sec=sys \
		>>/run/nfs.log 2>&1
}

slurm_config()
{
	cat <<-X
	ClusterName=vcluster
	SlurmctldHost=node1(10.0.0.1)
	SlurmUser=root
	SlurmdUser=root
	AuthType=auth/munge
	CredType=cred/munge
	MpiDefault=pmix
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	SelectType=select/linear
	SchedulerType=sched/builtin
	TreeWidth=5
	SlurmdParameters=config_overrides
	ReturnToService=2
	SlurmdTimeout=300
	StateSaveLocation=/run/slurm/state
	SlurmdSpoolDir=/run/slurm/spool
	SlurmctldPidFile=/run/slurm/slurmctld.pid
	SlurmdPidFile=/run/slurm/slurmd.pid
	SlurmctldLogFile=/run/slurm/slurmctld.log
	SlurmdLogFile=/run/slurm/slurmd.log
	PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES
	X
	n=0
	while [ $n -lt "$nodes" ]; do
		n=$((n + 1))
		echo "NodeName=node$n NodeAddr=10.0.0.$n CPUs=16"
	done
}

# "idle*" is a node that has not answered yet.
slurm_all_idle()
{
	[ "$(sinfo -h -N -o %T 2>/dev/null | grep -cx idle)" = "$nodes" ]
}

slurm_start()
{
	mkdir -p /run/slurm/state /run/slurm/spool /run/munge /etc/slurm
	cp $share/munge.key /run/munge/key
	chmod 400 /run/munge/key
	slurm_config >/etc/slurm/slurm.conf
	echo CgroupPlugin=cgroup/v1 >/etc/slurm/cgroup.conf
	munged --foreground --force --key-file=/run/munge/key \
		--pid-file=/run/munge/pid --seed-file=/run/munge/seed \
		--log-file=/run/munge/log >/run/munge/out 2>&1 3>&- &
	poll test -S /run/munge/munge.socket.2
	if [ "$node" = 1 ]; then
		slurmctld -D -c >/run/slurm/slurmctld.out 2>&1 3>&- &
	fi
	slurmd -D -c >/run/slurm/slurmd.out 2>&1 3>&- &
	[ "$node" != 1 ] || poll slurm_all_idle
}
