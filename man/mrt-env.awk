# SPDX-License-Identifier: Apache-2.0
# mrt-env.awk: puts the rows of env_defs.h in the place of @ROWS@ of a man page.
#
#	awk -f mrt-env.awk runtime/base/fabrics.h runtime/base/env_defs.h \
#		mrt-env.7.in > mrt-env.7
#
# It reads the source, not the preprocessor's output, so that it needs no
# compiler and shows rows that this build has left out. A row that it cannot
# read is an error: the page is either complete or not made.

function fail(why)
{
	print FILENAME ":" FNR ": " why > "/dev/stderr"
	failed = 1
	exit 1
}

# Splits the arguments of a row at the commas outside of string literals, joins
# adjacent literals and drops their quotes; the number of arguments.
function split_arguments(text, arg,    i, c, n, quoted)
{
	n = 1
	arg[1] = ""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		if (c == "\"")
			quoted = !quoted
		else if (quoted && c == "\\")
			arg[n] = arg[n] substr(text, ++i, 1)
		else if (quoted || c !~ /[ \t,]/)
			arg[n] = arg[n] c
		else if (c == ",")
			arg[++n] = ""
	}
	return n
}

# Text as it stands, whatever roff would make of it.
function roff(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	return (text ~ /^[.']/ ? "\\&" : "") text
}

# The limit of a size, with the largest unit that divides it.
function size(text)
{
	if (text !~ /^[0-9]+$/ || text == 0 || text % 1024)
		return text
	if (text % 1048576)
		return text " (" text / 1024 "K)"
	if (text % 1073741824)
		return text " (" text / 1048576 "M)"
	return text " (" text / 1073741824 "G)"
}

function number_row(arg, unit)
{
	if (unit == "bytes")
		return roff("From " size(arg[4]) " to " size(arg[5]) \
			" bytes; default " size(arg[3]) ".")
	return roff("From " arg[4] " to " arg[5] "; default " arg[3] ".")
}

function enum_row(arg,    word, n, i, out)
{
	n = split(arg[4], word, "|")
	if (arg[3] !~ /^[0-9]+$/ || arg[3] >= n)
		fail("the default of " arg[2] " is none of " arg[4])
	for (i = 1; i <= n; i++)
		out = out (n > 1 && i == n ? "or\n" : "") ".Cm " \
			roff(word[i]) (i == n ? " ;\n" : n > 2 ? " ,\n" : "\n")
	return "One of\n" out "default\n.Cm " roff(word[arg[3] + 1]) " ."
}

function text_row(arg)
{
	return arg[3] == "" ? "Text; default empty." : \
		"Text; default\n.Ql " roff(arg[3]) " ."
}

function add_row(kind, text,    arg, n)
{
	sub(/FABRIC_NAMES/, "\"" fabrics "\"", text)
	n = split_arguments(text, arg)
	if (n != (kind == "STR" ? 4 : kind == "ENUM" ? 5 : 6))
		fail("not a row: ENV_" kind "(" text ")")
	rows = rows ".It Ev " arg[2] "\n" roff(arg[n]) \
		(arg[n] ~ /[.!?]$/ ? "\n" : ".\n")
	rows = rows (kind == "INT" ? number_row(arg, "") : \
		     kind == "SIZE" ? number_row(arg, "bytes") : \
		     kind == "ENUM" ? enum_row(arg) : text_row(arg)) "\n"
}

/^#define PROVIDERS\(X\)/ {
	for (i = 3; i <= NF; i++) {
		gsub(/X\(|\)/, "", $i)
		fabrics = fabrics "|" $i
	}
}

/^ENV_(INT|SIZE|ENUM|STR)\(/ {
	kind = $0
	sub(/^ENV_/, "", kind)
	sub(/\(.*/, "", kind)
	row = $0
	while (row !~ /\)[ \t]*$/) {
		if ((getline line) <= 0)
			fail("a row without an end")
		row = row " " line
	}
	sub(/^[A-Z_]*\(/, "", row)
	sub(/\)[ \t]*$/, "", row)
	add_row(kind, row)
	next
}

FILENAME ~ /\.h$/ { next }
$0 == "@ROWS@" {
	if (rows == "")
		fail("no rows read")
	printf "%s", rows
	next
}
{ print }

END { exit failed }
