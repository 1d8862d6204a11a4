# SPDX-License-Identifier: Apache-2.0
# verbs_suite.t runs whole files of the system tests unchanged on one machine,
# with everything forced through the device.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=800
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs TEST_LEVEL=quick

# suite TEST checks that the test passes, and has tests.
suite()
{
	name=${1##*/}
	run 300 sh "$top_srcdir/$1"
	passed=$(grep -c '^ok ' "$out")
	failed=$(grep -c '^not ok ' "$out")
	is "$rc $failed" "0 0" "$name: $passed passed"
	grep -A 8 '^not ok' "$out" | sed 's/^/# /'
	[ "$passed" -gt 0 ]
	is $? 0 "$name: has tests"
	grep '# SKIP' "$out" | sed 's/^/# /'
}

for test in tests/system/fatal.t tests/system/start.t \
	tests/system/apps_basic.t; do
	suite $test
done
done_testing
