# SPDX-License-Identifier: Apache-2.0
# hang.t checks that a job that makes no progress says who waits for whom, or is
# ended; and that ranks find out by themselves, without the launcher, that one
# of them has died.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/hang

# Asks for the report; succeeds if it names all 7 ranks that wait.
waiting()
{
	kill -USR1 "$job"
	sleep 0.1
	[ "$(tail -n 8 "$err" | grep -c 'has waited for')" -eq 7 ]
}

# in_job N succeeds if N of the job's ranks run and are no zombies.
in_job()
{
	n=0
	for p in $(pgrep -P "$job" -x hang); do
		! grep -q '^State:.[RSD]' "/proc/$p/status" || n=$((n + 1))
	done
	[ "$n" -eq "$1" ]
}

waited='\(pid [0-9]+\) has waited for [0-9.]+ s'
# every rank waits in another call
reports()
{
	like "$err" "rank 0 $waited in mrt_recv: a message from rank 1 with tag 7\$" \
		"$1: a receive"
	like "$err" 'rank 1 .* in mrt_barrier of 8 ranks: rank [0-7]$' \
		"$1: a barrier"
	like "$err" 'rank 2 .* in mrt_send: rank 0 to receive 1048576 bytes with tag 5$' \
		"$1: a send"
	like "$err" 'rank 3 .* in mrt_wait: a message from any rank with any tag$' \
		"$1: a request"
	like "$err" "rank 4 .* in mrt_waitall: 1 of 1 requests, the first \
mrt_barrier of 8 ranks: messages from rank " \
		"$1: a nonblocking collective"
	like "$err" 'rank 5 .* does not wait in libmrt \(state S' \
		"$1: one that does something else"
	like "$err" 'rank 6 .* in mrt_bcast of 8 ranks: rank 5$' \
		"$1: a bcast"
	like "$err" 'rank 7 .* in mrt_probe: a message from rank 6 with tag 9$' \
		"$1: a probe"
}

start "$MRUN" -n 8 "$program"
wait_for 15 in_job 8
wait_for 15 waiting
reports "SIGUSR1 to mrun"
: >"$err"
# shellcheck disable=SC2046 # pids
kill -STOP $(pgrep -P "$job" -x hang | head -n 1)
sleep 0.1
kill -USR1 "$job"
wait_for 5 grep -q 'is stopped' "$err"
like "$err" 'rank 0 .* is stopped, while it waited in mrt_recv: ' \
	"a stopped rank"
kill -TERM "$job"
finish
is "$rc" 143 "and the job goes on until it is ended"
no_leftovers "nothing is left"

start env MRT_HANG_WARN=1 "$MRUN" -n 8 "$program"
wait_for 20 grep -q 'rank 7 .*has waited for' "$err"
like "$err" 'mrun: rank [0-7] has waited for [0-9]+ s \(MRT_HANG_WARN\); all ranks:' \
	"MRT_HANG_WARN: says why it reports"
reports "MRT_HANG_WARN"
kill -TERM "$job"
finish
is "$rc" 143 "and ends nothing"

run 20 env MRT_HANG_TIMEOUT=1 "$MRUN" -n 8 "$program"
is "$rc" 75 "MRT_HANG_TIMEOUT: exit code"
within 8000 "MRT_HANG_TIMEOUT: in time"
limit='has waited longer than MRT_HANG_TIMEOUT \(1 s\)'
like "$err" "mrun: rank [0-7] $limit in .*; ending the job" \
	"MRT_HANG_TIMEOUT: says so"
reports "MRT_HANG_TIMEOUT"
no_leftovers "MRT_HANG_TIMEOUT: nothing is left"

run 20 env MRT_HANG_WARN=1 MRT_HANG_TIMEOUT=3 "$program"
is "$rc" 75 "without launcher: exit code"
within 10000 "without launcher: in time"
receive='mrt_recv: a message from rank 0 with tag 7'
like "$err" "warning: has waited for [1-3] s in $receive \(MRT_HANG_WARN\)" \
	"without launcher: the rank itself warns"
like "$err" "MRT_ERR_PEER: waited longer than MRT_HANG_TIMEOUT \(3 s\) in $receive" \
	"without launcher: and gives up"

# a rank that computes is not reported, nor one that waits for less time
run 20 env MRT_HANG_WARN=4 MRT_HANG_TIMEOUT=5 "$MRUN" -n 4 sh -c \
	"sleep 6; $top_builddir/mrt-hello"
is "$rc" 0 "ranks that do not wait are not ended"
is "$(grep -c mrun: "$err")" 0 "nor told of"

run 20 env MRT_HANG_WARN=4 MRT_HANG_TIMEOUT=4 "$MRUN" -n 2 "$program" passes
is "$rc" 0 "nor those that have waited, and do not any more"
is "$(grep -c mrun: "$err")" 0 "and are not told of"

run 20 "$MRUN" -n 4 "$program" untold
is "$rc" 0 "ranks whose PMIx has not said that they end have not failed"
is "$(grep -c mrun: "$err")" 0 "and nothing is said of it"
# shellcheck disable=SC2016
run 20 "$MRUN" -n 2 sh -c '"$1" && exec "$0" quits' "$program" \
	"$top_builddir/mrt-hello"
is "$rc" 75 "the end of a program before this one does not count"
like "$err" "mrun: rank 0 .* exited without finalize" "and it is said"

# dies HOW CODE RANKS LEVEL TOLD: the launcher is stopped, so that only the ranks
# can tell each other; TOLD of them say so.
dies()
{
	rm -f "$work/now" "$work/up"
	start env MRT_LOG="$4" "$MRUN" -n "$3" "$program" "$1" "$work"
	wait_for 60 test -e "$work/up"
	kill -STOP "$job"
	: >"$work/now"
	began=$(date +%s%N)
	wait_for 30 in_job 0
	is $? 0 "$1, $3 ranks: all end without mrun"
	ms=$((($(date +%s%N) - began) / 1000000))
	within $((10000 + 200 * $3)) "$1, $3 ranks: in time"
	kill -CONT "$job"
	finish
	is "$rc" "$2" "$1, $3 ranks: exit code"
	died='^libmrt\[.* MRT_ERR_PEER: rank 2 \(pid [0-9]+\) has died'
	is "$(grep -cE "$died" "$err")" "$5" \
		"$1, $3 ranks, MRT_LOG=$4: $5 of the others say who has died"
	no_leftovers "$1, $3 ranks: nothing is left"
}
dies dead 137 4 info 3
dies exec 75 4 warn 1
# more than a rank watches at a time
dies dead 137 100 warn 1
done_testing
