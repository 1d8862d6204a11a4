#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh: libmrt next to Open MPI and MPICH, the same patterns compiled
# three times, run in turn because the speed of a machine that is shared changes
# from minute to minute (a cache line between two virtual CPUs can cost three
# times as much for a while): only the ratio counts. Each group of patterns
# is run by one library right after the other, and who is first changes from
# round to round (A B C, B C A, C A B, ...).
#
#   ROUNDS=10       alternations         TIME=0.1    seconds for each size
#   PEERS="openmpi mpich"                OUT=DIR     keeps the raw figures
#   GROUPS_OF="1 2 3"                    which patterns: see group()
#
# Run by `make compare` from the build folder; `make compare-coll` is that of
# all collectives. Prints per pattern the median
# and the best of each library, and the median over the rounds of libmrt's figure
# by that of the peer that was best in the same round: for times below 1 is
# better, for bandwidth and rate above 1.

: "${ROUNDS:=10}" "${TIME:=0.1}" "${PEERS:=openmpi mpich}"
: "${GROUPS_OF:=1 2 3}"
: "${srcdir:=.}" "${MRUN:=./mrun}" "${MRT_BENCH:=./mrt-bench}"
: "${MRT_INITFIN:=./mrt-initfin}"
LC_ALL=C
export LC_ALL

work=$(mktemp -d "${TMPDIR:-/tmp}/mrt-compare.XXXXXX") || exit 71
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
raw=${OUT:-$work}/compare.csv
mkdir -p "$(dirname "$raw")" && : >"$raw" || exit 73

say()
{
	if [ -t 2 ]; then printf '\r%s\033[K' "$*" >&2; fi
}

# A peer's mpicc builds the benchmark's sources with the shim in mrt.h's place.
build_peer()
{
	mpicc=mpicc.$1
	command -v "$mpicc" >/dev/null && command -v "mpirun.$1" >/dev/null ||
		return 1
	flags="-std=gnu11 -O2 -w -D_GNU_SOURCE -I$srcdir -I$srcdir/include
		-include $srcdir/apps/bench/compare/mpi_shim.h"
	sources=
	for s in bench/bench bench/bench_p2p bench/bench_coll bench/bench_out \
		bench/sizes common/app; do
		sources="$sources $srcdir/apps/$s.c"
	done
	# words are meant to be split: lists of flags and files
	# shellcheck disable=SC2086
	$mpicc $flags $sources -o "$work/bench.$1" -lm &&
		$mpicc $flags "$srcdir/apps/bench/compare/initfin.c" \
			-o "$work/initfin.$1"
}

# launch LIBRARY N PROGRAM ARGS...
launch()
{
	library=$1
	n=$2
	shift 2
	case $library in
	libmrt) timeout 300 "$MRUN" -n "$n" "$@" ;;
	openmpi) timeout 300 mpirun.openmpi --allow-run-as-root \
		--oversubscribe -n "$n" "$@" ;;
	*) timeout 300 "mpirun.$library" -n "$n" "$@" ;;
	esac </dev/null
}

bench_of()
{
	case $1 in
	libmrt) echo "$MRT_BENCH" ;;
	*) echo "$work/bench.$1" ;;
	esac
}

# bench LIBRARY N TEST...: rows "library,test,ranks,bytes,iterations,..."
bench()
{
	library=$1
	n=$2
	shift 2
	launch "$library" "$n" "$(bench_of "$library")" --csv --time "$TIME" \
		"$@" 2>"$work/err" | sed -n "/^test,/!s/^/$library,/p" >>"$raw"
	if [ -s "$work/err" ]; then
		say
		sed "s/^/$library: /" "$work/err" >&2
	fi
}

# Wall time of a whole command, in milliseconds.
start_up()
{
	case $1 in
	libmrt) program=$MRT_INITFIN ;;
	*) program=$work/initfin.$1 ;;
	esac
	begin=$(date +%s%N)
	launch "$1" 8 "$program" >/dev/null 2>&1 || return
	end=$(date +%s%N)
	ms=$(((end - begin) / 10000))
	echo "$1,start,8,0,1,ms,${ms%??}.${ms#"${ms%??}"}" >>"$raw"
}

