# SPDX-License-Identifier: Apache-2.0
# host.sh checks what this host must have: programs, and an accelerator that
# works. It is sourced by vcluster.

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

# lists "file or program | package"; what a machine runs comes from the host
needs()
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
	[ "$sshd" = no ] || echo 'ssh-keygen openssh-client
		sshd openssh-server'
	[ "$slurm" = no ] || echo 'munged munge
		slurmctld slurmctld
		slurmd slurmd
		srun slurm-client'
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
