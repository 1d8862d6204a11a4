# SPDX-License-Identifier: Apache-2.0
# coll.t tests the collectives as chosen by default, then with each algorithm
# forced and some of the operations, which no algorithm looks at; the library
# itself names the algorithms.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/algorithms.sh"
need_mrun
program=$top_builddir/tests/system/coll
CASES_TIMEOUT=180
some=3000
[ "$TEST_LEVEL" = quick ] || some=100000

for n in 1 2 3 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program" --max-count "$some"
done
no_leftovers "nothing is left"

for collective in barrier bcast reduce allreduce; do
	algorithms_of "$collective"
	is "$rc" 78 "$variable=nosuch is refused"
	like "$err" "$variable=nosuch" "the message names $variable"
	[ -n "$names" ] && ok "the message lists the algorithms: $names" ||
		not_ok "the message lists the algorithms"
done
k=1
while algorithms_take "$k"; do
	diag "algorithms $k:$forced"
	for n in 2 3 5 8; do
		# shellcheck disable=SC2046,SC2086 # lists
		cases "$n ranks, algorithms $k:" env MRT_COLL_DIRECT=no $forced \
			"$MRUN" -n "$n" "$program" --max-count 9973 --in-turn \
			$(echo "$having" | tr , ' ')
	done
	k=$((k + 1))
done
done_testing
