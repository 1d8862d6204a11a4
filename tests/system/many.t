# SPDX-License-Identifier: Apache-2.0
# many.t checks what a person reads of a job of many ranks: one message about a
# fault, with the number of ranks that it ends, and a report of waiting ranks
# that fits a screen.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
n=128
fatal=$top_builddir/tests/system/fatal
hang=$top_builddir/tests/system/hang

# A rank that notices a death before mrun has told it, on a busy machine, may
# say so.
others()
{
	grep -v "^libmrt\[1/$n " "$err" | grep -c '^libmrt\['
}

# one CASE CODE TEXT lets rank 1 end the job.
one()
{
	run 60 "$MRUN" -n "$n" "$fatal" "$1"
	is "$rc" "$2" "$1: exit code"
	who='mrun: rank 1 on [^ ]+ \(pid [0-9]+, .*/fatal\)'
	like "$err" "^$who $3.*; ending the job \\($((n - 1)) other ranks\\)\$" \
		"$1: who, how, where, and how many"
	is "$(grep -c '^mrun: ' "$err")" 1 "$1: mrun says one line"
	is "$(($(others) < 2))" 1 "$1: the other ranks do not repeat it"
	no_leftovers "$1: nothing is left"
}

one killed 137 'was killed by signal 9'
one abort 42 'aborted the job with code 42: mrt_abort'
one exit 3 'exited with code 3'

waited='waited for [0-9.]+( to [0-9.]+)? s in'
alike="^mrun: 1[0-9][0-9] ranks \\(.*-$((n - 1))\\) have $waited mrt_barrier of $n \
ranks: rank [0-9]"
other="^mrun: rank 7 \\(pid [0-9]+\\) has $waited mrt_recv: a message from rank 13 \
with tag 5\$"
idle='^mrun: rank 13 \(pid [0-9]+\) does not wait in libmrt '

# Asks for the report; succeeds once a report says of all ranks what they do.
reported()
{
	kill -USR1 "$job"
	grep -Eq "$alike" "$err" && grep -Eq "$other" "$err" &&
		grep -Eq "$idle" "$err"
}

start "$MRUN" --output "$work/files" -n "$n" "$hang" many
# from then on mrun takes signals
wait_for 60 test -e "$work/files/rank.$((n - 1)).err"
wait_for 60 reported
like "$err" "$alike" "a report: the ranks that wait alike in a line"
like "$err" "$other" "a report: the one that waits in another call"
like "$err" "$idle" "a report: the one that does not wait"
: >"$err"
kill -USR1 "$job"
wait_for 5 grep -Eq "[(, -]$((n - 1))[) ]" "$err"
is "$(($(wc -l <"$err") <= 40))" 1 "a report: $(wc -l <"$err") lines fit a screen"
kill -KILL "$job"
finish
no_leftovers "mrun is killed: nothing is left"
is "$(cat "$work"/files/*.err | grep -c 'MRT_ERR_SERVICE: the launcher is gone')" \
	1 "mrun is killed: one rank says why it ends"
done_testing
