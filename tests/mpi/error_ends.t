# SPDX-License-Identifier: Apache-2.0
# error_ends.t checks that an error that no handler returns ends the job with
# one line that names the function, the communicator, the class and the cause
# (MPI 4.1, 9.3).
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/mpi/error_ends

# ends CASE CODE TEXT lets rank 1 of 3 make the error.
ends()
{
	run 20 "$MRUN" -n 3 "$program" "$1"
	is "$rc" "$2" "$1: exit code"
	like "$err" "^libmrt\\[1/3 [^ ]+ [0-9]+\\] $3" "$1: who, what, why"
	no_leftovers "$1: nothing is left"
}

ends bad_rank 64 'error: MPI_Send on MPI_COMM_WORLD: MPI_ERR_RANK: .*99'
ends bad_tag_self 64 'error: MPI_Send on MPI_COMM_SELF: MPI_ERR_TAG: .*7'
ends named 64 'error: MPI_Send on the moon: MPI_ERR_RANK: .*'
ends bad_info 64 '.*MPI_Info_set: MPI_ERR_INFO: .*'
ends aborts 64 'error: MPI_Send on MPI_COMM_WORLD: MPI_ERR_RANK: .*99'
ends by_hand 64 '.*MPI_Comm_call_errhandler on MPI_COMM_WORLD: .*moon is full'
ends not_offered 64 '.*MPI_Close_port.*: MPI_ERR_UNSUPPORTED_OPERATION: .*'
ends in_session 64 'error: MPI_Group_from_session_pset: MPI_ERR_ARG: .*set'
ends abort_42 42 'error: MPI_Abort\(42\) by rank 1'
ends abort_0 1 'error: MPI_Abort\(0\) by rank 1'
ends abort_256 1 'error: MPI_Abort\(256\) by rank 1'
ends abort_minus 255 'error: MPI_Abort\(-1\) by rank 1'

run 20 "$MRUN" -n 3 "$program" peer_dies
is "$rc" 134 "a rank dies: mrun exits as it"
like "$out" '^last words$' "a rank dies: what it printed is seen"
run 20 "$MRUN" -n 3 --stream-buffering 2 "$program" peer_dies
unlike "$out" . "--stream-buffering 2 holds it back"
no_leftovers "a rank dies: nothing is left"

# a rank ends between two sessions
between=$top_builddir/tests/mpi/session_again
# between HOW CODE TEXT
between()
{
	run 20 "$MRUN" -n 3 "$between" "$1"
	is "$rc" "$2" "between sessions, $1: exit code"
	[ -z "$3" ] || like "$err" "^mrun: rank 1 .*$3" \
		"between sessions, $1: who, what"
	no_leftovers "between sessions, $1: nothing is left"
}
between return 0
between _exit 0
between open 75 'exited without finalize'
between code 3 'exited with code 3'
between dies 134 'was killed by signal 6'

run 20 "$program" before_init
is "$rc" 64 "before MPI_Init: exit code"
like "$err" 'MPI_Comm_rank.*: called before MPI_Init$' "before MPI_Init: why"
run 20 "$program" after_finalize
is "$rc" 64 "after MPI_Finalize: exit code"
like "$err" 'MPI_Comm_rank.*: called after MPI_Finalize' \
	"after MPI_Finalize: why"
run 20 "$MRUN" -n 1 "$program" by_system
is "$rc" 3 "a program that a rank starts is none of the job"
like "$err" "error: MPI_Init: MPI_ERR_OTHER: this program was started by a rank" \
	"a program that a rank starts: why"
# the initial error handler
run 20 "$MRUN" -n 2 --initial-errhandler MPI_ERRORS_RETURN "$program" initial
is "$rc" 0 "--initial-errhandler: errors return from the start"
run 20 env MRT_INITIAL_ERRHANDLER=mpi_errors_return "$program" initial
is "$rc" 0 "the same by MRT_INITIAL_ERRHANDLER"
run 20 "$MRUN" -n 3 --initial-errhandler mpi_errors_abort "$program" bad_rank
is "$rc" 64 "--initial-errhandler mpi_errors_abort"
for wrong in moon mpi_errors_returned ""; do
	run 20 "$MRUN" -n 1 --initial-errhandler "$wrong" true
	is "$rc" 64 "--initial-errhandler '$wrong': exit code"
done

run 20 "$program" tools
is "$rc" 0 "an error of the tool interface ends nothing"
done_testing
