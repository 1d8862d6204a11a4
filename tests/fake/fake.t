# SPDX-License-Identifier: Apache-2.0
# fake.t runs message storms over a provider that reorders, delays, refuses and
# fails according to a seed. FAKE_SEEDS=N sets how many seeds each number of
# ranks tries.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/algorithms.sh"
need_mrun
storm=$top_builddir/tests/fake/storm_fake
CASES_TIMEOUT=250
seeds=${FAKE_SEEDS:-120}
[ "$TEST_LEVEL" = full ] || seeds=${FAKE_SEEDS:-40}
[ -z "$SANITIZER" ] || seeds=${FAKE_SEEDS:-15}

for n in 1 2 3 5; do
	cases "$n ranks:" "$MRUN" -n "$n" "$storm" --messages 400 \
		--seed $((n * 1000)) --seeds "$seeds" --max 300000
done
cases "by messages alone:" env FAKE_PLAIN=1 "$MRUN" -n 3 "$storm" \
	--messages 400 --seed 10000 --seeds "$seeds" --max 300000
cases "bounce copies:" env MRT_SM_CMA=no "$MRUN" -n 3 "$storm" \
	--messages 400 --seed 20000 --seeds "$seeds" --max 300000
for min in 0 1K 1G; do
	for n in 1 2 3 5; do
		cases "gather, $n ranks, from $min:" env MRT_GATHER_MIN="$min" \
			"$MRUN" -n "$n" "$top_builddir/tests/fake/gather_fake" \
			--rounds 4 --seed $((n * 1000)) --seeds $((seeds / 10))
	done
done
# windows of memory that the kernel copies, and with the calls of a NIC alone
for plain in '' 1; do
	cases "windows${plain:+, by messages alone}:" env \
		${plain:+FAKE_PLAIN=1} "$MRUN" -n 3 \
		"$top_builddir/tests/fake/win_fake" denied
done
# every algorithm of every collective, while messages of different ranks
# overtake each other
collectives=$("$top_builddir/tests/system/coll_all" --list)
coll=$top_builddir/tests/fake/coll_fake
for n in 2 3 5; do
	cases "collectives, $n ranks:" "$MRUN" -n "$n" "$coll" --seed "$n" \
		--rounds "$((seeds / 4))"
done
for collective in $collectives; do
	algorithms_of "$collective"
done
k=1
while algorithms_take "$k"; do
	diag "algorithms $k:$forced"
	# shellcheck disable=SC2086 # a list
	cases "algorithms $k:" env MRT_COLL_DIRECT=no $forced "$MRUN" -n 5 \
		"$coll" --only "$having" --rounds "$((seeds / 4))"
	k=$((k + 1))
done
cases "faults:" "$MRUN" -n 2 "$top_builddir/tests/fake/faults"
run 20 "$MRUN" -n 2 "$top_builddir/tests/fake/faults" death
is "$rc" 75 "a dead peer ends the job"
like "$err" 'MRT_ERR_PEER: .*rank [01] has died' "and is named"
no_leftovers "nothing is left"
done_testing
