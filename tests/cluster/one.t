# SPDX-License-Identifier: Apache-2.0
# one.t checks what a command sees in a machine of its own.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
in_cluster -N 1 --memlock 64

run 20 ibv_devinfo -v
like "$out" 'hca_id:.*rxe0' "there is the device rxe0"
like "$out" 'PORT_ACTIVE' "its port is active"
like "$out" 'GID.*::ffff:10\.0\.0\.1, RoCE v2' "it has an IPv4-mapped RoCE v2 GID"

perftest ib_send_lat -s 8 -n 500
is "$rc" 0 "messages go over it"
like "$out" '^ *8 +500 ' "all of them"

is "$(hostname)" node1 "its name"
is "$(cat /proc/sys/kernel/ostype)" Linux "there is /proc"
is "$(ulimit -l)" 64 "--memlock"
[ -w /dev/shm ] && [ -w /tmp ] && [ -w /run ]
is $? 0 "/dev/shm, /tmp and /run can be written"
touch "$top_builddir/made-in-a-machine"
is $? 0 "as can every folder"

# an orphan that ends is reaped
sh -c 'sleep 0.2 & echo $! >"$0"' "$work/orphan"
orphan_gone()
{
	! kill -0 "$(cat "$work/orphan")" 2>/dev/null
}
wait_for 10 orphan_gone
is $? 0 "orphans are taken care of"

run 20 "$vcluster" ctl run 1 sh -c 'echo "$0"; echo e >&2; exit 9' "it's two  words"
is "$rc $(cat "$out" "$err")" "9 it's two  words
e" "ctl run: output and exit code"
run 20 "$vcluster" ctl kill 2
is "$rc" 64 "ctl: a node that is not there"
run 20 "$vcluster" ctl explode 1
is "$rc" 64 "ctl: no such request"
# Yama's ptrace scope 1: nobody but its parents copies a process's memory,
# unless it permits that
scope=/proc/sys/kernel/yama/ptrace_scope
if [ -w $scope ]; then
	echo 1 >$scope
	chmod 711 "$work"
	chmod 1777 "$work/tmp"
	run 60 setpriv --reuid 65534 --regid 65534 --clear-groups \
		env MRT_LOG=info MRT_FABRIC=sm "$top_builddir/mrun" -n 2 \
		"$top_builddir/mrt-hello"
	is "$rc" 0 "ptrace scope 1: a job of an ordinary user runs"
	unlike "$err" 'process_vm_readv of a peer is denied' \
		"its ranks copy each other's memory"
else
	skip "the kernel has no Yama" "ptrace scope 1"
fi
done_testing
