#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# format.sh checks that sources are formatted as .clang-format says. Tables
# whose columns carry meaning stand between "clang-format off" and "on".
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

# Each version formats a little differently; this is the one that decides.
version=14
formatter=clang-format-$version
command -v "$formatter" >/dev/null || formatter=clang-format
"$formatter" --version 2>/dev/null | grep -q "version $version\." ||
	skip_all "needs clang-format $version (apt-get install clang-format-$version)"

lint()
{
	(
		cd "$1" || exit
		c_files . include $source_folders tests | xargs -r "$formatter" \
			--style="file:$top_srcdir/.clang-format" --dry-run 2>&1 |
			grep 'warning:'
	)
}

clean "sources are formatted"
catches "two statements on a line" p2p/a.c <<'X'
/* SPDX-License-Identifier: Apache-2.0 */
int a;  int b;
X
lint_done
