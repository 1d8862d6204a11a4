# SPDX-License-Identifier: Apache-2.0
# needs.awk: the programs that tests need, so that make check TESTS=... builds
# no others. A test needs itself if it is a program, and what its text names by
# its path from the top of the build tree (a pattern like tests/mpi/p2p_* names
# many), as does the text of the scripts that it names.
#
#   awk -v root=SRCDIR -v programs='tests/system/api ...' -v tests='...' -f ...
BEGIN {
	n = split(programs, list)
	for (i = 1; i <= n; i++)
		known[list[i]]
	pending = split(tests, queue)
	for (at = 1; at <= pending; at++)
		visit(queue[at])
	for (i = 1; i <= n; i++)
		if (list[i] in needed)
			printf "%s ", list[i]
}

function visit(test)
{
	if (test in known)
		needed[test]
	else
		while ((getline line < (root "/" test)) > 0)
			read_line(line)
	close(root "/" test)
}

function read_line(line, word)
{
	while (match(line, /tests\/[A-Za-z0-9_.\/*]+/)) {
		word = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		# a module is found where libtool leaves it
		if (sub(/\/\.libs\//, "/", word))
			sub(/\.so$/, ".la", word)
		if (word in known)
			needed[word]
		else if (word ~ /\*/)
			match_all(word)
		else if (word ~ /\.(sh|t)$/ && !(word in seen)) {
			seen[word]
			queue[++pending] = word
		}
	}
}

function match_all(pattern, name)
{
	gsub(/\./, "\\.", pattern)
	gsub(/\*/, "[^/]*", pattern)
	for (name in known)
		if (name ~ ("^" pattern "$"))
			needed[name]
}
