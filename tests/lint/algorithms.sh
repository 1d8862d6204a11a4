#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# algorithms.sh checks that docs/algorithms.md has a row for each algorithm of
# coll/plan/algorithms.h, and for no other. A row begins with the name and the
# cost, which must be that of the code; the heading of its section begins with
# the collective.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

# Prints names such as allreduce_ring, from the lists.
listed()
{
	grep -oE '\bX\([a-z]+_[a-z0-9_]+\)' "$1" | sed 's/X(\(.*\))/\1/' | sort -u
}

# Prints "allreduce_ring COST", from `| ring | COST |` below `## allreduce`.
described()
{
	awk -F ' *[|] *' '
	/^## / { split($0, word, /[ ,]+/); collective = word[2] }
	collective ~ /^[a-z]/ && /^\| [a-z0-9_]+ \|/ && $2 != "algorithm" {
		print collective "_" $2, $3
	}' "$1" | sort -u
}

# Prints the formula of an algorithm, which may have several lines. Those that a
# macro makes have none.
formula()
{
	file=$(grep -rl "struct algorithm $2 = {" "$1" | head -n 1)
	[ ! "$file" ] || tr '\n\t' '  ' <"$file" |
		sed "s/.*struct algorithm $2 = {//; s/};.*//" |
		sed -n 's/.*\.formula = *"\([^=]*\)",.*/\1/p' | sed 's/" *"//g'
}

lint()
{
	listed "$1/coll/plan/algorithms.h" >"$work/listed"
	described "$1/docs/algorithms.md" >"$work/rows"
	sed 's/ .*//' "$work/rows" >"$work/described"
	comm -23 "$work/listed" "$work/described" |
		sed 's/$/: not in docs\/algorithms.md/'
	comm -13 "$work/listed" "$work/described" |
		sed 's/$/: in docs\/algorithms.md, but no algorithm/'
	while read -r name cost; do
		is=$(formula "$1/coll/plan" "$name")
		if [ "$is" ]; then
			[ "$is" = "$cost" ] || echo "$name costs $is, not $cost"
		else
			grep -rqF "\"$cost\"" "$1/coll/plan" ||
				echo "$name: no algorithm costs $cost"
		fi
	done <"$work/rows"
}

clean "every algorithm is described"

tree=$work/broken
mkdir -p "$tree/coll/plan/scan" "$tree/docs"
echo '#define ALGORITHMS_scan(X) X(scan_chain) X(scan_ring)' \
	>"$tree/coll/plan/algorithms.h"
printf '%s\n' 'const struct algorithm scan_chain = {' \
	'    .formula = "n a "' '	"+ b",' '    .build = build,' '};' \
	>"$tree/coll/plan/scan/scan_chain.c"
printf '## scan\n| algorithm | x |\n| chain | n a + b |\n| tree | x |\n' \
	>"$tree/docs/algorithms.md"
is "$(lint "$tree" | wc -l)" 3 "self-test: one missing, one too many, of no cost"
sed -i 's/+ b/+ c/' "$tree/docs/algorithms.md"
is "$(lint "$tree" | wc -l)" 4 "self-test: another cost"
lint_done
