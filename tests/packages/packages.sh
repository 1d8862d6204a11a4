#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packages.sh is called by make check-packages. It builds packages that use MPI
# and runs their own tests with libmrt and, for comparison, with other MPIs.
#
#   PACKAGES   recipes of this folder, "fftw hypre"; NAME=FOLDER takes the
#              sources from there instead of Debian's archive
#   PEERS      the other MPIs, "openmpi mpich"
#   LIMIT      seconds that a build or the tests may take
#   TURNS      how often the tests run with each MPI, by turns
#
# check-packages.out/ keeps sources, builds, a log of each step and results.csv.
# The exit code is 0 if all tests pass with libmrt, 1 if not, 69 if something
# cannot be had.
#
# A recipe sets
#   source    the name of Debian's source package
#   needs     Debian's packages that its build needs
#   part      the folder of the sources that suffices, if not all
#   below     a package whose build it stands on, with a recipe of its own
# and defines functions, which run in the folder of its sources with mpicc,
# mpicxx, mpif77, mpif90, mpifort and mpirun in PATH:
#   build     builds it
#   check     runs its tests
#   verdict   reads the log of check and prints "PASSED FAILED"
set -u
: "${MAKE:?run by make check-packages}" "${top_srcdir:?}" "${top_builddir:?}"
here=$top_srcdir/tests/packages
: "${PACKAGES:=$(cd "$here" && ls ./*.recipe | sed 's,^\./,,; s,\.recipe$,,')}"
: "${PEERS=openmpi mpich}" "${LIMIT:=1800}" "${TURNS:=1}"
out=$PWD/check-packages.out
csv=$out/results.csv

die()
{
	code=$1
	shift
	echo "check-packages: $*" >&2
	exit "$code"
}

. "$top_srcdir/contrib/debian_source.sh"

# fetch PACKAGE FOLDER puts the sources of the recipe into $out/PACKAGE/source.
fetch()
{
	[ ! -d "$out/$1/source" ] || return 0
	mkdir -p "$out/$1"
	if [ -n "$2" ]; then
		cp -a "$2" "$out/$1/source.new" || die 69 "no folder $2"
	else
		debian_source "$out/$1" "$source"
	fi
	mv "$out/$1/source.new/$part" "$out/$1/source"
	rm -rf "$out/$1/source.new"
}

# names MPI makes $out/mpi/MPI, where the MPI has the names that packages use.
names()
{
	mkdir -p "$out/mpi"
	if [ "$1" = libmrt ]; then
		"$MAKE" -C "$top_builddir" install DESTDIR="$out/stage" \
			MAKEFLAGS= >"$out/install.log" 2>&1 ||
			die 70 "make install fails: $out/install.log"
		prefix=$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
		MRT_PREFIX=$out/stage$prefix
		export MRT_PREFIX
		ln -sfn "$MRT_PREFIX/libexec/libmrt/bin" "$out/mpi/libmrt"
		return
	fi
	case $1 in
	openmpi) install openmpi-bin libopenmpi-dev ;;
	mpich) install mpich libmpich-dev ;;
	*) die 64 "PEERS knows openmpi and mpich, not $1" ;;
	esac
	mkdir -p "$out/mpi/$1"
	for name in mpicc mpicxx mpif77 mpif90 mpifort mpirun mpiexec; do
		# no links: MPICH's mpirun looks for files beside itself
		rm -f "$out/mpi/$1/$name"
		printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$name.$1")" \
			>"$out/mpi/$1/$name"
		chmod +x "$out/mpi/$1/$name"
	done
}

# step PACKAGE MPI NAME runs a function of the recipe; sets $seconds. Returns
# its exit code, 124 after $LIMIT seconds.
step()
{
	log=$out/$1/$2.$3.log
	printf '%s with %s: %s ... ' "$1" "$2" "$3" >&2
	began=$(date +%s%N)
	timeout -k 10 "$LIMIT" sh -euc "
		. '$here/$1.recipe'
		cd '$out/$1/$2'
		PATH='$out/mpi/$2':\$PATH
		$3" >"$log" 2>&1 </dev/null
	code=$?
	ms=$((($(date +%s%N) - began) / 1000000))
	seconds=$((ms / 1000)).$((ms / 100 % 10))
	if [ "$code" -eq 0 ]; then
		echo "$seconds s" >&2
	else
		echo "exit code $code: $log" >&2
	fi
	return "$code"
}

# read_recipe PACKAGE reads it, and installs what it needs.
read_recipe()
{
	[ -f "$here/$1.recipe" ] ||
		die 64 "no recipe $1; there are" "$(cd "$here" && echo ./*.recipe)"
	needs=
	part=
	below=
	. "$here/$1.recipe"
	# shellcheck disable=SC2086 # a list of words
	install $needs
}

# build_below PACKAGE builds it with all MPIs, unless that was done.
build_below()
(
	read_recipe "$1"
	fetch "$1" ""
	for mpi in libmrt $PEERS; do
		[ -f "$out/$1/$mpi.built" ] || prepare "$1" "$mpi"
	done
)

# prepare PACKAGE MPI builds it, and keeps the exit code and the seconds.
prepare()
{
	rm -rf "${out:?}/$1/$2"
	cp -a "$out/$1/source" "$out/$1/$2"
	step "$1" "$2" build
	echo "$? $seconds" >"$out/$1/$2.built"
}

# try PACKAGE MPI runs its tests and writes a line of the results.
try()
{
	passed=0
	failed=1
	tests=-
	read -r built build <"$out/$1/$2.built"
	if [ "$built" -eq 0 ]; then
		step "$1" "$2" check
		ended=$?
		tests=$seconds
		# shellcheck disable=SC2046 # two words
		set -- "$1" "$2" $(verdict <"$log")
		passed=${3:-0}
		failed=${4:-1}
		[ "$ended" -eq 0 ] && [ "$passed" -gt 0 ] ||
			[ "$failed" -gt 0 ] || failed=1
	fi
	echo "$1,$2,$build,$passed,$failed,$tests" >>"$csv"
	[ "$2" != libmrt ] || [ "$failed" -eq 0 ] || bad=1
}

mkdir -p "$out" || exit 70
# what Open MPI asks of root and of more ranks than cores
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
	OMPI_MCA_rmaps_base_oversubscribe=1
bad=0
for mpi in libmrt $PEERS; do
	names "$mpi"
done
echo "package,mpi,build s,passed,failed,tests s" >"$csv"
for package in $PACKAGES; do
	folder=
	case $package in
	*=*)
		folder=${package#*=}
		package=${package%%=*}
		;;
	esac
	read_recipe "$package"
	[ -z "$below" ] || build_below "$below" || exit
	fetch "$package" "$folder"
	for mpi in libmrt $PEERS; do
		prepare "$package" "$mpi"
	done
	for turn in $(seq "$TURNS"); do
		for mpi in libmrt $PEERS; do
			try "$package" "$mpi"
		done
	done
done
echo
column -s , -t "$csv" 2>/dev/null || cat "$csv"
exit $bad
