# SPDX-License-Identifier: Apache-2.0
# start.t starts programs as jobs of one, and in environments that are not a
# launcher's.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
api=$top_builddir/tests/system/api
storm=$top_builddir/tests/system/storm

cases "singleton:" "$storm" --messages 5000
no_leftovers "singleton: nothing is left"
# contrib/lsan.supp cannot be named in an empty environment
cases "empty environment:" env -i PATH="$PATH" \
	${SANITIZER:+ASAN_OPTIONS=detect_leaks=0} "$storm" --messages 100
cases "closed stdin:" sh -c '"$1" --messages 100 <&-' sh "$storm"

# under a launcher that cannot be joined one rank says so, and says what to do
alone()
{
	want=$1
	shift
	run 20 env "$@" "$api" "time goes on"
	is "$rc $(grep -c 'warning: this is a job of one rank' "$err")" \
		"0 $want" "$*: $want warnings"
}
alone 1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=8
like "$err" 'one of 8.*SLURM_STEP_NUM_TASKS=8.*srun --mpi=pmix' "what to type"
alone 0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=8
alone 0 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=8
alone 1 FLUX_TASK_RANK=0 FLUX_JOB_SIZE=4
like "$err" 'one of 4.*FLUX_JOB_SIZE=4.*flux run -o pmi=simple' "and for Flux"
alone 0 FLUX_TASK_RANK=2 FLUX_JOB_SIZE=4
alone 1 OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2
alone 1 PMI_RANK=0 PMI_SIZE=4 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=4
alone 0 PMI_RANK=3 PMI_SIZE=4 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1

# and mrun says so of programs of another MPI, but not of others
for other in openmpi mpich; do
	mine=$work/of_$other
	what="a program of $other under mrun"
	if echo '#include <mpi.h>
		int main(int argc, char **argv)
		{ MPI_Init(&argc, &argv); MPI_Finalize(); return argc - 1; }' |
		mpicc.$other -x c - -o "$mine" 2>/dev/null; then
		for code in 0 1; do
			# shellcheck disable=SC2046 # no argument, or one
			run 60 "$MRUN" -n 2 "$mine" $([ $code = 0 ] || echo fail)
			is "$rc $(sed -n "s,$mine,./app,
				s/needs libmpi[a-z]*[.]so[.][0-9]* /needs libmpi.so.40 /
				/another MPI/p" "$err")" \
				"$code $(sed -n 's/^    \(mrun: .*another MPI.*\)/\1/p' \
				"$top_srcdir/docs/mistakes.md")" "$what ends with $code"
		done
		run 60 "$MRUN" -n 1 "$mine"
		is "$(grep -c 'of another MPI' "$err")" 0 "$what: one rank"
	else
		skip "mpicc.$other is not installed" "$what"
	fi
done
run 20 "$MRUN" -n 2 "$(command -v true)"
is "$rc $(grep -c . "$err")" "0 0" "a program of no MPI under mrun"
run 20 "$MRUN" -n 2 "$MRUN" -n 1 true
is "$rc $(grep -c . "$err")" "0 0" "mrun under mrun"

# two jobs at once do not see each other
"$MRUN" -n 2 "$storm" --messages 3000 --seed 1 >"$work/first" 2>&1 &
cases "second job:" "$MRUN" -n 2 "$storm" --messages 3000 --seed 2
wait $!
is $? 0 "two jobs at once"

# the same ranks run one job after the other, and some ranks are late
again='for k in 1 2 3 4 5 6 7 8 9 10; do "$1" "time goes on" || exit; done'
run 60 "$MRUN" -n 8 sh -c "$again" sh "$api"
is "$rc" 0 "ten programs one after the other"

# the time to wait for other ranks begins anew with each that comes
run 60 env MRT_TIMEOUT=12 "$MRUN" -n 3 sh -c 'sleep $((MRUN_RANK * 7)); exec "$@"' \
	sh "$api" "time goes on"
is "$rc" 0 "three ranks, each some seconds after the other"
run 30 env MRT_TIMEOUT=1 "$MRUN" -n 2 sh -c '[ $MRUN_RANK = 0 ] || exec sleep 60
	exec "$0"' "$top_builddir/mrt-hello"
is "$rc" 69 "one that does not come"
like "$err" 'not all ranks came, and no other one within 1 s' "is missed"

run 30 "$MRUN" -n 2 "$api" "time goes on" : -n 2 "$api" "time goes on"
is "$rc" 0 "one job of two contexts"
like "$out" "^ok - time goes on" "whose ranks work together"
done_testing
