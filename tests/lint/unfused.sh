#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# unfused.sh checks that no kernel of a reduction fuses a product with a sum,
# for which CPUs compilers may choose instructions as they like: the bits of a
# result must not depend on that, nor on where in a buffer an element is.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

: "${CC:=cc}"
# what is not for the CPU of this build does not compile
options="-O3:-march=haswell -O3:-march=skylake-avx512 -O3:-march=bdver2
	-O3:-march=armv8.3-a -O3:-march=armv8.2-a+sve -O3:-march=armv9-a"
fused='(vfn?m(add|sub)|fn?m(add|sub|l[as]|la)|fcmla)[a-z0-9]*'

# compile ROOT FILE OPTION...
compile()
{
	root=$1
	file=$2
	shift 2
	$CC "$@" -std=gnu11 -D_GNU_SOURCE -w -I"$root" -I"$top_srcdir" \
		-I"$top_srcdir/include" -I"$top_builddir" -S -o - "$file"
}

lint()
{
	for file in "$1"/coll/op/kernels_*.c; do
		compile "$1" "$file" -O2 2>&1 >"$work/asm"
		for option in $options; do
			compile "$1" "$file" $(echo "$option" | tr : ' ') \
				2>/dev/null >>"$work/asm"
		done
		grep -oE "^[[:space:]]+$fused" "$work/asm" | sort -u |
			sed "s|^|$file: |"
	done
}

clean "no kernel of a reduction fuses"
catches "a fused sum" coll/op/kernels_base.c <<'E'
double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
E
catches "a kernel that does not compile" coll/op/kernels_base.c <<'E'
#include "nowhere.h"
E
lint_done
