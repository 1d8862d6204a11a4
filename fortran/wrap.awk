# SPDX-License-Identifier: Apache-2.0
# wrap.awk, after read.awk: writes the functions in C that Fortran calls. With
# f08=0 those of mpif.h and of the module mpi, and of mpi_f08 where it passes
# the same; with f08=1 those of mpi_f08 that take descriptors or large counts.
# With wide=1 an INTEGER has 8 bytes, and ints and statuses are converted.
#	awk -v f08=0 -v wide=0 -f read.awk -f wrap.awk rules.txt functions.txt

function line(text) { print "\t" text }

function add(to, text) {
	if (to == "first") first = first "\t" text "\n"
	else if (to == "then") second = second "\t" text "\n"
	else if (to == "done") good = good "\t\t" text "\n"
	else always = always "\t" text "\n"
}

function any(wanted,	k) {
	for (k = 1; k <= n; k++)
		if (class[k] ~ wanted)
			return k
	return 0
}

# The lower-case stem of the conversions of a handle's type.
function stem(k) { return tolower(substr(type[k], 5)) }

function declared(k,	c) {
	c = class[k]
	if (c == "aint" || c == "attribute") return "MPI_Aint *" name[k]
	if (c == "count") return "MPI_Count *" name[k]
	if (c == "offset") return "MPI_Offset *" name[k]
	if (c ~ /^(buffer|address)$/)
		return (f08 ? "CFI_cdesc_t *" : "void *") name[k]
	if (c ~ /^(pointer|detached)$/) return "void *" name[k]
	if (c == "string")
		return (descriptors ? "CFI_cdesc_t *" : "char *") name[k]
	return "MPI_Fint *" name[k]
}

function text_of(k) {
	if (descriptors)
		return name[k] "->base_addr, " name[k] "->elem_len"
	return name[k] ", " name[k] "_len"
}

function handle(k,	v, c) {
	v = name[k]
	c = "c_" v
	if (array[k]) {
		length_ = about("length", k)
		add("then", type[k] " s_" v "[SCRATCH], *" c " = " stem(k) \
		    (dir[k] == "out" ? "_room(" : "s_in(") length_ \
		    (dir[k] == "out" ? "" : ", " v) ", s_" v ");")
		if (type[k] == "MPI_Request" && dir[k] != "in")
			add("always", "pending_settle(" length_ ", " v ", " c \
			    ");")
		if (dir[k] != "in")
			add(dir[k] == "out" ? "done" : "always", \
			    stem(k) "s_out(" length_ ", " c ", " v ");")
		add("always", "scratch_free(" c ", s_" v ");")
		return c
	}
	if (type[k] == "MPI_Request" && \
	    (dir[k] == "inout" || fn == "Request_get_status"))
		add("always", "pending_settle(1, " v ", &" c ");")
	if (dir[k] == "in") {
		add("first", type[k] " " c " = " stem(k) "_in(" \
		    (simple ? "(MPI_Fint)" : "*") v ");")
		return c
	}
	add("first", type[k] " " c " = " \
	    (dir[k] == "inout" ? stem(k) "_in(*" v ")" : "NULL") ";")
	add(dir[k] == "inout" ? "always" : "done", \
	    "*" v " = " stem(k) "_out(" c ");")
	return "&" c
}

function logical(k,	v, c) {
	v = name[k]
	c = "c_" v
	if (array[k]) {
		length_ = about("length", k)
		add("then", "int s_" v "[SCRATCH], *" c " = " \
		    (dir[k] == "in" ? "logicals_in(" length_ ", " v : \
		    "logical_room(" length_) ", s_" v ");")
		if (dir[k] != "in")
			add("done", "logicals_out(" length_ ", " c ", " v ");")
		add("always", "scratch_free(" c ", s_" v ");")
		return c
	}
	if (dir[k] == "in")
		return "logical_in(*" v ")"
	add("then", "int " c " = 0;")
	add("always", "*" v " = logical_out(" c ");")
	return "&" c
}

