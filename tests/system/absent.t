# SPDX-License-Identifier: Apache-2.0
# absent.t tests copies from and to a rank that is not in the library when the
# other one expects it to help.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/system/absent

# counted COUNTER: whether there were some
counted()
{
	like "$out" "^# $1: [1-9]" "$how: $1"
}

cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
cases "one CPU:" taskset -c "$cpu" "$MRUN" -n 2 "$program"
how="CPUs of their own"
if ! grep -q '^# CMA copies: [1-9]' "$out"; then
	cases "$how:" "$MRUN" -n 2 "$program"
	skip "no process_vm_readv here" "counters"
elif [ "$(nproc)" -lt 2 ]; then
	skip "one CPU" "$how"
else
	like "$out" '^# relayed copies and atomics: 0$' \
		"one CPU: nobody waits for the other's turn"
	cases "$how:" "$MRUN" -n 2 "$program" helped
	counted "CMA copies"
	counted "relayed copies and atomics"
	counted "copies not relayed in time"
fi
done_testing
