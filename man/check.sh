#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh: the manual agrees with the code: prototypes, values, examples,
# error codes, variables, links. TAP; run by make check.
top=${top_srcdir:-${srcdir:-$(dirname "$0")/..}}
man=$top/man
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
tests=0
failed=0

# result NAME: the test has passed if $work/found is empty.
result()
{
	tests=$((tests + 1))
	if [ -s "$work/found" ]; then
		failed=1
		echo "not ok $tests - $1"
		sed 's/^/# /' "$work/found"
	else
		echo "ok $tests - $1"
	fi
}

# compile FILE: what the compiler says about it.
compile()
{
	${CC:-cc} -std=gnu11 -fsyntax-only -Wall -Wextra -Werror \
		-I "$top/include" "$1" 2>&1
}

# The SYNOPSIS of a page as C declarations.
prototypes()
{
	awk '
	/^\.Sh / { on = $2 == "SYNOPSIS" }
	!on { next }
	/^\.Ft / { sub(/^\.Ft /, ""); gsub(/"/, ""); printf "%s ", $0 }
	/^\.Fn / { print $2 "(" $3 ");" }
	/^\.Fo / { printf "%s(", $2; comma = "" }
	/^\.Fa / { split($0, part, "\""); printf "%s%s", comma, part[2]
		   comma = ", " }
	/^\.Fc/ { print ");" }' "$1"
}

# misplaced PAGE [HEADER]: functions of the SYNOPSIS that the header named above
# them does not declare. HEADER stands in for all that are named.
misplaced()
{
	awk '
	/^\.Sh / { on = $2 == "SYNOPSIS" }
	on && /^\.In / { header = $2 }
	on && /^\.F[no] mrt_/ { print header, $2 }' "$1" |
	while read -r header name; do
		grep -qE "^(MRT_NORETURN_ )?[a-z].*\b$name\(" "$top/include/${2:-$header}" ||
			echo "${1##*/}: $header does not declare $name"
	done
}

# Asserts for list items such as `Dv MRT_IDENT No (0)` and, in the list of
# error codes, `Dv MRT_ERR_ARG` with the next line `\-1, exit 64: ...`.
values()
{
	awk '
	function claim(name, value) {
		gsub(/[\\(),:]/, "", value)
		print "_Static_assert(" name " == " value ", \"" name "\");"
	}
	item != "" && /^\\?-?[0-9]+[,:] / { claim(item, $1) }
	{ item = "" }
	/^\.It Dv MRT_[A-Z_]+ No \([0-9]+\)$/ { claim($3, $5) }
	/^\.It Dv MRT_[A-Z_]+$/ { item = $3 }' "$1"
}

# Writes each literal block of EXAMPLES that is C to $work/example.N.c.
examples()
{
	rm -f "$work"/example.*
	awk -v out="$work/example" '
	/^\.Sh / { on = $2 == "EXAMPLES" }
	/^\.Ed/ { file = "" }
	file != "" {
		gsub(/\\\(aq/, "\047"); gsub(/\\\(ha/, "^")
		gsub(/\\\(ti/, "~"); gsub(/\\\(ga/, "`")
		gsub(/\\&/, ""); gsub(/\\-/, "-"); gsub(/\\e/, "\\")
		print > file
	}
	on && /^\.Bd -literal/ { n++; file = out "." n ".c" }' "$1"
}

# Code and exit code of each error: from error.h and error.c, from the page.
errors_of_code()
{
	awk '
	/^\tEXIT_[A-Z]+ = / { sub(/,/, "", $3); number[$1] = $3 }
	/^    ROW\(/ {
		sub(/^    ROW\(/, ""); split($0, part, ", *")
		if (part[2] != 0)
			print part[1], number[part[2]]
	}' "$top/runtime/base/error.h" "$top/runtime/base/error.c" | sort
}

errors_of_page()
{
	sed -n '/^\.It Dv MRT_ERR_/{s/^\.It Dv //;N
		s/\n.*, exit \([0-9]*\):.*/ \1/p;}' "$man/mrt_error_string.3" |
		sort
}

pages=$(ls "$man"/*.[37])

for p in $pages; do
	{ echo '#include <mrt_lib.h>'; prototypes "$p"; values "$p"; } \
		>"$work/page.c"
	compile "$work/page.c" | sed "s|^|${p##*/}: |"
done >"$work/found"
result "prototypes and values are those of the headers"

printf '#include <mrt.h>\nint mrt_barrier(void);\n' >"$work/page.c"
compile "$work/page.c" >"$work/broken"
[ -s "$work/broken" ] || echo "it passed" >"$work/found"
result "self-test: a wrong prototype is found"

for p in $pages; do
	misplaced "$p"
done >"$work/found"
result "each SYNOPSIS names the header of each function"

misplaced "$man/mrt_wait.3" mrt.h >"$work/misplaced"
[ "$(wc -l <"$work/misplaced")" = 2 ] || echo "mrt_waitsome and mrt_testsome" \
	>"$work/found"
result "self-test: a function of the other header is found"

for p in $pages; do
	examples "$p"
	case $p in *.3)
		[ -e "$work/example.1.c" ] || echo "${p##*/}: no example" ;;
	esac
	for c in "$work"/example.*.c; do
		[ -e "$c" ] && ! grep -q '^\$ ' "$c" || continue
		compile "$c" | sed "s|^|${p##*/}: |"
	done
done >"$work/found"
result "examples compile"

errors_of_code >"$work/code"
errors_of_page >"$work/page"
{ [ -s "$work/code" ] || echo "nothing read from error.c"
  diff "$work/code" "$work/page"; } >"$work/found"
result "error codes and exit codes are those of error.c"

awk -f "$man/mrt-env.awk" "$top/runtime/base/fabrics.h" \
	"$top/runtime/base/env_defs.h" "$man/mrt-env.7.in" >"$work/mrt-env.7" 2>"$work/found"
grep -o '"MRT_[A-Z0-9_]*"' "$top/runtime/base/env_defs.h" | tr -d '"' |
	sort >"$work/code"
sed -n 's/^\.It Ev //p' "$work/mrt-env.7" | sort >"$work/page"
diff "$work/code" "$work/page" >>"$work/found"
if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$work/mrt-env.7" >>"$work/found" 2>&1
fi
result "mrt-env(7) has every variable"

echo 'ENV_INT(a, "MRT_A", 1)' >"$work/bad.h"
: >"$work/found"
awk -f "$man/mrt-env.awk" "$work/bad.h" "$man/mrt-env.7.in" \
	>/dev/null 2>&1 && echo "it passed" >"$work/found"
result "self-test: a row that cannot be read is an error"

{
	for p in $pages; do
		echo "${p##*/}"
	done >"$work/names"
	awk -f "$man/links.awk" $pages >"$work/links"
	sed 's/ .*//' "$work/links" | sort - "$work/names" >"$work/all"
	uniq -d "$work/all" | sed 's/$/: more than one page has this name/'
	sed -n 's/^\.Xr \(mrt_[a-z_]*\) 3.*/\1.3/p' $pages | sort -u |
		comm -13 "$work/all" - | sed 's/^/no page for .Xr /'
	for p in "$man"/*.[1-7]; do
		grep -qw "man/${p##*/}" "$man/Makefile.inc" \
			"$man"/../apps/Makefile.inc \
			"$man"/../tools/*/Makefile.inc ||
			echo "${p##*/} is not in Makefile.inc"
	done
} >"$work/found" 2>&1
result "every page is installed, and each name has one"

echo "1..$tests"
exit $failed
