# SPDX-License-Identifier: Apache-2.0
# guest.sh: the first process of a virtual machine once the host's files are
# there. Brings up the network and rxe0, then runs the jobs that the host asks
# for over a virtio port. Below /run/vcluster is what host and guests share:
# config, env, job/ID.sh and what a job leaves: job/ID.out, .err, .rc.

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
share=/run/vcluster
. $share/config
for word in $(cat /proc/cmdline); do
	case $word in vcluster.node=*) node=${word#*=} ;; esac
done

find_port()
{
	for name in /sys/class/virtio-ports/*/name; do
		[ "$(cat "$name")" = vcluster ] || continue
		name=${name%/name}
		port=/dev/${name##*/}
	done
}

tell()
{
	echo "$node $*" >&3
}

network_up()
{
	ip link set lo up
	ip addr add "10.0.0.$node/24" dev eth0
	ip link set eth0 mtu "$mtu" up
	hostname "node$node"
	{
		echo 127.0.0.1 localhost
		for n in $(seq "$nodes"); do
			echo "10.0.0.$n node$n"
		done
	} >/etc/hosts
}

rdma_up()
{
	rdma link add rxe0 type rxe netdev eth0
}

# A pipe, not a file, is what the job's output is to the job. What a process
# in the background still holds open is not waited for.
run_job()
{
	job=$share/job/$1
	mkfifo "/run/job.$1.out" "/run/job.$1.err"
	cat "/run/job.$1.out" >"$job.out" &
	out_pid=$!
	cat "/run/job.$1.err" >"$job.err" &
	err_pid=$!
	sh "$job.sh" </dev/null >"/run/job.$1.out" 2>"/run/job.$1.err" 3>&-
	job_rc=$?
	(sleep 1; kill $out_pid $err_pid) 2>/dev/null &
	late=$!
	wait $out_pid $err_pid
	kill $late
	rm -f "/run/job.$1.out" "/run/job.$1.err"
	echo $job_rc >"$job.rc.new"
	mv "$job.rc.new" "$job.rc"
	tell done "$1" $job_rc
}

find_port
exec 3<>"$port"
network_up
rdma_up
ulimit -l "$memlock"
tell up
while read -r verb id <&3; do
	case $verb in
	job) run_job "$id" & ;;
	esac
done
echo o >/proc/sysrq-trigger
while :; do sleep 1; done
