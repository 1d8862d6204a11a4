# SPDX-License-Identifier: Apache-2.0
# trace.t checks what mrt-trace says of jobs whose calls are known: counts and
# bytes, the rank that comes late, and what a rank that was killed was in.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
trace=$top_builddir/mrt-trace
[ -x "$trace" ] || skip_all "mrt-trace is not built"
pattern=$top_builddir/tests/system/pattern
late=$top_builddir/tests/system/late
hang=$top_builddir/tests/system/hang
t=$work/traces

# row NAME COLUMN prints a number of the table of calls.
row()
{
	awk -v name="$1" -v column="$2" '$1 == name && NF == 6 \
		{ print $column; exit }' "$work/summary"
}

# summary [OPTION] prints the traces in $t to $work/summary.
summary()
{
	run 20 "$trace" "$@" "$t"
	cp "$out" "$work/summary"
	is "$rc" 0 "mrt-trace ${*:-of the job}"
}

run 20 "$MRUN" -n 2 "$pattern" 70 5 3
[ ! -e "$t" ]
is $? 0 "no trace unasked"

# ---- counts -----------------------------------------------------------------

run 20 "$MRUN" -n 3 --trace "$t" "$pattern" 70 5 3
is "$rc" 0 "a job with --trace"
is "$(cat "$err")" "" "prints nothing"
summary
is "$(row mrt_send 2)" 73 "sends"
is "$(row mrt_send 3)" 300560 "bytes sent"
is "$(row mrt_ssend 2)" 5 "synchronous sends"
is "$(row mrt_ssend 3)" 80 "bytes sent so"
is "$(row mrt_recv 2)" 78 "receives"
is "$(row mrt_init 2)$(row mrt_finalize 2)" 33 "each rank's start and end"
like "$work/summary" '^3 messages received by rendezvous: 300000 bytes' \
	"rendezvous"
like "$work/summary" '^3 ranks of job .* s; [0-9]+ events$' "nothing is lost"
is "$(grep -c 'did not finalize' "$work/summary")" 0 "all ranks have ended"

if have python3; then
	run 20 "$trace" --json "$t"
	cp "$out" "$work/json"
	run 20 python3 -c '
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
calls = [e for e in events if e.get("cat") == "call"]
sends = [e for e in calls if e["name"] == "mrt_send"]
print(len(sends), sum(e["args"]["bytes"] for e in sends),
      sorted({e["pid"] for e in sends}), {e["args"]["peer"] for e in sends})
print(len([e for e in events if e.get("cat") == "rendezvous"
           and e["name"] == "from 0" and e["ph"] == "e"]))
print(sorted({e["pid"] for e in calls}), min(e["dur"] for e in calls) >= 0)
' "$work/json"
	is "$(head -n 1 "$out")" "73 300560 [0] {1}" "JSON: sends"
	is "$(sed -n 2p "$out")" 3 "JSON: rendezvous"
	is "$(sed -n 3p "$out")" "[0, 1, 2] True" "JSON: all ranks"
else
	skip "no python3" "JSON"
fi

# ---- JSON of some ranks -----------------------------------------------------

run 20 "$trace" --json --only 0,2..5 "$t"
is "$(sed -n 's/.*"name":"rank \([0-9]*\)".*/\1/p' "$out" | tr '\n' ' ')" \
	"0 2 " "some ranks"
for list in 7 1, x 2..1 1x; do
	run 20 "$trace" --json --only "$list" "$t"
	is "$rc" 64 "no ranks $list"
done
run 20 "$trace" --only 0 "$t"
is "$rc" 64 "some ranks without --json"

run 60 env MRT_TRACE="$t" MRT_TRACE_SIZE=64K "$MRUN" -n 2 "$pattern" 5000 0 0
is "$rc" 0 "a small file"
is "$(wc -c <"$t/rank.0.trace")" 81920 "stays small"
rm "$t/rank.2.trace"
summary
like "$work/summary" ' [0-9]+ older ones overwritten' "and says what is lost"
[ "$(row mrt_send 2)" -gt 900 ] && [ "$(row mrt_finalize 2)" -eq 2 ]
is $? 0 "the newest events stay"

