#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# first_day.sh checks that docs/first-day.md tells of every message from between
# the nodes in the words that are printed, and that the fields of mrt-info and the
# variables in it exist.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

command -v python3 >/dev/null || skip_all "no python3"

lint()
{
	python3 "$top_srcdir/tests/lint/first_day.py" "$1"
}

clean "docs/first-day.md agrees with the sources"

catches "a message without a row" runtime/boot/x.c <<'EOF'
int f(void) { return log_error(MRT_ERR_SERVICE, "the launcher (%s) is "
	"tired", g("x")); }
EOF
catches "what a completion means, without a row" runtime/fabric/verbs/x.c <<'EOF'
const char *f(int x) { switch (x) { case 1: return "it has lost its " "mind"; } }
EOF
catches "words that nothing prints" docs/first-day.md <<'EOF'
| words | what it means | what to do |
|---|---|---|
| `the launcher is tired` | | |
EOF
catches "a field that mrt-info lacks" docs/first-day.md <<'EOF'
| field | good | otherwise |
|---|---|---|
| `patience` | much | |
EOF
catches "a field in what it prints" docs/first-day.md <<'EOF'
    limits
      patience               none
EOF
catches "an unknown variable" docs/first-day.md <<'EOF'
`MRT_PATIENCE` is none.
EOF
lint_done
