# SPDX-License-Identifier: Apache-2.0
# calls.awk, after fortran/read.awk: writes the test that each routine passes its
# arguments on, in three parts. The parameter k of a call gets a value made of k;
# the function in C below it prints what it got and answers with other values,
# which the program prints.
#	what=c		the functions in C
#	what=mpif, mpi, f08	the program, over this interface
#	what=mpif.out, mpi.out, f08.out	what the two print
# With wide=1 the last two are for INTEGERs of 8 bytes.
# Callbacks and arguments of spawned programs have tests of their own.

function put(text) { print "    " text }

function long(k) { return class[k] ~ /^(count|aint|offset|attribute)$/ }

# Whether a parameter says how many of others there are.
function is_length(k,	j) {
	if (class[k] ~ /^(int|count)$/ && name[k] ~ /^(valuelen|buflen|pset_len)$/)
		return 1
	for (j = 1; j <= n; j++)
		if (index(about("length", j), "*" name[k]) == 1)
			return 1
	return 0
}

# What goes in, as Fortran has it, for element i, and what comes back.
function in_value(k, i) {
	if (class[k] == "handle")
		return 768 + 8 * k + i
	if (class[k] == "logical")
		return (k + i) % 2
	if (class[k] == "string")
		return "text" k
	if (class[k] ~ /^(buffer|address)$/)
		return 7000 + k
	# what the lengths of other arrays are made of
	if (name[k] == "nnodes")
		return 3
	if (name[k] ~ /^(indx|degrees)$/)
		return i + 1
	if (is_length(k))
		return k + 2
	return (class[k] == "count" || old_attribute(k) == "no" ? \
	    "8589934592" + 0 : 0) + 100 * i + k + 2
}

function out_value(k, i) {
	if (class[k] == "handle")
		return 912 + 8 * k + i
	if (class[k] == "logical")
		return (i + 1) % 2
	if (class[k] == "string")
		return "out" k
	if (name[k] == "outcount")
		return 2
	return (long(k) && old_attribute(k) != "yes" ? "8589934592" + 0 : 0) + \
	    500 + 100 * i + k
}

function old_attribute(k) {
	if (class[k] != "attribute")
		return ""
	return value("old", base) != "" ? "yes" : "no"
}

function elements(k) { return array[k] ? 3 : 1 }

function show(n_) { return sprintf("%.0f", n_) }

# ---- The functions in C ----------------------------------------------------

function c_scalar(k, at) {
	if (class[k] == "handle")
		return "say_number(\"" name[k] "\", (long long)(intptr_t)" at ");"
	return "say_number(\"" name[k] "\", (long long)" at ");"
}

function c_in(k,	i, c) {
	c = class[k]
	if (c == "absent" || c == "pointer" || c == "detached" || \
	    c == "callback" || c == "spawn")
		return
	if (c == "string") {
		if (dir[k] == "in")
			print "\tsay_text(\"" name[k] "\", " name[k] ");"
		return
	}
	if (c == "status") {
		if (dir[k] != "out")
			print "\tsay_status(\"" name[k] "\", " name[k] ");"
		return
	}
	if (c ~ /^(buffer|address)$/) {
		print "\tsay_buffer(\"" name[k] "\", " name[k] ");"
		return
	}
	if (dir[k] == "out")
		return
	if (name[k] == "ranges") {
		print "\tfor (int k = 0; k < 3; k++)"
		print "\t\tsay_number(\"ranges\", ranges[0][k]);"
		return
	}
	for (i = 0; i < elements(k); i++)
		print "\t" c_scalar(k, array[k] ? name[k] "[" i "]" : \
		    name[k] == "attribute_val" ? "*(intptr_t *)" name[k] : \
		    dir[k] == "in" || c == "attribute" ? name[k] : "*" name[k])
}

function c_out(k,	i, c) {
	c = class[k]
	if (dir[k] == "in" || c ~ /^(absent|callback|spawn|buffer|address)$/)
		return
	if (c == "string") {
		print "\tstrcpy(" name[k] ", \"" out_value(k) "\");"
		return
	}
	if (c == "status") {
		for (i = 0; i < elements(k); i++)
			print "\tset_status(" name[k] " + " i ", " k + 10 * i ");"
		return
	}
	if (c ~ /^(pointer|detached|attribute)$/) {
		print "\t*(intptr_t *)" name[k] " = " show(out_value(k, 0)) ";"
		return
	}
	for (i = 0; i < elements(k); i++)
		print "\t" name[k] "[" i "] = " (c == "handle" ? \
		    "(" type[k] ")(intptr_t)" : "") show(out_value(k, i)) ";"
}

