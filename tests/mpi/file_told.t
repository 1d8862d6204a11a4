# SPDX-License-Identifier: Apache-2.0
# file_told.t: reports of waits, MRT_CHECK, MRT_STATS and MRT_TRACE tell of calls on
# files.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
[ -e "$top_builddir/.libs/libmrt_romio.so" ] ||
	skip_all "built without files: configure --with-romio=FOLDER"
program=$top_builddir/tests/mpi/file_killed

all_run()
{
	[ "$(pgrep -c -P "$job" file_killed)" -eq 4 ]
}

# Asks for the report, and tells whether a rank waits in a call on files.
reported()
{
	kill -USR1 "$job"
	sleep 0.1
	grep -q 'in MPI_.*(in MPI_File_write_at_all)' "$err"
}
start "$MRUN" -n 4 "$program" alone "$work/file"
wait_for 15 all_run
wait_for 15 reported
like "$err" 'in MPI_.*\(in MPI_File_write_at_all\)' \
	"a collective write that one rank does not make is reported by its name"
kill -TERM "$job"
finish

run 30 env MRT_CHECK=1 "$MRUN" -n 4 "$program" mixed "$work/file"
is "$rc" 64 "a rank that reads while the others write: MRT_CHECK ends the job"
like "$err" 'rank 3 calls .*in MPI_File_read_at_all\); ranks 0-2 .*in MPI_File_write_' \
	"both calls are named"
run 60 env MRT_CHECK=1 "$MRUN" -n 3 "$top_builddir/tests/mpi/file_move"
is "$rc" 0 "MRT_CHECK finds nothing where nothing is wrong, in requests either"

run 30 env MRT_STATS=1 MRT_TRACE="$work/trace" "$MRUN" -n 4 "$program" once \
	"$work/file"
is "$rc" 0 "all write once: open, set_view, write_at_all, close"
like "$err" '^file +calls +4 +4\.0 +4 +16$' "MRT_STATS counts the calls"
like "$err" '^file +bytes written +16384 +16384\.0 +16384 +65536$' "and the bytes"
unlike "$err" '^file +bytes read' "none is read"
run 30 "$top_builddir/mrt-trace" "$work/trace"
like "$out" '^MPI_File_write_at_all +4 +65536 ' "a trace has the call and its bytes"
like "$out" '^MPI_File_open +4 +0 ' "and the opening"
no_leftovers "nothing is left"
done_testing
