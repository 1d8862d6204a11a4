# SPDX-License-Identifier: Apache-2.0
# two.t tests two machines: network, Slurm, ssh, and faults on command.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
in_cluster -N 2 --netem 'delay 60ms'

# Prints the milliseconds of the fastest of three pings, or nothing.
ping_ms()
{
	busybox ping -c 3 -W 5 "$1" 2>/dev/null |
		sed -n 's|.*min/avg/max = \([0-9]*\).*|\1|p'
}

answers()
{
	busybox ping -c 1 -W 1 node2 >/dev/null 2>&1
}

# both ends delay by 60 ms
ms=$(ping_ms node2)
[ "${ms:-0}" -ge 120 ]
is $? 0 "--netem holds on both nodes (${ms:-no} ms)"
ctl netem 2 off
is $? 0 "ctl netem off"
ms=$(ping_ms node2)
[ "${ms:-999}" -ge 60 ] && [ "$ms" -lt 120 ]
is $? 0 "and now on one ($ms ms)"
ctl netem 1 off
run 10 "$vcluster" ctl netem 1 'loss much'
is "$rc" 1 "a wrong rule is refused"

run 60 srun -N2 hostname
is "$rc $(sort "$out" | tr '\n' ' ')" "0 node1 node2 " "Slurm runs on both"
run 60 ssh node2 'hostname; exit 3'
is "$rc $(cat "$out")" "3 node2" "ssh without questions"

ctl link 1 down
ctl link 1 down
is $? 0 "ctl works while the link of its own node is down"
ibv_devinfo >"$work/down"
like "$work/down" PORT_DOWN "the device sees it"
! answers
is $? 0 "and nothing arrives"
ctl link 1 up
wait_for 20 answers
is $? 0 "link up: it does again"

ctl run 2 sh -c 'echo from 2 >"$OUT/two"'
is "$(cat "$OUT/two")" "from 2" "\$OUT is shared by the nodes"
"$vcluster" ctl run 2 sleep 600 &
waiting=$!
ctl kill 2
is $? 0 "ctl kill"
wait $waiting
is $? 69 "what waits for that node is told"
! answers
is $? 0 "the node is gone"
done_testing
