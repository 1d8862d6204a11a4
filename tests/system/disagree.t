# SPDX-License-Identifier: Apache-2.0
# disagree.t lets ranks call different collectives, or one collective with
# different arguments, or send and receive different types. With MRT_CHECK=1 this
# is an error of that call on all ranks, or of the receive; without, it does no
# harm. DISAGREEMENTS=N tries N random ones of each kind, DISAGREE_SEED=S draws
# others.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/disagree
CASES_TIMEOUT=120
: "${DISAGREE_SEED:=1}"
if [ "$TEST_LEVEL" = quick ]; then
	ranks='2 3' random=${DISAGREEMENTS:-50} unchecked=${DISAGREEMENTS:-5}
else
	ranks='2 3 5 8' random=${DISAGREEMENTS:-60}
	unchecked=${DISAGREEMENTS:-10}
fi

MRT_CHECK=1
export MRT_CHECK
for n in $ranks; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
	cases "$n ranks, $random:" "$MRUN" -n "$n" "$program" \
		--random "$random" --seed "$DISAGREE_SEED"
	cases "$n ranks, right:" "$MRUN" -n "$n" \
		"$top_builddir/tests/mpi/coll_alike"
	cases "$n ranks, messages:" "$MRUN" -n "$n" \
		"$top_builddir/tests/mpi/p2p_alike"
	cases "$n ranks, junk:" "$MRUN" -n "$n" \
		"$top_builddir/tests/mpi/coll_junk"
done
cases "by rendezvous:" env MRT_SM_EAGER_MAX=0 "$MRUN" -n 3 "$program"
cases "messages by rendezvous:" env MRT_SM_EAGER_MAX=0 MRT_GATHER_MIN=0 \
	"$MRUN" -n 3 "$top_builddir/tests/mpi/p2p_alike"
cases "without shared memory:" env MRT_COLL_DIRECT=no "$MRUN" -n 3 "$program"
no_leftovers "nothing is left"

# in the default mode of errors the job ends
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

# Without MRT_CHECK no rank writes beyond its buffers, and the job ends: well,
# with an error, or because a rank waits in vain, which is reported.
cases=$("$program" --cases)
bad=0 good=0 errors=0 hangs=0
tried=0
while [ "$tried" -lt "$unchecked" ]; do
	tried=$((tried + 1))
	DISAGREE_SEED=$(((DISAGREE_SEED * 1103515245 + 12345) % 2147483648))
	at=$((DISAGREE_SEED / 65536))
	case $((at % 4)) in
	0) n=2 count=2 ;;
	1) n=3 count=3000 ;;
	2) n=5 count=20000 ;;
	3) n=4 count=100000 ;;
	esac
	set -- "$((at / 4 % cases))" "$count" "$((at / 7 % 8 == 0))" \
		"$((at / 3 % 2 * (n - 1)))"
	run 40 env MRT_HANG_TIMEOUT=2 "$MRUN" -n "$n" "$program" --one "$@"
	case $rc in
	0) good=$((good + 1)) ;;
	64) errors=$((errors + 1)) ;;
	*)
		if grep -q 'has waited for' "$err"; then
			hangs=$((hangs + 1))
		else
			bad=$((bad + 1))
			diag "$n ranks, --one $*: exit code $rc"
			show_run
		fi ;;
	esac
done
is "$bad" 0 "unchecked: $good without error, $errors errors, $hangs hangs named"
no_leftovers "nothing is left of these"
done_testing
