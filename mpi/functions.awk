# SPDX-License-Identifier: Apache-2.0
# functions.awk: writes mpi_prototypes.h from functions.txt, which says how it is
# written; or, of forward.txt and functions.txt, the definitions that forward.txt
# describes.

# ---- The definitions ----------------------------------------------------------

# Reads a line of forward.txt.
function describe(line,	n, words, k, end, option, names) {
	n = split(line, words, " ")
	end = words[1]
	for (k = 2; words[k] ~ /=|^neighbors$/ && words[k] !~ /^\(/; k++)
		option = option " " words[k]
	for (; k <= n && words[k] ~ /^[A-Z][A-Za-z0-9_]*$/; k++) {
		names = names " " words[k]
		ends[words[k]] = end
		options[words[k]] = option
	}
	# the rest, as it is written
	line = k > n ? "" : substr(line, index(line, words[k - 1] " " words[k]) + \
		length(words[k - 1]) + 1)
	n = split(names, words, " ")
	for (k = 1; k <= n; k++)
		calls[words[k]] = line
}

# The value of an option; the k-th, if it stands several times.
function option_of(fn, key, k,	n, words, i) {
	n = split(options[fn], words, " ")
	for (i = 1; i <= n; i++)
		if (words[i] == key || index(words[i], key "=") == 1)
			if (--k <= 0)
				return substr(words[i], length(key) + 2) \
					(words[i] == key ? "yes" : "")
	return ""
}

# The argument of libmrt for the k-th parameter.
function converted(fn, k, large,	t, x, length_of) {
	t = type[k]
	x = name[k]
	if (t ~ /^const (COUNT|DISPL|MPI_Aint) \[\]$/) {
		length_of = option_of(fn, x ~ /^s/ ? "send" : "recv")
		if (length_of == "")
			length_of = option_of(fn, x ~ /^s/ ? "recv" : "send")
		if (large || t ~ /Aint/)
			return "(const " (t ~ /COUNT/ ? "size_t" : "ptrdiff_t") " *)" x
		copies = 1
		return "int_" (t ~ /COUNT/ ? "counts" : "displs") "(&copies, " x \
			", " length_of ")"
	}
	if (ends[fn] == "made" && t == "MPI_Comm *") {
		made = x
		return x " ? &made : NULL"
	}
	if (t ~ /^(COUNT|AINT|MPI_Count) \*$/) {
		sizes = 1
		sized[k] = "size_as_" (large || t !~ /COUNT/ ? "count" : "int")
		return x " ? &" x "_size : NULL"
	}
	if (t ~ /^(COUNT|MPI_Count)$/ || x == option_of(fn, "list"))
		return "(size_t)" x
	if (t ~ /MPI_Status/)
		return "(" (t ~ /const/ ? "const " : "") "struct mrt_status *)" x
	if (t !~ /MPI_(Comm|Group|Datatype|Op|Win|Request|Message)( |$)/)
		return x
	sub(/.*MPI_/, "", t)
	sub(/ .*/, "", t)
	return "(struct mrt_" (t == "Datatype" ? "type" : tolower(t)) " *" \
		(type[k] ~ /const/ ? "const *" : type[k] ~ / / ? "*" : "") ")" x
}

# An argument: converted if it is a parameter.
function argument(fn, text, large,	k) {
	gsub(/^ +| +$/, "", text)
	for (k = 1; k <= n; k++)
		if (name[k] == text)
			return converted(fn, k, large)
	return text == "request" ? "NULL" : text
}

# The call, with converted arguments, which commas outside parentheses separate.
function call_of(fn, large,	call, k, depth, c, from, args) {
	call = calls[fn] == "" ? "mrt_" tolower(fn) : calls[fn]
	if (ends[fn] == "return" || call !~ /^m(rt|pi)_[a-z0-9_]+(\(.*\))?$/)
		return call
	if (!sub(/\)$/, "", call)) {
		for (k = 1; k <= n; k++)
			if (type[k] == "MPI_Comm" && option_of(fn, "neighbors") != "")
				args = args ", &neighbors, " converted(fn, k, large)
			else if (type[k] != "MPI_Info")
				args = args ", " converted(fn, k, large)
		return call "(" substr(args, 3) ")"
	}
	from = index(call, "(") + 1
	for (k = from; k <= length(call) + 1; k++) {
		c = substr(call, k, 1)
		depth += (c == "(") - (c == ")")
		if (c == "" || (c == "," && !depth)) {
			args = args ", " argument(fn, substr(call, from, k - from), large)
			from = k + 1
		}
	}
	return substr(call, 1, index(call, "(")) substr(args, 3) ")"
}

# Whose error it is: a communicator, or none.
function object_of(fn,	k, of) {
	of = "MPI_COMM_NULL"
	for (k = n; ends[fn] ~ /^(comm|made)$/ && k; k--)
		if (type[k] == "MPI_Comm")
			of = name[k]
	return of
}

function result_of(fn, call,	end, of) {
	end = ends[fn]
	of = object_of(fn)
	if (end == "return") return call
	if (end == "win") return "mpi_win_result(win, __func__, " call ")"
	if (end == "session") return "mpi_session_result(session, __func__, " call ")"
	if (end == "request") return "mpi_request_result(__func__, " call ")"
	if (end == "several")
		return "several_result(__func__, " call ", count, array_of_statuses)"
	if (end == "some")
		return "some_result(__func__, " call ", outcount, array_of_statuses)"
	if (end == "made")
		return "mpi_comm_made(" of ", __func__, " call ", made, " made ")"
	if (end == "type") return "mpi_type_made(__func__, " call ", " large_form ", newtype)"
	return "mpi_result(" of ", __func__, " call ")"
}

