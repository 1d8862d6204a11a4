#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# guard.sh RUN removes what a vcluster has started, whatever has ended the
# script. Only the script holds the other end of our stdin open.
cat >/dev/null
run=$1

# Prints the processes that the script has started, which it marks by a variable
# in their environment.
marked()
{
	grep -lazxF "VCLUSTER_RUN=$run" /proc/[0-9]*/environ 2>/dev/null |
		cut -d/ -f3
}

: >"$run/stop"
pids=$(marked)
while [ -n "$pids" ]; do
	kill -9 $pids 2>/dev/null
	pids=$(marked)
done
rm -rf "$run"
