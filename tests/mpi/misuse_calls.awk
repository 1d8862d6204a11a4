# SPDX-License-Identifier: Apache-2.0
# misuse_calls.awk writes the functions of mpi_prototypes.h that the first file
# (tiers.txt) offers as a table in C for misuse.c, or those of a list in the same
# form for not_offered.c: name, a caller that takes its arguments from an array, and
# the types and names of the parameters.

FNR == 1 { file++ }
file == 1 && /^tier/ { on = $2 + 0 <= 3; next }
file == 1 {
	for (i = 1; on && i <= NF; i++)
		if ($i ~ /^MPI_/)
			offered[$i] = 1
	next
}
/^MPI_DECLARE_\(int,/ { text = "" ; inside = 1 }
inside { text = text " " $0 }
inside && /\)\)$/ { inside = 0; take(text) }

function trim(s)
{
	gsub(/[ \t]+/, " ", s)
	gsub(/^ | $/, "", s)
	return s
}

function member(type)
{
	if (type ~ /_(function|fn)( \*)?$/)
		return "f"
	if (type ~ /[*\[]/ || type ~ /^MPI_(Comm|Datatype|Op|Group|Request|Info|Errhandler|Message|Session|Win|File|T_event_registration|T_event_instance)$/)
		return "p"
	return type ~ /^MPI_(Aint|Count|Offset)$/ ? "a" : "i"
}

function split_parameter(p,    brackets)
{
	brackets = ""
	if (match(p, /\[.*$/)) {
		brackets = substr(p, RSTART)
		p = substr(p, 1, RSTART - 1)
	}
	match(p, /[A-Za-z_0-9]+$/)
	name = substr(p, RSTART)
	type = trim(substr(p, 1, RSTART - 1)) brackets
}

function take(t,    call, n, p, k, args, pars, m)
{
	sub(/^ *MPI_DECLARE_\(int, */, "", t)
	call = "MPI_" substr(t, 1, index(t, ",") - 1)
	sub(/^[A-Za-z_0-9]*, *\(/, "", t)
	sub(/\)\) *$/, "", t)
	t = trim(t)
	if (!(call in offered) || t ~ /\.\.\./)
		return
	n = t == "void" ? 0 : split(t, p, ",")
	for (k = 1; k <= n; k++) {
		split_parameter(trim(p[k]))
		m = member(type)
		args = args (k > 1 ? ", " : "") \
			(m == "f" ? "(" type (type ~ /\*$/ ? ")" : " *)") : "") "v[" (k - 1) "]." m
		pars = pars "{\"" type "\", \"" name "\"}, "
	}
	printf "static int call_%s(const union value *v)\n{\n%s\treturn %s(%s);\n}\n",
	       call, n ? "" : "\t(void)v;\n", call, args
	table = table "{\"" call "\", call_" call ", " n ", {" pars "{0}}},\n"
}

END {
	print "static const struct function functions[] = {\n" table "};"
}
