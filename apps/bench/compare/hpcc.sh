#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# hpcc.sh gets the HPC Challenge benchmark 1.5.0 (P. Luszczek, J. Dongarra and
# others), a foreign program for comparisons. It is not part of libmrt.
#
#   hpcc.sh fetch DIR               gets its sources, from Debian's archive, into
#                                   DIR; apt-get with lists of its own, no root
#   hpcc.sh build DIR PROGRAM CC... builds it with the compiler CC...; needs a
#                                   BLAS with C names (Debian's libblas-dev;
#                                   LDLIBS=-lblas)
#   hpcc.sh input N RANKS           prints its input for a matrix of N x N
set -u
here=$(cd "$(dirname "$0")" && pwd)

fetch()
{
	mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" &&
		cd "$1" || return
	keys=/usr/share/keyrings/debian-archive-keyring.gpg
	echo "deb-src [signed-by=$keys]" "${MIRROR:-http://deb.debian.org/debian}" \
		"$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release) main" \
		>apt/sources.list
	set -- -q -o "Dir::Etc::SourceList=$PWD/apt/sources.list" \
		-o Dir::Etc::SourceParts=- -o APT::Sandbox::User=root \
		-o "Dir::State::Lists=$PWD/apt/lists" \
		-o "Dir::Cache=$PWD/apt/cache"
	apt-get "$@" update >&2 && apt-get "$@" --download-only --tar-only \
		source hpcc=1.5.0-3 >&2 && tar xzf hpcc_1.5.0.orig.tar.gz \
		--strip-components=1 || return
	# Replaces two names that MPI 3.0 removed, in the one file that has
	# them.
	sed -e 's/MPI_Address/MPI_Get_address/' \
		-e 's/MPI_Type_struct/MPI_Type_create_struct/' \
		-i hpl/src/comm/HPL_packL.c
}

# Compiles folder by folder, since some file names occur twice.
build()
{
	sources=$(cd "$1" && pwd) || return
	mkdir -p "$2.objects"
	program=$(cd "$2.objects/.." && pwd)/$(basename "$2")
	shift 2
	for folder in $(cd "$sources" && find . -name '*.c' | sed 's,/[^/]*$,,' |
		sort -u); do
		mkdir -p "$program.objects/$folder" &&
			cd "$program.objects/$folder" &&
			"$@" -O2 -w -DHPL_CALL_CBLAS -DHPCC_FFT_235 \
				-I"$sources/include" -I"$sources/hpl/include" \
				-c "$sources/$folder"/*.c || return
	done
	rm -f "$program.objects/src/hpcc.o"
	# words are meant to be split: options
	# shellcheck disable=SC2086,SC2046
	"$@" -O2 -I"$sources/include" -I"$sources/hpl/include" \
		"$here/hpcc_main.c" $(find "$program.objects" -name '*.o') \
		-o "$program" ${LDLIBS:--lblas} -lm &&
		rm -r "$program.objects"
}

# Prints an input with blocks of 32, a grid of ranks as square as possible, and
# otherwise the values of the benchmark's example.
input()
{
	p=1
	while [ $((2 * p * 2 * p)) -le "$2" ]; do
		p=$((2 * p))
	done
	cat <<-EOF
		HPLinpack benchmark input file
		$(uname -n)
		HPL.out  output file name
		8        device out (6=stdout,7=stderr,file)
		1        # of problems sizes (N)
		$1       Ns
		1        # of NBs
		32       NBs
		0        PMAP process mapping (0=Row-,1=Column-major)
		1        # of process grids (P x Q)
		$p       Ps
		$(($2 / p)) Qs
		16.0     threshold
		1        # of panel fact
		2        PFACTs (0=left, 1=Crout, 2=Right)
		1        # of recursive stopping criterium
		4        NBMINs (>= 1)
		1        # of panels in recursion
		2        NDIVs
		1        # of recursive panel fact.
		1        RFACTs (0=left, 1=Crout, 2=Right)
		1        # of broadcast
		1        BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
		1        # of lookahead depth
		1        DEPTHs (>=0)
		2        SWAP (0=bin-exch,1=long,2=mix)
		64       swapping threshold
		0        L1 in (0=transposed,1=no-transposed) form
		0        U  in (0=transposed,1=no-transposed) form
		1        Equilibration (0=no,1=yes)
		8        memory alignment in double (> 0)
		##### This line (no. 32) is ignored #####
		0        Number of additional problem sizes for PTRANS
		0        values of N
		0        number of additional blocking sizes for PTRANS
		0        values of NB
	EOF
}

case ${1:-}:$# in
fetch:2 | input:3 | build:[4-9]*) "$@" ;;
*)
	sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2
	exit 64 ;;
esac