function string(k,	v, c) {
	v = name[k]
	c = "c_" v
	if (dir[k] == "in") {
		add("then", "char s_" v "[SCRATCH], *" c " = string_" \
		    (has("stripped", k) ? "stripped" : "in") "(" text_of(k) \
		    ", s_" v ");")
		add("always", "scratch_free(" c ", s_" v ");")
		return c
	}
	add("then", "char " c "[" about("room", k) "] = \"\";")
	add("done", "string_out(" c ", " text_of(k) ");")
	return c
}

# An int, for a wide INTEGER. C may leave a part of an array alone, so the array
# goes in, too.
function converted(k,	v, c, counted) {
	v = name[k]
	c = "c_" v
	if (array[k]) {
		length_ = about("length", k)
		add("then", "int s_" v "[SCRATCH], *" c " = ints_" \
		    (dir[k] == "out" ? "room(" : "in(") length_ ", " v ", s_" \
		    v ");")
		if (dir[k] != "in")
			add(has("index", k) ? "always" : "done", \
			    "ints_out(" length_ ", " c ", " v ");")
		add("always", "scratch_free(" c ", s_" v ");")
		return (v == "ranges" ? "(int(*)[3])" : "") c
	}
	if (dir[k] == "in")
		return "int_in(*" v ")"
	counted = has("index", k) || v == "outcount"
	add("then", "int " c " = " (dir[k] == "inout" ? "int_in(*" v ")" : \
	    has("index", k) ? "MPI_UNDEFINED" : "0") ";")
	add(dir[k] == "inout" || counted ? "always" : "done", \
	    "*" v " = " c ";")
	return "&" c
}

function status(k,	v, c, many) {
	v = name[k]
	c = "c_" v
	many = array[k] ? "es" : ""
	length_ = array[k] ? about("length", k) ", " : ""
	if (!wide)
		return (dir[k] != "out" ? "(MPI_Status *)" : "status" many \
		    "_arg") "(" v ")"
	add("then", "MPI_Status s_" v (many ? "[SCRATCH]" : "") ", *" c \
	    " = status" many "_in(" length_ v ", " (many ? "" : "&") "s_" v \
	    ");")
	if (dir[k] != "in")
		add("always", "status" many "_out(" length_ c ", " v ");")
	if (many)
		add("always", "scratch_free(" c ", s_" v ");")
	return c
}

function weights(k,	v, c) {
	v = name[k]
	c = "c_" v
	if (!wide)
		return "weights_arg(" v ", " v ")"
	length_ = "weights_plain(" v ") ? " about("length", k) " : 0"
	add("then", "int s_" v "[SCRATCH], *" c " = ints_" \
	    (dir[k] == "out" ? "room(" : "in(") length_ ", " v ", s_" v ");")
	if (dir[k] == "out")
		add("done", "ints_out(" length_ ", " c ", " v ");")
	add("always", "scratch_free(" c ", s_" v ");")
	return "weights_arg(" v ", " c ")"
}

function integer(k,	v, c) {
	v = name[k]
	if (wide && class[k] == "int")
		c = converted(k)
	if (has("index", k) && array[k]) {
		add("then", "*outcount = 0;")
		add("always", "indices_out(*outcount, " v ");")
	} else if (has("index", k)) {
		add("then", "*" v " = MPI_UNDEFINED;")
		add("always", "indices_out(1, " v ");")
	}
	if (c)
		return c
	if (array[k] || dir[k] != "in")
		return (v == "ranges" ? "(int(*)[3])" : "") v
	return "*" v
}

# The condition, and a question mark, of a buffer that matters at some ranks
# only; at others its count and type may be anything.
function matters(k,	root, of) {
	for (root = n; root && name[root] != "root"; root--)
		;
	if (!root)
		return ""
	of = name[k] == "recvbuf" && tolower(fn) ~ /gather/ || \
	    name[k] == "sendbuf" && tolower(fn) ~ /scatter/ ? "ROOT" : \
	    name[k] == "buffer" ? "ALL" : "OTHERS"
	return "fortran_matters(" error_of() ", " argument(root) \
	    ", BUFFER_OF_" of ") ? "
}

