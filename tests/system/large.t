# SPDX-License-Identifier: Apache-2.0
# large.t lets many ranks of one node call every collective, and compares what
# they get with its definition: RANKS=128 in make check, more in make
# check-large, whose lines come as each collective ends.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/coll_all
trap '[ -z "${job-}" ] || kill "$job"; exit 143' INT TERM HUP
[ -z "$SANITIZER" ] || : "${RANKS:=32}"
: "${RANKS:=128}"
collectives=$("$program" --list)

# room KIB: is as much memory free as that for each pair of ranks?
room()
{
	awk -v need=$((RANKS * RANKS * $1)) '/^MemAvailable/ {
		exit $2 < need }' /proc/meminfo
}

# Takes over the lines of the job while it runs.
take_over()
{
	while IFS= read -r line; do
		case $line in
		"ok - "*) ok "$label ${line#ok - }" ;;
		"not ok - "*) not_ok "$label ${line#not ok - }" ;;
		esac
	done
}

# large BYTES KIB OPTION...: blocks of BYTES, KIB of memory for each pair
large()
{
	label="$RANKS ranks, $1 bytes:"
	bytes=$1
	kib=$2
	shift 2
	room "$kib" || {
		skip "less than $((RANKS * RANKS * kib >> 20)) GiB of memory \
are free" "$label"
		return
	}
	read_clock
	began=$clock
	mkfifo "$work/lines"
	start sh -c 'exec "$@" >"$0"' "$work/lines" timeout -k 5 $((RANKS * 3)) \
		"$MRUN" -n "$RANKS" "$program" --rounds 1 --seed "${SEED:-1}" \
		--exact "$bytes" "$@"
	take_over <"$work/lines"
	rm "$work/lines"
	finish
	is "$rc" 0 "$label the job ends with 0"
	read_clock
	diag "$label $(((clock - began) / 100)) s"
}

# What ranks have for each pair of them depends on the length of blocks: rings
# are large from 1.5 KiB, and a block has six copies in its test.
all=$(echo "$collectives" | paste -sd, -)
large 8 20 --only "$all"
if [ "$TEST_LEVEL" = quick ]; then
	skip "takes long" "$RANKS ranks, 4096 bytes"
elif room 48; then
	large 4096 48 --only "$all" --forms 1
else
	large 256 20 --only "$all" --forms 1
	large 4096 12 --forms 1 \
		--only barrier,bcast,gather,scatter,reduce,allreduce,scan,exscan
	skip "less than $((RANKS * RANKS * 48 >> 20)) GiB of memory are free" \
		"$RANKS ranks, 4096 bytes: collectives with blocks of all pairs"
fi
no_leftovers "nothing is left"
done_testing
