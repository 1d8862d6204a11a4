#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packaging.sh checks that what others build packages from agrees with libmrt:
# the version, the name of the library, the packages of Debian that a build
# needs, and the names of files. packaging.py loads the recipes for Spack and EasyBuild.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

version=$(sed -n 's/^AC_INIT(\[libmrt\], \[\([^]]*\)\].*/\1/p' \
	"$top_srcdir/configure.ac")
number='[0-9]+\.[0-9]+\.[0-9]+'
spack=contrib/spack_repo/libmrt/packages/libmrt/package.py

# files that state the version of libmrt
stating()
{
	ls contrib/easybuild/*.eb "$spack" contrib/container/Containerfile \
		contrib/ci/github.yml include/mrt.h man/mrt_version.3 2>/dev/null
}

# Prints the versions that a text states.
stated()
{
	grep -ioE "(libmrt[- ]|version ?[=(] ?[\"']?)$number" |
		grep -oE "$number"
}

# Prints the packages with headers that a text names.
headers_of()
{
	grep -oE 'lib[a-z0-9-]+-dev' | grep -vE 'libc6-dev|libmrt-dev' |
		sort -u | tr '\n' ' '
}

# Reads lines NAME:... of names for compilers, prints those in no package of debian/.
unpackaged()
{
	set -f
	while IFS=: read -r name _; do
		for pattern in $(sed -n 's,^usr/libexec/libmrt/bin/,,p' \
			"$top_srcdir/debian/libmrt-dev.install" \
			"$top_srcdir/debian/mrt-bin.install"); do
			# shellcheck disable=SC2254 # it is a pattern
			case $name in $pattern) continue 2 ;; esac
		done
		echo "contrib/Makefile.inc: $name is in no package"
	done
}

lint()
{
	(
		cd "$1" || exit
		for file in $(stating); do
			{ stated <"$file" || echo none; } | sort -u |
				grep -vFx "$version" |
				sed "s|^|$file: not version $version but |"
		done
		for file in contrib/easybuild/*.eb; do
			case $file in
			*'*.eb' | */libmrt-"$version"-*) ;;
			*) echo "$file: not of version $version" ;;
			esac
		done
		[ ! -e debian/changelog ] ||
			sed -n "1{/^libmrt ($version) /!p;}" debian/changelog |
			sed 's/^/debian\/changelog: /'
		[ ! -e NEWS ] || grep -m 1 -E "^(unreleased|$number)" NEWS |
			grep -vE "^(unreleased$|$version)" | sed 's/^/NEWS: /'
		[ ! -e Makefile.am ] ||
			sed -n 's/.*-version-info \(.*\):.*:\([0-9]*\).*/\1 \2/p' \
				Makefile.am |
			while read -r current age; do
				grep -qx "Package: libmrt$((current - age))" \
					"$top_srcdir/debian/control" ||
					echo "Makefile.am: debian/control has another libmrt.so"
			done
		[ ! -e contrib/Makefile.inc ] ||
			grep -oE '\bmpi[[:alnum:]_+]+:mr' contrib/Makefile.inc |
			unpackaged
		needed=$(headers_of <"$top_srcdir/debian/control")
		for file in contrib/container/Containerfile contrib/ci/*.yml; do
			[ ! -e "$file" ] ||
				[ "$(headers_of <"$file")" = "$needed" ] ||
				echo "$file: other packages than debian/control"
		done
		! have python3 || PYTHONDONTWRITEBYTECODE=1 \
			python3 "$top_srcdir/tests/lint/packaging.py" "$1" 2>&1
	)
}

clean "packages are of this version and name what is there"
catches "another version in a workflow" contrib/ci/github.yml <<E
LIBMRT: libmrt-9.9.9
$(headers_of <"$top_srcdir/debian/control")
E
catches "no version" contrib/container/Containerfile <<E
RUN apt-get install $(headers_of <"$top_srcdir/debian/control")
E
catches "another version by its name" contrib/easybuild/libmrt-9.9.9-GCC.eb <<E
version = '$version'
E
catches "an older changelog" debian/changelog <<'E'
libmrt (0.0.1) unstable; urgency=medium
E
catches "older news" NEWS <<'E'
0.0.1
E
catches "a library of another name" Makefile.am <<'E'
libmrt_la_LDFLAGS = -version-info 9:0:1 -no-undefined
E
catches "a package that is missing" contrib/ci/gitlab.yml <<'E'
apt-get install libpmix-dev
E
catches "a name in no package" contrib/Makefile.inc <<'E'
mpi_names = mpicc:mrtcc mpiother:mrtcc
E
if have python3; then
	recipe=$top_srcdir/$spack
	catches "a recipe that is no Python" "$spack" <<E
version("$version"
E
	sed 's/, when="+mpi"//' "$recipe" >"$work/recipe"
	catches "a recipe that is the MPI of all" "$spack" <"$work/recipe"
	sed 's/names.mpicc,/names.cc,/' "$recipe" >"$work/recipe"
	catches "a name that is not installed" "$spack" <"$work/recipe"
fi
lint_done
