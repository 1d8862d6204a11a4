# SPDX-License-Identifier: Apache-2.0
# ofi_suite.t runs what other tests run inside a node over TCP between four: the
# programs of tests/mpi that move data, as many ranks as nodes but one, and the
# Fortran kernels, which are compiled into a folder that all nodes have.
[ -z "${VCLUSTER_NODES-}" ] || export TMPDIR="$OUT"
. "${top_srcdir:?run by make check}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=600
in_cluster --namespaces -N 4
need_mrun
unset MRT_OFI_PROVIDER
export TEST_LEVEL=quick
CASES_TIMEOUT=60
run 20 "$top_builddir/mrt-info" --json
grep -q '"ofi": "built without"' "$out" && skip_all "built without libfabric"

cd "$top_builddir" || exit 99
run 60 env MRT_LOG=info "$MRUN" -n 3 tests/mpi/ring
is "$rc $(grep -c "uses libfabric's .* on eth0" "$err")" "0 3" \
	"three nodes are joined by TCP"
for program in tests/mpi/p2p_* tests/mpi/request_* tests/mpi/comm_split \
	tests/mpi/comm_parting tests/mpi/coll_* tests/mpi/inter_coll \
	tests/mpi/file_blocks tests/mpi/file_move tests/mpi/file_object \
	tests/mpi/threads_* tests/mpi/topo_cart tests/mpi/topo_dist \
	tests/mpi/win_*; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	cases "${program##*/}:" "$MRUN" -n 3 "$program"
done
cases "two ranks on a node:" "$MRUN" -n 8 tests/system/coll_all --rounds 2
suite tests/fortran/kernels.t
done_testing
