# SPDX-License-Identifier: Apache-2.0
# types.t sends messages of random types: gathered, packed, and over a provider
# that misbehaves; and types in memory that packing alone can reach.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/types
fake=$top_builddir/tests/fake/types_fake
CASES_TIMEOUT=120
rounds=200
[ "$TEST_LEVEL" = full ] || rounds=60
[ -z "$SANITIZER" ] || rounds=30

# types LABEL NP [VARIABLE=VALUE...] runs the program types.
types()
{
	label=$1
	ranks=$2
	shift 2
	cases "$label" env "$@" "$MRUN" -n "$ranks" "$program" \
		--rounds "$rounds" --seed "$ranks"
}

for n in 1 2 3 5; do
	types "$n ranks:" "$n"
done
types "the fabric gathers:" 3 MRT_GATHER_MIN=0
types "packed:" 3 MRT_GATHER_MIN=1G
cases "a provider that misbehaves:" "$MRUN" -n 3 "$fake" --rounds 10 \
	--seeds $((rounds / 10))
cases "and gathers:" env MRT_GATHER_MIN=0 "$MRUN" -n 3 "$fake" --rounds 10 \
	--seeds $((rounds / 10))
if [ "${MRT_FABRIC:-sm}" = sm ]; then
	types "no CMA:" 2 MRT_SM_CMA=no
	types "no eager:" 2 MRT_SM_EAGER_MAX=0
fi
for way in MRT_SM_CMA=yes MRT_SM_CMA=no MRT_SM_EAGER_MAX=0; do
	cases "packed alone, $way:" env "$way" "$MRUN" -n 3 \
		"$top_builddir/tests/system/apart"
done
no_leftovers "nothing is left"
done_testing
