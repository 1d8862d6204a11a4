# SPDX-License-Identifier: Apache-2.0
# win_held.t checks that a job ends soon, with the name of the rank, when a rank
# dies that holds the lock of a window for which all others wait, and that such
# waits are reported.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/win_held
# what a rank that dies has allocated is lost
leaks_allowed

# others_wait N WHERE asks for the report; succeeds if N ranks wait there.
others_wait()
{
	kill -USR1 "$job" || return 0
	sleep 0.1
	tail -n 2 "$err" |
		grep -q "$1 ranks .* have waited for .* in $2"
}

# gone PID succeeds if the process has ended, waited for or not.
gone()
{
	! grep -q '^State:.[RSDTt]' "/proc/$1/status" 2>/dev/null
}

# held RANKS HOW [WHERE] starts the job and sets $holder.
held()
{
	rm -f "$work/up" "$work/now"
	start "$MRUN" -n "$1" "$program" "$2" "$work"
	wait_for 20 test -e "$work/up"
	wait_for 20 others_wait $(($1 - 1)) "${3:-the lock of a window}"
	is $? 0 "$label: all others wait for the lock"
	holder=$(sed -n 's/.* rank 2 (pid \([0-9]*\)) does not wait.*/\1/p' \
		"$err" | tail -n 1)
	: >"$err"
	start_watch
}

# ends CODE waits for the end, which had to come within 2 s.
ends()
{
	finish
	stop_watch
	is "$rc" "$1" "$label: exit code"
	within 2000 "$label: in time"
	is "$(grep -c 'has got a lock' "$err")" 0 "$label: nobody gets the lock"
	no_leftovers "$label: nothing is left"
}

for n in 4 8; do
	label="$n ranks, killed"
	held $n pause
	kill -KILL "$holder"
	ends 137
	like "$err" "mrun: rank 2 .* was killed by signal 9" "$label: its name"

	label="$n ranks, killed in an accumulate"
	held $n update "another rank's accumulate"
	kill -KILL "$holder"
	ends 137
	like "$err" "mrun: rank 2 .* was killed by signal 9" "$label: its name"

	label="$n ranks, exits"
	held $n exit
	: >"$work/now"
	ends 75
	like "$err" "mrun: rank 2 .* exited without finalize" "$label: its name"
done

# the launcher is stopped, so that only the ranks can find out
label="killed, no launcher"
held 4 pause
# shellcheck disable=SC2046 # pids
set -- $(pgrep -P "$job" -x win_held | grep -vx "$holder")
is $# 3 "$label: three others"
kill -STOP "$job"
kill -KILL "$holder"
for pid in "$@"; do
	wait_for 10 gone "$pid"
done
stop_watch
within 2000 "$label: all end"
kill -CONT "$job"
ends 137
like "$err" "MRT_ERR_PEER: rank 2 \(pid $holder\) has died" "$label: its name"
done_testing
