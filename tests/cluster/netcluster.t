# SPDX-License-Identifier: Apache-2.0
# netcluster.t tests nodes that are namespaces: what each has of its own, network,
# Slurm, ssh, and faults on command.
. "${top_srcdir:?run by make check}/tests/cluster/lib.sh"
in_cluster --namespaces -N 3

answers()
{
	busybox ping -c 1 -W 1 node2 >/dev/null 2>&1
}

silent()
{
	! answers
}

run 60 srun -N3 hostname
is "$rc $(sort "$out" | tr '\n' ' ')" "0 node1 node2 node3 " \
	"Slurm runs on all nodes"
run 60 ssh node2 'hostname; exit 3'
is "$rc $(cat "$out")" "3 node2" "ssh without questions"

# own_folder FOLDER: what a node writes there others do not see.
own_folder()
{
	: >"$1/of-node-1"
	run 20 "$vcluster" ctl run 2 ls "$1"
	is "$rc $(grep -c of-node-1 "$out")" "0 0" "each node has its $1"
}
for folder in /dev/shm /tmp /run /etc; do
	own_folder $folder
done
run 20 "$vcluster" ctl run 2 ps -A -o comm=
is "$(grep -c slurmctld "$out")" 0 "each node has its processes"
is "$(ls /sys/class/net | grep -vc '^bonding_masters$')" 2 \
	"and its network interfaces, in /sys too"
ctl run 2 sh -c 'echo from 2 >"$OUT/two"'
is "$(cat "$OUT/two")" "from 2" "\$OUT is shared by the nodes"

answers
is $? 0 "a node answers"
ctl link 1 down
ctl link 1 down
is $? 0 "ctl works while the link of its own node is down"
is "$(cat /sys/class/net/eth0/carrier)" 0 "the interface sees it"
silent
is $? 0 "and nothing arrives"
ctl link 1 up
wait_for 20 answers
is $? 0 "link up: it does again"
ctl flap 2 0.5
is $? 0 "ctl flap"
wait_for 20 answers
is $? 0 "which is over then"
run 10 "$vcluster" ctl netem 1 'loss much'
is "$rc" 1 "a wrong rule is refused"
run 10 "$vcluster" ctl netem 1 'delay 60ms'
if [ "$rc" -eq 0 ]; then
	ms=$(ping_ms node2)
	[ "${ms:-0}" -ge 60 ]
	is $? 0 "ctl netem delays (${ms:-no} ms)"
	ctl netem 1 off
else
	skip "$(head -n 1 "$err")" "ctl netem delays"
fi
run 20 "$vcluster" ctl link 4 down
is "$rc" 64 "there is no node 4"

"$vcluster" ctl run 2 sleep 600 &
waiting=$!
ctl kill 2
is $? 0 "ctl kill"
wait $waiting
is $? 69 "what waits for that node is told"
silent
is $? 0 "the node is gone"
run 20 "$vcluster" ctl run 3 true
is "$rc" 0 "and the others are there"
done_testing
