# SPDX-License-Identifier: Apache-2.0
# onesided.t tests the one-sided operations of the shared-memory fabric, with
# each of its ways to copy.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun

# eight ranks beside many busy processes get a CPU once in many milliseconds
CASES_TIMEOUT=150
prog=$top_builddir/tests/system/onesided
for n in 1 2 3 5 8; do
	cases "$n ranks:" "$MRUN" -n "$n" "$prog"
	cases "$n ranks, no CMA:" "$MRUN" -n "$n" -x MRT_SM_CMA=no "$prog"
done
cases "small ring:" "$MRUN" -n 3 -x MRT_SM_CMA=no -x MRT_SM_RING=8K "$prog"

# in user namespaces of their own the kernel really denies CMA to the ranks, and
# the heap of a peer cannot be mapped
cases "memory that changes:" "$MRUN" -n 2 "$top_builddir/tests/system/remap"

if unshare -r true 2>/dev/null; then
	cases "user namespaces:" "$MRUN" -n 3 \
		-x MRT_LOG=info unshare -r "$prog"
	like "$err" 'go through the rings: process_vm_readv of a peer is denied' \
		"user namespaces: and one line says so"
else
	skip "not allowed here" "user namespaces"
fi
done_testing