function check_all(fn,	k, p) {
	for (k = 1; (p = option_of(fn, "needs", k)) != ""; k++)
		print "\tif (!" p ")\n\t\treturn " (ends[fn] == "win" \
			? "mpi_win_fail(win, __func__, MPI_ERR_ARG, \"" p " is NULL\");" \
			: "mpi_null(" object_of(fn) ", __func__, \"" p "\");")
	p = option_of(fn, "list")
	if (p != "")
		print "\tif (" p " < 0)\n\t\treturn mpi_fail(MPI_COMM_NULL, __func__, " \
			(ends[fn] == "none" ? "MPI_ERR_ARG, \"a list of %d\", " \
			: "MPI_ERR_COUNT, \"%d requests\", ") p ");"
	p = option_of(fn, "check")
	if (p != "")
		print "\tif ((rc = " p "))\n\t\treturn " result_of(fn, "rc") ";"
	if (option_of(fn, "neighbors") != "")
		print "\tif ((rc = mpi_neighbors(comm, __func__, &neighbors)))\n" \
			"\t\treturn rc;"
}

function define(result, fn, name_of, parameters, written, large,	k, parts, call) {
	n = split(substr(written, 2, length(written) - 2), parts, /,/)
	if (written == "(void)")
		n = 0
	for (k = 1; k <= n; k++) {
		match(parts[k], /[A-Za-z0-9_]+(\[.*)?$/)
		name[k] = substr(parts[k], RSTART)
		type[k] = substr(parts[k], 1, RSTART - 1) \
			(sub(/\[.*/, "", name[k]) ? "[]" : "")
		gsub(/^ +| +$/, "", type[k])
	}
	copies = sizes = 0
	made = ""
	split("", sized)
	large_form = large
	call = call_of(fn, large)
	print "\nAPI_OF(" result ", " name_of ")" parameters "\n{"
	if (made != "")
		print "\tstruct mrt_comm *made = MRT_COMM_NULL;"
	for (k in sized)
		print "\tsize_t " name[k] "_size = " (name[k] == "position" \
			? "position ? (size_t)*position : 0;" : "0;")
	if (copies)
		print "\tstruct copies copies;"
	if (option_of(fn, "neighbors") != "")
		print "\tstruct mrt_neighbors neighbors;"
	if (copies || sizes || made != "" || options[fn] ~ / (check=|neighbors)/)
		print "\tint rc;\n"
	check_all(fn)
	if (copies) {
		print "\tcopies_init(&copies);\n\trc = " call ";"
		call = "copies_fini(&copies, rc)"
	}
	if (sizes || made != "") {
		print "\trc = " call ";"
		for (k in sized)
			print "\tif (!rc)\n\t\t*" name[k] " = " sized[k] "(" name[k] "_size);"
		call = "rc"
	}
	print "\treturn " result_of(fn, call) ";\n}"
}

# ---- The declarations ---------------------------------------------------------

function declare(result, fn, name_of, parameters, written, large) {
	if (!forwards)
		print "MPI_DECLARE_(" result ", " name_of ", " parameters ")"
	else if (fn in ends)
		define(result, fn, name_of, parameters, written, large)
}

function finish(	at, end, result, name_of, parameters, plain, large) {
	if (text == "")
		return
	at = index(text, " ")
	end = index(text, "(")
	result = substr(text, 1, at - 1)
	name_of = substr(text, at + 1, end - at - 1)
	parameters = substr(text, end)
	text = ""
	plain = large = parameters
	gsub(/COUNT /, "int ", plain)
	gsub(/COUNT /, "MPI_Count ", large)
	gsub(/DISPL /, "int ", plain)
	gsub(/DISPL /, "MPI_Aint ", large)
	gsub(/AINT /, "MPI_Aint ", plain)
	gsub(/AINT /, "MPI_Count ", large)
	gsub(/@/, "", plain)
	gsub(/@/, "_c", large)
	declare(result, name_of, name_of, plain, parameters, 0)
	if (large != plain)
		declare(result, name_of, name_of "_c", large, parameters, 1)
}

function begin() {
	if (forwards) {
		print "/* Written by functions.awk from forward.txt. */"
		print "#include \"mpi/mpi_forward.h\""
		return
	}
	print "/* Written by functions.awk from functions.txt; a part of mpi.h. */"
	print "#ifndef MPI_H"
	print "#error \"include mpi.h\""
	print "#endif"
	print "#define MPI_DECLARE_(result, name, parameters) \\"
	print "\tresult MPI_##name parameters; \\"
	print "\tresult PMPI_##name parameters;"
	print ""
}

# A line is complete when the next one or the next file begins.
function complete() {
	if (reading ~ /forward\.txt$/ && text != "")
		describe(text)
	else if (text != "")
		finish()
	text = ""
	reading = FILENAME
}

BEGIN {
	forwards = ARGV[1] ~ /forward\.txt$/
	begin()
}
/^#|^$/ { next }
/^\t/ {
	text = text " " substr($0, 2)
	next
}
{
	complete()
	text = $0
}
END {
	complete()
	if (!forwards)
		print "\n#undef MPI_DECLARE_"
}
