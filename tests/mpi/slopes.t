# SPDX-License-Identifier: Apache-2.0
# slopes.t checks that nothing which is merely alive costs an operation beside it
# anything: objects and messages of each kind (slopes.c), 10 and SLOPES_MOST of
# them, 1,000 by default and at most 3,000. Instructions may grow by 200 each
# time that the number doubles, as those of a search tree do.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
command -v valgrind >/dev/null || skip_all "no valgrind"
[ -z "$SANITIZER" ] || skip_all "valgrind does not run with sanitizers"
most=${SLOPES_MOST:-1000}

# short messages, too, wait for their receiver
MRT_SM_EAGER_MAX=64
export MRT_SM_EAGER_MAX
LD_BIND_NOW=1 "$top_builddir/libtool" --mode=execute valgrind \
	--tool=callgrind --toggle-collect=measured --dump-after=measured \
	--callgrind-out-file="$work/counts" \
	"$top_builddir/tests/mpi/slopes" "$most" >"$out" 2>"$err"
is $? 0 "slopes"

# One line for each kind: operations, numbers and counts.
k=0
while read -r operations n name; do
	k=$((k + 1))
	count=$(sed -n 's/^summary: //p' "$work/counts.$k")
	echo "$n $((count / operations)) $name"
done <"$out" >"$work/table"

awk '{
	n = $1; count = $2; $1 = $2 = ""
	if ($0 != name && name)
		print bad + 0, text
	if ($0 != name) {
		name = $0; text = name ": "; first = count; bad = 0
	}
	bad = bad || count > first + 200 * log(n / 10) / log(2)
	text = text " " count " (" n ")"
}
END { print bad + 0, text }' "$work/table" >"$work/verdicts"
while read -r bad text; do
	is "$bad" 0 "$text"
done <"$work/verdicts"
done_testing
