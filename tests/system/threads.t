# SPDX-License-Identifier: Apache-2.0
# threads.t runs four threads per rank in MRT_THREAD_MULTIPLE.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun

for n in 1 2 3 5; do
	cases "$n ranks:" "$MRUN" -n "$n" "$top_builddir/tests/system/threads"
done
for n in 2 5; do
	cases "and one of progress, $n ranks:" env MRT_PROGRESS=thread \
		"$MRUN" -n "$n" "$top_builddir/tests/system/threads"
done
cases "that never cease to spin:" env MRT_SPIN=1000000000 "$MRUN" -n 2 \
	"$top_builddir/tests/system/threads"

# calls that the thread level does not allow
wrong=$top_builddir/tests/system/wrong_thread
for level in SINGLE FUNNELED SERIALIZED; do
	run 30 env MRT_CHECK=yes "$wrong" $level
	is "$rc" 0 "MRT_CHECK, $level: $(grep -c '^ok' "$out") cases"
done
run 30 env MRT_CHECK=yes "$MRUN" -n 2 "$wrong" FUNNELED
is "$rc" 0 "MRT_CHECK, FUNNELED, 2 ranks"
done_testing
