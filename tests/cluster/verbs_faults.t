# SPDX-License-Identifier: Apache-2.0
# verbs_faults.t: two machines, and faults between them: a job ends in time and
# says why, or goes on with right results.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=800
in_cluster -N 2
need_mrun
storm=$top_builddir/tests/system/storm

# Starts a long job in the background, one rank per node; each rank leaves its
# messages and its exit code in $OUT, which needs no network.
start_job()
{
	rm -f "$OUT"/rank*
	"$MRUN" -n 2 sh -c '
		exec 2>"$OUT/rank$PMIX_RANK.err"
		touch "$OUT/rank$PMIX_RANK.up"
		"$0" --messages "$1" --seed 3 --max 20000 >"$OUT/rank$PMIX_RANK.out"
		code=$?
		echo $code >"$OUT/rank$PMIX_RANK.new"
		mv "$OUT/rank$PMIX_RANK.new" "$OUT/rank$PMIX_RANK.rc"
		exit $code
	' "$storm" "$1" >"$work/job.out" 2>"$work/job.err" &
	job=$!
	wait_for 60 all_up || diag "the job did not start"
	# well under way: connected, with traffic
	wait_for 60 talking || diag "no traffic"
}

all_up()
{
	[ -e "$OUT/rank0.up" ] && [ -e "$OUT/rank1.up" ]
}

packets()
{
	cat $hw/sent_pkts
}

talking()
{
	before=${before:-$(packets)}
	[ $(($(packets) - before)) -gt 200 ]
}

# ended RANK SECONDS waits for the rank's exit code.
ended()
{
	wait_for "$2" test -e "$OUT/rank$1.rc"
}

code_of()
{
	cat "$OUT/rank$1.rc" 2>/dev/null || echo none
}

err=$OUT/rank0.err
out=$OUT/rank0.out

start_job 3000
ctl link 2 down
sleep 1
ctl link 2 up
ended 0 120 && ended 1 20
is "$(code_of 0) $(code_of 1)" "0 0" \
	"a link down for a second: the job completes, payloads verified"
wait $job
is $? 0 "and mrun ends with 0"

before=
start_job 1000000
ctl link 2 down
went_down=$(date +%s)
ended 0 20
is "$(code_of 0)" 75 "the link stays down: rank 0 ends with 75"
ended 1 20
is "$(code_of 1)" 75 "and rank 1, on the other side"
took=$(($(date +%s) - went_down))
[ $took -le 10 ]
is $? 0 "in at most 10 s ($took s)"
like "$OUT/rank0.err" 'rank 1 on node2 \(rxe0 port 1\) from rxe0 port 1: no answer' \
	"the message names peer, node, device and port"
like "$OUT/rank1.err" 'rxe0 port 1 has been down for' \
	"and where the port itself was down, that"
ctl link 2 up
wait $job
is $? 75 "mrun ends with 75"

before=
start_job 1000000
ctl run 2 pkill -9 -x storm
wait $job
rc=$?
code=$(code_of 0)
# a race between the rank itself and Slurm, which kills it
[ "$code" = 75 ] || [ "$code" = 143 ] || [ "$code" = none ]
is $? 0 "a rank killed on the other node ends the rank here (code $code)"
[ $rc -eq 75 ] || [ $rc -eq 137 ]
is $? 0 "mrun ends with the job's failure ($rc)"

before=
start_job 1000000
ctl kill 2
died=$(date +%s)
ended 0 20
is "$(code_of 0)" 75 "the other node dies: 75"
took=$(($(date +%s) - died))
[ $took -le 10 ]
is $? 0 "in at most 10 s ($took s)"
like "$OUT/rank0.err" 'rank 1 on node2 .*no answer' "naming it"
kill $job 2>/dev/null
wait $job
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
