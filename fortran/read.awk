# SPDX-License-Identifier: Apache-2.0
# read.awk: reads rules.txt and then mpi/functions.txt, and calls
# each(large) of the file beside it for every function that Fortran has, in the
# form for int counts and in that for large ones (large = 1), with these set:
#	fn		its name, without MPI_
#	callee		that of the function in C which does the same
#	prototype	its parameters in C, as they are written
#	n		number of parameters; for each of them, from 1,
#	name[k], type[k]	in C, without const and *
#	class[k]	int, real kinds of integers (aint, count, offset), handle,
#			status, buffer, string, logical, weights, pointer,
#			detached, address, attribute, callback, absent, spawn
#	dir[k]		in, out or inout
#	array[k]	it is an array
# The rules are in rule[], which has() and value() ask. With wide=1 an INTEGER has
# 8 bytes, as a count has, and the two forms are one, which calls C's for large
# counts; but types are constructed from ints, or MPI_Type_get_contents() would
# find what it has no arguments for.

function matches(pattern, text) {
	if (pattern !~ /\*/)
		return pattern == text
	gsub(/\*/, "[A-Za-z0-9_]*", pattern)
	gsub(/\./, "[.]", pattern)
	return text ~ ("^" pattern "$")
}

# The value of a rule for what; "" if it has none.
function value(kind, what,	k) {
	for (k = 1; k <= rules; k++)
		if (rule_kind[k] == kind && matches(rule_what[k], what))
			return rule_value[k]
	return ""
}

function about(kind, k) { return value(kind, base "." name[k]) }

function has(kind, k) { return about(kind, k) != "" }

function classify(k,	t) {
	t = type[k]
	if (has("absent", k)) return "absent"
	if (has("logical", k)) return "logical"
	if (has("weights", k)) return "weights"
	if (t == "void") {
		if (has("pointer", k)) return "pointer"
		if (has("detached", k)) return "detached"
		if (has("address", k)) return "address"
		if (has("attribute", k)) return "attribute"
		return "buffer"
	}
	if (t == "int") return "int"
	if (t == "double") return "double"
	if (t == "char") return (pointers[k] > 1) ? "spawn" : "string"
	if (t == "MPI_Aint") return "aint"
	if (t == "MPI_Count") return "count"
	if (t == "MPI_Offset") return "offset"
	if (t == "MPI_Status") return "status"
	if (t ~ /_(function|fn)(_c)?$/) return "callback"
	return "handle"
}

function parameter(k, text,	stars) {
	constant[k] = gsub(/const /, "", text)
	array[k] = gsub(/\[[0-9]*\]/, "", text) > 0
	stars = gsub(/\*/, "", text)
	pointers[k] = stars + array[k]
	gsub(/^ +| +$/, "", text)
	match(text, /[A-Za-z0-9_]+$/)
	name[k] = substr(text, RSTART)
	type[k] = substr(text, 1, RSTART - 1)
	gsub(/ /, "", type[k])
	class[k] = classify(k)
	array[k] = array[k] || class[k] == "weights"
	if (class[k] == "string")
		array[k] = 0
	dir[k] = "in"
	if (!constant[k] && pointers[k] && !has("input", k))
		dir[k] = has("inout", k) ? "inout" : "out"
}

function one(large, parameters,	parts) {
	prototype = parameters
	sub(/^\(/, "", parameters)
	sub(/\)$/, "", parameters)
	n = parameters == "void" ? 0 : split(parameters, parts, /,/)
	for (k = 1; k <= n; k++)
		parameter(k, parts[k])
	each(large)
}

function finish(	at, end, parameters, plain, large) {
	if (text == "")
		return
	at = index(text, " ")
	end = index(text, "(")
	result = substr(text, 1, at - 1)
	base = substr(text, at + 1, end - at - 1)
	parameters = substr(text, end)
	text = ""
	sub(/, \.\.\.\)/, ")", parameters)
	if (value("c_only", base) != "")
		return
	plain = large = parameters
	gsub(/COUNT /, "int ", plain)
	gsub(/COUNT /, "MPI_Count ", large)
	gsub(/DISPL /, "int ", plain)
	gsub(/DISPL /, "MPI_Aint ", large)
	gsub(/AINT /, "MPI_Aint ", plain)
	gsub(/AINT /, "MPI_Count ", large)
	gsub(/@/, "", plain)
	gsub(/@/, "_c", large)
	fn = callee = base
	if (sub(/_c$/, "", base)) {
		if (!wide)
			one(1, plain)
		return
	}
	if (wide && parameters ~ /COUNT |DISPL / && parameters !~ /@/) {
		if (parameters !~ /newtype/)
			callee = base "_c"
		one(0, callee == base ? plain : large)
		return
	}
	one(0, plain)
	# Addresses and counts are of one kind, so a form that differs in them
	# alone is the same in Fortran.
	if (parameters ~ /COUNT |DISPL |@/) {
		fn = callee = base "_c"
		one(1, large)
	}
}

function read_rule(	k, at) {
	for (k = 2; k <= NF; k++) {
		rules++
		rule_kind[rules] = $1
		at = index($k, "=")
		rule_what[rules] = at ? substr($k, 1, at - 1) : $k
		rule_value[rules] = at ? substr($k, at + 1) : "yes"
	}
}

/^#/ { next }
FILENAME ~ /rules\.txt$/ {
	read_rule()
	next
}
/^\t/ {
	text = text " " substr($0, 2)
	next
}
{
	finish()
	text = $0
}
END {
	finish()
	done()
}
