# SPDX-License-Identifier: Apache-2.0
# coll.t: collectives as chosen by default, then with each algorithm forced;
# the algorithms are those that the library itself names.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
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
	variable=MRT_$(echo $collective | tr a-z A-Z)
	run 20 env "$variable=nosuch" "$top_builddir/tests/system/fatal" none
	names=$(sed -n "s/.*$variable=nosuch.*use one of //p" "$err" |
		sed 's/,//g; s/\[[^]]*\]//g')
	is "$rc" 78 "$variable=nosuch is refused"
	like "$err" "$variable=nosuch" "the message names $variable"
	[ -n "$names" ] && ok "the message lists the algorithms: $names" ||
		not_ok "the message lists the algorithms"
	for name in $names; do
		for n in 2 3 5 8; do
			cases "$n ranks, $name:" \
				env MRT_COLL_DIRECT=no "$variable=$name" \
				"$MRUN" -n "$n" "$program" --max-count 9973 \
				"$collective"
		done
	done
done
done_testing
