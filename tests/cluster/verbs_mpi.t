# SPDX-License-Identifier: Apache-2.0
# verbs_mpi.t: one machine, and the tests of mpi/ that move data, with everything
# forced through the device.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=800
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs
CASES_TIMEOUT=60
counters_start

found=0
cd "$top_builddir/tests/mpi" || exit 99
for program in ring p2p_* request_* comm_split comm_parting coll_* inter_coll \
	threads_* topo_cart topo_dist; do
	[ -f "$program" ] && [ -x "$program" ] || continue
	found=$((found + 1))
	cases "$program:" "$MRUN" -n 3 "./$program"
done
[ "$found" -gt 0 ]
is $? 0 "$found programs"
no_leftovers "nothing is left"
no_rnr "no receiver was ever not ready"
is "$(rdma_objects)" "" "no queue pair, no registration is left"
done_testing
