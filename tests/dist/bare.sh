# SPDX-License-Identifier: Apache-2.0
# bare.sh ARCHIVE SUITE builds the archive of make dist in a bare Debian SUITE
# with the packages that README.md names, as make check-bare. There it runs the
# unit tests, the lints for which tools are there, and mrt-cg on four ranks. It
# needs root and debootstrap.
set -eu

archive=$1
suite=$2
root=$(mktemp -d "${TMPDIR:-/tmp}/mrt-bare.XXXXXX")
trap 'rm -rf "$root"' EXIT
debootstrap --variant=minbase "$suite" "$root"
tar -xf "$archive" -C "$root/root"
cat >"$root/root/build" <<'E'
set -ex
apt-get update
apt-get install -y --no-install-recommends gcc libc6-dev make pkgconf \
	libcmocka-dev libhwloc-dev libibverbs-dev libjansson-dev libpmix-dev libpng-dev
mkdir /root/libmrt
cd /root/libmrt
../libmrt-*/configure --enable-werror
make -j"$(nproc)"
make -j"$(nproc)" check-quick
./mrun -n 4 ./mrt-cg --poisson 20 20 20
E
export root
# what is mounted goes with the namespace
unshare -m -p -f sh -ec '
	mount -t proc proc "$root/proc"
	mkdir -p "$root/dev/shm"
	mount -t tmpfs tmpfs "$root/dev/shm"
	exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		DEBIAN_FRONTEND=noninteractive sh /root/build'
echo "check-bare: Debian $suite builds and runs libmrt"
