# SPDX-License-Identifier: Apache-2.0
# coll_reuse.t checks that a repeated call builds no plan and allocates nothing.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/coll_reuse

# plans_built ROUNDS RANKS [ODD] prints the number of plans that all ranks built.
plans_built()
{
	run 60 env MRT_STATS=1 "$MRUN" -n "$2" "$program" "$1" ${3-}
	awk '$1 == "coll" && $2 == "plans" && $3 == "built" { print $NF }' \
		"$err"
}

for n in 1 2 5; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
	few=$(plans_built 1 "$n")
	many=$(plans_built 200 "$n")
	[ "${few:-0}" -gt 0 ] && ok "$n ranks: plans are built" ||
		not_ok "$n ranks: plans are built"
	is "$many" "$few" "$n ranks: repeated calls build none"
done

# 40 calls that do not come again in each of 5 and of 8 rounds
few=$(plans_built 5 2 40)
many=$(plans_built 8 2 40)
is $((${many:-0} - ${few:-0})) $((3 * 40 * 2)) \
	"calls that do not come again displace none that repeat"
done_testing
