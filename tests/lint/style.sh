#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# style.sh checks what a formatter does not see: licence line, length of lines
# and files, trailing space, names of guards and of statics, promises left in the
# code.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

max_columns=80
max_columns_script=100
max_lines=500
# headers for users are lists of declarations
max_lines_mrt=650
max_lines_mrt_lib=1096
max_lines_mpi=550
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
	(
		cd "$1" || exit
		# one process for all: this runs often
		tr '\n' '\0' <"$work/files" | xargs -0r awk \
			-v columns_c=$max_columns \
			-v columns_script=$max_columns_script -v lines=$max_lines \
			-v lines_mrt=$max_lines_mrt \
			-v lines_mrt_lib=$max_lines_mrt_lib \
			-v lines_mpi=$max_lines_mpi '
			function ended() {
				if (!file)
					return
				if (!licence)
					print file ": no SPDX line at its head"
				if (n > most)
					print file ": " n " lines, at most " most
			}
			function width(line, i) {
				while ((i = index(line, "\t")))
					line = substr(line, 1, i - 1) \
						substr("        ", 1 + (i - 1) % 8) \
						substr(line, i + 1)
				return length(line)
			}
			FNR == 1 {
				ended()
				file = FILENAME
				licence = guarded = 0
				most = lines
				columns = file ~ /\.[ch]$/ ? columns_c : columns_script
				if (file == "include/mrt.h")
					most = lines_mrt
				else if (file == "include/mrt_lib.h")
					most = lines_mrt_lib
				else if (file ~ /^mpi\/mpi\.h$/)
					most = lines_mpi
			}
			{ n = FNR }
			# the first #ifndef of a header is its guard: folders of its
			# path, and the file; parts of mpi.h ask for MPI_H
			/^#ifndef .*_H$/ && file ~ /\.h$/ && !guarded++ {
				path = "_" toupper(file)
				gsub(/[\/.]/, "_", path)
				rest = $2
				while ((i = index(rest, "_")) &&
				       index(path, "_" substr(rest, 1, i)))
					rest = substr(rest, i + 1)
				if (rest != "H" && $2 != "MPI_H")
					print file ":" FNR ": guard " $2
			}
			# the name of its file tells what a word alone does not
			/^static [^=;()]*[ *][a-z0-9]+\(/ && !/__attribute__\(/ &&
			    file ~ /\.c$/ && file !~ /^tests\// {
				match($0, /[ *][a-z0-9]+\(/)
				name = substr($0, RSTART + 1, RLENGTH - 2)
				if (file !~ "[_/]" name "\\.c$")
					print file ":" FNR ": one word: " name
			}
			FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ {
				licence = 1
			}
			# a tab is up to seven columns more
			length($0) > columns / 8 && (w = width($0)) > columns {
				print file ":" FNR ": " w " columns"
			}
			/[ \t]$/ { print file ":" FNR ": space at the end" }
			END { ended() }'
		tr '\n' '\0' <"$work/files" |
			xargs -0r grep -HnE "\\b($open_ends)\\b"
	)
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
catches "a static function of one word" p2p/a.c <<'X'
/* SPDX-License-Identifier: Apache-2.0 */
static int take(void)
X
catches "a guard of another header" p2p/a.h <<'X'
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLL_A_H
X
{
	echo '/* SPDX-License-Identifier: Apache-2.0 */'
	echo "/* TO""DO: later */"
} >"$work/open"
catches "an open end" p2p/a.c <"$work/open"
lint_done