# ---- collectives ------------------------------------------------------------

for direct in yes no; do
	rm -rf "$t"
	run 60 env MRT_COLL_DIRECT=$direct "$MRUN" -n 3 --trace "$t" "$late" 10
	summary --ranks
	is "$(row mrt_allreduce 2)" 30 "direct $direct: calls of all ranks"
	like "$work/summary" '^mrt_allreduce +10 .* rank 2: [0-9]+ times, by ' \
		"direct $direct: the late rank is named"
	is "$(awk '/rank [0-9]*: [0-9]* times/ && /^mrt_all|^ / \
		{ sub(/.*rank /, ""); n[$1] = $2 }
		END { print n["0:"] + n["1:"] + n["2:"] }' "$work/summary")" 10 \
		"direct $direct: a rank is late in each"
	# half at least of ten times 20 ms of sleep, as others may be late, too;
	# parts are rounded to 1 us
	awk '/^3 ranks of job/ { job = $(NF - 3) }
		/^critical path/ { path = 1 }
		path { for (k = 4; k <= 6; k++) if ($k == "%") sum += $(k - 2) }
		path && /^outside of calls/ { path += $4 >= 0.1 && / rank 2$/ }
		END { exit !(path == 2 && sum <= job + 0.00001) }
		' "$work/summary"
	is $? 0 "direct $direct: the critical path"
	# twice in a round, unless others are late, too
	like "$work/summary" \
		'^it goes from one rank to another ([1-9]|[1-3][0-9]) times$' \
		"direct $direct: by the late rank and one that sent to it"
done
run 20 "$trace" --json "$t"
like "$out" '"cat":"plan",.*"name":"allreduce [a-z_]+","ph":"e"' "JSON: plans"
like "$out" '"cat":"step",.*"name":"step [1-9][0-9]*: (send|recv)' "JSON: steps"
is "$(grep '"cat":"step"' "$out" | grep -c '"ph":"b"')" \
	"$(grep '"cat":"step"' "$out" | grep -c '"ph":"e"')" \
	"JSON: all steps have ended"
like "$out" '"for":"mrt_allreduce of 3 ranks: messages from rank' \
	"JSON: what a wait is for"

# ---- one collective ---------------------------------------------------------

# Two pictures of three ranks: measured and simulated.
scene()
{
	run 20 "$trace" --collective "$@" "$t"
	is "$rc" 0 "--collective $*"
}

# rows prints when the rank of each row arrives and leaves.
rows()
{
	awk '/^ +[0-9]+  [-<>x ]+ [0-9.]+ +[0-9.]+$/ { print $(NF - 1), $NF }' "$out"
}

scene allreduce:2 -f shm
like "$out" '^mrt_allreduce 2 of communicator 0 by [a-z_:]+: 3 ranks, 1 elements '\
'of 8 bytes$' "its title"
like "$out" '^by the model of fabric shm: [0-9.]+ us$' "its model"
is "$(rows | wc -l)" 6 "three rows as traced, and three as simulated"
rows | awk '{ arrive[NR] = $1; leave[NR] = $2; if ($1 > last) last = $1 }
	END { for (k = 1; k <= 6; k++) {
		bad += arrive[k] != arrive[(k + 2) % 6 + 1]
		# times are printed with two digits
		bad += leave[k] + 0.01 < last } exit bad }'
is $? 0 "ranks arrive at the same times in both, and none leaves before the last"
like "$out" '^ +[0-2] +[0-9]+ (send|recv) +[0-2] +8( +[0-9.]+){4}$' \
	"a step that took longer"
