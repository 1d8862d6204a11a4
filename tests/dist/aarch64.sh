# SPDX-License-Identifier: Apache-2.0
# aarch64.sh ARCHIVE SUITE compiles the archive of make dist for aarch64 and runs
# unit tests, mrt-hello and mrt-cg in QEMU's emulation of one process, as make
# check-aarch64. The emulation has no userfaultfd and no process_vm_readv, so
# tests of those are skipped and long messages go through the rings; and it keeps
# the order of memory accesses of the CPU below. It needs root, debootstrap,
# gcc-aarch64-linux-gnu and qemu-user-static.
set -eu

archive=$1
suite=$2
# the other make begins anew
unset MAKEFLAGS MFLAGS MAKELEVEL
work=$(mktemp -d "${TMPDIR:-/tmp}/mrt-aarch64.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
# packages of another CPU are unpacked, not installed: nothing runs
debootstrap --foreign --arch=arm64 --variant=minbase --include=libc6-dev,\
libpmix-dev,libhwloc-dev,libibverbs-dev,libpng-dev,libjansson-dev \
	"$suite" "$work/packages" >"$work/log" 2>&1 || {
	tail -n 20 "$work/log"
	exit 1
}
mkdir "$root" "$work/build"
for package in "$work"/packages/var/cache/apt/archives/*.deb; do
	dpkg-deb -x "$package" "$root"
done
tar -xf "$archive" -C "$work"
libraries=usr/lib/aarch64-linux-gnu
cd "$work/build"
PKG_CONFIG_LIBDIR=$root/$libraries/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root \
	"$work"/libmrt-*/configure --host=aarch64-linux-gnu --enable-werror \
	CC="aarch64-linux-gnu-gcc --sysroot=$root" \
	LDFLAGS="-Wl,-rpath-link,$root/$libraries:$root/lib/aarch64-linux-gnu"
make -j"$(nproc)"

# A user namespace has its own table of formats of programs.
export QEMU_LD_PREFIX="$root"
unshare -U -r -m -p -f --mount-proc sh -ec '
	mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
	zeros="\x00\x00\x00\x00\x00\x00\x00\x00"
	ones="\xff\xff\xff\xff\xff\xff\xff"
	printf %s ":aarch64:M::\x7fELF\x02\x01\x01\x00$zeros\x02\x00\xb7\x00" \
		":$ones\x00$ones\xff\xfe\xff\xff\xff" \
		":$(command -v qemu-aarch64-static):OCPF" \
		>/proc/sys/fs/binfmt_misc/register
	make -j"$(nproc)" check-units
	for n in 2 4; do
		./mrun -n $n ./mrt-hello
		./mrun -n $n ./mrt-cg --poisson 20 20 20
	done'
echo "check-aarch64: libmrt of Debian $suite runs in emulation"
