# SPDX-License-Identifier: Apache-2.0
# reduce_parts.t reduces long vectors by messages, which ranks take part by
# part, by each way in which these move inside a node.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/reduce_parts
export MRT_COLL_DIRECT=no

for n in 2 3 5; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program"
	cases "$n ranks, no CMA:" env MRT_SM_CMA=no "$MRUN" -n "$n" "$program"
	cases "$n ranks, CMA:" env MRT_SM_CMA=yes "$MRUN" -n "$n" "$program"
	cases "$n ranks, odd chunks of mapped memory:" \
		env MRT_SM_CHUNK=4100 "$MRUN" -n "$n" "$program" mapped
done
for algorithm in ring recursive_doubling rabenseifner; do
	cases "$algorithm:" env MRT_ALLREDUCE="$algorithm" "$MRUN" -n 4 \
		"$program"
done
no_leftovers "nothing is left"
done_testing
