# SPDX-License-Identifier: Apache-2.0
# win_far.t tests operations on windows of memory that ranks of the node copy by
# the kernel, and what becomes of them where the kernel does not let them.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
CASES_TIMEOUT=60
program=$top_builddir/tests/system/win_far
for n in 1 2 5; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
done
cases "no CMA:" env MRT_SM_CMA=no "$MRUN" -n 3 "$program" denied
cases "some are denied:" "$MRUN" -n 4 "$program" late
cases "bad:" env MRT_SM_CMA=yes "$MRUN" -n 2 "$program" bad
if ! grep -q SKIP "$out"; then
	for who in 'this rank' 'rank 0'; do
		for what in read write; do
			like "$err" "MRT_ERR_BUFFER: $who has no memory to $what at 0x" \
				"bad: $who, $what"
		done
	done
	is "$(grep -c 'a bug' "$err")" 0 "bad: it is no bug of libmrt"
fi
no_leftovers "nothing is left"
done_testing
