# SPDX-License-Identifier: Apache-2.0
# host.sh installs the programs that this host must have: what a machine runs
# comes from the host. It is sourced by vcluster.

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -n "$@"
	else
		return 1
	fi
}

needs()
{
	machine_needs
	[ "$sshd" = no ] || echo 'ssh-keygen openssh-client
		sshd openssh-server'
	[ "$slurm" = no ] || echo 'munged munge
		slurmctld slurmctld
		slurmd slurmd
		srun slurm-client'
	[ "$nfs" = no ] || echo 'rpc.nfsd nfs-kernel-server
		mount.nfs4 nfs-common
		setquota quota'
}

missing_packages()
{
	needs | while read -r what package; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$what" >/dev/null ||
			[ -f "$what" ] || echo "$package"
	done | sort -u
}

need_programs()
{
	missing=$(echo $(missing_packages))
	[ -n "$missing" ] || return 0
	command -v apt-get >/dev/null || cannot "missing: $missing"
	say "installing $missing"
	{
		as_root env DEBIAN_FRONTEND=noninteractive apt-get -q \
			install -y --no-install-recommends $missing || {
			as_root apt-get -q update
			as_root env DEBIAN_FRONTEND=noninteractive apt-get -q \
				install -y --no-install-recommends $missing
		}
	} >"$run/apt.log" 2>&1
	missing=$(echo $(missing_packages))
	[ -z "$missing" ] ||
		cannot "as root: apt-get update && apt-get install $missing"
}
