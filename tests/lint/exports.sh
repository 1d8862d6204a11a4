#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# exports.sh checks that libmrt.so exports the functions of mrt.h and mrt_lib.h
# and nothing else.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

have nm || skip_all "nm is not installed"
lib=$top_builddir/.libs/libmrt.so
[ -e "$lib" ] || skip_all "no shared libmrt was built"

# Prints the names of the functions that headers declare.
declared()
{
	cat "$@" | tr '\n' ' ' | sed -E 's|/\*([^*]\|\*[^/])*\*/||g' |
		grep -oE '\bmrt_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u
}

exported()
{
	nm -D --defined-only "$1" | awk '{ print $NF }' | sed 's/@.*//' | sort -u
}

# compare LIBRARY HEADER...
compare()
{
	exported "$1" | grep -vE '^(__asan|__ubsan|__tsan|_init$|_fini$)' \
		>"$work/exported"
	shift
	declared "$@" >"$work/declared"
	comm -13 "$work/declared" "$work/exported" |
		sed 's/$/: exported, but in no public header/'
	comm -23 "$work/declared" "$work/exported" |
		sed 's/$/: declared, but not exported/'
}

compare "$lib" "$top_srcdir"/include/*.h >"$work/found"
if [ -s "$work/found" ]; then
	not_ok "exports are the functions of mrt.h and mrt_lib.h"
	sed 's/^/# /' "$work/found"
else
	ok "exports are the functions of mrt.h and mrt_lib.h"
fi

cat >"$work/bad.c" <<'X'
int mrt_good(void), helper(void);
int mrt_good(void) { return 0; }
int helper(void) { return 0; }
X
echo 'int mrt_good(void); int mrt_missing(void);' >"$work/bad.h"
if ${CC:-cc} -shared -fPIC -o "$work/bad.so" "$work/bad.c"; then
	is "$(compare "$work/bad.so" "$work/bad.h" | wc -l)" 2 \
		"self-test: one too many, one missing"
else
	skip "the compiler makes no shared library" "self-test"
fi
lint_done
