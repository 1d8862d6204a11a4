# SPDX-License-Identifier: Apache-2.0
# direct.t calls the collectives of shared memory directly, flat and as a tree,
# and in communicators that get buffers at their first long call.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun

prog=$top_builddir/tests/system/direct
comms=$top_builddir/tests/system/direct_comms
rounds=3000
[ "$TEST_LEVEL" = quick ] && rounds=300
CASES_TIMEOUT=180

for n in 2 3 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$prog" "$rounds" "$n"
done
# the tree is used above 16 ranks
cases "18 ranks:" "$MRUN" -n 18 "$prog" 300
# communicators with buffers of their own
for n in 2 3 5 8 18; do
	cases "communicators of $n ranks:" "$MRUN" -n "$n" "$comms"
done
no_leftovers "nothing is left behind"
done_testing
