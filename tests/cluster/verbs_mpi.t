# SPDX-License-Identifier: Apache-2.0
# verbs_mpi.t runs the tests of mpi/ that move data on one machine, with
# everything forced through the device.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=800
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs
CASES_TIMEOUT=60
counters_start

found=0
cd "$top_builddir" || exit 99
for program in tests/mpi/ring tests/mpi/p2p_* tests/mpi/request_* \
	tests/mpi/comm_split tests/mpi/comm_parting tests/mpi/coll_* \
	tests/mpi/inter_coll tests/mpi/threads_* tests/mpi/topo_cart \
	tests/mpi/topo_dist tests/mpi/win_*; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	found=$((found + 1))
	cases "${program##*/}:" "$MRUN" -n 3 "$program"
done
for n in 1 2 5; do
	for program in tests/mpi/win_*; do
		[ -f "$program" ] && [ -x "$program" ] || continue
		cases "${program##*/}, $n ranks:" "$MRUN" -n "$n" "$program"
	done
done
[ "$found" -gt 0 ]
is $? 0 "$found programs"
cases "the target calls nothing:" "$MRUN" -n 3 tests/mpi/win_atomics passive
cases "atomics by CPUs:" env MRT_WIN_ATOMICS=cpu "$MRUN" -n 3 \
	tests/mpi/win_atomics
no_leftovers "nothing is left"
no_rnr "no receiver was ever not ready"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
