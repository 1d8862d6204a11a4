# SPDX-License-Identifier: Apache-2.0
# verbs_suite.t runs a whole file of the system tests unchanged on one machine,
# with everything forced through the device.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=800
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs TEST_LEVEL=quick

suite tests/system/fatal.t
done_testing