# A buffer of mpi_f08. What has completed when the call returns works on a copy
# of a section with gaps; other calls get a type with these gaps instead of
# theirs, or a copy that is pending with the request.
function section(k,	v, c, count, of, j) {
	v = name[k]
	c = "c_" v
	for (j = k + 1; j <= n && class[j] != "buffer" && !of; j++) {
		if (class[j] ~ /^(int|count)$/ && name[j] ~ /count|partitions/)
			count = j
		else if (type[j] == "MPI_Datatype")
			of = j
	}
	if (!pending) {
		add("first", "void *" c " = section_in(" v ");")
		add("always", "section_out(" v ", " c ", " \
		    (dir[k] == "in") ");")
		return c
	}
	add("first", "void *" c " = section_base(" v ");")
	if (!(count || of || any_op) || fn ~ /^(Fetch_and_op|Compare_and_swap)/)
		return c
	if (count && of && !array[of] && !any_op) {
		count_of[count] = !has("blocks", k) && !array[count]
		if (count_of[count])
			add("then", "MPI_Count n_" name[count] " = *" \
			    name[count] ";")
		add("then", "int t_" v " = " matters(k) "section_type(" v \
		    ", " (count_of[count] ? "&n_" name[count] : "NULL") \
		    ", &c_" name[of] ")" (matters(k) ? " : SECTION_AS_IS" : \
		    "") ";")
		add("always", "section_free(t_" v ", &c_" name[of] ");")
	} else {
		add("then", "int t_" v " = section_untyped(" v ");")
	}
	if (copies) {
		add("then", "if (t_" v " == SECTION_COPY)\n\t\t" c \
		    " = section_copy(" v ");")
		add("always", "if (t_" v " == SECTION_COPY)\n\t\t" \
		    "pending_add(rc, *request, " v ", " c ", " \
		    (dir[k] == "in") ", " (fn ~ /_init(_c)?$/) ");")
	}
	check = check (check ? " || " : "") "t_" v " < " \
	    (copies ? "SECTION_COPY" : "SECTION_AS_IS")
	return c
}

function argument(k,	c) {
	c = class[k]
	if (c == "absent") return about("absent", k)
	if (c == "int" || c == "aint" || c == "count" || c == "offset")
		return integer(k)
	if (c == "handle") return handle(k)
	if (c == "logical") return logical(k)
	if (c == "string") return string(k)
	if (c == "weights") return weights(k)
	if (c == "status") return status(k)
	if (c == "pointer") return name[k]
	if (c == "detached") {
		if (f08) {
			add("good", "address_out(" name[k] ");")
			return name[k]
		}
		add("then", "void *c_" name[k] ";")
		return "&c_" name[k]
	}
	if (c == "address" && !f08) return "address_arg(" name[k] ")"
	if (c == "address") return "address_arg(" name[k] "->base_addr)"
	if (c == "buffer" && f08) return section(k)
	if (c == "buffer") {
		add("first", "void *c_" name[k] " = buffer_arg(" name[k] ");")
		return "c_" name[k]
	}
	return "?" c
}

function wanted(large) {
	if (value("hand", base) != "" && !(base ~ /^[A-Z][a-z]*_spawn/))
		return 0
	if (value("hand", base) != "")
		return 0
	own = any("^(buffer|address|detached)$")
	return f08 ? (large || own) && value("old", base) == "" : !large
}