is "$(grep -c 'not in the model' "$out")" 0 "all steps are in the model"
scene allreduce --rows 2
is "$(grep -c 'not in the model' "$out")" 0 "without a model"
# the last to arrive may be the last to leave or not
got=$(for number in $(seq 0 9); do
	for n in 1 2; do
		"$trace" --collective allreduce:$number --rows $n "$t" \
			>"$out" && rows | wc -l
	done
done)
is "$(echo "$got" | sort | uniq -c | tr -s ' \n' ' ')" " 10 1 10 2 " "fewer rows"
like "$out" '^the longest steps' "the longest steps"
scene mrt_allreduce:2:0 -f shm --svg
is "$(grep -c 'class="call"' "$out")" 6 "SVG: two pictures of the ranks"
is "$(grep -c 'class="msg"' "$out")" \
	"$((2 * $("$trace" --json "$t" | grep '"cat":"step"' |
		grep -c 'send","ph":"b"') / 10))" "SVG: all messages in both"
if have xmllint; then
	xmllint --noout "$out" 2>"$err"
	is $? 0 "SVG: well-formed"
else
	skip "no xmllint" "SVG: well-formed"
fi
for algorithm in ring recursive_doubling linear rabenseifner; do
	rm -rf "$t"
	run 60 env MRT_COLL_DIRECT=no MRT_ALLREDUCE=$algorithm "$MRUN" -n 3 \
		--trace "$t" "$late" 2
	scene allreduce:0 -f shm
	like "$out" "^mrt_allreduce 0 of communicator 0 by $algorithm:" \
		"the title of $algorithm"
	is "$(grep -c 'not in the model' "$out")" 0 "all steps of $algorithm"
done
run 20 "$trace" --collective allreduce:7 "$t"
is "$rc" 64 "no collective of that number"
run 20 "$trace" --collective allreduce:x "$t"
is "$rc" 64 "no number"
like "$err" 'allreduce:x is not NAME' "no number: the message"
run 20 "$trace" --collective allreduce -f none "$t"
is "$rc" 66 "an unknown fabric"
like "$err" '^mrt-trace: none: unknown fabric' "an unknown fabric: the message"
run 60 "$MRUN" -n 3 --trace "$t" "$late" 1
scene allreduce
like "$out" '^mrt_allreduce 0 of communicator 0: 3 ranks$' "one without a plan"
run 20 "$trace" --collective allreduce -f shm "$t"
is "$rc" 64 "which has no model"
like "$err" 'it ran without a plan' "which has no model: the message"
rm -rf "$t"
run 60 env MRT_COLL_DIRECT=no "$MRUN" -n 3 --trace "$t" "$late" 10

# ---- clocks -----------------------------------------------------------------

# The trace of rank 1 becomes one of another node, whose time of day is
# days away: a byte of its name, and one of struct trace_clock's real_ns.
printf '%s' '#' | dd of="$t/rank.1.trace" bs=1 seek=352 conv=notrunc 2>/dev/null
printf '\001' | dd of="$t/rank.1.trace" bs=1 seek=$((64 + 5)) conv=notrunc \
	2>/dev/null
summary
seconds=$(sed -n 's/^3 ranks of job .*, \([0-9]*\)\..* s; .*/\1/p' \
	"$work/summary")
[ "${seconds:-999}" -lt 60 ]
is $? 0 "clocks of two nodes are brought together"
like "$work/summary" '^mrt_allreduce +10 .* rank 2: ' \
	"the late rank on two nodes"

# ---- ranks that are killed, or hang ------------------------------------------

# Succeeds when the trace of rank 0 says what the rank waits for.
described()
{
	"$trace" "$t" 2>/dev/null |
		grep -q 'rank 0 on .* in mrt_recv .*, and waited'
}

# Succeeds when three ranks execute plans.
executed()
{
	[ "$("$trace" "$t" 2>/dev/null | grep -c 'it executed')" -eq 3 ]
}

