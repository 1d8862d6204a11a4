# SPDX-License-Identifier: Apache-2.0
# namespaces.sh is the kind of machine that is made of namespaces: network, host
# name, processes, IPC and mounts, all under the host's kernel and on its CPUs.
# It is sourced by vcluster. A bridge in a network of its own is the switch.

machine_needs()
{
	cat <<'X'
ip iproute2
unshare util-linux
X
}

machine_check()
{
	[ "$(id -u)" -eq 0 ] || cannot "namespaces are made by root"
	unshare -n -m sh -c '
		ip link add port type veth peer name cable &&
			ip link add switch type bridge &&
			mount -t tmpfs none /mnt && mkdir /mnt/files /mnt/work &&
			mount -t overlay -o "$0" none /etc
	' lowerdir=/etc,upperdir=/mnt/files,workdir=/mnt/work \
		>"$run/check.log" 2>&1 || {
		cat "$run/check.log" >&2
		cannot "no veth, bridge or overlay in namespaces"
	}
}

machine_prepare()
{
	say "making $nodes node(s)"
	mkfifo "$run/switch.up"
	# it ends with the run, because of its environment (guard.sh)
	unshare -n sh -c '
		ip link add switch type bridge &&
			ip link set switch mtu "$0" up && echo up
		exec sleep infinity >/dev/null
	' "$mtu" >"$run/switch.up" 9>&- 7>&- &
	switch=$!
	read -r _ <"$run/switch.up"
}

# machine_run N becomes node N.
machine_run()
{
	: >"$console.$1"
	export run dir out
	exec unshare -n sh -c '
		echo $$ >"$run/$1.pid"
		ip link add eth0 type veth peer name "port$1" netns "$2" &&
			nsenter -t "$2" -n ip link set "port$1" mtu "$3" \
				master switch up || exit
		exec unshare -m -u -i -p -f --kill-child --mount-proc \
			sh "$dir/namespaces_init.sh" "$@"
	' node "$1" "$switch" "$mtu"
}

machine_link()
{
	nsenter -t "$switch" -n ip link set "port$1" "$2"
}
