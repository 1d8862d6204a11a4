# SPDX-License-Identifier: Apache-2.0
# verbs_suite.t: one machine, and whole files of the system tests as they are,
# with everything forced through the device.
. "${top_srcdir:?run by make check-cluster}/tests/cluster/lib.sh"
CLUSTER_TIMEOUT=800
in_cluster -N 1
need_mrun
export MRT_FABRIC=verbs TEST_LEVEL=quick

# suite NAME: tests/system/NAME.t passes, and has tests.
suite()
{
	run 300 sh "$top_srcdir/tests/system/$1.t"
	passed=$(grep -c '^ok ' "$out")
	failed=$(grep -c '^not ok ' "$out")
	is "$rc $failed" "0 0" "$1.t: $passed passed"
	grep -A 8 '^not ok' "$out" | sed 's/^/# /'
	[ "$passed" -gt 0 ]
	is $? 0 "$1.t: has tests"
	grep '# SKIP' "$out" | sed 's/^/# /'
}

for name in fatal start apps_basic; do
	suite $name
done
done_testing
