# SPDX-License-Identifier: Apache-2.0
# many_faults.t: two machines with RANKS ranks that connect on demand, and a
# fault: the job ends in time, with its code, and few of the ranks speak.
. "${top_srcdir:?run by make check-cluster-large}/tests/cluster/lib.sh"
: "${RANKS:=64}"
export RANKS
CLUSTER_TIMEOUT=3000
in_cluster -N 2 --mem "${MEM:-4G}"
need_mrun
. "$top_srcdir/tests/cluster/fault_lib.sh"
export MRT_MESH_MAX=0 MRT_TIMEOUT=600
fatal=$top_builddir/tests/system/fatal
storm=$top_builddir/tests/system/storm

# Each rank writes its messages to $OUT/err.RANK, which needs no network.
crowd()
{
	rm -f "$OUT"/err.*
	before=$(cat $hw/sent_pkts)
	"$MRUN" -n "$RANKS" sh -c 'exec "$@" 2>"$0.$PMIX_RANK"' "$OUT/err" "$@" \
		>"$work/job.out" 2>"$work/job.err" &
	job=$!
	command=$*
	fault_now
}

all_up()
{
	[ "$(find "$OUT" -name 'err.*' | wc -l)" -eq "$RANKS" ]
}

# Many messages have gone over the network.
talks()
{
	[ $(($(cat $hw/sent_pkts) - before)) -gt $((RANKS * 500)) ]
}

# ended NAME CODES SECONDS waits for the end, checks the code and the time from
# the fault on, and counts the ranks that say something.
ended()
{
	job_end $(($3 * 4))
	case " $2 " in
	*" $job_rc "*) ok "$1: exit code $job_rc" ;;
	*) same "$job_rc" "$2" "$1: exit code" ;;
	esac
	[ "$job_ms" -le $(($3 * 1000)) ]
	is $? 0 "$1: in time ($job_ms ms, at most $3 s)"
	speak=$(grep -l '^libmrt\[.* MRT_ERR' "$OUT"/err.* 2>/dev/null | wc -l)
	diag "$1: $speak of $RANKS ranks report an error"
	cat "$OUT"/err.* 2>/dev/null | sed 's/^/# /' | head -n 8
	nothing_left "$1: nothing is left"
}

for how in killed abort exit; do
	crowd "$fatal" $how
	case $how in
	killed) ended "$how" 137 120 ;;
	abort) ended "$how" 42 120 ;;
	exit) ended "$how" 3 120 ;;
	esac
	like "$work/job.err" '^mrun: rank 1 .*' "$how: the rank is named"
done

storm_job()
{
	crowd "$storm" --messages 100000000 --seed 3 --max 20000
	wait_for 400 all_up || diag "$1: the job did not start"
	wait_for 400 talks || diag "$1: no traffic"
}

storm_job "link down"
ctl link 2 down
fault_now
ended "link down" 75 40
is "$(grep -l 'no answer\|has been down' "$OUT"/err.* | wc -l)" \
	"$(grep -l 'MRT_ERR' "$OUT"/err.* | wc -l)" \
	"link down: who reports an error says which end of which link"
ctl link 2 up

storm_job "mrun killed"
kill -KILL $job
fault_now
ended "mrun killed" 137 40

storm_job "node killed"
ctl kill 2
fault_now
alive=1
ended "node killed" "75 137" 60
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
