# SPDX-License-Identifier: Apache-2.0
# hang.t checks that a job that makes no progress says who waits for whom, or is
# ended; and that ranks find out by themselves, without the launcher, that one
# of them has died.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/hang

# waiting LINES N asks for the report; succeeds if its last lines name N ranks
# that wait.
waiting()
{
	kill -USR1 "$job"
	sleep 0.1
	[ "$(tail -n "$1" "$err" | grep -c 'has waited for')" -eq "$2" ]
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
mrt_barrier of 8 ranks: rank " \
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
wait_for 15 waiting 8 7
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

# eight ranks under a sanitizer may take a second to start
limit_s=${SANITIZER:+4}
: "${limit_s:=1}"
run 20 env MRT_HANG_TIMEOUT=$limit_s "$MRUN" -n 8 "$program"
is "$rc" 75 "MRT_HANG_TIMEOUT: exit code"
within 11000 "MRT_HANG_TIMEOUT: in time"
limit="has waited longer than MRT_HANG_TIMEOUT \\($limit_s s\\)"
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

# ---- what ranks did before ---------------------------------------------------

# A rank has waited for two seconds, and does not any more.
passed()
{
	kill -USR1 "$job"
	sleep 0.1
	grep -q 'rank 0 before: ' "$err"
}
start env MRT_HANG_JSON="$work/report" "$MRUN" -n 2 "$program" passes
wait_for 15 in_job 2
wait_for 15 passed
like "$err" 'rank 0 before: mrt_recv: a message from rank 1 with tag 0, for '\
'[12].[0-9] s \([0-9.]+ s ago\)$' "a long wait that has ended"
is "$(grep -c 'rank 1 before' "$err")" 0 "no other rank had one"
like "$work/report" '^."rank":0,.*"state":"runs".*"before":\[\{"text":"mrt_recv: ' \
	"MRT_HANG_JSON: the same"
finish
is "$rc" 0 "and the job goes on"
is "$(ls "$work"/report*)" "$work/report" "MRT_HANG_JSON: one file"

run 20 env MRT_HANG_TIMEOUT=$limit_s MRT_HANG_JSON="$work/report" MRT_COLL_DIRECT=no \
	MRT_BARRIER=linear "$MRUN" -n 8 --trace "$work/trace" "$program"
is "$rc" 75 "a job with a trace"
like "$err" 'rank 0 before: mrt_init.*; mrt_recv of 4 bytes, peer 1 \([0-9.]+ s ago\)$' \
	"the last events of a rank"
like "$err" 'rank 1 before: .*; mrt_barrier 0 of 0 bytes .*; step 2 of 0 bytes, '\
'peer 0 \(' "with the steps of a plan"
like "$err" 'rank 5 before: mrt_(init|rank|size)' "also of one outside of calls"
if have python3; then
	run 20 python3 -c '
import json, sys
ranks = json.load(open(sys.argv[1]))["ranks"]
print([r["rank"] for r in ranks if r["state"] == "waits" and r["waited"] > 0.5])
print([r["rank"] for r in ranks if not r["before"]], ranks[7]["in"])
print(ranks[0]["before"][-1]["text"])
' "$work/report"
	is "$(head -n 1 "$out")" "[0, 1, 2, 3, 4, 6, 7]" "JSON: those that wait"
	is "$(sed -n 2p "$out")" "[] mrt_probe: a message from rank 6 with tag 9" \
		"JSON: all have done something before"
	is "$(sed -n 3p "$out")" "mrt_recv of 4 bytes, peer 1" "JSON: the last event"
else
	skip "no python3" "JSON"
fi
for file in "$work"/trace/*; do
	truncate -s 100 "$file"
done
start env MRT_HANG_JSON=/proc/none MRT_TRACE="$work/trace" "$MRUN" -n 8 \
	sh -c 'unset MRT_TRACE; exec "$0"' "$program"
wait_for 15 in_job 8
kill -USR1 "$job"
wait_for 15 grep -q 'cannot write MRT_HANG_JSON=/proc/none' "$err"
is $? 0 "a file that cannot be made"
is "$(grep 'before: ' "$err" | grep -vc ', for [0-9.]* s (')" 0 \
	"traces that are damaged"
kill -TERM "$job"
finish

# ---- deadlocks, and what ends a job -----------------------------------------

# ends HOW: the report of a job that has ended so
ends()
{
	like "$err" '^mrun: rank 1 .* in mrt_send: rank 2 to receive' \
		"$1: tells what the ranks wait for"
	like "$err" '^mrun: deadlock: 0 -> 1 -> 2 -> 0$' "$1: a circle of ranks"
	like "$err" '^mrun: deadlock: 4 -> 4$' "$1: a rank that waits for itself"
	is "$(grep -c deadlock "$err")" 2 "$1: no other deadlock"
}
start "$MRUN" -n 5 "$program" cycle
wait_for 15 in_job 5
wait_for 20 waiting 7 5
: >"$err"
kill -INT "$job"
finish
is "$rc" 130 "Ctrl-C"
ends Ctrl-C
run 30 "$MRUN" -n 5 --timeout "${SANITIZER:+1}9" "$program" cycle
is "$rc" 124 "--timeout"
ends --timeout
# one of the requests is enough; and another thread of a rank may send what its
# peer waits for
for case in any threads; do
	start "$MRUN" -q -n 2 "$program" $case
	wait_for 15 in_job 2
	wait_for 20 waiting 2 2
	is "$(grep -c deadlock "$err")" 0 "$case: no deadlock is claimed"
	: >"$err"
	kill -INT "$job"
	finish
	is "$(cat "$err")" "" "$case: Ctrl-C with --quiet: no report"
done

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
	start env MRT_LOG="$4" "$MRUN" -n "$3" --no-aggregate "$program" "$1" "$work"
	wait_for 60 test -e "$work/up"
	kill -STOP "$job"
	: >"$work/now"
	start_watch
	wait_for 30 in_job 0
	is $? 0 "$1, $3 ranks: all end without mrun"
	stop_watch
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
