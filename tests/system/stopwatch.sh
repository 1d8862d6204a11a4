# SPDX-License-Identifier: Apache-2.0
# stopwatch.sh measures how long something takes; lib.sh and launcher_lib.sh
# source it. It starts no process, and none runs inside it.

# Sets $clock: hundredths of a second.
read_clock()
{
	read -r clock rest </proc/uptime
	clock=${clock%.*}${clock#*.}
}

# Sets $short: how many ms so far some process of this machine has waited for a
# CPU; 0 if the kernel does not tell.
read_short()
{
	short=0
	if [ -r /proc/pressure/cpu ]; then
		read -r rest rest rest rest short </proc/pressure/cpu
		short=$((${short#total=} / 1000))
	fi
}

start_watch()
{
	read_short
	watch_short=$short
	read_clock
	watch_clock=$clock
}

# Sets $ms since start_watch, and $short: for how many of these CPUs were short.
stop_watch()
{
	read_clock
	ms=$(((clock - watch_clock) * 10))
	read_short
	short=$((short - watch_short))
}

# in_time MS tells whether what was measured took no longer. On a busy machine
# the time in which CPUs were short does not count, up to three times as much.
in_time()
{
	[ $((ms - (short < 3 * $1 ? short : 3 * $1))) -le "$1" ]
}
