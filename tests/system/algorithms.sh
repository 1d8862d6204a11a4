# SPDX-License-Identifier: Apache-2.0
# algorithms.sh: the algorithms that the library itself names, so that one job
# tries one of each collective. Read after lib.sh.
#
#   algorithms_of COLLECTIVE   lists them, in $names; the run's $rc, $err, and
#                              the $variable that chooses
#   algorithms_take K          $forced: VARIABLE=NAME of the Kth of each
#                              collective listed; $having: those that have so
#                              many, with commas; false: none has

algorithms_variable()
{
	variable=MRT_$(echo "$1" | tr a-z A-Z)
	[ "$1" != alltoallw ] || variable=MRT_ALLTOALLV
}

algorithms_of()
{
	algorithms_variable "$1"
	run 20 env "$variable=nosuch" "$top_builddir/tests/system/fatal" none
	names=$(sed -n "s/.*$variable=nosuch.*use one of //p" "$err" |
		sed 's/,//g; s/\[[^]]*\]//g')
	echo "$names" | tr ' ' '\n' >"$work/names.$1"
}

algorithms_take()
{
	forced=
	having=
	for list in "$work"/names.*; do
		name=$(sed -n "$1p" "$list")
		[ -n "$name" ] || continue
		algorithms_variable "${list##*/names.}"
		forced="$forced $variable=$name"
		having=${having:+$having,}${list##*/names.}
	done
	[ -n "$having" ]
}