function c_function(	k) {
	print "int MPI_" fn prototype
	print "{"
	print "\tprintf(\"" fn "\");"
	for (k = 1; k <= n; k++)
		c_in(k)
	print "\tsay_end();"
	for (k = 1; k <= n; k++)
		c_out(k)
	print "\treturn MPI_SUCCESS;"
	print "}\n"
}

# ---- The program --------------------------------------------------------------

function f_type(k,	c) {
	c = class[k]
	if (c == "string")
		return dir[k] == "in" ? "character(len=12)" : "character(len=99)"
	if (c == "logical")
		return "logical"
	if (c == "handle" && f08)
		return "type(" type[k] ")"
	if (c == "status" && f08)
		return "type(MPI_Status)"
	if (c ~ /^(pointer|detached)$/ && f08)
		return "type(c_ptr)"
	if (long(k) && old_attribute(k) != "yes" || c == "pointer")
		return "integer(kind=MPI_ADDRESS_KIND)"
	return "integer"
}

# The name of Fortran's variable for element i.
function f_var(k, i,	v) {
	v = "v" k
	if (class[k] == "status")
		return f08 ? v "(" (i + 1) ")" : v "(:," (i + 1) ")"
	if (array[k])
		v = v "(" (i + 1) (name[k] == "ranges" ? ",1" : "") ")"
	return v (class[k] == "handle" && f08 ? "%MPI_VAL" : "")
}

function f_literal(k, i) {
	if (class[k] == "logical")
		return in_value(k, i) ? ".true." : ".false."
	if (class[k] == "string")
		return "'" in_value(k) "'"
	return show(in_value(k, i)) (long(k) ? "_8" : "")
}

function f_declare(k,	dims) {
	if (class[k] == "status")
		dims = f08 ? "(3)" : "(MPI_STATUS_SIZE,3)"
	else if (class[k] ~ /^(buffer|address|detached)$/ && \
	    !(class[k] == "detached" && f08))
		dims = "(20)"
	else if (array[k])
		dims = name[k] == "ranges" ? "(3,20)" : "(20)"
	put(f_type(k) " :: v" k dims)
}

function f_in(k,	i) {
	if (class[k] ~ /^(pointer|detached)$/)
		return
	if (class[k] == "status") {
		if (f08)
			put("call MPI_Status_f2f08([(" k "*10+i,i=1,8)], v" k "(1))")
		else
			put("v" k "(:,1) = [(" k "*10+i,i=1,8)]")
		return
	}
	if (class[k] ~ /^(buffer|address)$/) {
		put("v" k " = " in_value(k))
		return
	}
	if (array[k] && f_type(k) == "integer")
		put("v" k " = 0")
	for (i = 0; i < elements(k); i++)
		put(f_var(k, i) " = " f_literal(k, i))
}

function reported(k) {
	if (class[k] == "detached")
		return f08
	return dir[k] != "in" && class[k] !~ /^(buffer|address|absent)$/
}

function f_out(k,	i, v) {
	if (!reported(k))
		return
	for (i = 0; i < elements(k); i++) {
		v = f_var(k, i)
		if (class[k] == "string")
			put("call say_string('" name[k] "', " v ")")
		else if (class[k] == "status" && f08)
			put("call say_number('" name[k] "', " \
			    "10000_8*" v "%MPI_SOURCE + 100*" v "%MPI_TAG + " \
			    v "%MPI_ERROR)")
		else if (class[k] == "status")
			put("call say_number('" name[k] "', 10000_8*v" k \
			    "(MPI_SOURCE," (i + 1) ") + 100*v" k "(MPI_TAG," \
			    (i + 1) ") + v" k "(MPI_ERROR," (i + 1) "))")
		else if (class[k] == "logical")
			put("call say_number('" name[k] "', merge(1_8, 0_8, " v "))")
		else if (f_type(k) == "type(c_ptr)")
			put("call say_number('" name[k] "', transfer(" v ", 0_8))")
		else
			put("call say_number('" name[k] "', int(" v ", 8))")
	}
}

