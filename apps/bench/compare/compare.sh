#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.sh compares libmrt with Open MPI and MPICH. One set of programs
# written to mpi.h is compiled with mrtcc and with each peer's mpicc, and run in
# turn (A B C, B C A, C A B, ...), because the speed of a shared machine changes
# from minute to minute: only ratios of one round count. The floor, what the
# machine does without MPI, takes its turn as well. See --help.
#
# It needs mrtcc and mrun in PATH (make compare installs the build into a folder
# for that). rows.sh lists what is measured, settings.txt the settings of peers
# besides their defaults, gates.txt the goals; libraries.sh launches; report.sh
# makes tables and verdicts.
set -u
LC_ALL=C
export LC_ALL

usage()
{
	cat <<'EOF'
usage: compare.sh [options]
Measures libmrt, Open MPI and MPICH by turns and judges the gates.
  --only WORDS     groups, patterns, sizes: "pairs start", "barrier latency:8",
                   "node/allreduce:8" (of one group); see --list
  --list           lists groups and their patterns
  --quick          3 rounds of 0.01 s, gates alone: no curves, no settings
  --rounds N       turns of each library (10, or ROUNDS)
  --time S         seconds for a size in a round (0.05, or TIME)
  --peers WORDS    peers to measure, if installed ("openmpi mpich", or PEERS);
                   base: another libmrt, in the prefix that BASE names
  --no-settings    peers with their default settings alone
  --out DIR        keeps samples.csv, table.csv, result.json and NAME.svg
                   there (or OUT)
  --report DIR     measures nothing: reports what --out DIR has kept
  --markdown       prints the tables in Markdown
  --gates FILE     judges by these gates
  --limit S        seconds that a run may take (120)
  --strict         exit code 1 if a gate is missed
  --install        gets peers, valgrind and gnuplot by apt-get first
  --help           prints this
Times are the mean of a run, on the rank that took longest; tables give the
median over the rounds and, in brackets, the best round. "ratio" is the median
over the rounds of our figure by that of the best peer in the same round: below
1 is better for times, above 1 for bandwidth and rate.
EOF
}

say()
{
	if [ -t 2 ]; then
		printf '\r%s\033[K' "$*" >&2
	fi
}

die()
{
	code=$1
	shift
	echo "compare: $*" >&2
	exit "$code"
}

source=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=apps/bench/compare/rows.sh
. "$source/apps/bench/compare/rows.sh"
# shellcheck source=apps/bench/compare/libraries.sh
. "$source/apps/bench/compare/libraries.sh"
# shellcheck source=apps/bench/compare/apps.sh
. "$source/apps/bench/compare/apps.sh"
# shellcheck source=apps/bench/compare/runs.sh
. "$source/apps/bench/compare/runs.sh"
# shellcheck source=apps/bench/compare/report.sh
. "$source/apps/bench/compare/report.sh"

: "${ROUNDS:=10}" "${TIME:=0.05}" "${OUT:=}" "${PEERS=openmpi mpich}"
gates=$here/gates.txt
limit=120 # seconds that a run may take
only=
format=text
strict=no
with_settings=yes
install=no
report=

while [ $# -gt 0 ]; do
	case $1 in
	--only | --rounds | --time | --peers | --out | --gates | --report | \
		--limit)
		[ $# -gt 1 ] || die 64 "$1 needs a value" ;;
	esac
	case $1 in
	--only) only="$only $2"; shift ;;
	--rounds) ROUNDS=$2; shift ;;
	--time) TIME=$2; shift ;;
	--peers) PEERS=$2; shift ;;
	--out) OUT=$2; shift ;;
	--gates) gates=$2; shift ;;
	--limit) limit=$2; shift ;;
	--report) report=$2; shift ;;
	--quick)
		ROUNDS=3
		TIME=0.01
		with_settings=no
		default_groups=$quick_groups ;;
	--no-settings) with_settings=no ;;
	--markdown) format=markdown ;;
	--strict) strict=yes ;;
	--install) install=yes ;;
	--list) list_rows; exit 0 ;;
	--help | -h) usage; exit 0 ;;
	*) usage >&2; exit 64 ;;
	esac
	shift
done
case $ROUNDS in
'' | *[!0-9]* | 0*) die 64 "--rounds: '$ROUNDS' is no number from 1 on" ;;
esac
case $limit in
'' | *[!0-9]* | 0*) die 64 "--limit: '$limit' is no number from 1 on" ;;
esac
echo "$TIME" | grep -Eqx '0\.0*[1-9][0-9]*|[1-9][0-9]*(\.[0-9]+)?' ||
	die 64 "--time: '$TIME' is no time in seconds, such as 0.05"
