# SPDX-License-Identifier: Apache-2.0
# soak_all.sh, called by make soak, runs the soak in all its variants, each for
# an equal part of the time, prints how each ended, and keeps its table and JSON
# in soak-out/.
#
#   HOURS=h or MINUTES=m   in all (default 10 minutes)
#   SEED=s                 default: the time of day, which is printed
#   RANKS=n                default 4
#   VARIANTS='a b'         only these
#   CLUSTER=yes            on two virtual machines with Soft-RoCE, under netem
#
# The exit code is 0 if all were good.
: "${top_srcdir:?run by make soak}" "${top_builddir:?run by make soak}"
MRUN=${MRUN:-$top_builddir/mrun}
vcluster=$top_srcdir/tests/cluster/vcluster
program=$top_builddir/tests/soak/soak
out=$top_builddir/soak-out
ranks=${RANKS:-4}
[ -n "$ranks" ] || ranks=4
SEED=${SEED:-$(date +%s)}
every=60
[ ! -t 2 ] || every=5

seconds()
{
	awk -v h="${HOURS:-0}" -v m="${MINUTES:-0}" \
		'BEGIN { s = h * 3600 + m * 60; printf "%d", s ? s : 600 }'
}

# name | ranks | environment | options. Variants with more ranks than CPUs:
# crowd.
variants="
default | $ranks | |
no-cma | $ranks | MRT_SM_CMA=no |
no-direct | $ranks | MRT_COLL_DIRECT=no |
small-rings | $ranks | MRT_SM_RING=8192 |
no-eager | $ranks | MRT_SM_EAGER_MAX=0 |
sleepers | $ranks | MRT_SPIN=0 MRT_SLEEP_US=0 |
odd | 5 | |
crowd | $((4 * $(nproc))) | | --max 200000
threads | 3 | | --threads 4
"
# name | ranks | network | environment | longest message. Soft-RoCE gives up a
# message of more packets if they overtake each other.
wires='
clean | 4 | | | 30000
loss | 4 | loss 1% | | 30000
reorder | 4 | delay 2ms reorder 25% 50% duplicate 1% | | 8000
corrupt | 4 | corrupt 0.2% | | 30000
dialled | 4 | loss 0.5% | MRT_MESH_MAX=0 | 30000
'

trim()
{
	# shellcheck disable=SC2086 # drops the blanks around
	echo $1
}

wanted()
{
	case " ${VARIANTS:-$1} " in
	*" $1 "*) true ;;
	*) false ;;
	esac
}

# each TABLE CMD calls CMD with the columns of each wanted row.
each()
{
	echo "$1" | while IFS='|' read -r name n three four five; do
		name=$(trim "$name")
		[ -n "$name" ] && wanted "$name" || continue
		"$2" "$name" "$(trim "$n")" "$(trim "$three")" \
			"$(trim "$four")" "$(trim "$five")" </dev/null || echo "$name"
	done
}

count()
{
	echo "$1" >>"$out/.names"
}

# soak NAME RANKS ENVIRONMENT OPTIONS runs one variant for $part seconds. On a
# machine with other work a round may take many minutes at low priority.
soak()
{
	echo "soak: $1: $2 ranks for $part s, seed $SEED $3 $4" >&2
	# shellcheck disable=SC2086 # lists of words
	env $3 "$MRUN" -n "$2" "$program" --seconds "$part" --seed "$SEED" \
		--every "$every" --stall 1800 --json "$out/$1.json" $4 \
		>"$out/$1.txt"
	rc=$?
	tail -n 10 "$out/$1.txt" >&2
	[ "$rc" -eq 0 ]
}

# A cluster runs one variant and is booted anew for the next: that takes
# seconds.
cluster_soak()
{
	echo "soak: $1: $2 ranks on 2 machines for $part s, seed $SEED $3 $4" >&2
	name=$1 n=$2 netem=$3 environment=$4 max=$5
	set -- -N 2 --timeout $((part + 600)) --out "$out"
	[ -z "$netem" ] || set -- "$@" --netem "$netem"
	# $OUT is the machine's; and RDMA over TCG takes its time, a packet that
	# is lost half a second instead of two
	# shellcheck disable=SC2016,SC2086
	"$vcluster" "$@" -- env MRT_IB_TIMEOUT=17 $environment sh -c \
		'exec "$0" "$@" --json "$OUT/'"$name"'.json"' \
		"$MRUN" -n "$n" "$program" --seconds "$part" --seed "$SEED" \
		--every "$every" --ops 30 --max "$max" --stall 1200 \
		>"$out/$name.txt"
	rc=$?
	tail -n 12 "$out/$name.txt" >&2
	[ "$rc" -eq 0 ]
}

mkdir -p "$out" && rm -f "$out/.names" || exit 70
if [ "${CLUSTER:-no}" = yes ]; then
	table=$wires run=cluster_soak
else
	table=$variants run=soak
fi
each "$table" count >/dev/null
[ -s "$out/.names" ] || {
	echo "soak: no such variant: ${VARIANTS-}" >&2
	exit 64
}
part=$(($(seconds) / $(wc -l <"$out/.names")))
failed=$(each "$table" "$run")
if [ -n "$failed" ]; then
	# shellcheck disable=SC2086 # on one line
	echo "soak: FAILED:" $failed >&2
	exit 1
fi
echo "soak: all good" >&2