function each(large,	k, parameters, arguments, macro, stars) {
	if (!wanted(large))
		return
	first = second = good = always = check = values = ""
	split("", count_of)
	descriptors = f08 && any("^(buffer|address)$")
	pending = any_op = copies = 0
	for (k = 1; k <= n; k++) {
		if (type[k] == "MPI_Win" && dir[k] == "in")
			pending = 1
		# parts of the buffers of MPI_Psend_init move one by one
		if (type[k] == "MPI_Request" && dir[k] == "out") {
			pending = 1
			copies = fn !~ /^P(send|recv)_init/
		}
	}
	if (fn ~ /_(begin|end)(_c)?$/)
		pending = 1
	for (k = 1; k <= n; k++)
		if (type[k] == "MPI_Op" && pending && !has_win())
			any_op = 1
	if (fn ~ /^Start(all)?$/)
		add("first", "pending_start(" (n > 1 ? "*count" : "1") ", " \
		    name[n] ");")
	if (fn == "Request_free")
		add("first", "pending_forget(*request);")
	simple = !wide && is_simple()
	for (k = 1; k <= n; k++)
		call[k] = argument(k)
	for (k = 1; k <= n; k++) {
		if (count_of[k])
			call[k] = (class[k] == "int" ? "(int)" : "") "n_" \
			    name[k]
		arguments = arguments (k > 1 ? ", " : "") call[k]
		if (class[k] != "absent")
			parameters = parameters declared(k) ", "
		if (simple)
			values = values (class[k] == "handle" ? "uintptr_t " \
			    name[k] : declared(k)) ", "
	}
	parameters = parameters "MPI_Fint *ierror"
	for (k = 1; k <= n; k++)
		if (class[k] == "string" && !descriptors)
			parameters = parameters ", size_t " name[k] "_len"
	macro = f08 ? (descriptors ? "ROUTINE_F08TS" : "ROUTINE_F08") : \
	    any("^pointer$") ? "ROUTINE_CPTR" : own ? "ROUTINE_MPIF" : \
	    value("old", base) != "" ? "ROUTINE_MPIF" : "ROUTINE_BOTH"
	if (simple)
		print "SLOW(" tolower(fn) (f08 ? "_f08" : "") ", (" values \
		    "MPI_Fint *ierror))"
	else
		print macro "(" tolower(fn) ", (" parameters "))"
	print "{"
	printf "%s%s", first, second
	if (check)
		line("int rc = " check " ? section_error(" error_of() ") : MPI_" \
		    callee "(" arguments ");")
	else
		line("int rc = MPI_" callee "(" arguments ");")
	if (good)
		printf "\tif (!rc) {\n%s\t}\n", good
	printf "%s", always
	line("error_out(ierror, rc);")
	print "}\n"
	if (simple)
		fast(macro, parameters)
}

# Whether a call needs nothing but to look at its arguments, if all handles are
# predefined and no buffer is special.
function is_simple(	k, handles) {
	for (k = 1; k <= n; k++) {
		if (class[k] !~ /^(int|aint|count|offset|handle|buffer|status)$/)
			return 0
		if (class[k] == "handle" && (dir[k] != "in" || array[k]))
			return 0
		if (has("index", k))
			return 0
		handles += class[k] == "handle"
	}
	return handles > 0
}

# The same without calls to convert anything, before the general way, which gets
# the arguments where they are; but handles as values, which spares registers.
function fast(macro, parameters,	k, plain, condition, types, others, \
    number, arguments, passing, passed) {
	plain = (prototype ~ /tag/ ? "message_" : "buffer_") \
	    (f08 ? "section_plain(" : "plain(")
	for (k = 1; k <= n; k++) {
		passing = name[k]
		if (class[k] == "handle") {
			passing = number = "number_of(" name[k] ")"
			if (type[k] == "MPI_Datatype")
				types = types (types ? " | " : "") number
			else
				others = others " + " number
			call[k] = "(" type[k] ")" number
		} else if (class[k] == "buffer") {
			condition = condition plain name[k] ") && "
			call[k] = name[k] (f08 ? "->base_addr" : "")
		} else if (class[k] != "status") {
			call[k] = integer(k)
		}
		arguments = arguments (k > 1 ? ", " : "") call[k]
		passed = passed passing ", "
	}
	if (types)
		others = " + (" types ")" others
	print macro "(" tolower(fn) ", (" parameters "))"
	print "{"
	line("if (" condition substr(others, 4) " < PREDEFINED)")
	# only mpi_f08 may leave it out
	if (macro == "ROUTINE_MPIF")
		line("\t*ierror = MPI_" fn "(" arguments ");")
	else
		line("\terror_out(ierror, MPI_" fn "(" arguments "));")
	line("else")
	line("\tslow_" tolower(fn) (f08 ? "_f08" : "") "(" passed "ierror);")
	print "}\n"
}

function has_win(	k) {
	for (k = 1; k <= n; k++)
		if (type[k] == "MPI_Win")
			return 1
	return 0
}

function error_of(	k) {
	for (k = 1; k <= n; k++)
		if (type[k] == "MPI_Comm" && dir[k] == "in")
			return "c_" name[k]
	return "MPI_COMM_SELF"
}

function done() { }

BEGIN {
	print "/* Written by wrap.awk. */"
	print "#include \"fortran/pending.h\"\n"
}
