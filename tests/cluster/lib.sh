# SPDX-License-Identifier: Apache-2.0
# lib.sh: tests inside a virtual cluster, many in one boot. A test is one file:
#
#   . "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
#   in_cluster -N 2 --memlock 64         # options of vcluster
#   run 60 srun -N2 hostname             # from here on: on node 1
#   is "$rc" 0 "srun runs on both nodes"
#   done_testing
#
# On the host, in_cluster boots the machines, runs the file again on node 1, and
# exits with its code; on node 1 it returns at once. All of tests/system/lib.sh
# can be used in the machine, and ctl for faults. CLUSTER_TIMEOUT is the limit
# for everything (400 s).
. "$top_srcdir/tests/system/lib.sh"
vcluster=$top_srcdir/tests/cluster/vcluster
# Emulated machines lose an acknowledgement now and then, which by default costs
# two seconds, here half a second, and most tests of links wait for the retries
# to end, here after 3.8 s.
export MRT_IB_TIMEOUT=17
# A test of verbs must not pass over TCP.
export MRT_OFI_PROVIDER=none

in_cluster()
{
	[ -z "${VCLUSTER_NODES-}" ] || return 0
	need_cluster "$@"
	"$vcluster" --timeout "${CLUSTER_TIMEOUT:-400}" "$@" -- sh "$0"
	exit
}

# Skips all tests where machines with these options cannot run.
need_cluster()
{
	[ -z "$SANITIZER" ] || skip_all "the same without sanitizers"
	run 600 "$vcluster" "$@" --check
	[ "$rc" -ne 77 ] || skip_all "$(tail -n 1 "$err")"
	[ "$rc" -eq 0 ] || {
		is "$rc" 0 "the cluster can be booted"
		done_testing
	}
}

# suite TEST checks that the test passes, and has tests.
suite()
{
	name=${1##*/}
	run 300 sh "$top_srcdir/$1"
	passed=$(grep -c '^ok ' "$out")
	failed=$(grep -c '^not ok ' "$out")
	is "$rc $failed" "0 0" "$name: $passed passed"
	grep -A 8 '^not ok' "$out" | sed 's/^/# /'
	[ "$passed" -gt 0 ]
	is $? 0 "$name: has tests"
	grep '# SKIP' "$out" | sed 's/^/# /'
}

# fault_in_turn K: in_turn, unless FAULTS=all.
fault_in_turn()
{
	[ "${FAULTS-}" = all ] || in_turn "$1"
}

ctl()
{
	"$vcluster" ctl "$@"
}

# Prints the milliseconds of the fastest of three pings, or nothing.
ping_ms()
{
	busybox ping -c 3 -W 5 "$1" 2>/dev/null |
		sed -n 's|.*min/avg/max = \([0-9]*\).*|\1|p'
}

# perftest PROGRAM OPTION... runs both of its sides on this node; $out is the
# client's output.
perftest()
{
	program=$1
	shift
	"$program" -d rxe0 -x 1 "$@" >"$work/server" 2>&1 &
	server=$!
	wait_for 10 listening 18515
	run 60 "$program" -d rxe0 -x 1 "$@" 10.0.0.1
	kill "$server" 2>/dev/null
	wait "$server" 2>/dev/null
}

listening()
{
	grep -q ":$(printf %04X "$1") 00000000:0000 0A" /proc/net/tcp ||
		grep -q ":$(printf %04X "$1") 0\{32\}:0000 0A" /proc/net/tcp6
}

# ---- the device's own counters and objects ----

hw=/sys/class/infiniband/rxe0/ports/1/hw_counters

# Starts the interval that no_rnr checks.
counters_start()
{
	[ -r $hw/rcvd_rnr_err ] && [ -r $hw/send_rnr_err ]
	is $? 0 "the device counts receiver-not-ready NAKs"
	counters=$(rnr_count)
}

rnr_count()
{
	cat $hw/rcvd_rnr_err $hw/send_rnr_err |
		awk '{ n += $1 } END { print n + 0 }'
}

# no_rnr NAME checks that there was no receiver-not-ready NAK since
# counters_start.
no_rnr()
{
	is "$(rnr_count)" "$counters" "$1"
}

# Prints what processes hold of the device, except the kernel threads' own queue
# pairs.
rdma_objects()
{
	rdma resource show qp | grep 'pid '
	rdma resource show mr
}
