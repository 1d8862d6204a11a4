# SPDX-License-Identifier: Apache-2.0
# gather.t sends messages of many pieces: gathered by the fabric, packed, and as
# chosen by the size of the pieces.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/gather
CASES_TIMEOUT=120
rounds=60
[ "$TEST_LEVEL" = full ] || rounds=20
[ -z "$SANITIZER" ] || rounds=8

# gather LABEL NP [VARIABLE=VALUE...] runs the program gather.
gather()
{
	label=$1
	ranks=$2
	shift 2
	cases "$label" env "$@" "$MRUN" -n "$ranks" "$program" \
		--rounds "$rounds" --seed "$ranks"
}

for n in 1 2 3 5; do
	gather "$n ranks:" "$n"
	gather "$n ranks, the fabric gathers:" "$n" MRT_GATHER_MIN=0
	gather "$n ranks, packed:" "$n" MRT_GATHER_MIN=1G
done

run 60 env MRT_STATS=1 MRT_GATHER_MIN=0 "$MRUN" -n 2 "$program" --rounds 0
like "$err" 'gathered bytes +[1-9]' "the fabric gathers where it is asked to"
run 60 env MRT_STATS=1 MRT_GATHER_MIN=1G "$MRUN" -n 2 "$program" --rounds 0
like "$err" 'rendezvous bytes +[1-9]' "where not, a copy is read"
is "$(grep -c 'gathered messages  *[1-9]' "$err")" 0 "and nothing gathered"

if [ "${MRT_FABRIC:-sm}" = sm ]; then
	gather "no CMA:" 3 MRT_GATHER_MIN=0 MRT_SM_CMA=no
	gather "no eager:" 2 MRT_GATHER_MIN=0 MRT_SM_EAGER_MAX=0
fi
no_leftovers "nothing is left"
done_testing
