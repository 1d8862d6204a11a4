#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mrt_plan.t tests the options of mrt-plan, and every algorithm that it lists in
# every format at several sizes; the figures of the documents must be up to
# date.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
plan=$top_builddir/mrt-plan
[ -x "$plan" ] || skip_all "mrt-plan is not built"
sizes='1 2 5 8'
[ "$TEST_LEVEL" = quick ] || sizes='1 2 3 5 8 12 17'

usage()
{
	what=$1
	shift
	run 10 "$plan" "$@"
	is "$rc" 64 "$what: 64"
	[ -s "$err" ] && [ ! -s "$out" ] && ok "$what: says so" ||
		not_ok "$what: says so"
}

# ---- lists and options -------------------------------------------------------
run 10 "$plan"
is "$rc" 0 "the list of collectives"
like "$out" '^allreduce .*\bring\b' "a collective with its algorithms"
run 10 "$plan" reduce
like "$out" '^chain\[:segment=[0-9]+\] .*a ' "an algorithm with its formula"
run 10 "$plan" --version
like "$out" '^mrt-plan \(libmrt\) [0-9]' "--version"
run 10 "$plan" --help
is "$rc" 0 "--help"

usage "no such collective" allreduse
usage "no such algorithm" allreduce rind
like "$err" "use one of .*ring" "the right ones are named"
usage "an argument too many" allreduce ring 8
usage "an argument that there is not" allreduce ring:4
usage "no ranks" allreduce ring -n 0
usage "more ranks than a picture shows" barrier tree -n 257 -f svg
usage "more ranks than are printed" barrier tree -n 1025
usage "a root that is none" bcast binomial -n 4 --root 4
usage "a rank that is none" bcast binomial -n 4 --rank 4
usage "one rank as a picture" bcast binomial -f svg --rank 1
usage "an unknown format" bcast binomial -f png
usage "an unknown option" bcast binomial --frob
usage "nodes of other ranks" barrier tree -n 8 --nodes 3,3,3
usage "no nodes" barrier tree -n 8 --nodes ,
usage "in place where there is none" bcast binomial --in-place
usage "a ring of ordered operands" allreduce ring --non-commutative
usage "a torus of other ranks" barrier tree -n 8 --torus 3x3

run 10 "$plan" allreduce ring -n 4 -c 4 -t 2
like "$out" '^messages +24, 48 bytes$' "text: messages and bytes"
like "$out" '^cost +2 \(n - 1\) a' "text: the formula"
is "$(grep -c '^rank ' "$out")" 4 "text: all ranks"
run 10 "$plan" allreduce ring -n 100000 --rank 77777
is "$(grep -c '^rank 77777' "$out")" 1 "text: one rank of many"
run 10 "$plan" barrier dissemination -n 6 --nodes 2 --cyclic -f json
like "$out" '"node": \[0, 1, 0, 1, 0, 1\]' "--cyclic"
run 10 "$plan" barrier dissemination -n 8 --nodes 3,3,2 -f json
like "$out" '"node": \[0, 0, 0, 1, 1, 1, 2, 2\]' "--nodes with sizes"
like "$out" '"cache": \[0, 0, 0, 1, 1, 1, 2, 2\]' "a cache for each node"
run 10 "$plan" barrier dissemination -n 8 --nodes 2 --caches 2 -f json
like "$out" '"cache": \[0, 0, 1, 1, 2, 2, 3, 3\]' "--caches"
run 10 "$plan" bcast chain -n 4 --ports 0 -f json
like "$out" '"end": 3\}' "--ports 0: a chain as long as it is"
run 10 sh -c "'$plan' barrier tree >/dev/full"
is "$rc" 71 "output that cannot be written: 71"
run 10 "$plan" barrier tree -o "$work/no/such/folder"
is "$rc" 71 "a file that cannot be written: 71"
run 10 "$plan" barrier tree -n 4 -o "$work/plan.txt"
like "$work/plan.txt" '^barrier tree, 4 ranks$' "-o"

