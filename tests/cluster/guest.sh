# SPDX-License-Identifier: Apache-2.0
# guest.sh is the first process of a machine once the host's files are there. It
# brings up rxe0 and the services, then runs the jobs that the host names on file
# descriptor 3, a virtio port or a FIFO. /run/vcluster is shared with the host and
# the other machines: config, keys, env, and for each job job/ID.sh, .out, .err,
# and last .rc.

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
share=/run/vcluster
node=$1
. $share/config
. $share/services.sh

tell()
{
	echo "$node $*" 1<>/run/to-host >&1
}

write_hosts()
{
	echo 127.0.0.1 localhost
	n=0
	while [ $n -lt "$nodes" ]; do
		n=$((n + 1))
		echo "10.0.0.$n node$n"
	done
}

# Runs a job as its user, in a child, so that the agent keeps its own limits.
run_script()
{
	if [ "$user" = root ]; then
		exec sh "$1"
	else
		exec setpriv --reuid "$user" --regid "$(id -g "$user")" \
			--init-groups sh "$1"
	fi
}

# The output of a job is a pipe, not a file. A process that the job leaves
# behind with this pipe open gets a second and is not waited for.
run_job()
{
	job=$share/job/$1
	mkfifo -m 666 "/run/job.$1.out" "/run/job.$1.err"
	cat "/run/job.$1.out" >"$job.out" &
	relays=$!
	cat "/run/job.$1.err" >"$job.err" &
	relays="$relays $!"
	(run_script "$job.sh") </dev/null >"/run/job.$1.out" \
		2>"/run/job.$1.err" 3>&-
	job_rc=$?
	(sleep 1; kill $relays) 2>/dev/null &
	late=$!
	wait $relays
	kill $late
	echo $job_rc >"$job.rc"
	tell "done" "$1" $job_rc
}

serve()
{
	tell up
	services_start
	tell ready
	while read -r verb id <&3; do
		case $verb in
		job) run_job "$id" & ;;
		esac
	done
}

if [ "$kind" = qemu ]; then
	set -- /dev/vport*p1
	exec 3<>"$1"
	# the port can be opened only once: others reach the host this way
	mkfifo -m 666 /run/to-host
	cat <>/run/to-host >&3 &
	rdma link add rxe0 type rxe netdev eth0
fi
write_hosts >/etc/hosts
ulimit -l "$memlock"
serve &
# the first process inherits all orphans and must reap them
wait
