# SPDX-License-Identifier: Apache-2.0
# not_offered.t calls every function that exists in name alone, and compares what
# comes of it with the table in docs/mpi.md: each row has names, where * stands for
# any letters, the error that they return, and the object whose handler is called.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun

# rows prints a line for each name in the table, in the form of the program's. Files
# are offered if configure has found ROMIO.
rows()
{
	files=$(grep -c MPI_File_open "$work/calls")
	awk -F '|' -v files=$((files == 0)) '/^## / { inside = /^## What is not offered/ }
		inside && $2 ~ /`MPI_/ {
			gsub(/`/, "")
			n = split($2, word, "[ ,:]+")
			for (i = 1; i <= n; i++)
				if (word[i] ~ /^MPI_/ && !(files &&
						word[i] ~ /^MPI_(File|Register)_/))
					print word[i] $3 $4
		}' "$top_srcdir/docs/mpi.md" | sed 's/  */ /g; s/ $//'
}

# differences ROWS CALLS prints what one of the two says alone.
differences()
{
	awk '{ name = $1; sub(/^[^ ]* /, "") }
		NR == FNR { says[name] = $0; next }
		{
			found = 0
			for (pattern in says) {
				glob = pattern
				sub(/\*/, "[a-z_]*", glob)
				if (name !~ "^" glob "$")
					continue
				used[pattern] = 1
				found += says[pattern] == $0
			}
			if (found != 1)
				print name, $0
		}
		END {
			for (pattern in says)
				if (!(pattern in used))
					print pattern
		}' "$1" "$2"
}

run 20 "$top_builddir/tests/mpi/not_offered"
is "$rc" 0 "all functions that are not offered are called"
cp "$out" "$work/calls"
is "$(sed 's/MPI_[A-Za-z_]*/F/' "$err")" "libmrt: F: libmrt does not offer this function" \
	"the first call says so, though its error returns"
is "$(wc -l <"$work/calls")" "$(grep -c '^STUB' "$top_builddir/mpi/stubs.c")" \
	"as many as there are"
rows >"$work/rows"
is "$(differences "$work/rows" "$work/calls")" "" "docs/mpi.md says of each what comes of it"
diag "$(cut -d ' ' -f 2- "$work/calls" | sort | uniq -c)"

sed 2d "$work/rows" >"$work/fewer"
[ -n "$(differences "$work/fewer" "$work/calls")" ]
is $? 0 "self-test: a name that is missing in the table"
sed 2d "$work/calls" >"$work/fewer"
[ -n "$(differences "$work/rows" "$work/fewer")" ]
is $? 0 "self-test: a function that is offered"
done_testing
