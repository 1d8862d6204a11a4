#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run.sh PROGRAM runs a program of tests/mpi/ at several numbers of ranks, and
# then with the slower ways of libmrt. make check runs all its programs through
# this file; programs of other folders just start.
case $1 in
*tests/mpi/*) ;;
*) exec "$@" ;;
esac
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
CASES_TIMEOUT=30
program=$top_builddir/tests/mpi/${1##*/}

ranks='1 2 3 5 8'
[ "$TEST_LEVEL" = full ] || ranks='1 2 5'
for n in $ranks; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
done
no_leftovers "nothing is left"
if [ "$TEST_LEVEL" != full ]; then
	cases "bounce copies, small rings, plans only:" env MRT_SM_CMA=no \
		MRT_SM_RING=8192 MRT_COLL_DIRECT=no "$MRUN" -n 3 "$program"
	done_testing
fi
cases "no eager:" env MRT_SM_EAGER_MAX=0 "$MRUN" -n 3 "$program"
cases "bounce copies, small rings:" env MRT_SM_CMA=no MRT_SM_RING=8192 \
	"$MRUN" -n 3 "$program"
cases "plans only:" env MRT_COLL_DIRECT=no "$MRUN" -n 3 "$program"
cases "sleeping at once:" env MRT_SPIN=0 MRT_SLEEP_US=0 "$MRUN" -n 3 \
	"$program"
done_testing
