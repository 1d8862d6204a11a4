# SPDX-License-Identifier: Apache-2.0
# algorithms.sh asks the library for the names of its algorithms, so that one
# job tries one algorithm of each collective. Source it after lib.sh.
#
# algorithms_of COLLECTIVE   lists them in $names; sets $rc and $err of the
#                            run, and $variable, which chooses the algorithm
# algorithms_take K          sets $forced to VARIABLE=NAME of the Kth algorithm
#                            of each listed collective, and $having to the
#                            collectives that have so many, with commas;
#                            fails if none has

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
