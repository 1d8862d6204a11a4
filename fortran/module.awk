# SPDX-License-Identifier: Apache-2.0
# module.awk, after read.awk: writes the interfaces of the module mpi (f08=0) or
# mpi_f08 (f08=1).
#	awk -v f08=0 -f read.awk -f module.awk rules.txt functions.txt

function pending_call(	k) {
	for (k = 1; k <= n; k++)
		if (type[k] == "MPI_Win" && dir[k] == "in" || \
		    type[k] == "MPI_Request" && dir[k] == "out")
			return 1
	return fn ~ /_(begin|end)(_c)?$/
}

function shape(k) {
	if (name[k] == "ranges")
		return "(3,*)"
	if (name[k] == "array_of_argv")
		return "(count,*)"
	if (class[k] == "status" && !f08)
		return array[k] ? "(MPI_STATUS_SIZE,*)" : "(MPI_STATUS_SIZE)"
	return array[k] || class[k] == "spawn" ? "(*)" : ""
}

function intent(k) {
	if (class[k] == "status")
		return dir[k] == "in" ? ", intent(in)" : \
		    dir[k] == "inout" ? ", intent(inout)" : ""
	return ", intent(" dir[k] ")"
}

# Compilers take the address of a dummy argument to be lost when the call returns,
# even if it is asynchronous; not so if it is a target.
function choice(k) {
	if (!f08) {
		print "!GCC$ ATTRIBUTES NO_ARG_CHECK :: " name[k]
		print "!DIR$ IGNORE_TKR " name[k]
		return "type(*), dimension(*), target"
	}
	return "type(*), dimension(..), target" \
	    (dir[k] == "in" || class[k] == "address" && fn !~ /get/ ? \
	    ", intent(in)" : "") \
	    (pending || class[k] == "address" ? ", asynchronous" : "")
}

function declared(k,	c) {
	c = class[k]
	if (c ~ /^(buffer|address)$/ || c == "detached" && !f08)
		return choice(k)
	if (c == "pointer" && !cptr && !f08)
		return "integer(kind=MPI_ADDRESS_KIND), intent(out)"
	if (c ~ /^(pointer|detached)$/)
		return "type(c_ptr), intent(out)"
	if (c == "callback")
		return f08 ? "procedure(" type[k] ")" : ""
	if (c == "string" || c == "spawn")
		return "character(len=*)" intent(k)
	if (c == "handle" || c == "status")
		return (f08 ? "type(" type[k] ")" : "integer") intent(k)
	if (c == "logical")
		return "logical" intent(k)
	if (c == "attribute" && value("old", base) != "")
		return "integer" intent(k)
	if (c ~ /^(aint|attribute)$/)
		return "integer(kind=MPI_ADDRESS_KIND)" intent(k)
	if (c == "count")
		return "integer(kind=MPI_COUNT_KIND)" intent(k)
	if (c == "offset")
		return "integer(kind=MPI_OFFSET_KIND)" intent(k)
	return "integer" intent(k) \
	    (f08 && pending && array[k] ? ", asynchronous" : "")
}

function routine(p, specific, ending,	k, arguments, text, last) {
	for (k = 1; k <= n; k++)
		if (class[k] != "absent")
			arguments = arguments name[k] ", &\n        "
	if (base == "Pcontrol")
		sub(/, &\n        $/, "", arguments)
	else
		arguments = arguments "ierror"
	print "    subroutine " p specific "(" arguments ")" \
	    (ending ? " &\n        bind(C, name=\"" tolower(p specific) "_\")" \
	    : "")
	print "      import"
	for (k = 1; k <= n; k++) {
		if (class[k] == "absent")
			continue
		text = declared(k)
		if (text == "")
			print "      external :: " name[k]
		else
			print "      " text " :: " name[k] \
			    (class[k] ~ /^(buffer|address)$/ || \
			    class[k] == "detached" && !f08 ? "" : shape(k))
	}
	if (base != "Pcontrol")
		print "      integer, " (f08 ? "optional, " : "") \
		    "intent(out) :: ierror"
	print "    end subroutine"
}

function any(wanted,	k) {
	for (k = 1; k <= n; k++)
		if (class[k] ~ wanted)
			return 1
	return 0
}

function both(p, large,	descriptors, generic) {
	if (!f08) {
		print "  interface" (any("^pointer$") ? " " p "MPI_" fn : "")
		cptr = 0
		routine(p, "MPI_" fn, 0)
		cptr = 1
		if (any("^pointer$"))
			routine(p, "MPI_" fn "_cptr", 0)
		print "  end interface"
		return
	}
	descriptors = any("^(buffer|address)$")
	generic = p "MPI_" (any("^callback$") ? fn : base)
	print "  interface " generic
	routine(p, "MPI_" fn (descriptors ? "_f08ts" : "_f08"), descriptors)
	print "  end interface"
}

function each(large,	k, was) {
	if (result != "int" || !f08 && large)
		return
	pending = pending_call()
	# the same in all modules, with INTEGERs
	was = f08
	if (value("old", base) != "")
		f08 = 0
	# the names that the standard gives them in Fortran
	for (k = 1; k <= n; k++) {
		if (name[k] == "indx")
			name[k] = "index"
	}
	both("", large)
	both("P", large)
	f08 = was
}

function done() { }
