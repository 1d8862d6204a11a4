#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare_faults.sh is called by make compare-faults in the build directory. One
# victim is compiled by the mpicc of each library; the table is Markdown.
: "${top_srcdir:?run by make compare-faults}"
work=$(mktemp -d "${TMPDIR:-/tmp}/mrt-compare.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
set -- "mrun=tests/faults/victim"
for peer in openmpi mpich; do
	if ! command -v "mpicc.$peer" >/dev/null 2>&1; then
		echo "$peer is not installed" >&2
		continue
	fi
	"mpicc.$peer" -D_GNU_SOURCE -O1 -I"$top_srcdir" -rdynamic \
		-o "$work/$peer" "$top_srcdir/tests/faults/victim.c" \
		"$top_srcdir/tests/faults/odd.c" \
		"$top_srcdir/tests/faults/fault_act.c" || exit 1
	set -- "$@" "$peer=$work/$peer"
done
tests/faults/inject --rounds "${ROUNDS:-3}" "$@"
