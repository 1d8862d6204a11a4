# SPDX-License-Identifier: Apache-2.0
# truncate.t sends messages a byte longer than the buffer, by all protocols:
# each gives an error, nothing beyond the buffer is touched, and the connection
# stays usable.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
export TEST_LEVEL
CASES_TIMEOUT=200
program=$top_builddir/tests/system/truncate

cases "at once:" "$MRUN" -n 2 "$program"
no_leftovers "nothing is left"
cases "bounce copies:" env MRT_SM_CMA=no "$MRUN" -n 2 "$program"
if [ "$TEST_LEVEL" = full ]; then
	TEST_LEVEL=quick
	cases "no eager:" env MRT_SM_EAGER_MAX=0 "$MRUN" -n 2 "$program"
	cases "small rings:" env MRT_SM_RING=8192 "$MRUN" -n 2 "$program"
	cases "gathered:" env MRT_GATHER_MIN=1 "$MRUN" -n 2 "$program"
fi
cases "a hostile provider:" "$MRUN" -n 2 "$top_builddir/tests/fake/truncate_fake"
done_testing
