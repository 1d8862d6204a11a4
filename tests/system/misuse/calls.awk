# SPDX-License-Identifier: Apache-2.0
# calls.awk writes the functions that the public headers declare as a table in C
# (struct function of misuse.h): name, types and names of the parameters, and a
# caller that takes the arguments from an array.

/^[ \t]*#/ { next }
{ text = text " " $0 }

function trim(s)
{
	gsub(/[ \t]+/, " ", s)
	gsub(/^ | $/, "", s)
	return s
}

function without_comments(s,    kept, at)
{
	while ((at = index(s, "/*"))) {
		kept = kept substr(s, 1, at - 1) " "
		s = substr(s, at + 2)
		s = substr(s, index(s, "*/") + 2)
	}
	return kept s
}

# Returns the member of union value for a parameter of this type.
function member(type)
{
	if (type ~ /_fn$/)
		return "f"
	if (type ~ /[*\[]/)
		return "p"
	if (type == "size_t")
		return "z"
	if (type == "ptrdiff_t")
		return "d"
	return type == "uint64_t" ? "u" : "i"
}

# Splits "const size_t recvcounts[]" into the variables type and name.
function split_parameter(p,    brackets)
{
	brackets = ""
	if (match(p, /\[.*$/)) {
		brackets = substr(p, RSTART)
		p = substr(p, 1, RSTART - 1)
	}
	match(p, /[a-z_0-9]+$/)
	name = substr(p, RSTART)
	type = trim(substr(p, 1, RSTART - 1)) brackets
	sub(/\* /, "*", type)
}

function emit(call, result, list,    n, p, k, args, pars, m)
{
	n = list == "void" ? 0 : split(list, p, ",")
	for (k = 1; k <= n; k++) {
		split_parameter(trim(p[k]))
		m = member(type)
		args = args (k > 1 ? ", " : "") (m == "f" ? "(" type ")" : "") \
			(type ~ /^enum [a-z_]+$/ ? "(" type ")" : "") \
			"v[" (k - 1) "]." m
		pars = pars "{\"" type "\", \"" name "\"}, "
	}
	printf "static int call_%s(const union value *v)\n{\n", call
	if (!n)
		print "\t(void)v;"
	if (result == "int")
		printf "\treturn %s(%s);\n}\n", call, args
	else
		printf "\t%s(%s);\n\treturn 0;\n}\n",
		       (result == "void" ? "" : "(void)") call, args
	table = table "{\"" call "\", call_" call ", " n ", {" pars "{0}}},\n"
}

END {
	n = split(without_comments(text), part, ";")
	for (i = 1; i <= n; i++) {
		d = trim(part[i])
		sub(/^MRT_NORETURN_ /, "", d)
		if (d ~ /typedef/ || !match(d, /mrt_[a-z0-9_]+\(/))
			continue
		call = substr(d, RSTART, RLENGTH - 1)
		list = substr(d, RSTART + RLENGTH)
		sub(/\) *$/, "", list)
		emit(call, trim(substr(d, 1, RSTART - 1)), list)
	}
	print "const struct function functions[] = {\n" table "};"
	print "const int nfunctions = sizeof(functions) / " \
	      "sizeof(functions[0]);"
}
