#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# collectives.t: the mix of collectives (mixed.c) at several numbers of ranks:
# by shared memory, by messages alone, and with every algorithm forced once.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"

mixed=$top_builddir/tests/unit/coll/run/mixed
rounds=1000
[ "$TEST_LEVEL" = quick ] && rounds=200

for n in 1 2 3 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$mixed" "$rounds"
done
# above 16 ranks shared memory goes by a tree
cases "18 ranks:" "$MRUN" -n 18 "$mixed" 100
for n in 2 5 8; do
	MRT_COLL_DIRECT=no
	export MRT_COLL_DIRECT
	cases "$n ranks, messages:" "$MRUN" -n "$n" "$mixed" "$rounds"
	unset MRT_COLL_DIRECT
done

force()
{
	cases "$*:" env "$@" "$MRUN" -n 5 "$mixed" 200
}
force MRT_BARRIER=tree MRT_BCAST=chain MRT_REDUCE=chain MRT_ALLREDUCE=ring
force MRT_BARRIER=dissemination MRT_BCAST=scatter_allgather \
	MRT_REDUCE=rabenseifner MRT_ALLREDUCE=rabenseifner
force MRT_BCAST=binomial MRT_REDUCE=binomial MRT_ALLREDUCE=recursive_doubling

run 20 env MRT_ALLREDUCE=rign "$MRUN" -n 2 "$mixed" 10
is "$rc" 78 "an unknown algorithm is an error of the configuration"
like "$err" 'MRT_ALLREDUCE=rign .*ring' "which lists those there are"

if [ "$TEST_LEVEL" != quick ]; then
	CASES_TIMEOUT=120
	cases "many:" "$MRUN" -n 2 "$mixed" 10 many
fi
no_leftovers "nothing is left behind"
done_testing
