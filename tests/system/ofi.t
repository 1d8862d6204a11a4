# SPDX-License-Identifier: Apache-2.0
# ofi.t: what other tests run over shared memory runs over libfabric's TCP: on
# one node with everything forced through it, and between two virtual nodes of
# Slurm, with shared memory inside each.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/slurm_lib.sh"
need_mrun
run 20 "$top_builddir/mrt-info" --json
grep -q '"ofi": "built without"' "$out" && skip_all "built without libfabric"
tests=$top_builddir/tests
CASES_TIMEOUT=120
export MRT_OFI_IFACE=lo

# ---- one node ----

export MRT_FABRIC=ofi
run 60 env MRT_LOG=info "$MRUN" -n 2 "$tests/mpi/ring"
[ "$rc" -ne 69 ] || skip_all "$(tail -n 1 "$err")"
is "$rc" 0 "two ranks"
like "$err" 'uses libfabric.s tcp.* on lo' "say what they use"
cases "api, 3 ranks:" env API_LONGEST=2000000 "$MRUN" -n 3 "$tests/system/api"
cases "api, 1 rank:" env API_LONGEST=2000000 "$MRUN" -n 1 "$tests/system/api"
cases "one-sided, 3 ranks:" "$MRUN" -n 3 "$tests/system/onesided"
cases "collectives, 3 ranks:" "$MRUN" -n 3 "$tests/system/coll" \
	--max-count 100 --in-turn
cases "storm, 4 ranks:" "$MRUN" -n 4 "$tests/system/storm" --messages 2000
cases "threads, 2 ranks:" "$MRUN" -n 2 "$tests/system/threads"
for program in "$tests/mpi/p2p_probe" "$tests/mpi/request_cancel" \
	"$tests/mpi/win_atomics" "$tests/mpi/win_lock" "$tests/mpi/win_move" \
	"$tests/mpi/win_storm"; do
	cases "${program##*/}:" "$MRUN" -n 3 "$program"
done

# ---- what is refused ----

run 30 env MRT_OFI_PROVIDER=nosuch "$MRUN" -n 2 "$tests/mpi/ring"
is "$rc" 69 "an unknown provider ends the job"
like "$err" 'MRT_OFI_PROVIDER and MRT_OFI_IFACE allow' "and says why"
run 30 env MRT_OFI_IFACE=nosuch "$MRUN" -n 2 "$tests/mpi/ring"
is "$rc" 69 "as an unknown interface does"
unset MRT_FABRIC

# ---- two nodes ----

missing=$(slurm_missing)
if [ -n "$missing" ]; then
	skip "not installed: $missing" "two nodes"
	done_testing
fi
trap 'slurm_stop; rm -rf "$work"' EXIT
slurm_start
is $? 0 "Slurm comes up with two nodes"
export MRT_OFI_PROVIDER=tcp
run 60 env MRT_STATS=1 srun --mpi=pmix -N2 -n4 "$tests/system/storm" \
	--messages 2000
is "$rc" 0 "two nodes: a storm"
like "$err" '^ *ofi *messages sent' "goes by libfabric between them"
like "$err" '^ *sm ' "and by shared memory inside them"
cases "two nodes, api:" srun --mpi=pmix -N2 -n4 env API_LONGEST=2000000 \
	"$tests/system/api"
cases "two nodes, collectives:" srun --mpi=pmix -N2 -n4 "$tests/system/coll" \
	--max-count 100 --in-turn
cases "two nodes, windows:" srun --mpi=pmix -N2 -n4 "$tests/mpi/win_storm"
run 60 srun --mpi=pmix -N2 -n4 "$tests/system/fatal" bad_rank
is "$rc" 64 "two nodes: an error ends the job with its code"
unset MRT_OFI_PROVIDER
run 60 srun --mpi=pmix -N2 -n2 "$tests/mpi/ring"
is "$((rc != 0 && rc != 124))" 1 "two nodes without it, and without a device"
like "$err" 'MRT_OFI_PROVIDER=tcp' "are told of it"
slurm_settle
done_testing