[ -r "$gates" ] || die 66 "cannot read $gates"
set -f # a word may look like a file name pattern
for word in $only; do
	known_word "$word" ||
		die 64 "--only: nothing is called '$word'; see --list"
done
set +f

folder=${TMPDIR:-/tmp}
[ -z "${VCLUSTER_NODES-}" ] || folder=$OUT # which all nodes see
work=$(cd "$folder" && mktemp -d "$PWD/mrt-compare.XXXXXX") || exit 71
trap 'stop; drop_quota; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP PIPE
kept=${OUT:-$work}
mkdir -p "$kept" || exit 73

if [ -n "$report" ]; then
	[ -r "$report/samples.csv" ] || die 66 "no $report/samples.csv"
	samples=$report/samples.csv
	check_samples || die 65 "$samples is damaged"
	described=$report/about
	described_well || described=/dev/null
	make_report
	exit
fi

# ---- Building, measuring ---------------------------------------------------

install_peers()
{
	packages=
	for peer in $PEERS; do
		case $peer in
		openmpi) packages="$packages openmpi-bin libopenmpi-dev" ;;
		mpich) packages="$packages mpich libmpich-dev" ;;
		esac
	done
	sudo=
	[ "$(id -u)" -eq 0 ] || sudo=sudo
	# shellcheck disable=SC2086 # a list
	$sudo apt-get install -y $packages valgrind gnuplot-nox >&2 ||
		die 69 "apt-get failed"
}

# Prints the columns of group $1 in round $2, libraries in turn first.
columns()
{
	if [ "$1" = floor ]; then
		echo floor
		return
	fi
	turn=$libraries
	case $1 in
	tcp | ofi) turn="libmrt floor" ;;
	start | scale | slurm)
		[ ! -x "$work/initfin.floor" ] || turn="$turn floor" ;;
	esac
	if [ "$with_settings" = yes ] && [ "$2" -le "$(rounds_of a+b)" ]; then
		turn="$turn $(settings_for "$1")"
	fi
	# shellcheck disable=SC2086 # words
	printf '%s\n' $turn | awk -v by="$2" '{ c[NR - 1] = $0 }
		END { for (i = 0; i < NR; i++) print c[(i + by - 1) % NR] }'
}

# Prints lines "round group column", in the order of running.
plan()
{
	k=0
	while [ "$k" -lt "$ROUNDS" ]; do
		k=$((k + 1))
		for group in $groups; do
			[ "$k" -le "$(rounds_of "$group")" ] || continue
			columns "$group" "$k" | sed "s/^/$k $group /"
		done
	done
}

if [ "$install" = yes ]; then
	install_peers
	[ -z "$(wanted apps)" ] || install_apps
fi
say "building"
build libmrt || die 69 "no mrtcc and mrun in PATH: run make compare"
libraries=libmrt
for peer in $PEERS; do
	if build "$peer"; then
		libraries="$libraries $peer"
	else
		echo "compare: $peer: no mpicc.$peer and mpirun.$peer" >&2
	fi
done
build_floor || die 69 "no C compiler"

groups=
for group in $every_group; do
	[ -n "$(wanted "$group")" ] || continue
	case $group in
	count)
		command -v valgrind >/dev/null || {
			echo "compare: no counts: no valgrind" >&2
			continue
		} ;;
	ofi)
		command -v fi_pingpong >/dev/null || {
			echo "compare: no floor of libfabric: no fi_pingpong" >&2
			continue
		} ;;
	tcp)
		command -v sockperf >/dev/null && command -v iperf3 >/dev/null || {
			echo "compare: no floor of TCP: no sockperf, iperf3" >&2
			continue
		} ;;
	quota) make_quota || continue ;;
	apps) build_apps "$libraries" || continue ;;
	esac
	groups="$groups $group"
done
[ -z "$(floor_patterns)" ] || groups="$groups floor"

samples=$kept/samples.csv
: >"$samples" || exit 73
described=$kept/about
about >"$described"
plan >"$work/plan"
steps=$(wc -l <"$work/plan")
step=0
started=$(date +%s)
while read -r k group column <&3; do
	step=$((step + 1))
	took=$(($(date +%s) - started))
	say "round $k of $ROUNDS, $group, $column: step $step of $steps," \
		"$took s, about $((took * (steps - step + 1) / step)) s to go"
	run_group "$k" "$column" "$group"
done 3<"$work/plan"
say
drop_quota
make_report
