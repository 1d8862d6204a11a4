# SPDX-License-Identifier: Apache-2.0
# api.t calls every public function, with right and with wrong arguments, at
# several numbers of ranks.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/api

for n in 1 2 3 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
	no_leftovers "$n ranks: nothing is left"
done
cases "alone:" "$program"
no_leftovers "alone: nothing is left"

# the same cases by the slower copies
cases "bounce copies:" env MRT_SM_CMA=no "$MRUN" -n 3 "$program"
cases "no eager:" env MRT_SM_EAGER_MAX=0 "$MRUN" -n 3 "$program"
cases "small rings:" env MRT_SM_RING=8192 "$MRUN" -n 3 "$program"
cases "plans only:" env MRT_COLL_DIRECT=no "$MRUN" -n 3 "$program"
cases "sleeping at once:" env MRT_SPIN=0 MRT_SLEEP_US=0 "$MRUN" -n 3 "$program"

if [ "$TEST_LEVEL" = full ] && [ -z "$SANITIZER" ]; then
	CASES_TIMEOUT=120 cases "at the limit:" env API_LONG=1 "$MRUN" -n 2 \
		"$program" "2^15 communicators (API_LONG)"
fi
done_testing
