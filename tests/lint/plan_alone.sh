#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plan_alone.sh checks that coll/plan and coll/prove, with runtime/base below
# them, need no header of PMIx, hwloc or verbs, so that they can be taken
# elsewhere as they are.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

: "${CC:=cc}"

# Prints the headers of PMIx, hwloc and verbs that a source reads, directly or
# not.
lint()
{
	for source in $(c_files "$1" coll/plan coll/prove runtime/base |
		grep '\.c$'); do
		$CC -std=gnu11 -D_GNU_SOURCE -M -I"$1" -I"$top_srcdir" \
			-I"$top_srcdir/include" -I"$top_builddir" \
			$LINT_CPPFLAGS "$1/$source" 2>&1 |
			grep -oE '[^ ]*(pmix|hwloc|infiniband)[^ ]*|.*error:.*' |
			sed "s|^|$source reads |"
	done
}

clean "plans and prover read no header of PMIx, hwloc or verbs"
catches "hwloc below an algorithm" coll/plan/a.c <<'X'
#include <hwloc.h>
X
catches "PMIx by way of another header" coll/prove/b.c <<'X'
#include "runtime/boot/boot_events.h"
#include <pmix.h>
X
lint_done
