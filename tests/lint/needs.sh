#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# needs.sh checks that tests name the programs of tests/ that they run by their
# whole path, by which tests/needs.awk finds what to build.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

# Prints paths below the build tree's tests/ that contain a variable or name a
# folder, and tests whose names contain a variable. run.sh runs each program of
# tests/mpi by its name.
lint()
{
	(
		cd "$1" || exit
		find tests -path tests/lint -prune -o -name run.sh -o \
			\( -name '*.t' -o -name '*.sh' \) -print | sort |
			xargs grep -HoE '\$(\{?top_(builddir|srcdir)\}?/)?tests/[^"'\'' ;)]*' |
			while IFS=: read -r file path; do
				folder=tests/${path#*tests/}
				case $path in
				*top_srcdir*\$*.t) ;;
				*top_srcdir*) continue ;;
				*/tests/*\$* | \$tests/*\$*) ;;
				*) [ -d "$folder" ] || continue ;;
				esac
				echo "$file: $path names no program"
			done
	)
}

clean "tests name programs by their whole path"
catches "a variable" tests/a.t <<'E'
"$top_builddir/tests/system/$program" 1
E
catches "a test by a variable" tests/a.t <<'E'
sh "$top_srcdir/tests/system/$1.t"
E
catches "a folder" tests/system/a.sh <<'E'
programs=$top_builddir/tests/system
E
catches "a short name" tests/system/a.t <<'E'
tests=$top_builddir/tests
"$tests/system/${program}_fake"
E

# needs SCRIPT prints what is found in a test with these lines.
needs()
{
	mkdir -p "$work/root/tests"
	cat >"$work/root/tests/a.t"
	echo 'run "$top_builddir/tests/two/c"' >"$work/root/tests/lib.sh"
	awk -v root="$work/root" -v tests="tests/a.t tests/two/d" \
		-v programs="tests/b tests/two/c tests/two/d tests/two/e_1
			tests/two/e.la tests/two/f" \
		-f "$top_srcdir/tests/needs.awk"
}

is "$(needs </dev/null)" "tests/two/d " "a test that is a program needs itself"
is "$(echo '"$top_builddir/tests/b" -n 2' | needs)" "tests/b tests/two/d " \
	"a program that is named"
is "$(echo '. "$top_srcdir/tests/lib.sh"' | needs)" "tests/two/c tests/two/d " \
	"a program that a script of the test names"
is "$(echo 'for p in tests/two/e_*; do' | needs)" "tests/two/d tests/two/e_1 " \
	"programs by a pattern"
is "$(echo 'LD_PRELOAD=$tests/two/.libs/e.so' | needs)" \
	"tests/two/d tests/two/e.la " "a module"
lint_done