rm -rf "$t"
start "$MRUN" -n 8 --trace "$t" "$hang"
wait_for 15 described
is $? 0 "the trace of a job that hangs can be read"
# the first child is rank 0
# shellcheck disable=SC2046 # one pid
kill -KILL $(pgrep -P "$job" -x hang | head -n 1)
finish
summary
like "$work/summary" 'rank 0 on [^ ]+ did not finalize: it was for [0-9.]+ s '\
'in mrt_recv of 4 bytes on communicator 0, peer 1, tag 7, and waited in '\
'mrt_recv: a message from rank 1 with tag 7$' \
	"a rank that was killed: its call"
like "$work/summary" 'rank 1 .* after mrt_barrier, which failed '\
'\(MRT_ERR_PEER\), and waited in mrt_barrier of 8 ranks' \
	"a rank that saw it: its error"
like "$work/summary" 'rank 5 .* outside of calls, after mrt_(init|rank|size)$' \
	"a rank outside of calls"

rm -rf "$t"
start env MRT_COLL_DIRECT=no MRT_BARRIER=linear MRT_BCAST=linear "$MRUN" -n 8 \
	--trace "$t" "$hang"
wait_for 15 executed
ranks=$(pgrep -P "$job" -x hang)
# stopped first: none sees another one die, and leaves its barrier
# shellcheck disable=SC2086 # pids
kill -STOP $ranks && kill -KILL $ranks
finish
summary --ranks
for k in 1 4; do
	like "$work/summary" "rank $k .*; it executed barrier by linear, in step 2: "\
'recv of 0 bytes, peer 0$' "all ranks killed: the step of rank $k"
done
like "$work/summary" 'rank 6 .* mrt_bcast .*; it executed bcast '\
'by linear, in step 1: recv of 4 bytes, peer 5$' \
	"all ranks killed: the step of rank 6"
is "$(grep -c 'it executed' "$work/summary")" 3 "and no others had one"
run 20 "$trace" --collective barrier "$t"
is "$(grep -c '(has not left)' "$out")" 1 "the barrier: a rank that has not left"
like "$out" '^ +1 +2 recv +0 .*\(has not ended\)' "and its step"

# ---- what is wrong ----------------------------------------------------------

# refused TEXT NAME
refused()
{
	run 20 "$trace" "$t"
	is "$rc" 76 "$2"
	like "$err" "$1" "$2: the message"
}

truncate -s -1 "$t/rank.3.trace"
refused 'rank.3.trace: the file is cut off' "a trace that is cut off"
truncate -s 100 "$t/rank.3.trace"
refused 'rank.3.trace: the file is shorter' "a part of a head"
: >"$t/rank.3.trace"
refused 'rank.3.trace: the file is empty' "an empty file"
cp "$t/rank.2.trace" "$t/rank.3.trace"
refused 'rank.3.trace: the trace of another rank' "another rank's trace"
printf 'x' | dd of="$t/rank.3.trace" conv=notrunc 2>/dev/null
refused 'rank.3.trace: no trace' "something else"
rm "$t/rank.3.trace"
summary
like "$work/summary" 'traces of only 7 of the ranks' "a trace is missing"
printf '\377' | dd of="$t/rank.2.trace" bs=1 seek=$((16384 + 28)) \
	conv=notrunc 2>/dev/null
refused 'rank.2.trace: event 0 is damaged' "an event of no kind"
rm -rf "$t"
refused 'No such file' "no folder"
mkdir "$t"
refused 'no traces' "an empty folder"
run 20 "$MRUN" -n 2 --trace "$t" "$pattern" 1 0 0
cp "$t/rank.1.trace" "$work/old"
run 20 "$MRUN" -n 2 --trace "$t" "$pattern" 1 0 0
mv "$work/old" "$t/rank.1.trace"
refused 'rank.1.trace: the trace of another job' "two jobs"

run 20 "$MRUN" -n 2 --trace /proc/none "$pattern" 1 0 0
is "$rc" 0 "a folder that cannot be made ends no job"
like "$err" 'no trace: MRT_TRACE=/proc/none: No such file' "and is named"
run 20 "$trace" --ranks --json "$t"
is "$rc" 64 "wrong usage"
no_leftovers "nothing is left"
done_testing
