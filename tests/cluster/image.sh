# SPDX-License-Identifier: Apache-2.0
# image.sh: the kernel and the initramfs of the virtual machines, made once and
# kept below $cache. The kernel is Debian's, taken out of its package: nothing
# is installed. Read by vcluster. Sets $image, a folder with kernel and initrd.

# What a node needs, in the order of loading; crc32_generic before rdma_rxe,
# which else refuses its network device.
modules='virtio_pci virtio_net virtio_console 9p 9pnet_virtio overlay
	crc32_generic rdma_rxe ib_uverbs rdma_ucm sch_netem macvlan'
# These are loaded for vcluster --nfs (services.sh).
nfs_modules='loop quota_v2 ext4 nfsd nfsv4'

# An image of an older script is not used: its name would be another.
image_stamp()
{
	cat "$dir/image.sh" "$dir/init.sh" | cksum | cut -d' ' -f1
}

image_ready()
{
	stamp=$(image_stamp)
	for image in "$cache"/vcluster-*-"$stamp"; do
		[ -f "$image/initrd" ] && return
	done
	image_build
}

image_build()
{
	build=$run/image
	mkdir -p "$build/root" "$cache" || cannot "cannot write to $cache"
	say "fetching a kernel"
	kernel_fetch >"$build/log" 2>&1 || {
		tail -n 5 "$build/log" >&2
		cannot "no kernel: apt-get download linux-image-amd64 must work"
	}
	version=$(ls "$build/kernel/lib/modules")
	say "building an initramfs for $version"
	kernel_unpack "$build/kernel/boot/vmlinuz-$version" \
		2>>"$build/log" >"$build/kernel.elf" ||
		cp "$build/kernel/boot/vmlinuz-$version" "$build/kernel.elf"
	initrd_build >>"$build/log" 2>&1 || {
		tail -n 5 "$build/log" >&2
		cannot "the initramfs for $version cannot be built"
	}
	image=$cache/vcluster-$version-$stamp
	image_publish
}

# Whoever comes second finds it done.
image_publish()
{
	# of those who were killed here
	find "$cache" -maxdepth 1 -name 'new.*' -mmin +60 -exec rm -rf {} +
	new=$(mktemp -d "$cache/new.XXXXXX") &&
		cp "$build/kernel.elf" "$new/kernel" &&
		cp "$build/initrd" "$new/initrd" &&
		cp -r "$build/nfs" "$new/nfs" &&
		chmod 755 "$new" || cannot "cannot write to $cache"
	mv -T "$new" "$image" 2>/dev/null || rm -rf "$new"
	rm -rf "$build"
}

kernel_package()
{
	apt-cache depends linux-image-amd64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1
}

kernel_fetch()
{
	[ -n "$(kernel_package)" ] || as_root apt-get -q update
	name=$(kernel_package)
	[ -n "$name" ] || return 1
	(
		cd "$build" || exit
		apt-get -q download "$name" || {
			as_root apt-get -q update
			apt-get -q download "$name"
		}
	) || return 1
	dpkg -x "$build"/linux-image-*.deb "$build/kernel" &&
		rm "$build"/linux-image-*.deb
}

# The ELF file inside the compressed kernel: QEMU starts it directly, which saves
# three of five seconds of emulated decompression. Not found: the kernel as it is.
kernel_unpack()
{
	for try in '\xfd7zXZ\x00 xz' '\x28\xb5\x2f\xfd zstd'; do
		offset=$(LC_ALL=C grep -aboP "${try% *}" "$1" | head -n 1 |
			cut -d: -f1)
		[ -n "$offset" ] || continue
		tail -c +$((offset + 1)) "$1" | "${try#* }" -dcq
		return 0
	done
	return 1
}

initrd_build()
{
	(
		PATH=$PATH:/usr/sbin:/sbin
		set -e
		depmod -b "$build/kernel" "$version"
		mkdir -p "$build/root/bin"
		cp "$(command -v busybox)" "$build/root/bin/busybox"
		cp "$dir/init.sh" "$build/root/init"
		chmod 755 "$build/root/init"
		modules_copy "$build/root/modules" $modules
		modules_copy "$build/nfs" $nfs_modules
		cd "$build/root"
		find . | cpio -o -H newc >"$build/initrd"
	)
}

# modules_copy FOLDER NAME... copies modules and what they need, numbered, so that
# they can be loaded in the order of the shell's *.
modules_copy()
{
	folder=$1
	shift
	mkdir -p "$folder"
	for module; do
		modprobe -d "$build/kernel" -S "$version" --show-depends "$module"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$build/files"
	number=100
	while IFS= read -r file; do
		number=$((number + 1))
		to=$folder/$number.ko
		case $file in
		*.xz) xz -dc "$file" >"$to" ;;
		*.zst) zstd -dc "$file" >"$to" ;;
		*) cp "$file" "$to" ;;
		esac
	done <"$build/files"
	[ "$number" -gt 100 ]
}
