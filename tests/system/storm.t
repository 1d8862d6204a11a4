# SPDX-License-Identifier: Apache-2.0
# storm.t checks random messages against a model of matching; 10^6 in all.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/storm
CASES_TIMEOUT=280
total=1000000
[ "$TEST_LEVEL" = full ] || total=50000
[ -z "$SANITIZER" ] || total=20000

# storm LABEL PERCENT CMD...; PERCENT is the share of all messages.
storm()
{
	label=$1
	share=$2
	shift 2
	cases "$label" "$@" "$program" --messages $((total / 100 * share)) \
		--seed $((share + ${STORM_SEED:-0}))
	no_leftovers "$label nothing is left"
}

storm "1 rank:" 5 "$MRUN" -n 1
storm "2 ranks:" 31 "$MRUN" -n 2
storm "3 ranks:" 21 "$MRUN" -n 3
storm "5 ranks:" 20 "$MRUN" -n 5
storm "8 ranks:" 11 "$MRUN" -n 8
storm "bounce copies:" 4 env MRT_SM_CMA=no "$MRUN" -n 3
plain=$program
program=${program}_wrapped
storm "bounce copies, counters near their ends:" 1 env MRT_SM_CMA=no "$MRUN" -n 3
storm "counters near their ends:" 1 "$MRUN" -n 3 -x MRT_SM_EAGER_MAX=0
program=$plain
storm "no eager:" 3 env MRT_SM_EAGER_MAX=0 "$MRUN" -n 3
storm "small rings:" 3 env MRT_SM_RING=8192 "$MRUN" -n 3
storm "sleeping at once:" 2 env MRT_SPIN=0 MRT_SLEEP_US=0 "$MRUN" -n 5
done_testing