# Every collective at three sizes.
collectives()
{
	echo barrier
	for c in bcast reduce allreduce gather scatter allgather alltoall \
		reduce_scatter_block scan exscan; do
		echo "$c:8,4K,1M"
	done
}

# group K LIBRARY
group()
{
	case $1 in
	1) bench "$2" 2 latency:8,1K,4K bw:64K,1M,4M rate:8 barrier ;;
	2) bench "$2" 8 barrier allreduce:8,4K,1M bcast:8,1M ;;
	3) start_up "$2" ;;
	coll*) bench "$2" "${1#coll}" $(collectives) ;;
	esac
}

table()
{
	awk -F, -v libraries="$1" '
	# CSV: library test ranks bytes iterations unit figure
	{
		key = $2 "," $3 "," $4
		if (!(key in unit))
			order[++keys] = key
		unit[key] = $6
		n[$1, key]++
		v[$1, key, n[$1, key]] = $7 + 0
	}
	function sorted(lib, key,    i, j, t, c) {
		c = n[lib, key]
		for (i = 1; i <= c; i++)
			s[i] = v[lib, key, i]
		for (i = 2; i <= c; i++)
			for (j = i; j > 1 && s[j] < s[j - 1]; j--) {
				t = s[j]; s[j] = s[j - 1]; s[j - 1] = t
			}
		return c
	}
	function median(lib, key,    c) {
		c = sorted(lib, key)
		return c % 2 ? s[(c + 1) / 2] : (s[c / 2] + s[c / 2 + 1]) / 2
	}
	function more_is_better(key) {
		return unit[key] ~ /\/s$/
	}
	function better(m, peer, key) {
		if (!peer)
			return 1
		return more_is_better(key) ? m > peer : m < peer
	}
	function best(lib, key,    c) {
		c = sorted(lib, key)
		return more_is_better(key) ? s[c] : s[1]
	}
	# Round by round; a library that failed in one has no figure there.
	function ratio_to_best(key,    i, l, peer, c) {
		c = 0
		for (i = 1; i <= n[lib[1], key]; i++) {
			peer = 0
			for (l = 2; l <= libs; l++)
				if (n[lib[l], key] == n[lib[1], key] &&
				    better(v[lib[l], key, i], peer, key))
					peer = v[lib[l], key, i]
			if (peer)
				v["ratio", key, ++c] = v[lib[1], key, i] / peer
		}
		n["ratio", key] = c
		return c ? median("ratio", key) : 0
	}
	function name(key,    p) {
		split(key, p, ",")
		size = p[1] ~ /barrier|start/ ? "" : " " p[3] " B"
		return sprintf("%s%s, %d ranks", p[1], size, p[2])
	}
	function number(x) {
		if (x >= 1e6)
			return sprintf("%.3g", x)
		return sprintf(x >= 100 ? "%.0f" : "%.2f", x)
	}
	END {
		libs = split(libraries, lib, " ")
		printf "%-26s %-6s", "# median (best)", "unit"
		for (l = 1; l <= libs; l++)
			printf " %21s", lib[l]
		printf " %10s\n", "to peer"
		for (k = 1; k <= keys; k++) {
			key = order[k]
			printf "%-26s %-6s", name(key), unit[key]
			for (l = 1; l <= libs; l++) {
				if (!n[lib[l], key]) {
					printf " %21s", "-"
					continue
				}
				printf " %10s %10s", \
					number(median(lib[l], key)), \
					"(" number(best(lib[l], key)) ")"
			}
			ratio = ratio_to_best(key)
			if (ratio)
				printf " %9.2fx", ratio
			printf "\n"
		}
	}' "$raw"
}

libraries=libmrt
for peer in $PEERS; do
	if build_peer "$peer"; then
		libraries="$libraries $peer"
	else
		echo "$peer: no mpicc.$peer and mpirun.$peer, left out" >&2
	fi
done
i=0
order=$libraries
while [ "$i" -lt "$ROUNDS" ]; do
	i=$((i + 1))
	for k in $GROUPS_OF; do
		for library in $order; do
			say "round $i of $ROUNDS, $library"
			group "$k" "$library"
		done
	done
	order="${order#* } ${order%% *}"
done
say
echo "# $ROUNDS rounds in turn on $(nproc) CPUs, $(uname -sr)"
table "$libraries"
