#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# streams.t: real jobs do the steps that the simulator walks, with every
# algorithm of every collective, also with two ranks per cache (hierarchies).
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/unit/tools/sim/streams

MRT_COLL_DIRECT=no
export MRT_COLL_DIRECT
for n in 2 3 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
done
for n in 4 8; do
	cases "$n ranks, caches of 2:" env MRT_COLL_GROUP=2 "$MRUN" -n "$n" \
		"$program"
done
no_leftovers "nothing is left"
done_testing
