#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# repeat.sh is called by make check-repeat. It runs TESTS N times beside LOAD
# busy processes and prints one line per test; check-repeat.out keeps the log of
# each failure.
: "${MAKE:?run by make check-repeat}" "${TESTS:?}" "${N:=20}" "${LOAD:=4}"
kept=check-repeat.out
results=$kept/results
rm -rf "$kept"
mkdir "$kept" || exit 70

# Burns CPU time until this script has ended, however it ends.
busy()
{
	while kill -0 $$ 2>/dev/null; do
		i=0
		while [ $i -lt 20000 ]; do
			i=$((i + 1))
		done
	done
}

loops=
trap '[ -z "$loops" ] || kill $loops' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
while [ "$LOAD" -gt 0 ]; do
	LOAD=$((LOAD - 1))
	busy &
	loops="$loops $!"
done

# progress TEXT rewrites the last line of a terminal.
progress()
{
	[ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2
}

# record TEST records the result of TEST in this round.
record()
{
	base=${1%.t}
	base=${base%.sh}
	result=$(sed -n 's/^:global-test-result: //p' "$base.trs" 2>/dev/null)
	case $result in
	PASS | SKIP) ;;
	*)
		result=FAIL
		log=$kept/$(echo "$1" | tr / -).$round.log
		cp "$base.log" "$log" 2>/dev/null || cp "$kept/make.log" "$log"
		progress ""
		echo "round $round of $N: $1 failed: $PWD/$log" >&2
		;;
	esac
	echo "$1 $result" >>"$results"
}

round=0
while [ "$round" -lt "$N" ]; do
	round=$((round + 1))
	progress "round $round of $N"
	for test in $TESTS; do
		rm -f "${test%.*}.trs"
	done
	$MAKE -s check-TESTS TESTS="$TESTS" >"$kept/make.log" 2>&1
	for test in $TESTS; do
		record "$test"
	done
done
progress ""
awk -v logs="$PWD/$kept" '
	!($1 in runs) { order[++n] = $1 }
	{ runs[$1]++; of[$1, $2]++ }
	END {
		for (i = 1; i <= n; i++) {
			t = order[i]
			printf "%-36s %d passed, %d failed", t, \
				of[t, "PASS"], of[t, "FAIL"]
			if (of[t, "SKIP"])
				printf ", %d skipped", of[t, "SKIP"]
			if (of[t, "FAIL"]) {
				name = t
				gsub("/", "-", name)
				printf ": %s/%s.*.log", logs, name
				bad = 1
			}
			print ""
		}
		exit bad
	}' "$results"
