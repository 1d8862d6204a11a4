# SPDX-License-Identifier: Apache-2.0
# disagree.t: ranks that call different collectives, or with other arguments:
# with MRT_CHECK=1 an error of that call on all ranks. DISAGREEMENTS=N tries so
# many random ones with each number of ranks, DISAGREE_SEED=S others.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/disagree
CASES_TIMEOUT=120
: "${DISAGREE_SEED:=1}"
if [ "$TEST_LEVEL" = quick ]; then
	ranks='2 3' random=${DISAGREEMENTS:-50}
else
	ranks='2 3 5 8' random=${DISAGREEMENTS:-200}
fi

MRT_CHECK=1
export MRT_CHECK
for n in $ranks; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
	cases "$n ranks, $random:" "$MRUN" -n "$n" "$program" \
		--random "$random" --seed "$DISAGREE_SEED"
done
cases "by rendezvous:" env MRT_SM_EAGER_MAX=0 "$MRUN" -n 3 "$program"
cases "without shared memory:" env MRT_COLL_DIRECT=no "$MRUN" -n 3 "$program"
no_leftovers "nothing is left"

# as programs are run: the job ends
run 30 "$MRUN" -n 3 "$program" --fatal
is "$rc" 64 "the job ends with 64"
like "$err" "MRT_ERR_COLLECTIVE: mrt_allreduce: .*: rank 2 calls mrt_bcast of\
 1 MRT_INT, root 0; ranks 0, 1 call mrt_allreduce of 1 MRT_INT, MRT_SUM" \
	"the message says who calls what"
within 5000 "it ends at once"
no_leftovers "nothing is left of it"
# shellcheck disable=SC2016
run 30 "$MRUN" -n 3 sh -c \
	'MRT_CHECK=$((PMIX_RANK == 1)); export MRT_CHECK; exec "$@"' - "$program"
is "$rc" 78 "MRT_CHECK on one rank alone is refused"
like "$err" "MRT_CHECK is not set as on rank" "and said"
unset MRT_CHECK
done_testing
