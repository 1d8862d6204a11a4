# SPDX-License-Identifier: Apache-2.0
# coll_all.t tests every collective in its three forms, as chosen by default, by
# messages alone, and with each algorithm that the library itself names.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/algorithms.sh"
need_mrun
program=$top_builddir/tests/system/coll_all
CASES_TIMEOUT=180
ranks="1 2 3 4 5 6 7 8 9"
few="2 5 8"
rounds=30
[ "$TEST_LEVEL" != quick ] || { ranks="1 2 3 5 8" few="2 5" rounds=8; }

for n in $ranks; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program" --rounds "$rounds" \
		--seed "$n"
done
for n in $few; do
	cases "$n ranks, long:" "$MRUN" -n "$n" "$program" --rounds 8 \
		--max 100000
	cases "$n ranks, messages:" env MRT_COLL_DIRECT=no "$MRUN" -n "$n" \
		"$program" --rounds "$rounds"
done

# two buffers, and what the fabric may need
free_kib=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo 2>/dev/null)
if [ "$TEST_LEVEL" != full ] || [ -n "$SANITIZER" ]; then
	skip "takes long" "2 ranks: more than 2^31 bytes"
elif [ "${free_kib:-0}" -lt 8000000 ]; then
	skip "less than 8 GB of memory are free" "2 ranks: more than 2^31 bytes"
else
	cases "2 ranks:" "$MRUN" -n 2 "$program" --only huge
	cases "2 ranks, messages:" env MRT_COLL_DIRECT=no "$MRUN" -n 2 \
		"$program" --only huge
fi

collectives=$("$program" --list)
[ -n "$collectives" ] && ok "the program names its collectives" ||
	not_ok "the program names its collectives"
for collective in $collectives; do
	algorithms_of "$collective"
	is "$rc" 78 "$variable=nosuch is refused"
	[ -n "$names" ] && ok "algorithms of $collective: $names" ||
		not_ok "algorithms of $collective"
done
k=1
while algorithms_take "$k"; do
	diag "algorithms $k:$forced"
	for n in $few; do
		# shellcheck disable=SC2086 # a list
		cases "$n ranks, algorithms $k:" env MRT_COLL_DIRECT=no $forced \
			"$MRUN" -n "$n" "$program" --only "$having" \
			--rounds "$rounds"
	done
	k=$((k + 1))
done
no_leftovers "nothing is left"
done_testing
