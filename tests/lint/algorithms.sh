#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# algorithms.sh: docs/algorithms.md has a row for each algorithm of
# coll/algorithms.h, and for no other. A row begins with the name; the section's
# heading begins with the collective.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

# allreduce_ring, from the lists
listed()
{
	grep -oE '\bX\([a-z0-9_]+\)' "$1" | sed 's/X(\(.*\))/\1/' | sort -u
}

# allreduce_ring, from `| ring |` below `## allreduce`
described()
{
	awk -F '|' '
	/^## / { split($0, word, /[ ,]+/); collective = word[2] }
	/^\| [a-z0-9_]+ \|/ {
		gsub(/ /, "", $2)
		if ($2 != "algorithm")
			print collective "_" $2
	}' "$1" | sort -u
}

lint()
{
	listed "$1/coll/algorithms.h" >"$work/listed"
	described "$1/docs/algorithms.md" >"$work/described"
	comm -23 "$work/listed" "$work/described" |
		sed 's/$/: not in docs\/algorithms.md/'
	comm -13 "$work/listed" "$work/described" |
		sed 's/$/: in docs\/algorithms.md, but no algorithm/'
}

clean "every algorithm is described"

tree=$work/broken
mkdir -p "$tree/coll" "$tree/docs"
echo '#define ALGORITHMS_scan(X) X(scan_chain) X(scan_ring)' \
	>"$tree/coll/algorithms.h"
printf '## scan, exscan\n| algorithm | x |\n| chain | x |\n| tree | x |\n' \
	>"$tree/docs/algorithms.md"
is "$(lint "$tree" | wc -l)" 2 "self-test: one missing, one too many"
lint_done
