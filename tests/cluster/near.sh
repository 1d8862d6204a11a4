# SPDX-License-Identifier: Apache-2.0
# near.sh packs those of the host's files that commands in a machine open again
# and again. Opening a file of the host takes several requests to QEMU, and a
# rank opens some thirty when it starts: a third of the time of a short job.
# The machine unpacks them into its own memory. It is sourced by vcluster.

near_programs='sh env cat grep sed awk tr cut head tail sort wc ls rm mkdir mkfifo
	cp chmod sleep timeout id find seq date setpriv rdma'
near_slurm='srun salloc slurmstepd'

near_files()
{
	(
		PATH=$PATH:/usr/sbin:/sbin
		[ "$slurm" = yes ] || near_slurm=
		for program in $near_programs $near_slurm; do
			command -v "$program"
		done | grep '^/'
	)
	ls /usr/lib/*/libibverbs.so.1 /usr/lib/*/libibverbs/librxe-*.so \
		/usr/lib/*/pmix2/lib/libpmix.so.2 \
		/usr/lib/*/pmix2/lib/pmix/*.so
}

# Prints a file, and before it the symbolic links that lead there.
near_links()
{
	file=$1
	while [ -L "$file" ]; do
		echo "$file"
		to=$(readlink "$file")
		case $to in
		/*) file=$to ;;
		*) file=${file%/*}/$to ;;
		esac
	done
	[ ! -f "$file" ] || echo "$file"
}

# near_pack FILE writes a tar archive of names relative to /, without hard links,
# of which the others may not be in it.
near_pack()
{
	files=$(near_files)
	{
		find / -maxdepth 1 -type l
		echo /etc/ld.so.cache
		# these need no library that srun does not
		[ "$slurm" = no ] || ls /usr/lib/*/slurm-wlm/*.so
		# shellcheck disable=SC2046,SC2086 # lists of words
		for file in $files \
			$(ldd $files | grep -o '/[^ :]*' | sort -u); do
			near_links "$file"
		done
	} 2>/dev/null | sort -u | sed 's|^/||' |
		tar -c -C / -T - --hard-dereference --owner=0 --group=0 -f "$1"
}
