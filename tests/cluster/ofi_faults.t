# SPDX-License-Identifier: Apache-2.0
# ofi_faults.t: jobs of two nodes that TCP joins, of which one is cut off or
# dies as if its power failed. Each rank that is left ends by itself (the
# launcher is told not to help) and names the other; a short cut costs nothing.
. "${top_srcdir:?run by make check}/tests/cluster/lib.sh"
in_cluster --namespaces -N 4
need_mrun
unset MRT_OFI_PROVIDER
run 20 "$top_builddir/mrt-info" --json
grep -q '"ofi": "built without"' "$out" && skip_all "built without libfabric"
. "$top_srcdir/tests/cluster/fault_lib.sh"
gone='is unreachable: its node has not answered for 10 s'

# ended RANK NAME checks that a rank has ended in time, and has named the other.
ended()
{
	rank_ends "$1" 40
	same "$rank_rc" 75 "$2: rank $1 ends"
	[ $rank_ms -le 25000 ]
	is $? 0 "$2: in time ($rank_ms ms)"
	says "$1" "^libmrt\[$1/2 .*rank $((1 - $1)) on node. $gone" \
		"$2: the other is named"
}

launch="$by_itself -w node1,node2"
phase_job eager
ctl flap 2 3
phase_stop
job_end 60
same $job_rc 0 "cut off for 3 s: the job ends well"

phase_job eager
fault_now
ctl link 2 down
ended 0 "cut off"
ended 1 "cut off"
ctl link 2 up
job_end 60
nothing_left "cut off: nothing is left"

victim=4
for name in read barrier; do
	alive=$(seq $((victim - 1)))
	launch="$by_itself -w node1,node$victim"
	phase_job "$name"
	fault_now
	ctl kill $victim
	ended 0 "$name, node killed"
	kill -9 "$job" 2>/dev/null
	job_end 60
	nothing_left "$name, node killed: nothing is left"
	victim=$((victim - 1))
done
done_testing
