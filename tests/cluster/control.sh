# SPDX-License-Identifier: Apache-2.0
# control.sh is vcluster ctl: faults on command. The client, on the host or in a
# machine, leaves its request in share/job/ID.req and tells the script its ID;
# the answer is ID.rc, ID.out and ID.err, as for every job. vcluster sources
# this file, and only this one for the client, because in a machine each file
# and each process costs time.

# ---- the client ----

# Prints ' TEXT' as one word for a shell.
quote()
{
	printf " %s" "$(printf '%s\n' "$1" |
		sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/")"
}

# Prints a command as a script, with the caller's environment and folder.
job_script()
{
	echo '. /run/vcluster/env'
	echo "cd$(quote "$PWD") || exit 70"
	printf exec
	for word in "$@"; do
		quote "$word"
	done
	echo
}

ctl()
{
	case ${1-} in
	-h | --help) usage; exit ;;
	esac
	case $#:$* in
	3:"link "*" up" | 3:"link "*" down" | 3:"netem "* | 2:"kill "*) ;;
	3:"flap "*[0-9]) ;;
	[3-9]:"run "* | [1-9][0-9]*:"run "*) ;;
	*) bad_usage "ctl takes no: $*" ;;
	esac
	ctl_find
	id=$(cd "$share/job" && mktemp ctl.XXXXXX) || exit 70
	job=$share/job/$id
	ctl_request "$@" >"$job.req"
	echo "0 ctl $id" 1<>"$message_to" >&1
	until [ -s "$job.rc" ]; do
		[ -d "$share/job" ] || fail 69 "the cluster is gone"
		sleep 0.05
	done
	cat "$job.out" 2>/dev/null
	cat "$job.err" >&2 2>/dev/null
	exit "$(cat "$job.rc")"
}

# Finds the cluster: a machine has a FIFO to the port; on the host it is the
# newest cluster of this user, or the one that VCLUSTER_RUN names.
ctl_find()
{
	share=/run/vcluster
	if [ -f $share/config ]; then
		message_to=/run/to-host
		return
	fi
	cluster=${VCLUSTER_RUN:-$(ls -dt "${TMPDIR:-/tmp}"/vcluster.*/ \
		2>/dev/null | head -n 1)}
	cluster=${cluster%/}
	[ -p "$cluster/msg" ] || fail 69 "no cluster is running"
	share=$cluster/share
	message_to=$cluster/msg
}

# A command for a machine becomes a job; the script needs to know only where.
ctl_request()
{
	case $1 in
	link | flap | kill)
		echo "$@" ;;
	netem)
		netem_job "$3" >"$job.sh"
		echo "run $2" ;;
	run)
		node=$2
		shift 2
		job_script "$@" >"$job.sh"
		echo "run $node" ;;
	esac
}

netem_job()
{
	case $1 in
	off) echo 'tc qdisc del dev eth0 root 2>/dev/null; exit 0' ;;
	*) echo "exec tc qdisc replace dev eth0 root netem $1" ;;
	esac
}

# ---- the script's side ----

# answer ID CODE [TEXT] writes the answer to a request.
answer()
{
	[ $# -lt 3 ] || echo "vcluster: $3" >"$run/share/job/$1.err"
	echo "$2" >"$run/share/job/$1.rc"
}

# serve_ctl ID carries out a request.
serve_ctl()
{
	what=none
	read -r what n value 2>/dev/null <"$run/share/job/$1.req" || :
	seq "$nodes" | grep -qx -- "$n" || {
		answer "$1" 64 "there is no node '$n'"
		return
	}
	if ! machine_alive "$n"; then
		answer "$1" 69 "node$n is gone"
		return
	fi
	case $what in
	run) tell "$n" job "$1" ;;
	kill)
		killed="$killed $n "
		# its processes must not say farewell
		machine_link "$n" down
		kill -9 "$(cat "$run/$n.pid")"
		killer=$1 ;;
	link)
		machine_link "$n" "$value"
		answer "$1" 0 ;;
	flap)
		# timed here, because in a machine a command takes as long as a
		# fault
		{
			machine_link "$n" down
			sleep "$value"
			machine_link "$n" up
			answer "$1" 0
		} 9>&- 7>&- & ;;
	*) answer "$1" 64 "unknown request" ;;
	esac
}

# machine_gone N answers the requests that wait for machine N.
machine_gone()
{
	for request in "$run"/share/job/*.req; do
		id=$(basename "$request" .req)
		if [ "$(cat "$request" 2>/dev/null)" = "run $1" ] &&
			[ ! -s "$run/share/job/$id.rc" ]; then
			answer "$id" 69 "node$1 is gone"
		fi
	done
	if [ -n "$killer" ]; then
		answer "$killer" 0
		killer=
	fi
}
