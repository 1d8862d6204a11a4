# SPDX-License-Identifier: Apache-2.0
# soak.t runs the soak for a few seconds, alone and with threads, and with a
# leak that it must detect. make soak is the long form.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/soak/soak
rounds=40
[ "$TEST_LEVEL" = full ] || rounds=8
[ -z "$SANITIZER" ] || rounds=4
seed=${SOAK_SEED:-$(date +%s)}

# soaks NAME ROUNDS ENV... MRUN... [OPTION...]
soaks()
{
	name=$1 k=$2
	shift 2
	run 120 env "$@" --rounds "$k" --seed "$seed" --max 30000 --stall 100
	is "$rc" 0 "$name: $k rounds with seed $seed"
	like "$out" "^good: $k rounds" "$name: nothing grows"
	no_leftovers "$name: nothing is left"
}

soaks "3 ranks" $((2 * rounds)) "$MRUN" -n 3 "$program"
soaks "2 ranks, no CMA, small rings" "$rounds" MRT_SM_CMA=no MRT_SM_RING=8192 \
	"$MRUN" -n 2 "$program"
soaks "5 ranks, plans" $((rounds / 2)) MRT_COLL_DIRECT=no "$MRUN" -n 5 "$program"
soaks "3 ranks, 3 threads" $((rounds / 4)) "$MRUN" -n 3 "$program" --threads 3

if [ -n "$SANITIZER" ]; then
	skip "sanitizers have an allocator of their own" "a leak is found"
else
	run 60 "$MRUN" -n 2 "$program" --rounds 40 --ops 2 --leak 131072
	is "$rc" 1 "what grows by 128 KiB a round is found"
	like "$out" 'heap in use KiB.* GROWS' "and named"
fi
done_testing
