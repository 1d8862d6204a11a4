# SPDX-License-Identifier: Apache-2.0
# overlap.t runs operations whose ranks compute meanwhile, with and without
# MRT_PROGRESS=thread.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
CASES_TIMEOUT=200

overlap=$top_builddir/tests/system/overlap

for n in 2 3; do
	head -c 4096 /dev/zero >"$work/flags"
	cases "calls alone, $n ranks:" env MRT_PROGRESS=calls \
		"$MRUN" -n $n "$overlap" "$work/flags" calls
	head -c 4096 /dev/zero >"$work/flags"
	cases "a thread, $n ranks:" env MRT_PROGRESS=thread \
		"$MRUN" -n $n "$overlap" "$work/flags"
done
done_testing
