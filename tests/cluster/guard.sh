#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# guard.sh RUN: takes away what a vcluster has started, whatever has ended the
# script. The script alone holds the other end of our stdin open.
cat >/dev/null
run=$1

# The script marks all that it starts by a variable in their environment.
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
