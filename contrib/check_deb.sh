# SPDX-License-Identifier: Apache-2.0
# check_deb.sh ARCHIVE builds the Debian packages from the archive of make dist
# as make check-deb, asks lintian about them, and runs debian/tests with them
# laid over /usr in a mount namespace, so that nothing is installed. It needs
# debhelper, lintian and root.
set -eu

archive=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/mrt-deb.XXXXXX")
trap 'rm -rf "$work"' EXIT
tar -xf "$archive" -C "$work"
cd "$work"/libmrt-*/
# make check-deb must not reach into the packages' make
unset MAKEFLAGS MFLAGS MAKELEVEL
dpkg-buildpackage -b -us -uc -j"$(nproc)" >"$work/log" 2>&1 || {
	tail -n 40 "$work/log"
	exit 1
}
# Who uploads the packages puts a name into debian/control.
tags=$(lintian --allow-root -I --fail-on none ../*.changes |
	grep -v ': bogus-mail-host') || true
mkdir "$work/root"
for package in ../libmrt1_*.deb ../libmpifort-abi1_*.deb \
	../libmrt-dev_*.deb ../mrt-bin_*.deb; do
	dpkg-deb -x "$package" "$work/root"
done
export work
unshare -m sh -ec '
	mount -t overlay overlay -o "lowerdir=$work/root/usr:/usr" /usr
	exec debian/tests/mpi'
[ -z "$tags" ] || {
	echo "lintian: $tags"
	exit 1
}
echo "check-deb: packages built, lintian has nothing to say"
