# SPDX-License-Identifier: Apache-2.0
# intercomm.t tests intercommunicators at several numbers of ranks.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/intercomm

for n in 1 2 3 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
	no_leftovers "$n ranks: nothing is left"
done
cases "plans only:" env MRT_COLL_DIRECT=no "$MRUN" -n 3 "$program"
cases "no eager:" env MRT_SM_EAGER_MAX=0 "$MRUN" -n 3 "$program"
cases "sleeping at once:" env MRT_SPIN=0 MRT_SLEEP_US=0 "$MRUN" -n 3 "$program"
done_testing
