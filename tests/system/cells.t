# SPDX-License-Identifier: Apache-2.0
# cells.t tests collectives on one-sided operations (cells.c): many in a row,
# several at once, over a provider that misbehaves, inside hierarchies, and when
# a rank dies. CELLS_ROUNDS=N sets how many run in a row.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/cells
fake=$top_builddir/tests/fake/cells_fake
MRT_BARRIER=atomic
export MRT_BARRIER
CASES_TIMEOUT=180
rounds=${CELLS_ROUNDS:-1500}
seeds=30
[ "$TEST_LEVEL" = full ] || rounds=500 seeds=8
[ -z "$SANITIZER" ] || rounds=300 seeds=5

for n in 1 2 3 5 8 9; do
	cases "$n ranks:" "$MRUN" -n "$n" "$program" --rounds "$rounds" \
		--barriers $((rounds * 25)) --seed $((n * 100))
done
cases "by messages of the owner:" env MRT_SM_CMA=no "$MRUN" -n 3 "$program" \
	--rounds 500
for n in 2 3 5; do
	cases "$n ranks, refused and reordered:" "$MRUN" -n "$n" "$fake" \
		--rounds 60 --seed $((n * 1000)) --seeds "$seeds"
done
cases "by messages alone:" env FAKE_PLAIN=1 "$MRUN" -n 3 "$fake" \
	--rounds 60 --seeds "$seeds"

# in one communicator the leaders use cells and the other ranks messages
for inner in fetch_add compare_swap:3 slots; do
	cases "leaders, $inner:" env MRT_COLL_GROUP=2 MRT_COLL_DIRECT=no \
		MRT_BARRIER=hierarchical:atomic \
		MRT_ALLREDUCE=hierarchical:"${inner%:*}" "$MRUN" -n 7 \
		"$top_builddir/tests/unit/coll/run/mixed" 300
done

# a file cannot choose cells for a group: other ranks would take no turn on them
cat >"$work/file" <<X
libmrt-tune 1
allreduce 7 7 0 max hierarchical
allreduce 4 4 0 max fetch_add
X
cases "leaders, by a file:" env MRT_COLL_GROUP=2 MRT_COLL_DIRECT=no \
	MRT_TUNE_FILE="$work/file" "$MRUN" -n 7 \
	"$top_builddir/tests/unit/coll/run/mixed" 300

# a rank dies inside a call; the others wait on their own memory only
for round in 2 50; do
	run 30 "$MRUN" -n 4 "$program" --die $round
	is "$rc" 137 "a rank killed in round $round ends the job"
	like "$err" 'rank 3 .*SIGKILL|signal 9|Killed' "and is named"
done
no_leftovers "nothing is left"
done_testing
