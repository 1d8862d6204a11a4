# SPDX-License-Identifier: Apache-2.0
# ofi.t: what other tests run over shared memory runs over libfabric's TCP, with
# everything forced through it; tests/cluster/ofi_nodes.t has several nodes.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
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
like "$err" 'uses libfabric.s .* on lo' "say what they use"
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
done_testing
