# SPDX-License-Identifier: Apache-2.0
# fault_storm.t: failures and deaths over a provider that misbehaves according
# to a seed. Operations whose failure can be reported fail by the hundred, and
# everything else goes on; a failure that could be reported to nobody ends the
# job, within seconds, with its code and a name.
#   FAULT_SEEDS=N sets the number of seeds for each kind of storm
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
storm=$top_builddir/tests/fake/fault_storm
CASES_TIMEOUT=280
seeds=${FAULT_SEEDS:-100}
[ "$TEST_LEVEL" = full ] || seeds=${FAULT_SEEDS:-30}
[ -z "$SANITIZER" ] || seeds=${FAULT_SEEDS:-10}

storm()
{
	name=$1
	np=$2
	first=$3
	shift 3
	cases "$name, $np ranks:" env "$@" "$MRUN" -n "$np" "$storm" \
		--seed "$first" --seeds "$seeds"
	grep '^# ' "$out" || :
}

storm "failures" 2 100000 MRT_LOG=error
storm "failures" 3 200000 MRT_LOG=error
storm "failures" 5 300000 MRT_LOG=error
storm "failures, by messages alone" 3 400000 FAKE_PLAIN=1
storm "failures, by messages alone" 5 500000 FAKE_PLAIN=1
storm "failures, all by plans" 4 600000 MRT_COLL_DIRECT=no
storm "failures, bounce copies" 3 700000 MRT_SM_CMA=no
storm "failures, gathered" 3 800000 MRT_GATHER_MIN=0

# ends CODE ERE NAME CMD... checks that the job ends soon, says why and leaves
# nothing.
ends()
{
	code=$1
	text=$2
	name=$3
	shift 3
	run 30 "$@"
	is "$rc" "$code" "$name: exit code"
	like "$err" "$text" "$name: says who"
	within 10000 "$name"
	no_leftovers "$name: nothing is left"
}

died='MRT_ERR_PEER: .*rank [0-9]+ has died'
for mode in "" --fatal; do
	for n in 1 3 10 40 150; do
		ends 75 "$died" "death at operation $n ${mode:-, errors returned}" \
			"$MRUN" -n 3 "$storm" --die "$n" --seeds 50 $mode
	done
	ends 75 "$died" "death in finalize ${mode:-, errors returned}" \
		env FAKE_PLAIN=1 "$MRUN" -n 3 "$storm" --die 2 --final $mode
done
ends 75 "$died" "death at a read" env MRT_COLL_DIRECT=no \
	"$MRUN" -n 3 "$storm" --die 25 --seeds 50
ends 71 'rank [0-9]+ cannot be answered' "answers that fail" \
	"$MRUN" -n 3 "$storm" --break answers --seeds 200
ends 71 'one-sided collective: rank [0-9]+ cannot be reached' \
	"atomics that fail" env MRT_COLL_DIRECT=no MRT_BARRIER=atomic \
	"$MRUN" -n 3 "$storm" --break acts --seeds 200
ends 71 'cannot agree on a new one' "communicators that fail" \
	env FAKE_PLAIN=1 "$MRUN" -n 3 "$storm" --break communicators \
	--seeds 200
done_testing
