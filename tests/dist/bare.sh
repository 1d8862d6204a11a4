# SPDX-License-Identifier: Apache-2.0
# bare.sh ARCHIVE SUITE builds the archive of make dist in a bare Debian SUITE
# with the packages that README.md names, as make check-bare. There it runs the
# unit tests, the lints for which tools are there, what runs over libfabric (2.1
# in trixie), and mrt-cg on four ranks; then it goes a newcomer's way: make
# install to a prefix, an MPI program by CMake, the tests of a package (FFTW). It
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
apt-get install -y --no-install-recommends cmake gcc libc6-dev make pkgconf \
	libfabric-dev libhwloc-dev libibverbs-dev libjansson-dev libpmix-dev \
	libpng-dev
mkdir /root/libmrt
cd /root/libmrt
../libmrt-*/configure --enable-werror --prefix=/opt/libmrt
make -j"$(nproc)"
make -j"$(nproc)" check-quick
make check TESTS=tests/system/ofi.t VERBOSE=1
./mrun -n 4 ./mrt-cg --poisson 20 20 20
make install
PATH=/opt/libmrt/libexec/libmrt/bin:/opt/libmrt/bin:$PATH
cmake -S ../libmrt-*/tests/mpi/programs/heat -B ../heat
cmake --build ../heat
ctest --test-dir ../heat
make check-packages PACKAGES=fftw PEERS=
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