# ---- every algorithm, every format -------------------------------------------
# draw COLLECTIVE ALGORITHM N FORMAT writes to
# $work/all/COLLECTIVE-ALGORITHM-N.FORMAT, on nodes if the algorithm needs them.
# It returns 64 if the algorithm does not fit. JSON has the messages of GOAL.
draw()
{
	to=$work/all/$1-$2-$3.$4
	set -- "$1" "$2" -n "$3" -f "$4" -o "$to"
	[ "$2 $6" = "board json" ] || [ "$6" != json ] ||
		set -- "$@" --no-boards
	"$plan" "$@" 2>"$err" || "$plan" "$@" --nodes 2 2>>"$err"
}

algorithms()
{
	"$plan" "$1" | sed '/^$/,$d; s/[[ ].*//'
}

# goal_agrees NAME checks that the schedule is well formed and has the messages
# of the plan.
goal_agrees()
{
	got=$(awk -f "$top_srcdir/tests/system/goal.awk" "$1.goal") ||
		{ echo "$got" >>"$work/wrong"; return; }
	want=$(sed -n 's/.*"totals": {"messages": \([0-9]*\).*/\1/p' "$1.json")
	[ "$got" = "messages $want" ] ||
		echo "$1: $got, but the plan has $want" >>"$work/wrong"
}

mkdir "$work/all"
for collective in $("$plan" | sed 's/ .*//'); do
	for algorithm in $(algorithms "$collective"); do
		drawn=0
		: >"$work/wrong"
		for n in $sizes; do
			draw "$collective" "$algorithm" "$n" text || continue
			drawn=$((drawn + 1))
			for format in json svg goal; do
				draw "$collective" "$algorithm" "$n" $format ||
					grep -q 'GOAL cannot' "$err" ||
					echo "$n $format" >>"$work/wrong"
			done
			[ ! -e "$work/all/$collective-$algorithm-$n.goal" ] ||
				goal_agrees "$work/all/$collective-$algorithm-$n"
		done
		if [ "$drawn" -gt 0 ] && [ ! -s "$work/wrong" ]; then
			ok "$collective $algorithm, $drawn sizes"
		else
			not_ok "$collective $algorithm, $drawn sizes"
			sed 's/^/# /' "$work/wrong"
		fi
	done
done

empty()
{
	if [ -s "$1" ]; then
		not_ok "$2"
		head -n 20 "$1" | sed 's/^/# /'
	else
		ok "$2"
	fi
}
if have python3; then
	python3 "$top_srcdir/tests/system/mrt_plan.py" "$work"/all/*.json \
		>"$out" 2>&1
	empty "$out" "all JSON can be parsed and agrees with itself"
else
	skip "no python3" "all JSON can be parsed and agrees with itself"
fi
if have xmllint; then
	xmllint --noout "$work"/all/*.svg >"$out" 2>&1
	empty "$out" "all pictures are XML"
else
	for f in "$work"/all/*.svg; do
		tail -n 1 "$f" | grep -qx '</svg>' || echo "$f"
	done >"$out"
	empty "$out" "all pictures end"
fi
# the checkers themselves must notice a broken file
printf 'num_ranks 2\nrank 0 {\ns1: send 8b to 1 tag 0\n}\nrank 1 {\n}\n' \
	>"$work/bad.goal"
run 5 awk -f "$top_srcdir/tests/system/goal.awk" "$work/bad.goal"
is "$rc" 1 "self-test: a message without a receive"
printf 'num_ranks 1\nrank 0 {\ns1: calc 1\ns1 requires s2\ns2: calc 1\n}\n' \
	>"$work/bad.goal"
run 5 awk -f "$top_srcdir/tests/system/goal.awk" "$work/bad.goal"
is "$rc" 1 "self-test: a label named before it is there"

# ---- the pictures of the documents -------------------------------------------
mkdir "$work/plans"
sh "$top_srcdir/docs/plans/make.sh" "$plan" "$work/plans"
is "$?" 0 "the commands in algorithms.md work"
for picture in "$top_srcdir"/docs/plans/*.svg "$work"/plans/*.svg; do
	name=$(basename "$picture")
	cmp "$top_srcdir/docs/plans/$name" "$work/plans/$name" 2>&1
done >"$out"
sed -i 's/$/ (make docs-plans)/' "$out"
empty "$out" "docs/plans has them as they are today"
done_testing
