# SPDX-License-Identifier: Apache-2.0
# huge_job.t: what a rank keeps in memory where the job is large, of which the
# other ranks are made up. Between the nodes is libfabric's TCP.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -z "$SANITIZER" ] || skip_all "the memory is the sanitizer's"
run 20 "$top_builddir/mrt-info" --json
grep -q '"ofi": "built without"' "$out" && skip_all "built without libfabric"
export MRT_OFI_IFACE=lo
run 60 "$top_builddir/tests/system/huge_job" 2 16 128 1024
grep '^#' "$out"
is "$rc" 0 "at most 4 MiB and 16 bytes for each rank, with a window 96"
is "$(grep -c '^# .* KiB$' "$out")" 4 "of four jobs"
is "$(grep -c '; keeps 0$' "$out")" 4 "libfabric keeps all connections"
done_testing