function f_routine(	k, list) {
	calls[++count] = tolower(fn)
	print "  subroutine t_" tolower(fn)
	for (k = 1; k <= n; k++)
		if (class[k] != "absent")
			f_declare(k)
	put("integer :: ierror, i")
	put("i = 0")
	for (k = 1; k <= n; k++) {
		if (class[k] == "absent")
			continue
		f_in(k)
		list = list "v" k \
		    (class[k] == "status" && !array[k] ? \
		    (f08 ? "(1)" : "(:,1)") : "") ", "
	}
	put("ierror = -1")
	put("call MPI_" base "(" list "ierror)")
	for (k = 1; k <= n; k++)
		f_out(k)
	put("call say_number('ierror', int(ierror, 8))")
	put("call say_end()")
	print "  end subroutine"
}

# ---- What they print ------------------------------------------------------------

function length_of_string(k) { return name[k] ~ /^(buflen|pset_len)$/ }

function expect(	k, i, text) {
	text = callee
	for (k = 1; k <= n; k++) {
		if (class[k] ~ /^(absent|pointer|detached)$/)
			continue
		if (dir[k] == "out" && class[k] !~ /^(buffer|address)$/)
			continue
		if (class[k] == "status")
			text = text " " name[k] "=" 10 * k + 1 "," 10 * k + 2 \
			    "," 10 * k + 3
		else if (class[k] == "string")
			text = text " " name[k] "=" in_value(k)
		else
			for (i = 0; i < elements(k); i++)
				text = text " " name[k] "=" show(in_value(k, i) + \
				    length_of_string(k))
	}
	print text
	text = ""
	for (k = 1; k <= n; k++) {
		if (!reported(k))
			continue
		for (i = 0; i < elements(k); i++)
			text = text " " name[k] "=" answer(k, i)
	}
	print text " ierror=0"
}

function answer(k, i) {
	if (class[k] == "string")
		return "'" out_value(k) "'"
	if (class[k] == "status")
		return show(10000 * (k + 10 * i) + 100 * (k + 10 * i + 1) + \
		    k + 10 * i + 2)
	if (has("index", k) && (!array[k] || i < 2))
		return show(out_value(k, i) + 1)
	return show(out_value(k, i) - length_of_string(k))
}

function mine(large,	k) {
	for (k = 1; k <= n; k++)
		if (class[k] ~ /^(callback|spawn)$/)
			return 0
	if (result != "int" || base == "Pcontrol")
		return 0
	if (what == "c")
		return 1
	return f08 || !large
}

function each(large,	was) {
	if (!mine(large))
		return
	# in mpi_f08 as in mpi
	was = f08
	if (value("old", base) != "")
		f08 = 0
	if (what == "c")
		c_function()
	else if (what ~ /out$/)
		expect()
	else
		f_routine()
	f08 = was
}

BEGIN {
	f08 = what ~ /^f08/
	if (what == "c")
		print "#include \"tests/fortran/calls.h\""
	if (what == "c" || what ~ /out$/)
		exit_early = 1
	else {
		print "program calls"
		print what == "mpif" ? "  implicit none\n  include 'mpif.h'" : \
		    "  use " (f08 ? "mpi_f08" : "mpi") "\n  implicit none"
		print "  call all()"
		print "contains"
		print "  subroutine say_number(name, value)"
		put("character(len=*), intent(in) :: name")
		put("integer(kind=8), intent(in) :: value")
		put("call test_say_number(name, len(name), value)")
		print "  end subroutine"
		print "  subroutine say_string(name, value)"
		put("character(len=*), intent(in) :: name, value")
		put("call test_say_string(name, len(name), value, len(value))")
		print "  end subroutine"
		print "  subroutine say_end()"
		put("call test_say_end()")
		print "  end subroutine"
	}
}

function done(	k) {
	if (exit_early)
		return
	print "  subroutine all()"
	for (k = 1; k <= count; k++)
		put("call t_" calls[k])
	print "  end subroutine"
	print "end program"
}
