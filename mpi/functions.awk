# SPDX-License-Identifier: Apache-2.0
# functions.awk: writes mpi_prototypes.h from functions.txt, which says how it is
# written.

function declare(result, name, parameters)
{
	print "MPI_DECLARE_(" result ", " name ", " parameters ")"
}

function finish(	at, end, result, name, parameters, plain, large)
{
	if (text == "")
		return
	at = index(text, " ")
	end = index(text, "(")
	result = substr(text, 1, at - 1)
	name = substr(text, at + 1, end - at - 1)
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
	declare(result, name, plain)
	if (large != plain)
		declare(result, name "_c", large)
}

BEGIN {
	print "/* Written by functions.awk from functions.txt; a part of mpi.h. */"
	print "#ifndef MPI_H"
	print "#error \"include mpi.h\""
	print "#endif"
	print "#define MPI_DECLARE_(result, name, parameters) \\"
	print "\tresult MPI_##name parameters; \\"
	print "\tresult PMPI_##name parameters;"
	print ""
}
/^#/ { next }
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
	print ""
	print "#undef MPI_DECLARE_"
}
