#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# style.sh: what a formatter does not see: licence line, length of lines and
# files, trailing space, promises left in the code.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

max_columns=100
max_lines=500
# the headers of a user: lists of declarations
max_lines_header=1500
open_ends='TO''DO|FIX''ME|XX''X'

all_files()
{
	c_files "$1" include $source_folders tests
	(cd "$1" && find . \( -path './build*' -o -path './.git' -o \
		-path './libmrt-*' -o -path './autom4te.cache' \) -prune -o \
		-type f \( -name '*.sh' -o -name '*.t' -o -name quickstart \) \
		-print | sed 's|^\./||' | sort)
}

lint()
{
	all_files "$1" >"$work/files"
	while IFS= read -r file; do
		most=$max_lines
		case $file in
		include/mrt.h | mpi/mpi.h | mpi/mpi_functions.h)
			most=$max_lines_header ;;
		esac
		head -n 3 "$1/$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
			echo "$file: no SPDX line at its head"
		expand -t 8 "$1/$file" | awk -v f="$file" -v max=$max_columns \
			-v most="$most" '
			length($0) > max {
				print f ":" NR ": " length($0) " columns"
			}
			/[ \t]$/ { print f ":" NR ": space at the end" }
			END {
				if (NR > most)
					print f ": " NR " lines, at most " most
			}'
		grep -nE "\\b($open_ends)\\b" "$1/$file" | sed "s|^|$file:|"
	done <"$work/files"
}

clean "licence, lengths, no open ends"
catches "no licence" p2p/a.c <<'X'
int a;
X
{
	echo '/* SPDX-License-Identifier: Apache-2.0 */'
	printf '/* %0120d */\n' 0
} >"$work/wide"
catches "a wide line" p2p/a.c <"$work/wide"
{
	echo '/* SPDX-License-Identifier: Apache-2.0 */'
	yes '' | head -n 600
} >"$work/long"
catches "a long file" p2p/a.c <"$work/long"
{
	echo '/* SPDX-License-Identifier: Apache-2.0 */'
	echo "/* TO""DO: later */"
} >"$work/open"
catches "an open end" p2p/a.c <"$work/open"
lint_done
