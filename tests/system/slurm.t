# SPDX-License-Identifier: Apache-2.0
# slurm.t runs our programs under srun --mpi=pmix, on one and on two virtual
# nodes.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
. "$top_srcdir/tests/system/slurm_lib.sh"
missing=$(slurm_missing)
[ -z "$missing" ] || skip_all "not installed:" $missing
CASES_TIMEOUT=60

trap 'slurm_stop; rm -rf "$work"' EXIT
if ! slurm_start; then
	not_ok "Slurm comes up"
	slurm_logs
	done_testing
fi
ok "Slurm comes up with two nodes"

cases "one node, 4 ranks:" srun --mpi=pmix -N1 -n4 \
	"$top_builddir/tests/system/storm" --messages 5000
cases "one node, 3 ranks:" srun --mpi=pmix -N1 -n3 \
	"$top_builddir/tests/system/api"
cases "one node, 1 rank:" srun --mpi=pmix -N1 -n1 \
	"$top_builddir/tests/system/api"

run 60 env MRT_STATS=1 srun --mpi=pmix -N1 -n3 \
	"$top_builddir/tests/system/pattern" 1 0 0
like "$err" 'counters of 3 ranks' "Slurm: the counters"
is "$(grep -c 'launcher requests' "$err")" 0 "no rank asks PMIx"

run 60 srun --mpi=pmix -N1 -n3 "$top_builddir/tests/system/fatal" bad_rank
is "$rc" 64 "an error ends the job with its code"
like "$err" 'MRT_ERR_RANK' "and says why"

# the same by PMI, which Slurm's plugin for PMI-2 speaks in both versions
cases "PMI, 8 ranks:" srun --mpi=pmi2 -N1 -n8 -O "$top_builddir/tests/system/api"
cases "PMI, 1 rank:" srun --mpi=pmi2 -N1 -n1 "$top_builddir/tests/system/api"
run 60 srun --mpi=pmi2 -N1 -n3 "$top_builddir/tests/system/fatal" bad_rank
is "$((rc != 0 && rc != 124))" 1 "PMI: an error ends the job ($rc)"
like "$err" 'MRT_ERR_RANK' "PMI: and says why"
slurm_settle
run 60 srun --mpi=pmi2 -K -N1 -n3 "$top_builddir/tests/system/fatal" killed
is "$((rc != 0 && rc != 124))" 1 "PMI: a rank that is killed ends the job ($rc)"
slurm_settle
run 60 env MRT_OFI_PROVIDER=none srun --mpi=pmi2 -N2 -n4 \
	"$top_builddir/tests/system/fatal" none
is "$((rc != 0 && rc != 124))" 1 "PMI: two nodes without an RDMA device ($rc)"
like "$err" 'MRT_ERR_NO_FABRIC: .* 4 ranks on 2 node' "PMI: and the nodes"
slurm_settle
run 60 srun --mpi=none -N1 -n3 "$top_builddir/tests/system/fatal" none
is "$rc $(grep -c 'this is a job of one rank' "$err")" "0 1" \
	"neither PMIx nor PMI: one warning"
slurm_settle

# of a node's ranks one warns for all, and says who does what
slurm_settle
run 60 env MRT_HANG_WARN=2 MRT_HANG_TIMEOUT=3 srun --mpi=pmix -N1 -n16 -O \
	"$top_builddir/tests/system/hang" many
is "$((rc != 0))" 1 "MRT_HANG_TIMEOUT ends a job under srun"
is "$(grep -c 'the ranks of this node:' "$err")" 1 "one rank warns"
waited='warning: 14 ranks \(0-6,8-12,14-15\) have waited for'
like "$err" "^libmrt\[0/16 .*$waited .* in mrt_barrier of 16 ranks: " \
	"of those in the same call"
like "$err" 'warning: rank 7 .*has waited for .* a message from rank 13' \
	"of the odd one"
like "$err" 'warning: rank 13 .*does not wait in libmrt' \
	"and of the one that is to blame"

slurm_settle
# shared memory does not reach the other node, and the error must say so
run 60 env MRT_OFI_PROVIDER=none srun --mpi=pmix -N2 -n4 \
	"$top_builddir/tests/system/fatal" none
is "$rc" 69 "two nodes without an RDMA device: exit code"
like "$err" 'MRT_ERR_NO_FABRIC: .*(RDMA|verbs)' "and what is missing"
like "$err" 'MRT_ERR_NO_FABRIC: .*n1|n\[1-2\]' "and which nodes"
done_testing
